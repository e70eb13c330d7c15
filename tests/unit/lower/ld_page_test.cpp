// Clauses of Microsoft's page on the shader-model 4 instruction `ld` (docs/reference/seeds.md).
#include <fmt/format.h>

#include <bit>

#include "frontend/sm4/validate.h"
#include "tests/unit/lower/lowered.h"

namespace texlate::test {
namespace {

using ir::Op;
using ir::Slot;

Lowered lowered(std::string_view declaration, std::string_view instruction,
                std::string_view profile = "ps_4_0") {
  const bool pixel = profile.starts_with("ps");
  return Lowered(fmt::format("{}\n{} t0\n{} v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n{}\nret\n", profile,
                             declaration, pixel ? "dcl_input_ps constant" : "dcl_input", instruction));
}

/// The component of v0 that an operand of the fetch is; -1: the operand is absent.
int component_of(const Lowered& program, Slot slot) {
  const ir::Instruction& fetch = *program.all(Op::tex_fetch).at(0);
  if (!program.access(Op::tex_fetch).has(slot)) return -1;
  const ir::Value value = program.module.operand(fetch, slot);
  for (const ir::Instruction* input : program.all(Op::input)) {
    if (input->first_result == value) return static_cast<int>(input->payload % 4);
  }
  return -2;
}

// x (g b for what has more axes), then the array index, and the mip always in a; buffers have neither.
TEST(LdPage, WhatEachComponentOfTheAddressIs) {
  struct Row {
    const char* dimension;
    int x, y, z, layer, level;
  };
  for (const Row& row : {Row{"buffer", 0, -1, -1, -1, -1}, Row{"texture1d", 0, -1, -1, -1, 3},
                         Row{"texture1darray", 0, -1, -1, 1, 3}, Row{"texture2d", 0, 1, -1, -1, 3},
                         Row{"texture2darray", 0, 1, -1, 2, 3}, Row{"texture3d", 0, 1, 2, -1, 3}}) {
    const Lowered program = lowered(fmt::format("dcl_resource_{} (float,float,float,float)", row.dimension),
                                    "ld o0.xyzw, v0.xyzw, t0.xyzw");
    ASSERT_TRUE(program.ok) << program.messages;
    EXPECT_EQ(component_of(program, Slot::coordinate0), row.x) << row.dimension;
    EXPECT_EQ(component_of(program, Slot::coordinate1), row.y) << row.dimension;
    EXPECT_EQ(component_of(program, Slot::coordinate2), row.z) << row.dimension;
    EXPECT_EQ(component_of(program, Slot::layer), row.layer) << row.dimension;
    EXPECT_EQ(component_of(program, Slot::lod), row.level) << row.dimension;
  }
}

// "POS-swizzle": the components are those after the swizzle of the operand.
TEST(LdPage, TheAddressIsSwizzledFirst) {
  const Lowered program =
      lowered("dcl_resource_texture2d (float,float,float,float)", "ld o0.xyzw, v0.wzyx, t0.xyzw");
  ASSERT_TRUE(program.ok) << program.messages;
  EXPECT_EQ(component_of(program, Slot::coordinate0), 3);
  EXPECT_EQ(component_of(program, Slot::coordinate1), 2);
  EXPECT_EQ(component_of(program, Slot::lod), 0);
}

TEST(LdPage, OffsetsOfAxesThatAreNotThereAreIgnored) {
  struct Row {
    const char* dimension;
    std::array<int, 3> used;
  };
  for (const Row& row :
       {Row{"texture1d", {1, 0, 0}}, Row{"texture1darray", {1, 0, 0}}, Row{"texture2d", {1, -2, 0}},
        Row{"texture2darray", {1, -2, 0}}, Row{"texture3d", {1, -2, 7}}}) {
    const Lowered program = lowered(fmt::format("dcl_resource_{} (float,float,float,float)", row.dimension),
                                    "ld_aoffimmi(1,-2,7) o0.xyzw, v0.xyzw, t0.xyzw");
    ASSERT_TRUE(program.ok) << program.messages;
    const ir::ResourceAccess& access = program.access(Op::tex_fetch);
    for (size_t axis = 0; axis < 3; ++axis)
      EXPECT_EQ(access.offset[axis], row.used[axis]) << row.dimension << axis;
  }
}

TEST(LdPage, OffsetsAreFourBits) {
  for (int offset = -9; offset <= 8; ++offset) {
    const Lowered program = lowered("dcl_resource_texture2d (float,float,float,float)",
                                    fmt::format("ld_aoffimmi(0,{},0) o0.xyzw, v0.xyzw, t0.xyzw", offset));
    EXPECT_EQ(program.read, offset >= -8 && offset <= 7) << offset;
  }
}

TEST(LdPage, EveryStageAndModel) {
  for (const char* const profile : {"vs_4_0", "vs_4_1", "vs_5_0", "ps_4_0", "ps_4_1", "ps_5_0"}) {
    const Lowered program =
        lowered("dcl_resource_texture2d (float,float,float,float)", "ld o0.xyzw, v0.xyzw, t0.xyzw", profile);
    EXPECT_TRUE(program.ok) << profile << program.messages;
  }
  for (const char* const profile : {"gs_4_0", "gs_4_1", "gs_5_0"}) {
    const Lowered program(fmt::format(
        "{}\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_input v[1][0].xyzw\ndcl_inputprimitive "
        "point\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 1\nld o0.xyzw, v[0][0].xyzw, "
        "t0.xyzw\nemit\nret\n",
        profile));
    EXPECT_TRUE(program.ok) << profile << program.messages;
  }
}

TEST(LdPage, WhatOperandsMayBe) {
  const auto operands = [](std::string_view text) {
    const std::string listing = fmt::format(
        "ps_4_0\ndcl_constantbuffer cb0[1], immediateIndexed\ndcl_resource_texture2d "
        "(float,float,float,float) "
        "t0\ndcl_sampler s0, mode_default\ndcl_input_ps constant v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n"
        "dcl_indexableTemp x0[2], 4\nmov r0.xyzw, v0.xyzw\nmov x0[0].xyzw, v0.xyzw\nld {}\nret\n",
        text);
    sm4::Program program;
    dxbc::Container container;
    Diagnostics diagnostics;
    if (library::read_program(listing, dxbc::DigestCheck::warn, program, container, diagnostics))
      sm4::validate(program, diagnostics);
    std::string messages;
    for (const Diagnostic& diagnostic : diagnostics.list()) messages += render(diagnostic, "t.asm", listing);
    return messages;
  };
  // The address: temporary, constant, input, and the literals that fxc prints.
  for (const char* const address : {"r0.xyzw", "x0[0].xyzw", "cb0[0].xyzw", "v0.xyzw", "l(0, 0, 0, 0)"})
    EXPECT_EQ(operands(fmt::format("o0.xyzw, {}, t0.xyzw", address)), "") << address;
  // The destination: temporary or output.
  for (const char* const to : {"r0.xyzw", "x0[1].xyzw", "o0.xyzw"})
    EXPECT_EQ(operands(fmt::format("{}, v0.xyzw, t0.xyzw", to)), "") << to;
  for (const char* const to : {"v0.xyzw", "cb0[0].xyzw", "t0.xyzw"})
    EXPECT_NE(operands(fmt::format("{}, v0.xyzw, t0.xyzw", to)), "") << to;
  // The resource: t# alone, and no sampler.
  for (const char* const from : {"cb0[0].xyzw", "r0.xyzw", "v0.xyzw", "s0"})
    EXPECT_NE(operands(fmt::format("o0.xyzw, v0.xyzw, {}", from)), "") << from;
  EXPECT_NE(operands("o0.xyzw, v0.xyzw, t0.xyzw, s0"), "");
}

}  // namespace
}  // namespace texlate::test
