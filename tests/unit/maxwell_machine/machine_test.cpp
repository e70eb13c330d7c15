// Random functions through the whole of finish(): what they mean, how they encode, and that they are the same
// each time.
#include <gtest/gtest.h>

#include <memory_resource>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/machine/program.h"
#include "tests/unit/maxwell_machine/meaning.h"
#include "tests/unit/maxwell_machine/random_function.h"

namespace texlate::maxwell::machine::test {
namespace {

constexpr unsigned kSteps = 200000;

/// Empty when the finished program does what the function says.
std::string check(uint32_t seed, const RandomFunctionOptions& shape, const Options& options) {
  std::pmr::monotonic_buffer_resource memory;
  Function function(&memory);
  std::vector<SideEffect> effects;
  make_random_function(seed, shape, function, effects);
  const Outcome wanted = run_function(function, kSteps);
  const std::string before = describe(function);
  Program program(&memory);
  const FinishError error = finish(function, options, program);
  if (error != FinishError::none) return std::string(finish_error_text(error));
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Violation violation = check_constraints(program.instructions[i]);
    if (violation) return "instruction " + std::to_string(i) + ": " + std::string(rule_text(violation.rule));
  }
  if (program.register_count > options.register_limit) return "takes too many registers";
  std::pmr::vector<uint64_t> words(&memory);
  const ProgramViolation violation = encode_program(program.instructions, words);
  if (violation.violation) return "does not encode: " + std::string(rule_text(violation.violation.rule));
  const std::string difference = compare(wanted, run_program(program, effects, kSteps));
  return difference.empty() ? difference : difference + '\n' + before + describe(program);
}

TEST(Machine, StraightCode) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    const std::string wrong = check(seed, {.size = 40, .depth = 0}, {});
    ASSERT_TRUE(wrong.empty()) << "seed " << seed << ": " << wrong;
  }
}

TEST(Machine, ControlFlow) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    const std::string wrong = check(seed, {.size = 80, .depth = 4}, {});
    ASSERT_TRUE(wrong.empty()) << "seed " << seed << ": " << wrong;
  }
}

TEST(Machine, Outputs) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const std::string wrong = check(seed, {.size = 60, .depth = 2, .outputs = true}, {});
    ASSERT_TRUE(wrong.empty()) << "seed " << seed << ": " << wrong;
  }
}

TEST(Machine, HighPressure) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const std::string wrong = check(seed, {.size = 300, .depth = 3, .pressure = 100}, {});
    ASSERT_TRUE(wrong.empty()) << "seed " << seed << ": " << wrong;
  }
}

TEST(Machine, RegisterLimit) {
  for (const unsigned limit : {24u, 32u, 48u}) {
    for (uint32_t seed = 0; seed < 300; ++seed) {
      const std::string wrong =
          check(seed, {.size = 150, .depth = 3, .pressure = 60}, {.register_limit = limit});
      ASSERT_TRUE(wrong.empty()) << "limit " << limit << ", seed " << seed << ": " << wrong;
    }
  }
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
