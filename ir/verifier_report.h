// How the parts of the verifier report a broken rule.
#pragma once

#include "ir/module.h"

namespace texlate::ir {

class VerifierReport {
 public:
  VerifierReport(const Module& module, Diagnostics& diagnostics)
      : module_(module), diagnostics_(diagnostics) {}

  void at(const Instruction& instruction, size_t index) {
    instruction_ = &instruction;
    index_ = index;
  }
  /// What is reported before the first instruction is about a declaration.
  void at(SourceLocation declaration) { declaration_ = declaration; }

  /// Always false.
  template <typename... Args>
  bool broken(std::string_view rule, fmt::format_string<Args...> format, Args&&... args) {
    const std::string message = fmt::format(format, std::forward<Args>(args)...);
    if (instruction_ == nullptr) {
      diagnostics_.error(declaration_, "[{}] {}", rule, message);
    } else {
      const bool known = static_cast<uint32_t>(instruction_->op) < kOpCount;
      const bool located = instruction_->location <= module_.locations.size();
      diagnostics_.error(located ? module_.location_of(*instruction_) : SourceLocation{},
                         "[{}] {} (instruction {}): {}", rule,
                         known ? info(instruction_->op).text : "unknown operation", index_, message);
    }
    return false;
  }

 private:
  const Module& module_;
  Diagnostics& diagnostics_;
  SourceLocation declaration_;
  const Instruction* instruction_ = nullptr;
  size_t index_ = 0;
};

/// Is the contract of a resource access one that Direct3D allows for this operation? Payload and operand
/// count must have been checked.
bool verify_access(const Module& module, const Instruction& instruction, VerifierReport& report);

}  // namespace texlate::ir
