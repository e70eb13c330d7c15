#include "ir/passes/construct_ssa.h"

#include <gtest/gtest.h>

#include "ir/builder.h"

namespace texlate::ir {
namespace {

TEST(ConstructSsa, MergesTheArmsOfAnIf) {
  Module module;
  Builder builder(module, module.code);
  const Value condition = builder.emit(Op::bound, {}, 0);
  builder.emit(Op::if_, {condition});
  builder.emit(Op::reg_store, {module.constant(1)}, 0);
  builder.emit(Op::else_);
  builder.emit(Op::endif);
  const Value loaded = builder.emit(Op::reg_load, {}, 0);
  builder.emit(Op::output, {loaded}, 0);
  construct_ssa(module);
  ASSERT_EQ(module.code.size(), 5u);
  EXPECT_EQ(module.operands_of(module.code[2])[0], module.constant(1));
  EXPECT_EQ(module.operands_of(module.code[3])[0], module.constant(0));
  ASSERT_EQ(module.code[3].result_count, 1u);
  EXPECT_EQ(module.operands_of(module.code[4])[0], module.code[3].first_result);
}

TEST(ConstructSsa, CarriesWhatALoopReadsAndWrites) {
  Module module;
  Builder builder(module, module.code);
  builder.emit(Op::reg_store, {module.constant(3)}, 0);
  builder.emit(Op::loop);
  const Value old = builder.emit(Op::reg_load, {}, 0);
  const Value next = builder.emit(Op::iadd, {old, module.constant(1)});
  builder.emit(Op::reg_store, {next}, 0);
  builder.emit(Op::reg_store, {next}, 1);  // not read again in the loop: not carried
  const Value done = builder.emit(Op::uge, {next, module.constant(9)});
  builder.emit(Op::if_, {done});
  builder.emit(Op::break_);
  builder.emit(Op::else_);
  builder.emit(Op::endif);
  builder.emit(Op::endloop);
  const Value result = builder.emit(Op::reg_load, {}, 1);
  builder.emit(Op::output, {result}, 0);
  construct_ssa(module);
  ASSERT_EQ(module.code.size(), 9u);
  const Instruction& loop = module.code[0];
  ASSERT_EQ(loop.result_count, 1u);
  EXPECT_EQ(module.operands_of(loop)[0], module.constant(3));
  EXPECT_EQ(module.operands_of(module.code[1])[0], loop.first_result);
  EXPECT_EQ(module.code[4].op, Op::break_);
  EXPECT_EQ(module.operands_of(module.code[4])[0], module.code[1].first_result);
  EXPECT_EQ(module.operands_of(module.code[7])[0], module.code[1].first_result);
  EXPECT_EQ(module.operands_of(module.code[8])[0], module.code[7].first_result);
}

}  // namespace
}  // namespace texlate::ir
