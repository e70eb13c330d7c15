// Random functions through all of finish(): their meaning, their encoding, and that the result is the same
// each time.
#include <gtest/gtest.h>

#include <memory_resource>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/program.h"
#include "tests/unit/maxwell_machine/meaning.h"
#include "tests/unit/maxwell_machine/random_function.h"

namespace texlate::maxwell::machine::test {
namespace {

constexpr unsigned kSteps = 200000;

/// Empty if the finished program does the same as the function.
std::string check(uint32_t seed, const RandomFunctionOptions& shape, const Options& options) {
  std::pmr::monotonic_buffer_resource memory;
  Function function(&memory);
  std::vector<SideEffect> effects;
  make_random_function(seed, shape, function, effects);
  const Outcome wanted = run_function(function, kSteps);
  const std::string before = describe(function);
  Program program(&memory);
  Options verified = options;
  verified.verifies = true;
  const FinishError error = finish(function, verified, program);
  if (error != FinishError::none) return std::string(finish_error_text(error, program));
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Violation violation = check_constraints(program.instructions[i]);
    if (violation) return "instruction " + std::to_string(i) + ": " + std::string(rule_text(violation.rule));
  }
  if (program.register_count > options.register_limit) return "takes too many registers";
  const ProgramViolation violation = check_program(program.instructions);
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
  for (const bool weighs : {false, true}) {
    for (uint32_t seed = 0; seed < 300; ++seed) {
      const std::string wrong =
          check(seed, {.size = 300, .depth = 3, .pressure = 100}, {.weighs_registers = weighs});
      ASSERT_TRUE(wrong.empty()) << "weighs " << weighs << ", seed " << seed << ": " << wrong;
    }
  }
}

TEST(Machine, Calls) {
  for (const unsigned limit : {48u, 255u}) {
    for (uint32_t seed = 0; seed < 500; ++seed) {
      const std::string wrong =
          check(seed, {.size = 100, .depth = 3, .pressure = 30, .calls = 8}, {.register_limit = limit});
      ASSERT_TRUE(wrong.empty()) << "limit " << limit << ", seed " << seed << ": " << wrong;
    }
  }
}

/// A routine that adds one to its argument, or a kernel that calls it `calls` times.
void make_caller(Function& function, unsigned calls) {
  Builder builder(function);
  const auto constant = [&](Value v, int32_t number) {
    maxwell::Instruction code = make_instruction(Opcode::mov32i, Shape::imm);
    code.operands[0] = Operand::r(kVirtual);
    code.operands[1].value = number;
    builder.append(code, {v});
  };
  function.is_routine = calls == 0;
  Value v = builder.general();
  if (calls == 0) {
    builder.begin(builder.block(), std::array{v});
    maxwell::Instruction add = make_instruction(Opcode::iadd32i, Shape::imm);
    add.operands[0] = add.operands[1] = Operand::r(kVirtual);
    add.operands[2].value = 1;
    const Value sum = builder.general();
    builder.append(add, {sum, v});
    v = sum;
  } else {
    builder.begin(builder.block());
    constant(v, 7);
    for (unsigned i = 0; i < calls; ++i) {
      const Value result = builder.general();
      builder.call(static_cast<uint16_t>(i % 2), 5, std::array{v}, std::array{result});
      v = result;
    }
  }
  builder.exit(std::array{v});
  builder.finish();
}

// Each routine begins a separate group, because offsets within it count control words; calls lead to its
// start.
TEST(Machine, CallsAreLinkedWithTheirRoutines) {
  std::pmr::monotonic_buffer_resource memory;
  const auto made = [&](unsigned calls) {
    Function function(&memory);
    make_caller(function, calls);
    EXPECT_EQ(verify(function).rule, FunctionRule::none);
    Program program(&memory);
    EXPECT_EQ(finish(function, {}, program), FinishError::none);
    return program;
  };
  Program program = made(3);
  const size_t own = program.instructions.size();
  const std::array routines{made(0), made(0)};
  ASSERT_EQ(link(program, routines), FinishError::none);
  EXPECT_EQ(program.stack_depth, 1u);
  EXPECT_EQ(program.origins.size(), program.instructions.size());
  const auto start = static_cast<uint32_t>((own + 2) / 3 * 3);
  const auto length = static_cast<uint32_t>((routines[0].instructions.size() + 2) / 3 * 3);
  uint32_t calls = 0;
  for (uint32_t i = 0; i < own; ++i) {
    const maxwell::Instruction& code = program.instructions[i];
    if (opcode(code) != Opcode::cal) continue;
    const uint32_t routine = start + calls++ % 2 * length;
    EXPECT_EQ(instruction_address(i) + 8 + static_cast<uint32_t>(code.operands[0].value),
              instruction_address(routine));
    EXPECT_EQ(opcode(program.instructions[routine]), Opcode::iadd32i);
  }
  EXPECT_EQ(calls, 3u);
  EXPECT_EQ(opcode(program.instructions.back()), Opcode::ret);
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
