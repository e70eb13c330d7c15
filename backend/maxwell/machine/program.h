// From a machine function to a finished program.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

struct Options {
  unsigned register_limit = 255;  // registers that the program may use; what does not fit is spilled
  /// Registers up to which the order of instructions is chosen only for speed: with 32 an SM holds all the
  /// warps that it can, and below that more cost nothing.
  unsigned register_goal = 28;
  /// The same for fetches, which are many cycles long: more of them under way are worth some warps.
  unsigned fetch_register_goal = 28;
  bool separates_fetches() const { return fetch_register_goal > register_goal; }
  bool convert_branches = true;  // predicates instead of short branches
  bool schedule = true;
  bool dual_issue = true;
};

/// What a launch needs to know, and the program.
struct Program {
  explicit Program(std::pmr::memory_resource* memory) : instructions(memory), origins(memory) {}

  std::pmr::vector<maxwell::Instruction> instructions;  // encode_program() makes words of them
  std::pmr::vector<uint32_t> origins;                   // Instruction::origin, one an instruction
  unsigned register_count = 0;                          // highest register and one
  uint32_t local_bytes = 0;                             // the function's own and the spill slots
  unsigned stack_depth = 0;                             // entries of the branch stack at once
  unsigned spilled_values = 0;
};

enum class FinishError : uint8_t {
  none,
  register_limit,  // no allocation within the limit, whatever is spilled
  too_long,        // a branch offset beyond its field
};
std::string_view finish_error_text(FinishError error);

/// Consumes `function`: its passes work in place.
FinishError finish(Function& function, const Options& options, Program& program);

/// Appends the routines to the program, and sets the targets of its calls: a call's target is the number of
/// its routine until then. Routines do not call each other.
FinishError link(Program& program, std::span<const Program> routines);

}  // namespace texlate::maxwell::machine
