// Accesses: contracts, guards, facts, unordered access, and a target that promises nothing.
#include "tests/unit/sim_ir/run_text.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim {
namespace {

using Lanes = std::array<uint32_t, 4>;

struct Scene {
  ir::Module module;
  Bindings bindings;
  TextRun run;

  Scene(std::string_view body, std::string_view declarations)
      : module(), bindings(parsed(body, declarations)) {}
  void go(const InterpreterOptions& options = {}) { run.run(module, bindings, options); }

 private:
  const ir::Module& parsed(std::string_view body, std::string_view declarations) {
    ir::parse_or_fail(pixel_text(body, declarations), module);
    ir::verify_or_fail(module);
    return module;
  }
};

constexpr std::string_view kFetch = R"(  %0 = input v0.x
  %1 = input v0.y
  %2 = input v0.z
  %3..%6 = tex.fetch t0 texture2d float coord(%0, %1) level(%2) offset(-1, 0)
  output o0.x, %3
  output o0.w, %6
)";

TEST(Resources, FetchFollowsItsContract) {
  Scene scene(kFetch, "resource t0 texture2d float\n");
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {4, 4, 1}, 3});
  fill(texture);
  scene.bindings.resources(0)[0].texture = TextureView::whole(texture);
  scene.run.set(0, {1, 0, 5, 1});
  scene.run.set(2, {0, 0, 0, 3});
  scene.go();
  EXPECT_EQ(scene.run.out(0), (Lanes{bits(1.0f), 0, 0, 0}));
  EXPECT_EQ(scene.run.out(3), (Lanes{f(1.0f), f(1.0f), f(1.0f), f(1.0f)}));
  scene.bindings.resources(0)[0] = {};
  scene.go();
  EXPECT_EQ(scene.run.out(3), (Lanes{0, 0, 0, 0}));
  EXPECT_TRUE(scene.run.report.ok());
}

TEST(Resources, PromisingNothingReportsWhatNobodyGuards) {
  Scene scene(kFetch, "resource t0 texture2d float\n");
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {4, 4, 1}, 3});
  scene.bindings.resources(0)[0].texture = TextureView::whole(texture);
  InterpreterOptions options;
  options.promise_nothing = true;
  scene.go(options);
  EXPECT_EQ(scene.run.report.unguarded_count, 4u);  // only the offset is not promised
  EXPECT_EQ(scene.run.out(0), (Lanes{kForeign, kForeign, kForeign, kForeign}));
}

TEST(Resources, GuardsChooseTheFallback) {
  Scene scene(R"(  %0 = input v0.x
  %1 = ult.u32 %0, 2
  %2..%5 = tex.fetch t0 texture2d float guard(%1) else(7, _, _, 9) coord(%0, 0) level(0)
  output o0.x, %2
  output o0.y, %3
  output o0.w, %5
)",
              "resource t0 texture2d float\n");
  Texture texture = make_texture({Dimension::texture2d, Format::r32g32b32a32_float, {2, 1, 1}});
  fill(texture);
  scene.bindings.resources(0)[0].texture = TextureView::whole(texture);
  scene.run.set(0, {0, 1, 2, 3});
  InterpreterOptions options;
  options.promise_nothing = true;
  scene.go(options);
  EXPECT_TRUE(scene.run.report.ok());
  EXPECT_EQ(scene.run.out(0), (Lanes{bits(1.0f), bits(2.0f), 7, 7}));
  EXPECT_EQ(scene.run.out(1), (Lanes{bits(2.0f), bits(3.0f), 0, 0}));
  EXPECT_EQ(scene.run.out(3)[3], 9u);
}

TEST(Resources, FactsAreThoseOfTheView) {
  Scene scene(R"(  %0 = binding t0.width
  %1 = binding t0.layers
  %2 = binding t0.levels
  %3 = binding t0.keep1
  %4 = binding t0.missing_alpha
  %5 = bound t1.bound
  %6 = mask %5
  %7 = binding s0.address_u
  output o0.x, %0
  output o0.y, %1
  output o0.z, %2
  output o0.w, %3
  output o1.x, %4
  output o1.y, %6
  output o1.z, %7
)",
              "resource t0 texture2darray uint\nresource t1 texture2d float\nsampler s0\n");
  Texture texture = make_texture({Dimension::texture2d_array, Format::r16_uint, {8, 4, 1}, 3, 5});
  TextureView view = TextureView::whole(texture);
  view.first_mip = 1;
  view.mip_count = 2;
  view.first_slice = 2;
  view.slice_count = 3;
  scene.bindings.resources(0)[0].texture = view;
  scene.bindings.samplers(0)[0].address[0] = AddressMode::mirror;
  scene.go();
  const auto first = [&](uint32_t plane) { return scene.run.out(plane)[0]; };
  EXPECT_EQ((Lanes{first(0), first(1), first(2), first(3)}), (Lanes{4, 3, 2, 0}));
  EXPECT_EQ((Lanes{first(4), first(5), first(6), 0}), (Lanes{1, 0, 2, 0}));
}

TEST(Resources, SamplesTakeTheirLevelFromTheQuad) {
  Scene scene(R"(  %0 = input v0.x
  %1 = input v0.y
  %2..%5 = tex.sample t0 s0 texture2d float coord(%0, %1) implicit
  output o0.x, %2
)",
              "resource t0 texture2d float\nsampler s0\n");
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {4, 4, 1}, 3});
  for (uint32_t mip = 0; mip < 3; ++mip) {
    const Extent size = texture.mip_size(mip);
    for (uint32_t y = 0; y < size.height; ++y) {
      for (uint32_t x = 0; x < size.width; ++x)
        texture.write(mip, 0, x, y, 0, {f(static_cast<float>(mip)), 0, 0, 0});
    }
  }
  scene.bindings.resources(0)[0].texture = TextureView::whole(texture);
  scene.run.set(0, {f(0.1f), f(0.6f), f(0.1f), f(0.6f)});  // 2 texels per pixel: mip 1
  scene.run.set(1, {f(0.1f), f(0.1f), f(0.2f), f(0.2f)});
  scene.go();
  EXPECT_EQ(scene.run.out(0), (Lanes{f(1.0f), f(1.0f), f(1.0f), f(1.0f)}));
  // Only the lower row extends over 4 texels per pixel: mip 2 there, unless the quad shares one level.
  scene.run.set(0, {f(0.1f), f(0.6f), f(0.1f), f(1.1f)});
  scene.go();
  EXPECT_EQ(scene.run.out(0), (Lanes{f(1.0f), f(1.0f), f(2.0f), f(2.0f)}));
  InterpreterOptions options;
  options.derivatives = QuadDerivatives::shared;
  scene.go(options);
  EXPECT_EQ(scene.run.out(0), (Lanes{f(1.0f), f(1.0f), f(1.0f), f(1.0f)}));
}

TEST(Resources, GatherWithRunTimeOffsets) {
  Scene scene(R"(  %0 = input v0.x
  %1..%4 = tex.gather t0 s0 texture2d float coord(0.5f, 0.5f) offset_by(%0, 0)
  output o0.x, %4
)",
              "resource t0 texture2d float\nsampler s0\n");
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {4, 4, 1}});
  fill(texture);
  scene.bindings.resources(0)[0].texture = TextureView::whole(texture);
  scene.run.set(0, {0, 1, ~0u, 65});  // 65 acts as 1
  scene.go();
  EXPECT_EQ(scene.run.out(0), (Lanes{bits(18.0f), bits(19.0f), bits(17.0f), bits(19.0f)}));
}

TEST(Resources, StoresOfHelpersAreDropped) {
  Scene scene(
      R"(  %0 = input v0.x
  surf.store u0 texture2d uint coord(%0, 0) value(1, 2, 3, 4)
  %1 = surf.atomic u1 buffer uint coord(0) value(5) atomic(add)
  %2 = counter u2 structured_buffer mixed counter(alloc)
  output o0.x, %1
  output o0.y, %2
)",
      "uav u0 texture2d uint\nuav u1 buffer uint\nuav u2 structured_buffer mixed stride(4) counter\n");
  Texture texture = make_texture({Dimension::texture2d, Format::r8g8_uint, {4, 1, 1}});
  scene.bindings.resources(0)[0].texture = TextureView::whole(texture);
  uint32_t word = 100, structure = 0, counter = 3;
  scene.bindings.resources(1)[0].buffer = {reinterpret_cast<std::byte*>(&word), BufferKind::typed,
                                           Format::r32_uint, 1};
  scene.bindings.resources(2)[0].buffer = {
      reinterpret_cast<std::byte*>(&structure), BufferKind::structured, Format::unknown, 1, 4, &counter};
  scene.run.set(0, {0, 1, 2, 9});
  scene.run.covered = {1, 0, 1, 1};
  scene.go();
  EXPECT_EQ(texture.read(0, 0, 0, 0, 0), (Word4{1, 2, 0, 1}));
  EXPECT_EQ(texture.read(0, 0, 1, 0, 0), (Word4{0, 0, 0, 1}));
  EXPECT_EQ(word, 115u);
  EXPECT_EQ(counter, 6u);
  EXPECT_EQ(scene.run.out(0), (Lanes{100, 0, 105, 110}));
  EXPECT_EQ(scene.run.out(1), (Lanes{3, 0, 4, 5}));
}

TEST(Resources, BuffersJudgeWordByWord) {
  Scene scene(R"(  %0 = input v0.x
  %1..%4 = buf.load t0 raw_buffer mixed coord(%0) mask(3)
  buf.store u0 structured_buffer mixed coord(%0) byte_offset(4) value(%1, %2) mask(3)
  %5 = buf.size u0 structured_buffer mixed
  output o0.x, %1
  output o0.y, %2
  output o0.z, %5
)",
              "resource t0 raw_buffer mixed\nuav u0 structured_buffer mixed stride(12)\n");
  std::array<uint32_t, 3> raw = {10, 20, 30};
  std::array<uint32_t, 6> structures{};
  scene.bindings.resources(0)[0].buffer = {reinterpret_cast<std::byte*>(raw.data()), BufferKind::raw,
                                           Format::unknown, 12};
  scene.bindings.resources(1)[0].buffer = {reinterpret_cast<std::byte*>(structures.data()),
                                           BufferKind::structured, Format::unknown, 2, 12};
  scene.run.set(0, {0, 8, 12, 0});
  scene.go();
  EXPECT_EQ(scene.run.out(0), (Lanes{10, 30, 0, 10}));
  EXPECT_EQ(scene.run.out(1), (Lanes{20, 0, 0, 20}));
  EXPECT_EQ(scene.run.out(2)[0], 2u);
  EXPECT_EQ(structures, (std::array<uint32_t, 6>{0, 10, 20, 0, 0, 0}));
}

TEST(Resources, AnAddressIsThatOfAWord) {
  Scene scene(
      R"(  %0 = input v0.x
  %1 = input v0.y
  %2 = address t4 index(%1)
  %3 = mad.wide.u32 %0, 12, %2
  %4..%7 = buf.load t4 structured_buffer mixed address(%3) byte_offset(4) mask(3) align(4)
  %8 = address u0
  %9 = mad.wide.u32 %0, 4, %8
  buf.store u0 raw_buffer mixed address(%9) byte_offset(4) value(%4) mask(1) align(4)
  output o0.x, %4
  output o0.y, %5
)",
      "resource t4 structured_buffer mixed stride(12) registers(4, 5) space(0)\nuav u0 raw_buffer mixed\n");
  std::array<uint32_t, 6> structures = {1, 2, 3, 4, 5, 6};
  std::array<uint32_t, 3> raw{};
  scene.bindings.resources(0)[1].buffer = {reinterpret_cast<std::byte*>(structures.data()),
                                           BufferKind::structured, Format::unknown, 2, 12};
  scene.bindings.resources(1)[0].buffer = {reinterpret_cast<std::byte*>(raw.data()), BufferKind::raw,
                                           Format::unknown, 12};
  scene.run.set(0, {0, 1, 1, 0xffffffff});
  scene.run.set(1, {1, 1, 0, 1});
  scene.go();
  EXPECT_EQ(scene.run.out(0), (Lanes{2, 5, 0, 0})) << "unbound, then far outside";
  EXPECT_EQ(scene.run.out(1), (Lanes{3, 6, 0, 0}));
  EXPECT_EQ(raw, (std::array<uint32_t, 3>{0, 2, 0})) << "of the last lane with the word";
}

TEST(Resources, ACounterHasAnAddress) {
  Scene scene(R"(  %0 = address u0.counter
  %1 = bound u0.counter
  %2 = buf.atomic u0 structured_buffer mixed guard(%1) address(%0) value(1) align(4) atomic(add)
  %3 = buf.atomic u0 structured_buffer mixed guard(%1) else(1) address(%0) value(-1) align(4) atomic(add)
  output o0.x, %2
  output o0.y, %3
)",
              "uav u0 structured_buffer mixed counter stride(4)\n");
  std::array<uint32_t, 1> structures{};
  uint32_t counter = 7;
  BufferView& view = scene.bindings.resources(0)[0].buffer;
  view = {reinterpret_cast<std::byte*>(structures.data()), BufferKind::structured, Format::unknown, 1, 4};
  scene.go();
  EXPECT_EQ(scene.run.out(1), (Lanes{1, 1, 1, 1})) << "there is no counter";
  view.counter = &counter;
  scene.go();
  EXPECT_EQ(scene.run.out(0), (Lanes{7, 8, 9, 10}));
  EXPECT_EQ(scene.run.out(1), (Lanes{11, 10, 9, 8}));
  EXPECT_EQ(counter, 7u);
  EXPECT_EQ(structures[0], 0u);
}

TEST(Resources, ResidencyIsTheLastResult) {
  Scene scene(R"(  %0..%4 = tex.fetch t0 texture2d float coord(0, 0) level(0) feedback
  %5 = mapped %4
  %6 = mask %5
  output o0.x, %6
)",
              "resource t0 texture2d float\n");
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {2, 2, 1}});
  scene.bindings.resources(0)[0].texture = TextureView::whole(texture);
  scene.go();
  EXPECT_EQ(scene.run.out(0)[0], ~0u);
  texture.unmap(0, 0, {0, 0, 0}, {1, 1, 1});
  scene.go();
  EXPECT_EQ(scene.run.out(0)[0], 0u);
}

TEST(Resources, RangesAreIndexed) {
  Scene scene(R"(  %0 = input v0.x
  %1 = buf.size t4 raw_buffer mixed resource_index(%0)
  output o0.x, %1
)",
              "resource t4 raw_buffer mixed registers(4, 5) space(0)\n");
  std::array<uint32_t, 3> raw = {};
  scene.bindings.resources(0)[1].buffer = {reinterpret_cast<std::byte*>(raw.data()), BufferKind::raw,
                                           Format::unknown, 12};
  scene.run.set(0, {0, 1, 2, 0});
  scene.go();
  EXPECT_EQ(scene.run.out(0), (Lanes{0, 12, 0, 0}));
  EXPECT_EQ(scene.run.undefined[2], static_cast<uint32_t>(Undefined::descriptor_index));
}

}  // namespace
}  // namespace texlate::sim
