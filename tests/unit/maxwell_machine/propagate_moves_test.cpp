// Which moves are replaced by what they move.
#include "backend/maxwell/machine/propagate_moves.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory_resource>

#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell::machine::test {
namespace {

using Change = std::function<void(maxwell::Instruction& move)>;

class PropagateMoves : public testing::Test {
 protected:
  /// a = 1; b = MOV a; exit(b): is a passed to the exit?
  bool replaces_register(const Change& change, bool guarded = false) {
    std::pmr::monotonic_buffer_resource memory;
    Function function(&memory);
    Builder builder(function);
    begin(builder);
    maxwell::Instruction move = make_instruction(Opcode::mov, Shape::reg);
    move.operands[0] = move.operands[1] = Operand::r(kVirtual);
    move.operands[2].value = 15;
    change(move);
    const Value b = builder.general();
    if (guarded) {
      builder.append(move, {b, a_}, p_);
      builder.merge(std::array{a_});
    } else {
      builder.append(move, {b, a_});
    }
    builder.exit(std::array{b});
    builder.finish();
    propagate_moves(function);
    return function.operands[function.blocks[0].arguments] == a_;
  }

  /// q = PSETP p; exit(q ? a : ..): is p the condition of the last instruction?
  bool replaces_predicate(const Change& change) {
    std::pmr::monotonic_buffer_resource memory;
    Function function(&memory);
    Builder builder(function);
    begin(builder);
    maxwell::Instruction move = make_instruction(Opcode::psetp);
    move.operands[0] = move.operands[2] = Operand::p(kVirtual);
    for (const unsigned k : {1u, 3u, 4u}) move.operands[k] = Operand::p(kPT);
    change(move);
    const Value q = builder.predicate();
    builder.append(move, {q, p_});
    const BlockId one = builder.block(), two = builder.block();
    builder.branch(q, false, one, two);
    for (const BlockId way : {one, two}) {
      builder.begin(way);
      builder.exit({});
    }
    builder.finish();
    propagate_moves(function);
    return function.blocks[0].condition == p_;
  }

 private:
  void begin(Builder& builder) {
    builder.begin(builder.block());
    a_ = builder.general();
    p_ = builder.predicate();
    maxwell::Instruction one = make_instruction(Opcode::mov32i, Shape::imm);
    one.operands[0] = Operand::r(kVirtual);
    builder.append(one, {a_});
    maxwell::Instruction compare = make_instruction(Opcode::isetp);
    compare.operands[0] = Operand::p(kVirtual);
    compare.operands[2] = Operand::r(kVirtual);
    builder.append(compare, {p_, a_});
  }
  Value a_ = 0, p_ = 0;
};

TEST_F(PropagateMoves, OfRegisters) {
  EXPECT_TRUE(replaces_register([](auto&) {}));
  EXPECT_FALSE(replaces_register([](auto& move) { move.operands[2].value = 7; })) << "three of four bytes";
  EXPECT_FALSE(replaces_register([](auto& move) { move.operands[0].flags = kWriteCC; }));
  EXPECT_FALSE(replaces_register([](auto&) {}, true)) << "under a guard";
}

TEST_F(PropagateMoves, OfPredicates) {
  EXPECT_TRUE(replaces_predicate([](auto&) {}));
  EXPECT_FALSE(replaces_predicate([](auto& move) { move.operands[2].flags = kInvert; })) << "the opposite";
  for (const unsigned k : {3u, 4u})
    EXPECT_FALSE(replaces_predicate([k](auto& move) { move.operands[k].flags = kInvert; })) << "and false";
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
