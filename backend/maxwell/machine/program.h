// From a machine function to a finished program.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/verify.h"
#include "ir/base/pass_text.h"

namespace texlate::maxwell::machine {

struct Options {
  unsigned register_limit = 255;  // registers that the program may use; other values are spilled
  /// Up to this many registers, the order of instructions is chosen only for speed: with 32 an SM holds all
  /// its warps, and using fewer gains nothing.
  unsigned register_goal = 28;
  /// The same for fetches. They take many cycles, so more of them in flight are worth the loss of some warps.
  unsigned fetch_register_goal = 28;
  bool separates_fetches() const { return fetch_register_goal > register_goal; }
  /// Tries other register counts, too, and takes the one for which an SM needs the least time. Not where
  /// fetches get registers of their own.
  bool weighs_registers = false;
  bool convert_branches = true;  // predicates instead of short branches
  bool schedule = true;
  bool dual_issue = true;
  /// Gets the function's text after each pass (pass_log.h). Of orders that were tried, only the one taken.
  const PassText* observer = nullptr;
  /// Verifies the function before the first pass and after each one.
#ifdef NDEBUG
  bool verifies = false;
#else
  bool verifies = true;
#endif
  bool operator==(const Options&) const = default;
};

/// The program and what a launch needs to know.
struct Program {
  explicit Program(std::pmr::memory_resource* memory) : instructions(memory), origins(memory) {}

  std::pmr::vector<Code> instructions;
  std::pmr::vector<uint32_t> origins;  // Instruction::origin, one an instruction
  unsigned register_count = 0;         // highest register plus one
  uint32_t local_bytes = 0;            // the function's own and the spill slots
  unsigned stack_depth = 0;            // entries of the branch stack at once
  unsigned spilled_values = 0;
  PassViolation broken;  // with FinishError::broken
};

enum class FinishError : uint8_t {
  none,
  register_limit,  // no allocation fits the limit, even with spilling
  too_long,        // a branch offset beyond its field
  broken,          // Options::verifies, and a pass broke a rule, which is an error in this folder
};
/// `program`: what finish() has left.
std::string finish_error_text(FinishError error, const Program& program);

/// Consumes `function`: its passes change it in place.
FinishError finish(Function& function, const Options& options, Program& program);

/// Appends the routines to the program and sets the targets of its calls, which are numbers of routines until
/// then. Routines do not call each other.
FinishError link(Program& program, std::span<const Program> routines);

}  // namespace texlate::maxwell::machine
