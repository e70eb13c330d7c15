// legalize_texture: contract minus guarantee. For a target that promises everything, the module is unchanged.
// For a target that promises nothing but existence, accesses require nothing more.

#include "ir/passes/legalize_texture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "backend/ptx/guarantees.h"
#include "frontend/asm/parser.h"
#include "frontend/lower/lower.h"
#include "ir/passes/optimize.h"
#include "ir/text_printer.h"
#include "ir/verifier.h"
#include "tests/support/support.h"

namespace texlate::ir {
namespace {

GuaranteeTable table_with(uint32_t promises) {
  static std::map<uint32_t, TexturePromises> tables;
  TexturePromises& rows = tables[promises];
  for (auto& row : rows) {
    for (uint32_t d = 0; d < kDimensionCount; ++d) {
      row[d].promises = promises;
      row[d].stand_in = static_cast<Dimension>(d);
    }
  }
  return {.target = "test", .rows = &rows, .counter_guarded = promises != kExists};
}

struct Legalized {
  Legalized(std::string_view body, const GuaranteeTable& table, std::string_view declarations = {}) {
    const std::string listing = test::pixel_shader(body, declarations);
    sm4::Program program;
    EXPECT_TRUE(assembly::parse(listing, program, diagnostics));
    EXPECT_TRUE(lower::lower(program, module, diagnostics));
    optimize(module);
    print(module, before);
    values = module.values.size();
    ok = legalize_texture(module, table, diagnostics, &gaps);
    if (!ok) return;
    EXPECT_TRUE(verify(module, diagnostics)) << diagnostics.list()[0].message;
    values = module.values.size() - values;
    optimize(module);
    print(module, after);
  }
  size_t count(Gap gap) const {
    return static_cast<size_t>(
        std::count_if(gaps.begin(), gaps.end(), [&](const ClosedGap& g) { return g.gap == gap; }));
  }
  const ResourceAccess& only(Op op) const {
    for (const Instruction& instruction : module.code) {
      if (instruction.op == op) return module.access_of(instruction);
    }
    ADD_FAILURE() << "no such access";
    return module.accesses[0];
  }
  size_t count(Op op) const {
    size_t n = 0;
    for (const Instruction& instruction : module.code) n += instruction.op == op ? 1 : 0;
    return n;
  }

  Module module;
  Diagnostics diagnostics;
  std::pmr::vector<ClosedGap> gaps;
  std::pmr::string before, after;
  size_t values = 0;  // number of values that legalization added
  bool ok = false;
};

constexpr const char* kBodies[] = {
    "ld_aoffimmi_indexable(1,-2,0)(texture2d)(float,float,float,float) o0.xyzw, v0.xyzw, t0.xyzw\n",
    "ld_aoffimmi_indexable(1,-2,3)(texture3d)(float,float,float,float) o0.xyzw, v0.xyzw, t2.xyzw\n",
    "ld_indexable(texture2darray)(float,float,float,float) o0.xyzw, v0.xyzw, t1.xyzw\n",
    "sample_aoffimmi_indexable(1,1,0)(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0\n",
    "sample_b_indexable(texture2darray)(float,float,float,float) o0.xyzw, v0.xyzx, t1.xyzw, s0, v1.x\n",
    "sample_l_indexable(texturecube)(float,float,float,float) o0.xyzw, v0.xyzx, t3.xyzw, s0, v1.x\n",
    "sample_c_lz_indexable(texture2d)(float,float,float,float) o0.x, v0.xyxx, t0.xxxx, s1, v0.z\n",
    "sample_c_indexable(texture2darray)(float,float,float,float) o0.x, v0.xyzx, t1.xxxx, s1, v0.w\n",
    "gather4_c_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s1.x, v0.z\n",
    "gather4_po_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, v1.xyxx, t0.xyzw, s0.z\n",
    "resinfo_indexable(texture2d)(float,float,float,float)_uint o0.xyzw, v0.x, t0.xyzw\n",
    "lod o0.xy, v0.xyxx, t0.xyzw, s0\n",
};

TEST(Legalize, AFullGuaranteeLeavesNothingToDo) {
  const GuaranteeTable everything = table_with(0xffffffffu);
  for (const char* body : kBodies) {
    const Legalized legalized(body, everything);
    ASSERT_TRUE(legalized.ok) << body;
    EXPECT_TRUE(legalized.gaps.empty()) << body;
    EXPECT_EQ(legalized.before, legalized.after) << body;
    EXPECT_EQ(legalized.values, 0u) << body;
  }
}

// Where the target does not evaluate inputs at samples and at the centroid, it does at offsets.
TEST(Legalize, InputsAreEvaluatedAtOffsets) {
  GuaranteeTable table = table_with(0xffffffffu);
  for (const char* body : {"eval_sample_index o0.x, v0.x, v1.x\n", "eval_centroid o0.x, v0.x\n"}) {
    const Legalized legalized(body, table);
    ASSERT_TRUE(legalized.ok) << body;
    EXPECT_EQ(legalized.count(Op::eval_snapped), 1u) << legalized.after;
    EXPECT_EQ(legalized.count(Op::eval_sample) + legalized.count(Op::eval_centroid), 0u) << legalized.after;
  }
  table.sample_evaluation = table.centroid_evaluation = true;
  for (const char* body : {"eval_sample_index o0.x, v0.x, v1.x\n", "eval_centroid o0.x, v0.x\n"}) {
    const Legalized legalized(body, table);
    EXPECT_EQ(legalized.before, legalized.after) << body;
  }
}

TEST(Legalize, WithoutAGuaranteeEveryAccessIsGuardedAndExplicit) {
  const GuaranteeTable nothing = table_with(kExists | kOffset);
  for (const char* body : kBodies) {
    const Legalized legalized(body, nothing);
    ASSERT_TRUE(legalized.ok) << body << legalized.diagnostics.list()[0].message;
    for (const Instruction& instruction : legalized.module.code) {
      if (instruction.op != Op::tex_fetch && instruction.op != Op::tex_sample &&
          instruction.op != Op::tex_gather)
        continue;
      const ResourceAccess& access = legalized.module.access_of(instruction);
      EXPECT_TRUE(access.has(Slot::guard)) << body;
      EXPECT_FALSE(access.compare) << body;
      EXPECT_FALSE(access.has(Slot::offset0)) << body;
      EXPECT_NE(access.lod, LodRule::implicit) << body;
      EXPECT_NE(access.lod, LodRule::bias) << body;
      EXPECT_NE(access.lod, LodRule::zero) << body;
      EXPECT_NE(access.lod, LodRule::gradient) << body;
      EXPECT_TRUE(!access.has(Slot::layer) || access.layer_is_integer) << body;
    }
  }
}

TEST(Legalize, OffsetsWrapIntoTheCoordinates) {
  const Legalized legalized(kBodies[0], table_with(kExists));
  EXPECT_EQ(legalized.count(Gap::offset), 1u);
  EXPECT_FALSE(legalized.only(Op::tex_fetch).has_offset);
  EXPECT_EQ(legalized.count(Op::iadd), 2u);
}

TEST(Legalize, MipZeroNeedsNoLevelCheckAndNoShift) {
  const Legalized legalized(
      "ld_indexable(texture2d)(float,float,float,float) o0.xyzw, l(1, 2, 0, 0), t0.xyzw\n",
      table_with(kExists));
  EXPECT_EQ(legalized.count(Gap::level_range), 0u);
  EXPECT_EQ(legalized.count(Op::ushr), 0u);
  EXPECT_EQ(legalized.count(Op::ult), 2u);
}

TEST(Legalize, NeighborsShareTheirComparisons) {
  // Four corners of a footprint: two columns and two rows, each compared once.
  const Legalized legalized(
      "ld_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyzw, t0.xyzw\n"
      "ld_aoffimmi_indexable(1,0,0)(texture2d)(float,float,float,float) r1.xyzw, v0.xyzw, t0.xyzw\n"
      "ld_aoffimmi_indexable(0,1,0)(texture2d)(float,float,float,float) r2.xyzw, v0.xyzw, t0.xyzw\n"
      "ld_aoffimmi_indexable(1,1,0)(texture2d)(float,float,float,float) r3.xyzw, v0.xyzw, t0.xyzw\n"
      "add r0.xyzw, r0.xyzw, r1.xyzw\nadd r2.xyzw, r2.xyzw, r3.xyzw\nadd o0.xyzw, r0.xyzw, r2.xyzw\n",
      table_with(kExists));
  EXPECT_EQ(legalized.count(Op::ult), 5u) << "x, x+1, y, y+1 and the mip";
  EXPECT_EQ(legalized.count(Op::bound), 1u);
  EXPECT_EQ(legalized.count(Op::ushr), 2u);
}

TEST(Legalize, ABiasOfZeroIsNone) {
  for (const uint32_t promises : {kExists | kGradient | kImplicitLevel, ~0u}) {
    for (const char* zero : {"0.000000", "-0.000000"}) {
      const Legalized legalized(
          fmt::format("sample_b_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0, "
                      "l({})\n",
                      zero),
          table_with(promises));
      EXPECT_EQ(legalized.only(Op::tex_sample).lod, LodRule::implicit) << zero;
      EXPECT_FALSE(legalized.only(Op::tex_sample).has(Slot::lod)) << zero;
      EXPECT_EQ(legalized.count(Op::fexp2), 0u);
    }
  }
  const Legalized biased(
      "sample_b_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0, l(0.500000)\n",
      table_with(~0u));
  EXPECT_EQ(biased.only(Op::tex_sample).lod, LodRule::bias);
}

TEST(Legalize, OnlyUsedComponentsAreFilledIn) {
  const Legalized legalized("ld_indexable(texture2d)(float,float,float,float) o0.x, v0.xyzw, t0.xyzw\n",
                            table_with(kExists));
  EXPECT_EQ(legalized.count(Op::and_), 1u);
  EXPECT_EQ(legalized.count(Op::or_), 0u) << "only alpha has a default other than 0";
}

// A target that fills in what a format lacks still needs to be told the alpha of a read out of range.
TEST(Legalize, AlphaOutOfRangeIsGivenWhereTheTargetFillsInAlpha) {
  const GuaranteeTable table = table_with(~0u & ~(kCoordinateRange | kUnbound));
  constexpr std::string_view kLoad =
      "ftou r0.xyzw, v0.xyzw\nld_indexable(texture2d)(float,float,float,float) ";
  const Legalized all(std::string(kLoad) + "o0.xyzw, r0.xyww, t0.xyzw\n", table);
  EXPECT_TRUE(all.only(Op::tex_fetch).has(Slot::guard));
  EXPECT_TRUE(all.only(Op::tex_fetch).has(Slot::fallback3)) << all.after;
  const Legalized color(std::string(kLoad) + "o0.xyz, r0.xyww, t0.xyzw\n", table);
  EXPECT_TRUE(color.only(Op::tex_fetch).has(Slot::guard));
  EXPECT_FALSE(color.only(Op::tex_fetch).has(Slot::fallback3)) << color.after;
  const Legalized image(
      "ftou r0.xyzw, v0.xyzw\nld_uav_typed_indexable(texture2d)(float,float,float,float) "
      "o0.xyzw, r0.xyww, u1.xyzw\n",
      table, "dcl_uav_typed_texture2d (float,float,float,float) u1\n");
  EXPECT_TRUE(image.only(Op::surf_load).has(Slot::fallback3)) << image.after;
}

TEST(Legalize, StandInsTakeOverTheWholeAccess) {
  const Legalized legalized(
      "ldms_indexable(texture2dmsarray)(float,float,float,float) r0.xyzw, v0.xyzw, t5.xyzw, v1.x\n"
      "ld_indexable(texture1d)(float,float,float,float) r1.xyzw, v0.xyzw, t6.xyzw\nadd o0.xyzw, r0.xyzw, "
      "r1.xyzw\n",
      ptx::kTextureGuarantees,
      "dcl_resource_texture2dmsarray(4) (float,float,float,float) t5\ndcl_resource_texture1d "
      "(float,float,float,float) t6\n");
  ASSERT_TRUE(legalized.ok);
  std::vector<Dimension> dimensions;
  for (const Instruction& instruction : legalized.module.code) {
    if (instruction.op != Op::tex_fetch) continue;
    dimensions.push_back(legalized.module.access_of(instruction).dimension);
    EXPECT_FALSE(legalized.module.access_of(instruction).has(Slot::sample));
  }
  EXPECT_EQ(dimensions, (std::vector<Dimension>{Dimension::texture2d_array, Dimension::texture2d}));
  EXPECT_EQ(legalized.count(Op::imad), 1u) << "layer * samples + sample";
}

TEST(Legalize, RawStoresAreJudgedWordByWord) {
  const Legalized legalized("store_raw u0.xyz, v0.x, v1.xyzw\nmov o0.xyzw, l(0,0,0,0)\n", table_with(kExists),
                            "dcl_uav_raw u0\n");
  EXPECT_EQ(legalized.count(Op::buf_store), 3u);
  EXPECT_EQ(legalized.count(Op::ult), 3u);
}

// Words 1 to 3 and word 4 of structures of 32 bytes: the units at 0 and at 16.
TEST(Legalize, FieldsOfStructuresAreLoadedInWholeUnits) {
  GuaranteeTable table = table_with(kExists);
  table.wide_buffers = true;
  const Legalized legalized(
      "ld_structured_indexable(structured_buffer, stride=32)(mixed,mixed,mixed,mixed) r0.xyzw, v0.x, l(4), "
      "t7.xyzw\nmov o0.xyzw, r0.xyzw\n",
      table, "dcl_resource_structured t7, 32\n");
  ASSERT_TRUE(legalized.ok);
  std::vector<uint32_t> starts;
  for (const Instruction& instruction : legalized.module.code) {
    if (instruction.op != Op::buf_load) continue;
    EXPECT_EQ(legalized.module.access_of(instruction).component_mask, 0xf);
    starts.push_back(
        legalized.module.constant_bits(legalized.module.operand(instruction, Slot::byte_offset)));
  }
  EXPECT_EQ(starts, (std::vector<uint32_t>{0, 16}));
}

// The greatest index is that of the last structure that ends within 2^32 bytes.
TEST(Legalize, IndicesOfStructuresStayWithin32Bits) {
  GuaranteeTable table = table_with(0xffffffffu);
  const auto legalized = [&table](std::string_view index, uint32_t stride) {
    return Legalized(
        fmt::format("ld_structured_indexable(structured_buffer, stride={0})(mixed,mixed,mixed,mixed) "
                    "r0.xyzw, {1}, l(0), t7.xyzw\nmov o0.xyzw, r0.xyzw\n",
                    stride, index),
        table, fmt::format("dcl_resource_structured t7, {}\n", stride));
  };
  EXPECT_EQ(legalized("v0.x", 28).count(Gap::structure_range), 0u);
  table.structures_wrap = true;
  const Legalized limited = legalized("v0.x", 28);
  EXPECT_EQ(limited.count(Gap::structure_range), 1u);
  EXPECT_NE(limited.after.find(", 0x9249248\n"), std::string::npos) << limited.after;
  EXPECT_EQ(legalized("l(153391688)", 28).count(Gap::structure_range), 0u);
  EXPECT_EQ(legalized("l(153391689)", 28).count(Gap::structure_range), 1u);
  EXPECT_EQ(legalized("l(1073741823)", 4).count(Gap::structure_range), 0u);
  EXPECT_EQ(legalized("l(1073741824)", 4).count(Gap::structure_range), 1u);
}

TEST(Legalize, WhatCannotBeClosedIsRefusedWithItsPlace) {
  const Legalized legalized(kBodies[0], table_with(0));
  EXPECT_FALSE(legalized.ok);
  ASSERT_EQ(legalized.diagnostics.error_count(), 1u);
  EXPECT_EQ(legalized.diagnostics.list()[0].location.line, 14u);
  EXPECT_NE(legalized.diagnostics.list()[0].message.find("test"), std::string::npos);
}

TEST(Legalize, RasterizerOrderIsRefused) {
  const Legalized legalized("store_raw u0.x, v0.x, v1.x\nmov o0.xyzw, l(0,0,0,0)\n", table_with(0xffffffffu),
                            "dcl_uav_raw_rov u0\n");
  EXPECT_FALSE(legalized.ok);
  EXPECT_NE(legalized.diagnostics.list()[0].message.find("rasterizer-ordered"), std::string::npos);
}

}  // namespace
}  // namespace texlate::ir
