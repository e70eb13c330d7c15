// The errors of validate(): each at the operand that is being checked, and each message once for an
// instruction.
#pragma once

#include <string>

#include "frontend/sm4/program.h"

namespace texlate::sm4 {

/// `r3`, `cb0[4]`, `vThreadID`: an operand in a message, without its components.
std::string spelled(const Operand& operand);
/// The same without further indices: `cb0`.
std::string spelled_number(const Operand& operand);
/// `.xy`; for a message about components.
std::string spelled_components(uint32_t mask);

class ValidationReport {
 public:
  ValidationReport(const Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  /// Errors refer to this operand of the instruction; null: to the instruction.
  void set_operand(const Operand* operand) { operand_ = operand; }
  const Operand* operand() const { return operand_; }

  // Cold: code that only errors need is kept away from the rest.
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void error(const Instruction& at, fmt::format_string<Args...> format,
                                          Args&&... args) {
    add(Severity::error, at, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void warning(const Instruction& at, fmt::format_string<Args...> format,
                                            Args&&... args) {
    add(Severity::warning, at, fmt::format(format, std::forward<Args>(args)...));
  }
  /// After an error: adds a note with the location of the register's declaration.
  void note_declaration(const Operand& operand);

  Diagnostics& diagnostics() { return diagnostics_; }
  bool full() const { return diagnostics_.full(); }
  uint32_t error_count() const { return diagnostics_.error_count(); }

 private:
  void add(Severity severity, const Instruction& at, std::string message);

  const Program& program_;
  Diagnostics& diagnostics_;
  const Operand* operand_ = nullptr;
};

}  // namespace texlate::sm4
