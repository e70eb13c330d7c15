// The meaning of a machine function before register allocation and scheduling, and the behavior of the
// finished program. Two executors give every operation the same artificial arithmetic, so that programs with
// equal traces carry every value from its definition to its uses.
//
// A result is a hash of the instruction (form, modifiers, literal operands) and its sources. Moves, exclusive
// or, selection, predicate logic and counting down are computed exactly, because the passes may add them.
// Loads hash everything stored to their space so far; stores and barriers are recorded.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/program.h"
#include "tests/unit/maxwell_machine/evaluate.h"

namespace texlate::maxwell::machine::test {

inline constexpr unsigned kLanes = 4;
inline constexpr unsigned kOutputs = 4;

/// The effects of one lane.
struct Trace {
  Effects effects;
  std::array<Word, kOutputs> outputs{};     // R0, R1 ... at the end
  std::array<bool, kOutputs> is_defined{};  // functions only
  std::array<bool, kOutputs> is_late{};     // programs only: still to be written when EXIT issues
  bool ended = false;
};

struct Outcome {
  std::array<Trace, kLanes> lanes;
  std::string error;  // an error that hardware would not tolerate; empty if there is none
};

/// The effects of the function's instructions besides their results, by Instruction::origin, because the
/// finished program does not have them.
struct SideEffect {
  Effect effect = Effect::none;
  uint8_t space = kAllSpaces;
};

/// Runs each lane separately on the unchanged function.
Outcome run_function(Function& function, unsigned step_limit);

/// Runs the lanes of the program together with a branch stack, and checks that no register is read or
/// overwritten while an operation on it is in flight.
Outcome run_program(const Program& program, const std::vector<SideEffect>& effects, unsigned step_limit);

/// As text, for messages.
std::string describe(const Function& function);
std::string describe(const Program& program);

/// The first relevant difference; empty if there is none.
std::string compare(const Outcome& function, const Outcome& program);

}  // namespace texlate::maxwell::machine::test
