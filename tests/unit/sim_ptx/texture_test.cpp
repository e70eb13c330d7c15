// Texture and surface instructions according to CUDA: values where they are defined, poison where they are
// not.
#include "tests/unit/sim_ptx/ptx_fixture.h"

#include <bit>
#include <cstring>

namespace texlate::sim::ptx {
namespace {

Texture make(const TextureDesc& desc) {
  Diagnostics diagnostics;
  auto texture = Texture::create(desc, diagnostics);
  if (!texture) std::abort();
  return std::move(*texture);
}

uint32_t texel_id(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z = 0) {
  return 1 + x + 10 * y + 100 * z + 1000 * slice + 10000 * mip;
}

void fill_with_ids(Texture& texture) {
  const bool integer = format_info(texture.desc().format).is_integer();
  for (uint32_t slice = 0; slice < texture.desc().array_size; ++slice) {
    for (uint32_t mip = 0; mip < texture.desc().mips; ++mip) {
      const Extent size = texture.mip_size(mip);
      for (uint32_t z = 0; z < size.depth; ++z) {
        for (uint32_t y = 0; y < size.height; ++y) {
          for (uint32_t x = 0; x < size.width; ++x) {
            Word4 value;
            for (uint32_t c = 0; c < 4; ++c) {
              const uint32_t id = texel_id(mip, slice, x, y, z) + 100000 * c;
              value[c] = integer ? id : bits(static_cast<float>(id));
            }
            texture.write(mip, slice, x, y, z, value);
          }
        }
      }
    }
  }
}

// One texture instruction in one lane. The handle is in %rd1; results of the instruction are in %r1..%r4.
struct TexRun {
  std::array<uint32_t, 4> out{};
  Report report;
};
TexRun fetch(const TextureObject* object, const SurfaceObject* surface, std::string_view instruction,
             const MachineOptions& options = {}) {
  const bool residency = instruction.find("}|") != std::string_view::npos;
  const std::string text = fmt::format(
      "{}.visible .entry k(.param .u64 out, .param .u64 handle) {{\n.reg .b32 %r<32>;\n.reg .b64 "
      "%rd<4>;\n.reg .pred %p<4>;\n"
      "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [handle];\n{}\nst.global.v4.u32 [%rd0], {{%r1, %r2, "
      "%r3, %r4}};\nret;\n}}\n",
      residency ? ".version 7.1\n.target sm_75\n.address_size 64\n" : kHeader, instruction);
  expect_assembles(text);
  TexRun result;
  const auto module = compile(text);
  if (module == nullptr) return result;
  Machine machine(*module, options);
  const uint64_t parameters[2] = {machine.map_memory(std::as_writable_bytes(std::span(result.out))),
                                  object != nullptr    ? machine.add_texture(*object)
                                  : surface != nullptr ? machine.add_surface(*surface)
                                                       : 0};
  result.report = machine.launch("k", {}, {1}, std::as_bytes(std::span(parameters)));
  return result;
}

struct PtxTexture : testing::Test {
  Texture texture = make({Dimension::texture2d, Format::r32g32b32a32_float, {4, 4, 1}, 3});
  TextureObject object;
  PtxTexture() {
    fill_with_ids(texture);
    object.view = TextureView::whole(texture);
  }
  // The first component, or nothing if anything was reported.
  std::optional<float> red(std::string_view instruction) {
    const TexRun r = fetch(&object, nullptr, instruction);
    if (!r.report.ok()) return std::nullopt;
    return std::bit_cast<float>(r.out[0]);
  }
  std::optional<float> texel(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z = 0) {
    return static_cast<float>(texel_id(mip, slice, x, y, z));
  }
};

TEST_F(PtxTexture, IntegerFetchInRangeAndOut) {
  EXPECT_EQ(red("tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {3, 2}];"), texel(0, 0, 3, 2));
  EXPECT_EQ(red("tex.level.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {1, 1}], 1;"), texel(1, 0, 1, 1));
  EXPECT_EQ(red("tex.level.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {1, 2}], 0, {-1, 1};"), texel(0, 0, 0, 3));
  for (const char* outside : {"tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {4, 0}];",
                              "tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {-1, 0}];",
                              "tex.level.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {2, 0}], 1;",
                              "tex.level.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {0, 0}], 3;",
                              "tex.level.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {0, 0}], -1;",
                              "tex.level.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {0, 0}], 0, {-1, 0};",
                              "tex.level.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {0, 0}], 0, {9, 0};"}) {
    EXPECT_EQ(red(outside), std::nullopt) << outside;
  }
}

// No document says which level derivatives of texel numbers select.
TEST_F(PtxTexture, GradientsOfIntegerCoordinates) {
  EXPECT_EQ(red("tex.grad.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {1, 1}], {0f3F800000, 0f00000000}, "
                "{0f00000000, 0f00000000};"),
            std::nullopt);
}

TEST_F(PtxTexture, VectorRegistersAreCoordinates) {
  EXPECT_EQ(red(".reg .v2 .f32 %v;\nmov.f32 %v.x, 0f3EC00000;\nmov.f32 %v.y, 0f3E000000;\n"
                "tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, %v];"),
            texel(0, 0, 1, 0));
  EXPECT_EQ(red(".reg .v4 .b32 %w;\nmov.b32 %w.x, 3;\nmov.b32 %w.y, 2;\nmov.b32 %w.z, 9;\nmov.b32 %w.w, 9;\n"
                "tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, %w];"),
            texel(0, 0, 3, 2))
      << "more elements than the geometry has";
}

TEST_F(PtxTexture, GradientsIn1dWithComparison) {
  texture = make({Dimension::texture1d, Format::r32_float, {4, 1, 1}, 3});
  fill_with_ids(texture);
  object.view = TextureView::whole(texture);
  object.comparison = Comparison::less;
  // Texel 1 of mip 1 is 10002. A comparison has one result; the others are the same.
  constexpr const char* kCompare =
      "tex.grad.1d.v4.f32.f32 {{%r1,%r2,%r3,%r4}}, [%rd1, {{0f3F400000}}], {{0f3F000000}}, {{0f00000000}}, "
      "{};";
  EXPECT_EQ(red(fmt::format(kCompare, "0f461C4000")), 1.0f) << "10000";
  EXPECT_EQ(red(fmt::format(kCompare, "0f461C4C00")), 0.0f) << "10003";
}

// CUDA_TEXTURE_DESC: an integer format takes the bits of the border color.
TEST_F(PtxTexture, BorderColorsOfIntegersAreBits) {
  texture = make({Dimension::texture2d, Format::r32g32b32a32_uint, {4, 4, 1}, 1});
  fill_with_ids(texture);
  object.view = TextureView::whole(texture);
  object.address = {AddressMode::border, AddressMode::border, AddressMode::border};
  object.border = {std::bit_cast<float>(7u), std::bit_cast<float>(8u), 0, 0};
  const TexRun r =
      fetch(&object, nullptr, "tld4.g.2d.v4.u32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0fBF800000, 0f3F000000}];");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out, (std::array<uint32_t, 4>{8, 8, 8, 8}));
}

TEST_F(PtxTexture, ZeroAndUnknownHandles) {
  const TexRun r = fetch(nullptr, nullptr, "tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {0, 0}];");
  ASSERT_FALSE(r.report.ok());
  EXPECT_EQ(r.report.faults[0].kind, FaultKind::poison_store);
  EXPECT_EQ(red("mov.u64 %rd1, 77;\ntex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {0, 0}];"), std::nullopt);
}

TEST_F(PtxTexture, PoisonedOperandsAreReported) {
  const TexRun r = fetch(&object, nullptr, "tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r9, 0}];");
  ASSERT_FALSE(r.report.ok());
  EXPECT_EQ(r.report.faults[0].kind, FaultKind::poison_texture);
}

TEST_F(PtxTexture, SampledModes) {
  EXPECT_EQ(red("tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3EC00000, 0f3E000000}];"),
            texel(0, 0, 1, 0));
  EXPECT_EQ(red("tex.level.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3F400000, 0f3E800000}], 0f3F800000;"),
            texel(1, 0, 1, 0));
  EXPECT_EQ(red("tex.grad.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3F400000, 0f3E800000}], {0f3F000000, "
                "0f00000000}, "
                "{0f00000000, 0f3F000000};"),
            texel(1, 0, 1, 0));
  object.address = {AddressMode::wrap, AddressMode::wrap, AddressMode::wrap};
  EXPECT_EQ(red("tex.level.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f00000000, 0f3E000000}], 0f00000000, "
                "{-1, 0};"),
            texel(0, 0, 3, 0));
  object.filter = Filter::linear;
  EXPECT_EQ(red("tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3F000000, 0f3E000000}];"), 2.5f)
      << "texels 1 and 2";
  object.normalized = false;
  EXPECT_EQ(red("tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f40000000, 0f3F000000}];"), 2.5f);
  EXPECT_EQ(red("tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0fC0000000, 0f3F000000}];"),
            texel(0, 0, 0, 0))
      << "wrap acts as clamp";
}

TEST_F(PtxTexture, BorderAndLodClamp) {
  object.address[0] = AddressMode::border;
  object.border = {0.25f, 0, 0, 0};
  EXPECT_EQ(red("tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f40000000, 0f3E000000}];"), 0.25f);
  object.min_lod = 2;
  EXPECT_EQ(red("tex.level.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3E000000, 0f3E000000}], 0f00000000;"),
            texel(2, 0, 0, 0));
}

TEST_F(PtxTexture, MirrorOnceIsNoAddressModeOfCuda) {
  const char* text = "tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3E000000, 0f3E000000}];";
  EXPECT_EQ(red(text), texel(0, 0, 0, 0));
  object.address[1] = AddressMode::mirror_once;
  EXPECT_EQ(red(text), std::nullopt);
}

TEST_F(PtxTexture, PointFiltersFloorWithoutRounding) {
  // 1.999 texels: Direct3D's reference would first round to 8 fraction bits and select texel 2.
  EXPECT_EQ(red("tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3EFFDF3B, 0f3E000000}];"),
            texel(0, 0, 1, 0));
}

TEST_F(PtxTexture, GatherOrderAndOffsets) {
  const TexRun r =
      fetch(&object, nullptr, "tld4.r.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3E800000, 0f3E800000}];");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out, (std::array<uint32_t, 4>{bits(11), bits(12), bits(2), bits(1)}));
  EXPECT_EQ(red("tld4.g.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3E800000, 0f3E800000}], {1, -1};"),
            100002.0f);
  EXPECT_EQ(red("tld4.r.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3E800000, 0f3E800000}], {12, 0};"),
            std::nullopt)
      << "the ISA promises -8..7 only";
}

TEST_F(PtxTexture, ComparisonNeedsAFunction) {
  const char* text =
      "tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3E000000, 0f3E000000}], 0f3F800000;";
  EXPECT_EQ(red(text), std::nullopt);
  object.comparison = Comparison::less_equal;
  EXPECT_EQ(red(text), 1.0f);
  object.comparison = Comparison::greater;
  EXPECT_EQ(red(text), 0.0f);
  EXPECT_EQ(red("tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3E000000, 0f3E000000}];"),
            texel(0, 0, 0, 0));
}

TEST_F(PtxTexture, TypeMustBeTheFormats) {
  EXPECT_EQ(red("tex.2d.v4.u32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {0, 0}];"), std::nullopt);
  EXPECT_EQ(red("tex.1d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {0}];"), std::nullopt)
      << "geometry of another kind";
  Texture integers = make({Dimension::texture2d, Format::r32g32b32a32_sint, {2, 2, 1}, 1});
  fill_with_ids(integers);
  TextureObject o;
  o.view = TextureView::whole(integers);
  const TexRun r = fetch(&o, nullptr, "tex.2d.v4.s32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {1, 1}];");
  EXPECT_TRUE(r.report.ok());
  EXPECT_EQ(r.out[0], 12u);
}

TEST_F(PtxTexture, MissingComponentsArePoison) {
  Texture narrow = make({Dimension::texture2d, Format::r16g16_uint, {2, 2, 1}, 1});
  fill_with_ids(narrow);
  TextureObject o;
  o.view = TextureView::whole(narrow);
  EXPECT_EQ(fetch(&o, nullptr, "tex.2d.v4.u32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {1, 1}];").report.fault_count,
            2u);
  const TexRun r = fetch(
      &o, nullptr, "tex.2d.v4.u32.s32 {%r1,%r2,_,_}, [%rd1, {1, 1}];\nmov.u32 %r3, 0;\nmov.u32 %r4, 1;");
  EXPECT_TRUE(r.report.ok());
  EXPECT_EQ(r.out, (std::array<uint32_t, 4>{12, 65535, 0, 1}));
}

TEST_F(PtxTexture, OtherGeometries) {
  const auto check = [&](TextureDesc desc, std::string_view instruction, std::optional<uint32_t> id) {
    Texture t = make(desc);
    fill_with_ids(t);
    TextureObject o;
    o.view = TextureView::whole(t);
    const TexRun r = fetch(&o, nullptr, instruction);
    EXPECT_EQ(r.report.ok(), id.has_value()) << instruction << r.report.describe();
    EXPECT_EQ(r.out[0], id ? bits(static_cast<float>(*id)) : r.out[0]) << instruction;
  };
  const Format f = Format::r32g32b32a32_float;
  const TextureDesc line{Dimension::texture1d, f, {4, 1, 1}, 1};
  const TextureDesc lines{Dimension::texture1d_array, f, {4, 1, 1}, 1, 3};
  const TextureDesc layers{Dimension::texture2d_array, f, {4, 4, 1}, 2, 3};
  const TextureDesc volume{Dimension::texture3d, f, {4, 4, 4}, 1};
  const TextureDesc cube{Dimension::texture_cube, f, {4, 4, 1}, 1, 6};
  const TextureDesc cubes{Dimension::texture_cube_array, f, {4, 4, 1}, 1, 12};
  check(line, "tex.1d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {2}];", texel_id(0, 0, 2, 0));
  check(lines, "mov.u32 %r9, 2;\ntex.a1d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r9, 3}];",
        texel_id(0, 2, 3, 0));
  check(lines, "mov.u32 %r9, 3;\ntex.a1d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r9, 3}];", std::nullopt);
  check(layers, "mov.u32 %r9, 1;\ntex.level.a2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r9, 1, 0, 0}], 1;",
        texel_id(1, 1, 1, 0));
  check(volume, "tex.3d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {1, 2, 3, 3}];", texel_id(0, 0, 1, 2, 3));
  check(volume, "tex.3d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {1, 2, 4, 4}];", std::nullopt);
  // +X: u from -z, v from -y.
  check(cube,
        "tex.cube.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {0f3F800000, 0f3E800000, 0f3E800000, 0f3E800000}];",
        texel_id(0, 0, 1, 1));
  check(cubes,
        "mov.u32 %r9, 1;\ntex.level.acube.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%r9, 0fBF800000, 0f3E800000, "
        "0f3E800000}], 0f00000000;",
        texel_id(0, 7, 2, 1));
  check(layers,
        "mov.u32 %r9, 2;\ntld4.r.a2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%r9, 0f3E800000, 0f3E800000, "
        "0f3E800000}];",
        texel_id(0, 2, 0, 1));
}

TEST_F(PtxTexture, HalvesAndResidency) {
  Texture t = make({Dimension::texture2d, Format::r32g32b32a32_float, {2, 2, 1}, 1});
  t.write(0, 0, 1, 0, 0, {bits(1.0f), bits(-2.0f), bits(0.5f), bits(65504.0f)});
  TextureObject o;
  o.view = TextureView::whole(t);
  TexRun r =
      fetch(&o, nullptr,
            ".reg .b16 %h<4>;\ntex.2d.v4.f16.s32 {%h0,%h1,%h2,%h3}|%p1, [%rd1, {1, 0}];\ncvt.u32.u16 %r1, "
            "%h0;\ncvt.u32.u16 %r2, %h1;\ncvt.u32.u16 %r3, %h3;\nselp.u32 %r4, 1, 0, %p1;");
  EXPECT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out, (std::array<uint32_t, 4>{0x3c00, 0xc000, 0x7bff, 1}));
  r = fetch(&o, nullptr, "tex.2d.v2.f16x2.s32 {%r1,%r2}, [%rd1, {1, 0}];\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;");
  EXPECT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out, (std::array<uint32_t, 4>{0xc0003c00, 0x7bff3800, 0, 0}));
}

TEST_F(PtxTexture, Multisampled) {
  Texture t = make({Dimension::texture2dms_array, Format::r32g32b32a32_float, {2, 2, 1}, 1, 2, 4});
  t.write(0, 1, 1, 0, 0, {bits(7), 0, 0, 0}, 3);
  TextureObject o;
  o.view = TextureView::whole(t);
  const TexRun r = fetch(
      &o, nullptr,
      "mov.u32 %r8, 3;\nmov.u32 %r9, 1;\ntex.a2dms.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r8, %r9, 1, 0}];");
  EXPECT_TRUE(r.report.ok());
  EXPECT_EQ(r.out[0], bits(7));
  EXPECT_FALSE(fetch(&o, nullptr,
                     "mov.u32 %r8, 4;\nmov.u32 %r9, 1;\ntex.a2dms.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r8, "
                     "%r9, 1, 0}];")
                   .report.ok());
}

TEST_F(PtxTexture, Queries) {
  const TexRun r = fetch(&object, nullptr,
                         "txq.width.b32 %r1, [%rd1];\ntxq.level.height.b32 %r2, [%rd1], 1;\ntxq.depth.b32 "
                         "%r3, [%rd1];\nmov.u32 %r4, 0;");
  EXPECT_TRUE(r.report.ok());
  EXPECT_EQ(r.out, (std::array<uint32_t, 4>{4, 2, 1, 0}));
  EXPECT_EQ(red("txq.level.width.b32 %r1, [%rd1], 3;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;"),
            std::nullopt);
}

// The recommended form of docs/reference/ptx.md 5: preset destination, one predicate, predicated fetch. Sizes
// replace those of the binding record. The hardware never receives a request that is out of range, so nothing
// is poison.
TEST_F(PtxTexture, GuardedFormNeverPoisons) {
  constexpr std::string_view kGuarded = R"(
    mov.u32 %r10, {}; mov.u32 %r11, {}; mov.u32 %r12, {};
    mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0x3f800000;
    add.u32 %r10, %r10, 1;  add.u32 %r11, %r11, -2;
    setp.ne.u64     %p1, %rd1, 0;
    setp.lt.and.u32 %p2, %r12, 3, %p1;
    mov.u32 %r13, 4;
    shr.u32 %r13, %r13, %r12; max.u32 %r13, %r13, 1;
    setp.lt.and.u32 %p2, %r10, %r13, %p2;
    setp.lt.and.u32 %p2, %r11, %r13, %p2;
    @%p2 tex.level.2d.v4.f32.s32 {{%r1,%r2,%r3,%r4}}, [%rd1, {{%r10, %r11}}], %r12;)";
  const uint32_t values[] = {0, 1, 2, 3, 5, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu};
  for (uint32_t x : values) {
    for (uint32_t y : values) {
      for (uint32_t mip : {0u, 2u, 3u, 0xffffffffu}) {
        const std::string text = fmt::format(kGuarded, x, y, mip);
        for (const TextureObject* bound :
             {static_cast<const TextureObject*>(&object), static_cast<const TextureObject*>(nullptr)}) {
          const std::string whole = fmt::format(
              "{}.visible .entry k(.param .u64 out, .param .u64 handle) {{\n.reg .b32 %r<32>;\n.reg .b64 "
              "%rd<4>;\n.reg .pred %p<4>;\n"
              "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [handle];\n{}\nst.global.v4.u32 [%rd0], {{%r1, "
              "%r2, %r3, %r4}};\nret;\n}}\n",
              kHeader, text);
          if (x == 0 && y == 0 && mip == 0 && bound != nullptr) expect_assembles(whole);
          const auto module = compile(whole);
          Machine machine(*module);
          std::array<uint32_t, 4> out{};
          const uint64_t parameters[2] = {machine.map_memory(std::as_writable_bytes(std::span(out))),
                                          bound != nullptr ? machine.add_texture(*bound) : 0};
          const Report report = machine.launch("k", {}, {1}, std::as_bytes(std::span(parameters)));
          ASSERT_TRUE(report.ok()) << report.describe();
          const uint32_t tx = x + 1, ty = y - 2, size = mip < 3 ? 4u >> mip : 0;
          const bool inside = bound != nullptr && tx < size && ty < size;
          EXPECT_EQ(out[0], inside ? bits(static_cast<float>(texel_id(mip, 0, tx, ty))) : 0u);
        }
      }
    }
  }
}

struct PtxSurface : testing::Test {
  Texture texture = make({Dimension::texture2d, Format::r32g32_uint, {4, 4, 1}, 1});
  SurfaceObject surface;
  PtxSurface() {
    fill_with_ids(texture);
    surface.view = TextureView::whole(texture);
  }
  TexRun go(std::string_view text) { return fetch(nullptr, &surface, text); }
};

constexpr std::string_view kRest = "\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;";

TEST_F(PtxSurface, LoadsCountBytesInX) {
  TexRun r = go(fmt::format("suld.b.2d.v2.b32.trap {{%r1, %r2}}, [%rd1, {{24, 2}}];{}", kRest));
  EXPECT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], texel_id(0, 0, 3, 2));
  r = go(fmt::format("suld.b.2d.v2.b32.zero {{%r1, %r2}}, [%rd1, {{32, 2}}];{}", kRest));
  EXPECT_TRUE(r.report.ok());
  EXPECT_EQ(r.out[0], 0u);
  r = go(fmt::format("suld.b.2d.v2.b32.clamp {{%r1, %r2}}, [%rd1, {{-8, 9}}];{}", kRest));
  EXPECT_TRUE(r.report.ok());
  EXPECT_EQ(r.out[0], texel_id(0, 0, 0, 3));
  r = go(fmt::format("suld.b.2d.v2.b32.trap {{%r1, %r2}}, [%rd1, {{32, 2}}];{}", kRest));
  EXPECT_EQ(r.report.faults[0].kind, FaultKind::surface_trap);
  EXPECT_FALSE(go(fmt::format("suld.b.2d.v2.b32.zero {{%r1, %r2}}, [%rd1, {{4, 2}}];{}", kRest)).report.ok())
      << "misaligned";
}

TEST_F(PtxSurface, Stores) {
  constexpr std::string_view kZero = "\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;";
  EXPECT_TRUE(go(fmt::format("sust.b.2d.v2.b32.zero [%rd1, {{8, 1}}], {{77, 88}};{}", kZero)).report.ok());
  EXPECT_EQ(texture.read(0, 0, 1, 1, 0), (Word4{77, 88, 0, 1}));
  const std::vector<std::byte> before(texture.memory().begin(), texture.memory().end());
  EXPECT_TRUE(go(fmt::format("sust.b.2d.v2.b32.zero [%rd1, {{32, 1}}], {{77, 88}};{}", kZero)).report.ok());
  EXPECT_TRUE(std::equal(before.begin(), before.end(), texture.memory().begin()));
  EXPECT_TRUE(go(fmt::format("sust.p.2d.v2.b32.trap [%rd1, {{3, 1}}], {{5, 6}};{}", kZero)).report.ok())
      << "formatted: x in texels";
  EXPECT_EQ(texture.read(0, 0, 3, 1, 0), (Word4{5, 6, 0, 1}));
  const TexRun one = go(fmt::format("sust.p.2d.b32.trap [%rd1, {{2, 1}}], {{5}};{}", kZero));
  EXPECT_FALSE(one.report.ok()) << "a component is missing, and becomes unpredictable";
  EXPECT_EQ(texture.read(0, 0, 2, 1, 0)[0], 5u) << "the other one is stored";
  EXPECT_TRUE(go(fmt::format("sured.b.add.2d.u32.trap [%rd1, {{24, 1}}], 10;{}", kZero)).report.ok());
  EXPECT_EQ(texture.read(0, 0, 3, 1, 0)[0], 15u);
  EXPECT_FALSE(go(fmt::format("sust.b.2d.v2.b32.zero [%rd1, {{8, 1}}], {{%r20, 88}};{}", kZero)).report.ok())
      << "poison stored";
}

TEST_F(PtxSurface, WhatTheKernelWroteIsNotRead) {
  // Surface accesses are outside the memory consistency model (PTX ISA 8.1).
  const auto after_store = [&](std::string_view at) {
    return go(
        fmt::format("sust.b.2d.v2.b32.zero [%rd1, {{8, 1}}], {{77, 88}};\n"
                    "suld.b.2d.v2.b32.zero {{%r1, %r2}}, [%rd1, {{{}}}];{}",
                    at, kRest));
  };
  EXPECT_FALSE(after_store("8, 1").report.ok());
  EXPECT_TRUE(after_store("16, 1").report.ok()) << "another texel";
}

TEST_F(PtxSurface, TheArraySizeOfWhatIsNoArrayIsZero) {
  TexRun r = go(fmt::format("suq.array_size.b32 %r1, [%rd1];{}",
                            "\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;"));
  EXPECT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], 0u);
  TextureObject object;
  object.view = TextureView::whole(texture);
  r = fetch(&object, nullptr,
            "txq.array_size.b32 %r1, [%rd1];\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;");
  EXPECT_EQ(r.out[0], 0u);
}

TEST_F(PtxSurface, LayersAndQueries) {
  Texture layers = make({Dimension::texture2d_array, Format::r32_uint, {4, 2, 1}, 1, 3});
  fill_with_ids(layers);
  SurfaceObject s;
  s.view = TextureView::whole(layers);
  TexRun r = fetch(nullptr, &s,
                   "mov.u32 %r9, 2;\nsuld.b.a2d.b32.zero %r1, [%rd1, {%r9, 4, 1, 1}];\nsuq.width.b32 %r2, "
                   "[%rd1];\nsuq.height.b32 %r3, [%rd1];\nmov.u32 %r4, 0;");
  EXPECT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out, (std::array<uint32_t, 4>{texel_id(0, 2, 1, 1), 4, 2, 0}));
  r = fetch(nullptr, &s,
            "mov.u32 %r9, 3;\nsuld.b.a2d.b32.zero %r1, [%rd1, {%r9, 4, 1, 1}];\nmov.u32 %r2, 0;\nmov.u32 "
            "%r3, 0;\nmov.u32 %r4, 0;");
  EXPECT_FALSE(r.report.ok()) << "a layer past the end is promised nothing, .zero or not";
}

// z counts from the view's first W slice and ends with its last.
TEST_F(PtxSurface, VolumesEndWithTheView) {
  Texture volume = make({Dimension::texture3d, Format::r32_uint, {1, 1, 4}, 1});
  fill_with_ids(volume);
  SurfaceObject part;
  part.view = TextureView::whole(volume);
  part.view.first_slice = 1;
  part.view.slice_count = 2;
  const auto load_at = [&](uint32_t z) {
    const std::string load = fmt::format(
        "suld.b.3d.b32.zero %r1, [%rd1, {{0, 0, {}, 0}}];\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
        "mov.u32 %r4, 0;",
        z);
    const TexRun run = fetch(nullptr, &part, load);
    EXPECT_TRUE(run.report.ok()) << run.report.describe();
    return run.out[0];
  };
  EXPECT_EQ(load_at(0), texel_id(0, 0, 0, 0, 1));
  EXPECT_EQ(load_at(1), texel_id(0, 0, 0, 0, 2));
  for (const uint32_t z : {2u, 3u, 0xffffffffu}) EXPECT_EQ(load_at(z), 0u) << z;
}

}  // namespace
}  // namespace texlate::sim::ptx
