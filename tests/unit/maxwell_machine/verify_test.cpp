// Violates every rule of verify() once.
#include <gtest/gtest.h>

#include <array>
#include <memory_resource>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/text.h"
#include "backend/maxwell/machine/verify.h"
#include "ir/base/diagnostics.h"
#include "tests/unit/maxwell_machine/parse_text.h"
#include "tests/unit/maxwell_machine/random_function.h"
#include "tests/unit/maxwell_machine/run_pass.h"

namespace texlate::maxwell::machine::test {
namespace {

class Verify : public testing::Test {
 protected:
  maxwell::Instruction move() {
    maxwell::Instruction code = make_instruction(Opcode::mov32i, Shape::imm);
    code.operands[0] = Operand::r(kVirtual);
    return code;
  }
  maxwell::Instruction compare() {
    maxwell::Instruction code = make_instruction(Opcode::isetp);
    code.operands[0] = Operand::p(kVirtual);
    code.operands[2] = Operand::r(kVirtual);
    return code;
  }
  /// block 0: a = 1; p = a compared; branch p 1, 2 (merge 3); 1: jump 3(a); 2: jump 3(a); 3(z): exit(z)
  void make() {
    const BlockId entry = builder_.block(), one = builder_.block(), two = builder_.block(),
                  merge = builder_.block();
    builder_.begin(entry);
    a_ = builder_.general();
    p_ = builder_.predicate();
    z_ = builder_.general();
    builder_.append(move(), {a_});
    builder_.append(compare(), {p_, a_});
    builder_.selection(merge);
    builder_.branch(p_, false, one, two);
    for (const BlockId way : {one, two}) {
      builder_.begin(way);
      builder_.jump(merge, std::array{a_});
    }
    builder_.begin(merge, std::array{z_});
    builder_.exit(std::array{z_});
    builder_.finish();
  }
  FunctionRule rule() { return verify(function_).rule; }

  std::pmr::monotonic_buffer_resource memory_;
  Function function_{&memory_};
  Builder builder_{function_};
  Value a_{}, p_{}, z_{};
};

TEST_F(Verify, Whole) {
  make();
  EXPECT_EQ(rule(), FunctionRule::none);
}
TEST_F(Verify, ValueNumber) {
  make();
  function_.operands[function_.instructions[1].values + 1] = Value(77);
  EXPECT_EQ(rule(), FunctionRule::value_number);
}
TEST_F(Verify, ValueClass) {
  make();
  function_.operands[function_.instructions[1].values + 1] = p_;
  EXPECT_EQ(rule(), FunctionRule::value_class);
}
TEST_F(Verify, Condition) {
  make();
  function_.blocks[0].condition = a_;
  EXPECT_EQ(rule(), FunctionRule::value_class);
}
TEST_F(Verify, DefinedTwice) {
  make();
  function_.operands[function_.blocks[3].parameters] = a_;
  EXPECT_EQ(rule(), FunctionRule::defined_twice);
}
TEST_F(Verify, UsedBeforeInBlock) {
  make();
  std::swap(function_.instructions[0], function_.instructions[1]);
  EXPECT_EQ(rule(), FunctionRule::not_dominated);
}
TEST_F(Verify, UsedOnOtherWay) {
  make();
  // The definition moves to one side; the other uses it.
  function_.operands[function_.blocks[2].arguments] = z_;
  EXPECT_EQ(rule(), FunctionRule::not_dominated);
}
TEST_F(Verify, BlockOrder) {
  make();
  function_.blocks[0].count = 1;
  EXPECT_EQ(rule(), FunctionRule::block_order);
}
TEST_F(Verify, BlockNumber) {
  make();
  function_.blocks[1].target[0] = BlockId(9);
  EXPECT_EQ(rule(), FunctionRule::block_number);
}
TEST_F(Verify, ArgumentCount) {
  make();
  function_.blocks[1].argument_count = 0;
  EXPECT_EQ(rule(), FunctionRule::argument_count);
}
TEST_F(Verify, BranchTarget) {
  make();
  function_.blocks[0].target[1] = BlockId(1);
  EXPECT_EQ(rule(), FunctionRule::branch_target);
}
TEST_F(Verify, MergeBlock) {
  make();
  function_.blocks[0].merge = BlockId(0);
  EXPECT_EQ(rule(), FunctionRule::construct);
}
TEST_F(Verify, LoopEntry) {
  make();
  function_.blocks[1].construct = Construct::loop;
  function_.blocks[1].merge = BlockId(3);
  function_.blocks[1].continue_target = BlockId(2);
  EXPECT_EQ(rule(), FunctionRule::loop_entry);
}
TEST_F(Verify, Carry) {
  make();
  maxwell::Instruction code = function_.instructions[1].code;
  set_modifier(code, Modifier::x, 1);
  function_.instructions[1].code = code;
  EXPECT_EQ(rule(), FunctionRule::carry);
}
TEST_F(Verify, MergeUnguarded) {
  make();
  function_.instructions[0].merge = function_.instructions[0].values;
  EXPECT_EQ(rule(), FunctionRule::merge_unguarded);
}

TEST_F(Verify, ValueList) {
  make();
  function_.instructions[1].counts = 0;
  EXPECT_EQ(rule(), FunctionRule::value_list);
}

/// The rule that a function with registers, or lines, break.
FunctionRule rule_of(std::string_view text) {
  std::pmr::monotonic_buffer_resource memory;
  Function function(&memory);
  Layout layout(&memory);
  Diagnostics diagnostics;
  const std::string plain = unindented(text);
  if (!plain.starts_with("lines")) {
    EXPECT_TRUE(parse(plain, function, diagnostics)) << diagnostics.list().front().message;
    return verify(function).rule;
  }
  EXPECT_TRUE(parse(plain, function, layout, diagnostics)) << diagnostics.list().front().message;
  return verify(layout).rule;
}
FunctionRule timed(const std::string& lines) {
  return rule_of("lines timed\nblock0:\n" + lines + "--:-:-:-:15 EXIT\n");
}

TEST(VerifyRegisters, EachRule) {
  EXPECT_EQ(rule_of("registers\nblock0:\n  LDS.U.64 R2, [R0] reads 2\n  exit\n"), FunctionRule::none);
  EXPECT_EQ(rule_of("registers\nblock0:\n  LDS.U.64 R3, [R0] reads 2\n  exit\n"), FunctionRule::encoding);
  EXPECT_EQ(rule_of("registers\nblock0:\n  IADD.X R3, R0, R1\n  exit\n"), FunctionRule::carry);
  EXPECT_EQ(rule_of("registers\nblock0:\n  jump block1\n"), FunctionRule::block_number);
}

TEST(VerifyLines, EachRule) {
  EXPECT_EQ(rule_of("lines\nblock0:\n  SYNC to block0\n"), FunctionRule::none);
  EXPECT_EQ(rule_of("lines\nblock0:\n  SYNC\n"), FunctionRule::line_target);
  EXPECT_EQ(rule_of("lines\nblock0:\n  EXIT\n  FADD R0, R1, R2\n"), FunctionRule::line_end);
  EXPECT_EQ(rule_of("lines\nblock0:\n  LDS.U.64 R3, [R0] reads 2\n  EXIT\n"), FunctionRule::encoding);
}

TEST(VerifyLines, Timing) {
  EXPECT_EQ(timed("--:-:-:-:6 FADD R0, R1, R2\n --:-:-:-:1 FADD R3, R0, R2\n"), FunctionRule::none);
  EXPECT_EQ(timed("--:-:-:-:5 FADD R0, R1, R2\n --:-:-:-:1 FADD R3, R0, R2\n"), FunctionRule::early_read);
  EXPECT_EQ(timed("--:-:0:-:2 LDS R0, [R1]\n 01:-:-:-:1 FADD R3, R0, R2\n"), FunctionRule::none);
  EXPECT_EQ(timed("--:-:0:-:1 LDS R0, [R1]\n 01:-:-:-:1 FADD R3, R0, R2\n"), FunctionRule::early_wait);
  EXPECT_EQ(timed("--:-:0:-:2 LDS R0, [R1]\n --:-:-:-:1 FADD R3, R0, R2\n"), FunctionRule::unwaited);
  EXPECT_EQ(timed("--:-:0:-:2 LDS R0, [R1]\n --:-:-:-:1 MOV32I R1, 0x1\n"), FunctionRule::unwaited);
  EXPECT_EQ(timed("--:1:0:-:2 LDS R0, [R1]\n 02:-:-:-:1 MOV32I R1, 0x1\n"), FunctionRule::none);
  EXPECT_EQ(timed("--:-:-:-:2 LDS R0, [R1]\n"), FunctionRule::no_barrier);
  EXPECT_EQ(timed("--:-:-:-:2 STS [R0], R1\n"), FunctionRule::no_barrier);
}

TEST(VerifyRandom, AllAreWhole) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    std::pmr::monotonic_buffer_resource memory;
    Function function(&memory);
    std::vector<SideEffect> effects;
    make_random_function(seed, {.size = 60}, function, effects);
    const FunctionViolation violation = verify(function);
    ASSERT_EQ(violation.rule, FunctionRule::none)
        << "seed " << seed << ": " << function_rule_text(violation.rule);
  }
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
