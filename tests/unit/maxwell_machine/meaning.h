// What a machine function means before registers and schedule, and what the finished program does: two
// executors that give every operation the same made-up arithmetic, so that programs with equal traces carry
// every value from its definition to its uses.
//
// A result is a hash of the instruction (form, modifiers, literal operands) and its sources. Moves, exclusive
// or, selection, predicate logic and counting down are done truly, for the passes may add them. Loads hash
// what has been stored to their space so far; stores and barriers are recorded.
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

/// What one lane did.
struct Trace {
  Effects effects;
  std::array<Word, kOutputs> outputs{};  // R0, R1 ... at the end; 0 of a function where it leaves one open
  std::array<bool, kOutputs> is_late{};  // of a program: still to be written when EXIT issues
  bool ended = false;
};

struct Outcome {
  std::array<Trace, kLanes> lanes;
  std::string error;  // what the machine would not forgive; empty: nothing
};

/// What an instruction of the function does beside its results, by Instruction::origin: the finished program
/// does not say.
struct SideEffect {
  Effect effect = Effect::none;
  uint8_t space = kAllSpaces;
};

/// Runs each lane alone over the function as it is.
Outcome run_function(Function& function, unsigned step_limit);

/// Runs the lanes together over the program, with a branch stack, and checks that no register is read or
/// overwritten while it is under way.
Outcome run_program(const Program& program, const std::vector<SideEffect>& effects, unsigned step_limit);

/// As text, for messages.
std::string describe(Function& function);
std::string describe(const Program& program);

/// The first difference that matters, empty when there is none.
std::string compare(const Outcome& function, const Outcome& program);

}  // namespace texlate::maxwell::machine::test
