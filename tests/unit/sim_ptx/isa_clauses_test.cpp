// Clauses of PTX ISA 9.7.10.3 (tex) and 9.7.11 (suld, sust, sured, suq) that no other test shows
// (docs/reference/seeds.md).
#include <bit>
#include <cstring>
#include <optional>

#include "tests/unit/sim_ptx/ptx_fixture.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim::ptx {
namespace {

/// Runs one lane. The handle of the texture or surface is in %rd1; %r1 to %r4 are stored at the end and are 0
/// at the beginning. Floats: %f0 = 0, %f1 = 1, %f2 = 0.5, %f3 = 0.125.
struct Lane {
  std::optional<TextureObject> texture;
  std::optional<SurfaceObject> surface;
  std::string faults = {};
  std::array<uint32_t, 4> out = {};

  std::array<uint32_t, 4> run(std::string_view instructions, bool judged = true) {
    const std::string text = fmt::format(
        ".version 8.1\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 "
        "handle) {{\n"
        ".reg .b16 %h<8>;\n.reg .b32 %r<32>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<8>;\n.reg .pred %p<4>;\n"
        "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [handle];\n"
        "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;\n"
        "mov.f32 %f0, 0f00000000;\nmov.f32 %f1, 0f3F800000;\nmov.f32 %f2, 0f3F000000;\nmov.f32 %f3, "
        "0f3E000000;\n"
        "{}\nst.global.v4.u32 [%rd0], {{%r1, %r2, %r3, %r4}};\nret;\n}}\n",
        instructions);
    if (judged) expect_assembles(text);
    out = {};
    const auto module = compile(text);
    if (module == nullptr) {
      faults = "does not parse";
      return out;
    }
    Machine machine(*module);
    const uint64_t parameters[2] = {machine.map_memory(std::as_writable_bytes(std::span(out))),
                                    texture   ? machine.add_texture(*texture)
                                    : surface ? machine.add_surface(*surface)
                                              : 0};
    faults = machine.launch("k", {}, {1}, std::as_bytes(std::span(parameters))).describe();
    return out;
  }
};

TextureObject object(Texture& texture) {
  TextureObject result;
  result.view = TextureView::whole(texture);
  return result;
}
SurfaceObject surface(Texture& texture) {
  SurfaceObject result;
  result.view = TextureView::whole(texture);
  return result;
}

uint32_t red(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z = 0) {
  return texel_value(mip, slice, x, y, z, 0, false)[0];
}
constexpr Format kFloats = Format::r32g32b32a32_float;

TEST(TexClauses, OffsetsFromMinusEightToSeven) {
  Texture texture = make_texture({Dimension::texture2d, kFloats, {32, 32, 1}});
  fill(texture);
  Lane lane{object(texture), {}};
  for (int offset = -9; offset <= 8; ++offset) {
    const auto out =
        lane.run(fmt::format("tex.2d.v4.f32.s32 {{%r1,%r2,%r3,%r4}}, [%rd1, {{10, 20}}], {{{}, 0}};", offset),
                 offset == 0);
    EXPECT_EQ(lane.faults.empty(), offset >= -8 && offset <= 7) << offset << lane.faults;
    if (!lane.faults.empty()) continue;
    EXPECT_EQ(out[0], red(0, 0, 10 + static_cast<uint32_t>(offset), 20));
  }
}

TEST(TexClauses, OffsetsOfEveryGeometry) {
  const auto check = [](const TextureDesc& desc, std::string_view coordinates, std::string_view offset,
                        uint32_t expected) {
    Texture texture = make_texture(desc);
    fill(texture);
    Lane lane{object(texture), {}};
    const auto out =
        lane.run(fmt::format("mov.u32 %r9, 1;\nmov.u32 %r10, 2;\ntex.{}, {};", coordinates, offset));
    EXPECT_EQ(lane.faults, "") << coordinates;
    EXPECT_EQ(out[0], expected) << coordinates;
  };
  constexpr std::string_view kD = "v4.f32.s32 {%r1,%r2,%r3,%r4}";
  check({Dimension::texture1d, kFloats, {8, 1, 1}}, fmt::format("1d.{}, [%rd1, {{1}}]", kD), "{2}",
        red(0, 0, 3, 0));
  check({Dimension::texture1d_array, kFloats, {8, 1, 1}, 1, 3}, fmt::format("a1d.{}, [%rd1, {{%r9, 1}}]", kD),
        "{2}", red(0, 1, 3, 0));
  // The array index takes no part.
  check({Dimension::texture2d_array, kFloats, {8, 8, 1}, 1, 3},
        fmt::format("a2d.{}, [%rd1, {{%r9, 1, 1, 1}}]", kD), "{2, 3}", red(0, 1, 3, 4));
  // The fourth elements are ignored.
  check({Dimension::texture3d, kFloats, {8, 8, 8}}, fmt::format("3d.{}, [%rd1, {{1, 1, 1, 7}}]", kD),
        "{1, 2, 3, 7}", red(0, 0, 2, 3, 4));
}

TEST(TexClauses, CubesHaveNoOffset) {
  for (const char* const text :
       {"tex.cube.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%f1, %f0, %f0, %f0}], {1, 1};",
        "tex.acube.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%r1, %f1, %f0, %f0}], {1, 1};"}) {
    Diagnostics diagnostics;
    const std::string whole = fmt::format(
        "{}.visible .entry k(.param .u64 h) {{\n.reg .b32 %r<8>;\n.reg .f32 %f<8>;\n.reg .b64 "
        "%rd<2>;\n{}\nret;\n}}\n",
        kHeader, text);
    EXPECT_EQ(parse(whole, diagnostics), nullptr) << text;
    EXPECT_TRUE(diagnostics.has_errors());
  }
}

TEST(TexClauses, ComparisonsAreFiltered) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {2, 1, 1}});
  texture.write(0, 0, 0, 0, 0, {bits(0.25f), 0, 0, 0});
  texture.write(0, 0, 1, 0, 0, {bits(0.75f), 0, 0, 0});
  Lane lane{object(texture), {}};
  lane.texture->comparison = Comparison::less_equal;
  lane.texture->filter = Filter::linear;
  // Halfway between the two texels, one of which passes.
  EXPECT_EQ(lane.run("tex.2d.v4.f32.f32 {%r1,_,_,_}, [%rd1, {%f2, %f2}], %f2;")[0], bits(0.5f));
  EXPECT_EQ(lane.faults, "");
  EXPECT_EQ(lane.run("tex.2d.v4.f32.f32 {%r1,_,_,_}, [%rd1, {%f2, %f2}], %f3;")[0], bits(1.0f));
}

TEST(TexClauses, NoComparisonOfVolumesAndSamples) {
  for (const char* const text :
       {"tex.3d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%f1, %f0, %f0, %f0}], %f1;",
        "tex.2dms.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r1, %r2, %r3, %r4}], %f1;",
        "tex.a2dms.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r1, %r2, %r3, %r4}], %f1;"}) {
    Diagnostics diagnostics;
    const std::string whole = fmt::format(
        "{}.visible .entry k(.param .u64 h) {{\n.reg .b32 %r<8>;\n.reg .f32 %f<8>;\n.reg .b64 "
        "%rd<2>;\n{}\nret;\n}}\n",
        kHeader, text);
    EXPECT_EQ(parse(whole, diagnostics), nullptr) << text;
  }
}

TEST(TexClauses, TypesThatAGeometryRequires) {
  for (const char* const text :
       {"tex.cube.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r1, %r2, %r3, %r4}];",
        "tex.acube.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r1, %r2, %r3, %r4}];",
        "tex.2dms.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%r1, %f0, %f0, %f0}];",
        "tex.level.2dms.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r1, %r2, %r3, %r4}], 0;",
        "tex.grad.a2dms.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {%r1, %r2, %r3, %r4}], {%f0, %f0}, {%f0, %f0};",
        "tex.2d.v2.f32.f32 {%r1,%r2}, [%rd1, {%f0, %f0}];",
        "tex.2d.v4.f16x2.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%f0, %f0}];"}) {
    Diagnostics diagnostics;
    const std::string whole = fmt::format(
        "{}.visible .entry k(.param .u64 h) {{\n.reg .b32 %r<8>;\n.reg .f32 %f<8>;\n.reg .b64 "
        "%rd<2>;\n{}\nret;\n}}\n",
        kHeader, text);
    EXPECT_EQ(parse(whole, diagnostics), nullptr) << text;
  }
}

TEST(TexClauses, GradientsOfEveryGeometry) {
  const auto check = [](const TextureDesc& desc, std::string_view coordinates, std::string_view gradients,
                        uint32_t expected) {
    Texture texture = make_texture(desc);
    fill(texture);
    Lane lane{object(texture), {}};
    lane.texture->mip_filter = Filter::point;
    const auto out = lane.run(
        fmt::format("mov.u32 %r9, 1;\ntex.grad.{}.v4.f32.f32 {{%r1,%r2,%r3,%r4}}, [%rd1, {{{}}}], {};",
                    desc.dimension == Dimension::texture1d         ? "1d"
                    : desc.dimension == Dimension::texture1d_array ? "a1d"
                    : desc.dimension == Dimension::texture2d       ? "2d"
                    : desc.dimension == Dimension::texture2d_array ? "a2d"
                    : desc.dimension == Dimension::texture3d       ? "3d"
                    : desc.dimension == Dimension::texture_cube    ? "cube"
                                                                   : "acube",
                    coordinates, gradients));
    EXPECT_EQ(lane.faults, "") << coordinates;
    EXPECT_EQ(out[0], expected) << static_cast<int>(desc.dimension);
  };
  // Derivatives of two texels: the second mip.
  check({Dimension::texture1d, kFloats, {4, 1, 1}, 3}, "%f0", "{%f2}, {%f2}", red(1, 0, 0, 0));
  check({Dimension::texture1d_array, kFloats, {4, 1, 1}, 3, 2}, "%r9, %f0", "{%f2}, {%f0}", red(1, 1, 0, 0));
  check({Dimension::texture2d, kFloats, {4, 4, 1}, 3}, "%f0, %f0", "{%f0, %f2}, {%f0, %f0}", red(1, 0, 0, 0));
  check({Dimension::texture2d_array, kFloats, {4, 4, 1}, 3, 2}, "%r9, %f0, %f0, %f0",
        "{%f0, %f0}, {%f0, %f2}", red(1, 1, 0, 0));
  // The fourth elements are ignored.
  check({Dimension::texture3d, kFloats, {4, 4, 4}, 3}, "%f0, %f0, %f0, %f1",
        "{%f0, %f0, %f2, %f1}, {%f0, %f0, %f0, %f1}", red(1, 0, 0, 0));
  // Face +X of four texels: two units are its width.
  check({Dimension::texture_cube, kFloats, {4, 4, 1}, 3, 6}, "%f1, %f3, %f3, %f0",
        "{%f0, %f0, %f1, %f1}, {%f0, %f0, %f0, %f1}", red(1, 0, 0, 0));
  check({Dimension::texture_cube_array, kFloats, {4, 4, 1}, 3, 12}, "%r9, %f1, %f3, %f3",
        "{%f0, %f1, %f0, %f0}, {%f0, %f0, %f0, %f0}", red(1, 6, 0, 0));
}

TEST(SurfaceClauses, LoadsOfEverySizeAndVector) {
  Texture texture = make_texture({Dimension::texture1d, Format::r32g32b32a32_uint, {4, 1, 1}});
  texture.write(0, 0, 2, 0, 0, {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c});
  Lane lane{{}, surface(texture)};
  const auto words = [](uint32_t a, uint32_t b = 0, uint32_t c = 0, uint32_t d = 0) {
    return std::array<uint32_t, 4>{a, b, c, d};
  };
  EXPECT_EQ(lane.run("suld.b.1d.b8.trap %h0, [%rd1, {35}];\ncvt.u32.u16 %r1, %h0;"), words(3)) << lane.faults;
  EXPECT_EQ(
      lane.run(
          "suld.b.1d.v2.b16.zero {%h0, %h1}, [%rd1, {36}];\ncvt.u32.u16 %r1, %h0;\ncvt.u32.u16 %r2, %h1;"),
      words(0x0504, 0x0706))
      << lane.faults;
  EXPECT_EQ(lane.run("suld.b.1d.b32.clamp %r1, [%rd1, {40}];"), words(0x0b0a0908)) << lane.faults;
  EXPECT_EQ(lane.run("suld.b.1d.v2.b64.trap {%rd2, %rd3}, [%rd1, {32}];\nmov.b64 {%r1, %r2}, %rd2;\n"
                     "mov.b64 {%r3, %r4}, %rd3;"),
            words(0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c))
      << lane.faults;
  EXPECT_EQ(lane.run("suld.b.1d.v4.b32.trap {%r1, %r2, %r3, %r4}, [%rd1, {32}];"),
            words(0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c))
      << lane.faults;
  for (const char* const cop : {".ca", ".cg", ".cs", ".cv"}) {
    EXPECT_EQ(lane.run(fmt::format("suld.b.1d{}.b32.trap %r1, [%rd1, {{44}}];", cop), false),
              words(0x0f0e0d0c))
        << cop << lane.faults;
  }
}

TEST(SurfaceClauses, StoresOfEverySizeAndVector) {
  Texture texture = make_texture({Dimension::texture1d, Format::r32g32b32a32_uint, {4, 1, 1}});
  Lane lane{{}, surface(texture)};
  lane.run(
      "mov.u16 %h0, 0xab;\nsust.b.1d.b8.trap [%rd1, {35}], %h0;\n"
      "mov.u16 %h1, 0x1234;\nsust.b.1d.v2.b16.zero [%rd1, {36}], {%h1, %h0};\n"
      "mov.u64 %rd2, 0x1122334455667788;\nsust.b.1d.b64.clamp [%rd1, {40}], %rd2;");
  EXPECT_EQ(lane.faults, "");
  EXPECT_EQ(texture.read(0, 0, 2, 0, 0), (Word4{0xab000000, 0x00ab1234, 0x55667788, 0x11223344}));
  // .clamp stores at the nearest place.
  lane.run("sust.b.1d.b32.clamp [%rd1, {-4}], {7};\nsust.b.1d.b32.clamp [%rd1, {400}], {8};");
  EXPECT_EQ(lane.faults, "");
  EXPECT_EQ(texture.read(0, 0, 0, 0, 0)[0], 7u);
  EXPECT_EQ(texture.read(0, 0, 3, 0, 0)[3], 8u);
  for (const char* const cop : {".wb", ".cg", ".cs", ".wt"}) {
    lane.run(fmt::format("sust.b.1d{}.b32.trap [%rd1, {{16}}], {{9}};", cop), false);
    EXPECT_EQ(lane.faults, "") << cop;
  }
  lane.run("sust.b.1d.b32.trap [%rd1, {64}], {7};");
  EXPECT_NE(lane.faults, "");
}

TEST(SurfaceClauses, FormattedStoresConvertByTheFormat) {
  const auto stored = [](Format format, std::string_view values) {
    Texture texture = make_texture({Dimension::texture1d, format, {2, 1, 1}});
    Lane lane{{}, surface(texture)};
    lane.run(fmt::format("sust.p.1d.v4.b32.trap [%rd1, {{1}}], {{{}}};", values));
    EXPECT_EQ(lane.faults, "");
    return texture.read(0, 0, 1, 0, 0);
  };
  EXPECT_EQ(stored(Format::r8g8b8a8_unorm, "%f1, %f0, %f2, %f1")[0], bits(1.0f));
  EXPECT_EQ(stored(Format::r32g32b32a32_float, "%f2, %f0, %f3, %f1"),
            (Word4{bits(0.5f), 0, bits(0.125f), bits(1.0f)}));
  // Elements that the format lacks are ignored.
  EXPECT_EQ(stored(Format::r32_uint, "7, 8, 9, 10")[0], 7u);
  EXPECT_EQ(stored(Format::r32g32_sint, "-7, 8, 9, 10"), (Word4{0xfffffff9, 8, 0, 1}));
}

TEST(SurfaceClauses, ReductionsOfEveryType) {
  struct Case {
    std::string_view instruction;
    uint64_t before, after;
  };
  constexpr uint64_t kTen = 10, kMinusTwo = 0xfffffffeu;
  for (const Case& c : std::initializer_list<Case>{
           {"sured.b.add.1d.u32.trap [%rd1, {8}], 5", kTen, 15},
           {"sured.b.add.1d.s32.trap [%rd1, {8}], -5", kTen, 5},
           {"sured.b.min.1d.u32.trap [%rd1, {8}], 5", kMinusTwo, 5},
           {"sured.b.min.1d.s32.trap [%rd1, {8}], 5", kMinusTwo, kMinusTwo},
           {"sured.b.max.1d.u32.trap [%rd1, {8}], 5", kMinusTwo, kMinusTwo},
           {"sured.b.max.1d.s32.trap [%rd1, {8}], 5", kMinusTwo, 5},
           {"sured.b.and.1d.b32.trap [%rd1, {8}], 6", kTen, 2},
           {"sured.b.or.1d.b32.trap [%rd1, {8}], 6", kTen, 14},
           {"mov.u64 %rd2, 5; sured.b.add.1d.u64.trap [%rd1, {8}], %rd2", 0xffffffffffu, 0x10000000004u},
           {"mov.u64 %rd2, 5; sured.b.min.1d.u64.trap [%rd1, {8}], %rd2", ~uint64_t{0}, 5},
           {"mov.u64 %rd2, 5; sured.b.max.1d.s64.trap [%rd1, {8}], %rd2", ~uint64_t{0}, 5},
           {"sured.b.add.1d.u32.zero [%rd1, {64}], 5", kTen, kTen}}) {
    Texture texture = make_texture({Dimension::texture1d, Format::r32g32_uint, {8, 1, 1}});
    texture.write(0, 0, 1, 0, 0,
                  {static_cast<uint32_t>(c.before), static_cast<uint32_t>(c.before >> 32), 0, 0});
    Lane lane{{}, surface(texture)};
    lane.run(fmt::format("{};", c.instruction));
    EXPECT_EQ(lane.faults, "") << c.instruction;
    const Word4 r = texture.read(0, 0, 1, 0, 0);
    EXPECT_EQ(r[0] | uint64_t{r[1]} << 32, c.after) << c.instruction;
  }
}

TEST(SurfaceClauses, SampleReductionsTakeTheFormatsType) {
  for (const auto& [format, after] :
       {std::pair{Format::r32_uint, 5u}, std::pair{Format::r32_sint, 0xfffffffeu}}) {
    Texture texture = make_texture({Dimension::texture1d, format, {8, 1, 1}});
    texture.write(0, 0, 3, 0, 0, {0xfffffffe, 0, 0, 0});
    Lane lane{{}, surface(texture)};
    lane.run("sured.p.min.1d.b32.trap [%rd1, {3}], 5;");  // x counts samples
    EXPECT_EQ(lane.faults, "");
    EXPECT_EQ(texture.read(0, 0, 3, 0, 0)[0], after);
  }
}

TEST(SurfaceClauses, CoordinatesOfEveryGeometry) {
  const auto load = [](const TextureDesc& desc, std::string_view at) {
    Texture texture = make_texture(desc);
    fill(texture);
    Lane lane{{}, surface(texture)};
    const uint32_t value = lane.run(fmt::format("mov.u32 %r9, 1;\nsuld.b.{};", at))[0];
    EXPECT_EQ(lane.faults, "") << at;
    return value;
  };
  const Format f = Format::r32_uint;
  const auto id = [](uint32_t slice, uint32_t x, uint32_t y, uint32_t z = 0) {
    return texel_value(0, slice, x, y, z, 0, true)[0];
  };
  EXPECT_EQ(load({Dimension::texture1d, f, {4, 1, 1}}, "1d.b32.trap %r1, [%rd1, {8}]"), id(0, 2, 0));
  EXPECT_EQ(load({Dimension::texture2d, f, {4, 4, 1}}, "2d.b32.trap %r1, [%rd1, {8, 3}]"), id(0, 2, 3));
  EXPECT_EQ(load({Dimension::texture3d, f, {4, 4, 4}}, "3d.b32.trap %r1, [%rd1, {8, 3, 1, 99}]"),
            id(0, 2, 3, 1));
  EXPECT_EQ(load({Dimension::texture1d_array, f, {4, 1, 1}, 1, 2}, "a1d.b32.trap %r1, [%rd1, {%r9, 8}]"),
            id(1, 2, 0));
  EXPECT_EQ(
      load({Dimension::texture2d_array, f, {4, 4, 1}, 1, 2}, "a2d.b32.trap %r1, [%rd1, {%r9, 8, 3, 99}]"),
      id(1, 2, 3));
}

}  // namespace
}  // namespace texlate::sim::ptx
