// .texref, .samplerref and .surfref as declared by PTX ISA 5.3: bound by name, initialized, queried, with the
// sampler as an operand in independent mode, and what is refused.
#include "tests/unit/sim_ptx/ptx_fixture.h"

#include <bit>

namespace texlate::sim::ptx {
namespace {

constexpr std::string_view kUnified = ".version 6.3\n.target sm_75\n.address_size 64\n";
constexpr std::string_view kIndependent =
    ".version 6.3\n.target sm_75, texmode_independent\n.address_size 64\n";

std::string whole(std::string_view header, std::string_view declarations, std::string_view formals,
                  std::string_view body) {
  return fmt::format(
      "{}{}\n.visible .entry k(.param .u64 out{}) {{\n.reg .b32 %r<32>;\n.reg .b64 %rd<8>;\n.reg .pred "
      "%p<4>;\nld.param.u64 %rd0, [out];\n{}\nst.global.v4.u32 [%rd0], {{%r1, %r2, %r3, %r4}};\nret;\n}}\n",
      header, declarations, formals, body);
}

/// A 4 by 4 texture whose red is 1 + x + 10 y, and the result of kernel `k`, which uses it by the names t, s
/// and u.
struct PtxOpaque : testing::Test {
  Diagnostics diagnostics;
  std::optional<Texture> texture =
      Texture::create({Dimension::texture2d, Format::r32g32b32a32_float, {4, 4, 1}, 1}, diagnostics);
  TextureObject object;
  std::optional<SamplerObject> sampler;
  std::array<uint32_t, 4> out{};

  PtxOpaque() {
    for (uint32_t y = 0; y < 4; ++y) {
      for (uint32_t x = 0; x < 4; ++x)
        texture->write(0, 0, x, y, 0, {bits(static_cast<float>(1 + x + 10 * y)), 0, 0, 0});
    }
    object.view = TextureView::whole(*texture);
  }
  Report run(const std::string& text) {
    expect_assembles(text);
    const auto module = compile(text);
    if (module == nullptr) return {};
    Machine machine(*module);
    const auto bind = [&](const char* name, uint64_t handle) {
      if (const uint32_t index = module->find_opaque(name, "k"); index != kNone) machine.bind(index, handle);
    };
    bind("t", machine.add_texture(object));
    bind("u", machine.add_surface({object.view}));
    if (sampler) bind("s", machine.add_sampler(*sampler));
    out = {};
    const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(out)));
    return machine.launch("k", {}, {1}, std::as_bytes(std::span(&address, 1)));
  }
  /// The first word, or nothing if something was reported.
  std::optional<uint32_t> word(const std::string& text) {
    const Report report = run(text);
    return report.ok() ? std::optional(out[0]) : std::nullopt;
  }
};

constexpr std::string_view kZeros = "\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;";

TEST_F(PtxOpaque, TexturesByName) {
  const std::string_view fetch = "tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [t, {3, 2}];";
  EXPECT_EQ(word(whole(kUnified, ".global .texref t;", "", fetch)), bits(24));
  EXPECT_EQ(word(whole(kUnified, ".extern .global .texref t;", "", fetch)), bits(24));
  EXPECT_EQ(word(whole(kUnified, "", ", .param .texref t", fetch)), bits(24));
  EXPECT_EQ(word(whole(kUnified, ".global .texref t;", "",
                       "mov.u64 %rd1, t;\ntex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%rd1, {1, 1}];")),
            bits(12));
  EXPECT_EQ(word(whole(kUnified, ".global .texref other;", "",
                       "tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [other, {1, 1}];")),
            std::nullopt)
      << "nothing is bound to it";
}

TEST_F(PtxOpaque, SurfacesByName) {
  const std::string store =
      fmt::format("sust.b.2d.b32.trap [u, {{16, 0}}], {{77}};\nmov.u32 %r1, 0;{}", kZeros);
  EXPECT_TRUE(run(whole(kUnified, ".global .surfref u;", "", store)).ok());
  EXPECT_EQ(texture->read(0, 0, 1, 0, 0)[0], 77u);
  EXPECT_EQ(word(whole(kUnified, "", ", .param .surfref u",
                       fmt::format("suld.b.2d.b32.trap {{%r1}}, [u, {{16, 0}}];{}", kZeros))),
            77u);
  EXPECT_EQ(word(whole(kUnified, ".global .surfref u;", "",
                       fmt::format("suq.memory_layout.b32 %r1, [u];\nsuq.height.b32 %r2, [u];\nadd.u32 %r1, "
                                   "%r1, %r2;{}",
                                   kZeros))),
            4u);
}

// Texel 1.5 in x: the sampler operand decides, not the texture.
TEST_F(PtxOpaque, TheSamplerIsAnOperandOfItsOwn) {
  const std::string_view at = "tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [t, s, {0f3F000000, 0f3E000000}];";
  const std::string_view declared = ".global .texref t;\n.global .samplerref s;";
  EXPECT_EQ(word(whole(kIndependent, declared, "", at)), std::nullopt) << "no sampler is bound";
  sampler.emplace();
  EXPECT_EQ(word(whole(kIndependent, declared, "", at)), bits(3));
  sampler->filter = Filter::linear;
  EXPECT_EQ(word(whole(kIndependent, declared, "", at)), bits(2.5f));
  EXPECT_EQ(word(whole(kIndependent, "", ", .param .texref t, .param .samplerref s", at)), bits(2.5f));
  EXPECT_EQ(word(whole(kIndependent, declared, "",
                       "mov.u64 %rd1, t;\nmov.u64 %rd2, s;\ntex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, "
                       "[%rd1, %rd2, {0f3F000000, 0f3E000000}];")),
            bits(2.5f));
  sampler->force_unnormalized = true;
  EXPECT_EQ(word(whole(kIndependent, declared, "",
                       "tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [t, s, {0f40000000, 0f3F000000}];")),
            bits(2.5f));
}

// docs/reference/ptx.md 1.3: in independent mode the sampler applies to integer coordinates.
TEST_F(PtxOpaque, IntegerCoordinatesNeedASamplerThatLeavesThemAlone) {
  const std::string text = whole(kIndependent, ".global .texref t;\n.global .samplerref s;", "",
                                 "tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [t, s, {3, 2}];");
  sampler.emplace();
  EXPECT_EQ(word(text), std::nullopt);
  sampler->force_unnormalized = true;
  EXPECT_EQ(word(text), bits(24));
  sampler->filter = Filter::linear;
  EXPECT_EQ(word(text), std::nullopt);
}

TEST_F(PtxOpaque, Initializers) {
  // 2.5 texels to the right of the edge, where border gives 0 and clamp gives the last texel.
  const std::string_view at = "tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [t, s, {0f40D00000, 0f3F000000}];";
  const auto with = [&](std::string_view fields) {
    return word(whole(kIndependent,
                      fmt::format(".global .texref t = {{ width = 4, channel_order = 0x10b5 }};\n.global "
                                  ".samplerref s = {{ {} }};",
                                  fields),
                      "", at));
  };
  EXPECT_EQ(with("force_unnormalized_coords = 1, addr_mode_0 = clamp_to_border, filter_mode = nearest"), 0u);
  EXPECT_EQ(with("force_unnormalized_coords = 1, addr_mode_0 = clamp_to_edge, filter_mode = nearest"),
            bits(4));
  EXPECT_EQ(with("force_unnormalized_coords = 1, addr_mode_0 = 4, filter_mode = 0"), 0u);
}

TEST_F(PtxOpaque, QueriesOfSamplersAndChannels) {
  sampler.emplace();
  sampler->filter = Filter::linear;
  sampler->address = {AddressMode::mirror, AddressMode::border, AddressMode::wrap};
  EXPECT_TRUE(
      run(whole(kIndependent, ".global .texref t;\n.global .samplerref s;", "",
                "txq.filter_mode.b32 %r1, [s];\ntxq.addr_mode_0.b32 %r2, [s];\ntxq.addr_mode_1.b32 %r3, "
                "[s];\ntxq.force_unnormalized_coords.b32 %r4, [s];"))
          .ok());
  EXPECT_EQ(out, (std::array<uint32_t, 4>{1, 1, 4, 0}));
  EXPECT_TRUE(run(whole(kIndependent, ".global .texref t;\n.global .surfref u;", "",
                        "txq.channel_data_type.b32 %r1, [t];\ntxq.channel_order.b32 %r2, [t];\n"
                        "txq.normalized_coords.b32 %r3, [t];\nsuq.channel_data_type.b32 %r4, [u];"))
                  .ok());
  EXPECT_EQ(out, (std::array<uint32_t, 4>{0x10de, 0x10b5, 1, 0x10de}));
  // In unified mode the texture has the sampler's fields, and channels have no numbers.
  object.filter = Filter::linear;
  EXPECT_EQ(
      word(whole(kUnified, ".global .texref t;", "", fmt::format("txq.filter_mode.b32 %r1, [t];{}", kZeros))),
      1u);
  EXPECT_EQ(word(whole(kUnified, ".global .texref t;", "",
                       fmt::format("txq.channel_order.b32 %r1, [t];{}", kZeros))),
            std::nullopt);
}

TEST_F(PtxOpaque, WhatARegisterPointsTo) {
  EXPECT_TRUE(run(whole(kUnified, ".global .texref t;\n.global .surfref u;", "",
                        "mov.u64 %rd1, t;\nmov.u64 %rd2, u;\nistypep.texref %p0, %rd1;\nistypep.texref %p1, "
                        "%rd2;\nistypep.surfref %p2, %rd2;\nselp.u32 %r1, 1, 0, %p0;\nselp.u32 %r2, 1, 0, "
                        "%p1;\nselp.u32 %r3, 1, 0, %p2;\nmov.u32 %r4, 0;"))
                  .ok());
  EXPECT_EQ(out, (std::array<uint32_t, 4>{1, 0, 1, 0}));
}

void expect_refused(const std::string& text, uint32_t line, std::string_view message) {
  Diagnostics diagnostics;
  EXPECT_EQ(parse(text, diagnostics), nullptr) << text;
  ASSERT_TRUE(diagnostics.has_errors()) << text;
  EXPECT_EQ(diagnostics.list()[0].message, message);
  EXPECT_EQ(diagnostics.list()[0].location.line, line) << text;
}

TEST(PtxOpaqueParse, Refused) {
  const auto unified = [](std::string_view declarations, std::string_view body = "") {
    return whole(kUnified, declarations, "", body);
  };
  const auto independent = [](std::string_view body) {
    return whole(kIndependent, ".global .texref t; .global .samplerref s;", "", body);
  };
  expect_refused(unified(".global .samplerref s;"), 4, "a .samplerref needs .target texmode_independent");
  expect_refused(unified(".global .texref t[4];"), 4,
                 "arrays of .texref are not supported: the ISA does not say where their elements are");
  expect_refused(unified(".const .texref t;"), 4,
                 "a .texref must be a .global variable of the module or a parameter of an entry");
  expect_refused(unified("", ".global .texref t;"), 10,
                 "a .texref must be a .global variable of the module or a parameter of an entry");
  expect_refused(unified(".func f(.param .texref t) { ret; }"), 4,
                 "only an entry has parameters of the type .texref");
  expect_refused(unified(".global .texref t = { banana = 1 };"), 4, "a .texref has no field banana");
  expect_refused(unified(".global .texref t = { filter_mode = cubic };"), 4,
                 "cubic is not a value of this field");
  expect_refused(unified(".global .texref t = { addr_mode_0 = clamp_ogl };"), 4,
                 "address mode clamp_ogl is not supported");
  expect_refused(unified(".global .texref t;", "add.u64 %rd1, t, 8;"), 10,
                 "t is a .texref, which only texture and surface instructions and mov accept");
  expect_refused(unified(".global .texref t;", "suld.b.2d.b32.trap {%r1}, [t, {0, 0}];"), 10,
                 "t is a .texref, but a .surfref is needed");
  expect_refused(unified("", "tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [out, {0, 0}];"), 10,
                 "out is neither a .texref nor a register with a handle");
  expect_refused(unified(".global .texref t;", "txq.force_unnormalized_coords.b32 %r1, [t];"), 10,
                 "only a .samplerref, which needs texmode_independent, has this field");
  expect_refused(unified(".global .texref t;", "txq.level.array_size.b32 %r1, [t], 0;"), 10,
                 ".level can only query a width, height or depth");
  expect_refused(independent("tex.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [t, {0, 0}];"), 10, "expected a register");
  expect_refused(independent("txq.width.b32 %r1, [s];"), 10, "s is a .samplerref, but a .texref is needed");
  expect_refused(independent("txq.filter_mode.b32 %r1, [t];"), 10,
                 "t is a .texref, but a .samplerref is needed");
}

}  // namespace
}  // namespace texlate::sim::ptx
