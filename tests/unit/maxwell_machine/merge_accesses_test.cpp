// Tests which accesses to shared and local memory are merged.
#include "backend/maxwell/machine/merge_accesses.h"

#include <gtest/gtest.h>

#include <memory_resource>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/verify.h"

namespace texlate::maxwell::machine::test {
namespace {

constexpr uint8_t kShared = kFirstFreeSpace;

class MergeAccesses : public testing::Test {
 protected:
  MergeAccesses() : function(&memory), builder(function) { builder.begin(builder.block()); }

  Value load(int32_t offset, Value base = kNoValue, Value guard = kNoValue, Opcode op = Opcode::lds) {
    const Value result = builder.general();
    Value otherwise = kNoValue;
    if (guard != kNoValue) otherwise = constant(0);
    maxwell::Instruction code = access(op, 1, offset, base);
    code.operands[0].reg = kVirtual;
    Instruction& out = base == kNoValue ? builder.append(code, {result}, guard)
                                        : builder.append(code, {result, base}, guard);
    set_effect(out, op, Effect::read);
    if (guard != kNoValue) builder.merge(std::array{otherwise});
    return result;
  }
  void store(int32_t offset, Value data, Value base = kNoValue, Opcode op = Opcode::sts) {
    maxwell::Instruction code = access(op, 0, offset, base);
    code.operands[1].reg = kVirtual;
    set_effect(base == kNoValue ? builder.append(code, {data}) : builder.append(code, {base, data}), op,
               Effect::write);
  }
  Value constant(int32_t bits) {
    maxwell::Instruction code = make_instruction(Opcode::mov32i, Shape::imm);
    code.operands[0].reg = kVirtual;
    code.operands[1].value = bits;
    const Value result = builder.general();
    builder.append(code, {result});
    return result;
  }
  /// A value that is not a constant.
  Value number() {
    maxwell::Instruction code = make_instruction(Opcode::s2r);
    code.operands[0].reg = kVirtual;
    const Value result = builder.general();
    builder.append(code, {result});
    return result;
  }
  Value shifted(Value v, int32_t by) {
    maxwell::Instruction code = make_instruction(Opcode::shl, Shape::imm);
    code.operands[0].reg = code.operands[1].reg = kVirtual;
    code.operands[2].value = by;
    const Value result = builder.general();
    builder.append(code, {result, v});
    return result;
  }
  Value condition() {
    maxwell::Instruction code = make_instruction(Opcode::isetp, Shape::imm);
    code.operands[0].reg = kVirtual;
    const Value result = builder.predicate();
    builder.append(code, {result});
    return result;
  }

  /// Sizes in words of the remaining accesses, in order: "4 1" after merging.
  std::string merged() {
    builder.exit();
    builder.finish();
    EXPECT_EQ(verify(function).rule, FunctionRule::none);
    merge_accesses(function);
    EXPECT_EQ(verify(function).rule, FunctionRule::none) << function_rule_text(verify(function).rule);
    std::string sizes;
    for (const Instruction& i : function.instructions) {
      if (modifier_index(i.code.form, Modifier::memory_size) < 0) continue;
      const auto size = static_cast<MemorySize>(get_modifier(i.code, Modifier::memory_size));
      sizes += sizes.empty() ? "" : " ";
      sizes += size == MemorySize::b128 ? "4" : size == MemorySize::b64 ? "2" : "1";
    }
    return sizes;
  }

 private:
  static maxwell::Instruction access(Opcode op, unsigned address, int32_t offset, Value base) {
    maxwell::Instruction code = make_instruction(op);
    set(code, Modifier::memory_size, MemorySize::b32);
    code.operands[address] = Operand::address(base == kNoValue ? kRZ : kVirtual, offset);
    return code;
  }
  static void set_effect(Instruction& instruction, Opcode op, Effect effect) {
    instruction.effect = effect;
    instruction.space = op == Opcode::lds || op == Opcode::sts ? kShared : kLocalSpace;
  }

 protected:
  std::pmr::monotonic_buffer_resource memory;
  Function function;
  Builder builder;
};

TEST_F(MergeAccesses, FourNeighborsInAnyOrderBecomeOne) {
  for (const int32_t offset : {12, 4, 0, 8}) load(offset);
  EXPECT_EQ(merged(), "4");
}

TEST_F(MergeAccesses, ThreeNeighborsBecomeAPairAndOne) {
  for (const int32_t offset : {0, 4, 8}) load(offset);
  EXPECT_EQ(merged(), "2 1");
}

TEST_F(MergeAccesses, APairThatDoesNotBeginAtItsMultipleStays) {
  for (const int32_t offset : {4, 8}) load(offset);
  EXPECT_EQ(merged(), "1 1");
}

TEST_F(MergeAccesses, AnAddressIsAsAlignedAsTheInstructionThatMakesIt) {
  const Value index = number();
  const Value row = shifted(index, 4);
  const Value pair = shifted(index, 3);
  const Value word = shifted(index, 2);
  for (const Value base : {row, pair, word, index}) {
    for (const int32_t offset : {0, 4, 8, 12}) load(offset, base);
  }
  EXPECT_EQ(merged(), "4 2 2 1 1 1 1 1 1 1 1");
}

TEST_F(MergeAccesses, AStoreToTheSameWordParts) {
  const Value data = number();
  load(0);
  store(4, data);
  load(4);
  EXPECT_EQ(merged(), "1 1 1");
}

TEST_F(MergeAccesses, AStoreBesideDoesNot) {
  const Value data = number();
  load(0);
  store(8, data);
  load(4);
  EXPECT_EQ(merged(), "2 1");
}

TEST_F(MergeAccesses, AStoreThroughAnotherRegisterParts) {
  const Value data = number();
  const Value base = shifted(number(), 4);
  load(0);
  store(8, data, base);
  load(4);
  EXPECT_EQ(merged(), "1 1 1");
}

TEST_F(MergeAccesses, OtherMemoryDoesNotPart) {
  const Value data = number();
  load(0);
  store(4, data, kNoValue, Opcode::stl);
  load(4);
  EXPECT_EQ(merged(), "2 1");
}

TEST_F(MergeAccesses, ABarrierParts) {
  load(0);
  builder.append(make_instruction(Opcode::membar), {}).effect = Effect::barrier;
  load(4);
  EXPECT_EQ(merged(), "1 1");
}

TEST_F(MergeAccesses, StoresMergeAtTheLast) {
  const Value a = number();
  store(0, a);
  const Value b = number();
  store(4, b);
  EXPECT_EQ(merged(), "2");
  EXPECT_EQ(opcode(function.instructions.back().code), Opcode::sts);
}

TEST_F(MergeAccesses, AStoreThatALoadReadsIsNotDelayed) {
  const Value a = number(), b = number();
  store(0, a);
  load(0);
  store(4, b);
  EXPECT_EQ(merged(), "1 1 1");
}

TEST_F(MergeAccesses, ValuesThatWouldNeedCopiesAreStoredAlone) {
  const Value zero = constant(0), a = number();
  store(0, zero);
  store(4, zero);
  store(8, a);
  store(12, a);
  EXPECT_EQ(merged(), "1 1 1 1");
}

TEST_F(MergeAccesses, GuardsPartAndWhatTheyLeaveComesAlong) {
  const Value p = condition(), q = condition();
  load(0, kNoValue, p);
  load(4, kNoValue, p);
  load(8, kNoValue, q);
  load(12, kNoValue, q);
  EXPECT_EQ(merged(), "2 2");
  for (const Instruction& i : function.instructions) {
    if (opcode(i.code) == Opcode::lds) {
      EXPECT_NE(i.merge, kNoIndex);
    }
  }
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
