// The body of a function, and the ids of its values.

#include "backend/spirv/function_body.h"

#include <gmock/gmock.h>

#include "backend/spirv/values.h"
#include "ir/base/zeroed.h"
#include "tests/support/ir_text.h"

namespace texlate::spirv {
namespace {

// Numbers are neither ids nor operands: a value of the IR or a literal in the place of an id does not
// compile.
static_assert(!std::is_convertible_v<uint32_t, Id> && !std::is_convertible_v<Id, uint32_t>);
static_assert(!std::is_convertible_v<ir::Value, Operand> && !std::is_constructible_v<Operand, ir::Value>);
static_assert(!std::is_convertible_v<ir::Op, Operand> && !OperandList<std::span<const uint32_t>>);
static_assert(std::is_convertible_v<Id, Operand> && std::is_convertible_v<spv::StorageClass, Operand>);
static_assert(!std::is_convertible_v<Operand, Id> && sizeof(Operand) == sizeof(uint32_t));

using ::testing::ElementsAre;

class SpirvFunctionBody : public ::testing::Test {
 protected:
  /// The opcodes of a body, in their order.
  std::vector<spv::Op> opcodes() { return opcodes(body.finish()); }
  static std::vector<spv::Op> opcodes(const Words& words) {
    std::vector<spv::Op> found;
    for (size_t at = 0; at < words.size(); at += words[at] >> 16)
      found.push_back(static_cast<spv::Op>(words[at] & 0xffff));
    return found;
  }

  std::pmr::monotonic_buffer_resource arena;
  ModuleBuilder builder{0x00010300, &arena};
  FunctionBody body{builder, &arena};
};

TEST_F(SpirvFunctionBody, WhatGoesToTheEntryStandsBeforeAllBlocks) {
  const Id uint = builder.uint_type();
  body.emit(spv::OpIAdd, uint, {builder.constant(1), builder.constant(2)});
  const Id early = body.at_entry([&] { return body.emit(spv::OpNot, uint, {builder.constant(1)}); });
  body.emit(spv::OpIMul, uint, {early, early});
  EXPECT_THAT(opcodes(), ElementsAre(spv::OpNot, spv::OpIAdd, spv::OpIMul));
}

TEST_F(SpirvFunctionBody, ABlockIsEndedOnce) {
  const Id next = builder.new_id();
  body.branch(next);
  body.branch(next);
  EXPECT_FALSE(body.reached());
  body.start_block(next);
  EXPECT_TRUE(body.reached());
  EXPECT_EQ(body.block(), next);
  EXPECT_THAT(opcodes(), ElementsAre(spv::OpBranch, spv::OpLabel));
}

TEST_F(SpirvFunctionBody, AGuardIsASelectionAndAPhi) {
  const Id uint = builder.uint_type();
  const Id before = body.block();
  body.begin_guard(builder.constant_bool(true));
  const Id value = body.emit(spv::OpNot, uint, {builder.constant(1)});
  body.end_guard(uint, value, builder.constant(0));
  EXPECT_EQ(body.guard_failed_in(), before);
  EXPECT_THAT(opcodes(), ElementsAre(spv::OpSelectionMerge, spv::OpBranchConditional, spv::OpLabel,
                                     spv::OpNot, spv::OpBranch, spv::OpLabel, spv::OpPhi));
}

TEST_F(SpirvFunctionBody, AnotherFunctionStartsEmpty) {
  body.emit(spv::OpNot, builder.uint_type(), {builder.constant(1)});
  body.branch(builder.new_id());
  const Id label = builder.new_id();
  body.start_function(label);
  EXPECT_TRUE(body.reached());
  EXPECT_EQ(body.block(), label);
  EXPECT_TRUE(opcodes().empty());
}

TEST_F(SpirvFunctionBody, NothingIsAddedWhereNothingIsToAdd) {
  const Id a = builder.constant(7);
  EXPECT_EQ(body.add(a, 0), a);
  EXPECT_TRUE(opcodes().empty());
  EXPECT_EQ(body.convert(a, Kind::uint, Kind::uint), a);
  EXPECT_NE(body.convert(a, Kind::uint, Kind::float_), a);
}

TEST_F(SpirvFunctionBody, ALineIsSaidOnceABlock) {
  const Id source = builder.string("a.asm");
  body.line(source, 3, 1);
  body.line(source, 3, 1);
  body.start_block(builder.new_id());
  body.line(source, 3, 1);
  EXPECT_THAT(opcodes(), ElementsAre(spv::OpLine, spv::OpLabel, spv::OpLine));
}

// One cast for a value that is needed as both kinds, at its definition; none for other values.
TEST_F(SpirvFunctionBody, ValuesAreCastWhereTheyAreDefined) {
  ir::Module module(&arena);
  ir::parse_or_fail(ir::with_body("%0 = input v0.x\n%1 = input v0.y\noutput o0.x, %0\n"), module);
  const ir::Value both = module.code[0].first_result, one = module.code[1].first_result;
  ValueTypes types;
  types.kind = zeroed<Kind>(arena, module.values.size());
  ValueNeeds needs;
  needs.flags = zeroed<uint16_t>(arena, module.values.size());
  Values values(module, builder, body, true, arena);
  values.set(types, needs, 0);
  values.define(both, As::float_, Id{100});
  values.define(one, As::float_, Id{101});
  body.start_block(builder.new_id());
  EXPECT_EQ(values.use(both, As::float_), Id{100});
  EXPECT_EQ(values.use(both, As::uint), values.use(both, As::uint));
  EXPECT_NE(values.use(both, As::uint), Id{100});
  EXPECT_THAT(opcodes(values.finish_function()), ElementsAre(spv::OpBitcast, spv::OpLabel));
}

// Components follow their vector, once for all blocks; unused ones do not exist.
TEST_F(SpirvFunctionBody, ComponentsAreExtractedWhereTheirVectorIsDefined) {
  DerivedValues derived(builder, body, &arena);
  const Id four = builder.vector_type(builder.float_type(), 4);
  const uint32_t first = derived.add(body.emit(spv::OpLoad, four, {Id{100}}), 4, As::float_);
  derived.add(body.emit(spv::OpLoad, four, {Id{101}}), 4, As::float_);
  const uint32_t early =
      body.at_entry([&] { return derived.add(body.emit(spv::OpUndef, four, {}), 4, As::float_); });
  body.start_block(builder.new_id());
  const Id y = derived.component(first, 1, As::float_);
  body.start_block(builder.new_id());
  EXPECT_EQ(derived.component(first, 1, As::float_), y);
  EXPECT_NE(derived.component(early, 1, As::float_), y);
  EXPECT_THAT(opcodes(derived.finish()),
              ElementsAre(spv::OpUndef, spv::OpCompositeExtract, spv::OpLoad, spv::OpCompositeExtract,
                          spv::OpLoad, spv::OpLabel, spv::OpLabel));
}

// Bits of one component are cast separately, those of several with the whole vector.
TEST_F(SpirvFunctionBody, CastsAreOfAsMuchAsIsAskedFor) {
  DerivedValues derived(builder, body, &arena);
  const Id four = builder.vector_type(builder.float_type(), 4);
  const uint32_t vector = derived.add(body.emit(spv::OpLoad, four, {Id{100}}), 4, As::float_);
  derived.component(vector, 2, As::uint);
  EXPECT_THAT(opcodes(derived.finish()), ElementsAre(spv::OpLoad, spv::OpCompositeExtract, spv::OpBitcast));
  const uint32_t again = derived.add(body.emit(spv::OpLoad, four, {Id{100}}), 4, As::float_);
  derived.component(again, 2, As::uint);
  derived.component(again, 3, As::uint);
  EXPECT_THAT(opcodes(derived.finish()), ElementsAre(spv::OpLoad, spv::OpLoad, spv::OpBitcast,
                                                     spv::OpCompositeExtract, spv::OpCompositeExtract));
}

// In the order of the places, whatever the order of the requests.
TEST_F(SpirvFunctionBody, CastsOfScalarsStandBehindTheScalars) {
  DerivedValues derived(builder, body, &arena);
  const Id real = builder.float_type();
  const Id a = body.emit(spv::OpLoad, real, {Id{100}});
  const DerivedValues::Place behind_a = derived.here();
  const Id b = body.emit(spv::OpUndef, real, {});
  const DerivedValues::Place behind_b = derived.here();
  const uint32_t vector =
      derived.add(body.emit(spv::OpFAdd, builder.vector_type(real, 2), {a, b}), 2, As::float_);
  derived.component(vector, 0, As::float_);
  derived.cast(b, As::uint, behind_b);
  derived.cast(a, As::uint, behind_a);
  EXPECT_THAT(opcodes(derived.finish()), ElementsAre(spv::OpLoad, spv::OpBitcast, spv::OpUndef,
                                                     spv::OpBitcast, spv::OpFAdd, spv::OpCompositeExtract));
}

}  // namespace
}  // namespace texlate::spirv
