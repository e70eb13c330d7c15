// Helper pixels and discarded pixels, in every combination over a quad. They take part in derivatives and
// change neither outputs nor memory (D3D11.3 functional specification 3.5.7, 16.13;
// docs/reference/direct3d.md 1.4, "Atomics"). The expected contents are computed here a second time, so that
// the routes cannot agree on a wrong result.
#include <fmt/format.h>

#include "tests/support/routes.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate {
namespace {

using sim::Format;

constexpr uint32_t kQuads = 16 * 16;  // which pixels are covered x which are discarded
constexpr uint32_t kPixels = 4 * kQuads;
constexpr uint32_t kFilled = 0x21212121u;

/// One word per pixel and kind of store, then the counter.
struct Memory {
  std::vector<std::byte> bytes = std::vector<std::byte>(size_t{4} * (3 * kPixels + 1), std::byte{0x21});
  std::byte* words(uint32_t kind) { return bytes.data() + size_t{4} * kind * kPixels; }
};
uint32_t word_at(const std::vector<std::byte>& bytes, size_t index) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + 4 * index, 4);
  return word;
}

// v0: number of the pixel, whether it is discarded, where it samples.
constexpr std::string_view kDeclarations =
    "module pixel 5.0 \"main\"\nresource t0 texture2d float\nsampler s0\nuav u0 buffer uint\n"
    "uav u1 raw_buffer mixed\nuav u2 structured_buffer mixed stride(4) counter\n"
    "input v0.xyzw\noutput o0.xyzw\ncode {\n"
    "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n"
    "  %4 = shl %0, 2\n  %5 = ine %1, 0\n";
// Each word becomes `before` where the pixel is covered.
constexpr std::string_view kStores =
    "  surf.store u0 buffer uint coord(%0) value(1, 1, 1, 1)\n"
    "  buf.store u1 raw_buffer mixed coord(%4) value(2) mask(1)\n"
    "  buf.store u2 structured_buffer mixed coord(%0) byte_offset(0) value(3) mask(1)\n";
// And is added to if the pixel is still live.
constexpr std::string_view kAtomics =
    "  %10 = surf.atomic u0 buffer uint coord(%0) value(16) atomic(add)\n"
    "  %11 = buf.atomic u1 raw_buffer mixed coord(%4) value(16) atomic(add) mask(1)\n"
    "  %12 = buf.atomic u2 structured_buffer mixed coord(%0) byte_offset(0) value(16) atomic(add) mask(1)\n"
    "  %13 = counter u2 structured_buffer mixed counter(alloc)\n";
constexpr std::string_view kOutputs =
    "  %20..%23 = tex.sample t0 s0 texture2d float coord(%2, %3) implicit\n"
    "  %24 = ddx.fine %2\n  %25 = ddy.coarse %3\n"
    "  output o0.x, %20\n  output o0.y, %24\n  output o0.z, %25\n  output o0.w, %10\n}\n";

struct Launch {
  std::vector<uint32_t> planes = std::vector<uint32_t>(4 * kPixels), covered = std::vector<uint32_t>(kPixels);
  sim::StreamLaunch launch;

  Launch() {
    for (uint32_t pixel = 0; pixel < kPixels; ++pixel) {
      const uint32_t quad = pixel / 4, lane = pixel % 4;
      covered[pixel] = quad >> lane & 1;
      planes[pixel] = pixel;
      planes[kPixels + pixel] = quad >> (4 + lane) & 1;
      const float step = std::exp2(static_cast<float>(quad % 7) - 5);  // levels 0 to 4 and between
      planes[2 * kPixels + pixel] = std::bit_cast<uint32_t>(0.3f + step * static_cast<float>(lane & 1));
      planes[3 * kPixels + pixel] = std::bit_cast<uint32_t>(0.6f + step * static_cast<float>(lane >> 1));
    }
    launch.count = kPixels;
    launch.inputs = planes;
  }
  bool is_covered(uint32_t pixel) const { return launch.covered.empty() || covered[pixel] != 0; }
  bool stays(uint32_t pixel) const { return is_covered(pixel) && planes[kPixels + pixel] == 0; }
};

void expect_memory(const std::vector<std::byte>& left, const Launch& launch, std::string_view route) {
  uint32_t allocated = 0;
  for (uint32_t pixel = 0; pixel < kPixels; ++pixel) {
    for (uint32_t kind = 0; kind < 3; ++kind) {
      const uint32_t before = launch.is_covered(pixel) ? kind + 1 : kFilled;
      ASSERT_EQ(word_at(left, kind * kPixels + pixel), before + (launch.stays(pixel) ? 16u : 0u))
          << route << ", pixel " << pixel << ", u" << kind;
    }
    allocated += launch.stays(pixel) ? 1 : 0;
  }
  EXPECT_EQ(word_at(left, 3 * kPixels), kFilled + allocated) << route;
}

void expect_outputs(const std::vector<uint32_t>& outputs, const std::vector<uint32_t>& written,
                    const std::vector<uint32_t>& contract, const Launch& launch, std::string_view route) {
  for (uint32_t pixel = 0; pixel < kPixels; ++pixel) {
    ASSERT_EQ(written[pixel], launch.stays(pixel) ? 1u : 0u) << route << ", pixel " << pixel;
    const auto step = [&](uint32_t plane, uint32_t a, uint32_t b) {
      const auto value = [&](uint32_t p) { return std::bit_cast<float>(launch.planes[plane * kPixels + p]); };
      return std::bit_cast<uint32_t>(value(b) - value(a));
    };
    const uint32_t quad = pixel & ~3u;
    const std::array<uint32_t, 4> expected = {contract[pixel], step(2, pixel & ~1u, pixel | 1u),
                                              step(3, quad, quad | 2u), 1};
    for (uint32_t c = 0; c < 4; ++c) {
      // Words that are not written must not change.
      ASSERT_EQ(outputs[c * kPixels + pixel], launch.stays(pixel) ? expected[c] : 0u)
          << route << ", pixel " << pixel << ", component " << c;
    }
  }
}

sim::Texture level_texture() {
  sim::TextureDesc desc;
  desc.format = Format::r32_float;
  desc.size = {32, 32, 1};
  desc.mips = 0;
  sim::Texture texture = sim::make_texture(desc);
  sim::fill(texture);
  return texture;
}

/// u0 typed, u1 raw, u2 structured with a counter.
void bind_memory(sim::Bindings& bindings, Memory& memory) {
  bindings.resources(1)[0].buffer = {memory.words(0), sim::BufferKind::typed, Format::r32_uint, kPixels};
  bindings.resources(2)[0].buffer = {memory.words(1), sim::BufferKind::raw, Format::unknown, 4 * kPixels};
  bindings.resources(3)[0].buffer = {memory.words(2),
                                     sim::BufferKind::structured,
                                     Format::unknown,
                                     kPixels,
                                     4,
                                     reinterpret_cast<uint32_t*>(memory.words(3))};
}

void expect_all_routes(std::string_view discarding, std::string_view what) {
  SCOPED_TRACE(what);
  Routes routes(fmt::format("{}{}{}{}{}", kDeclarations, kStores, discarding, kAtomics, kOutputs));
  sim::Texture texture = level_texture();
  Memory memory;
  sim::Bindings bindings(routes.module());
  bindings.resources(0)[0].texture = sim::TextureView::whole(texture);
  sim::Sampler& sampler = bindings.samplers(0)[0];
  sampler.min_filter = sampler.mag_filter = sampler.mip_filter = sim::Filter::linear;
  bind_memory(bindings, memory);
  routes.watch(memory.bytes);
  for (bool all_covered : {false, true}) {
    std::fill(memory.bytes.begin(), memory.bytes.end(), std::byte{0x21});
    Launch launch;
    if (!all_covered) launch.launch.covered = launch.covered;
    const Routes::Outputs outputs = routes.run(bindings, launch.launch);
    expect_memory(outputs.contract_memory, launch, "contract");
    expect_memory(outputs.legal_memory, launch, "legalized");
    expect_memory(outputs.machine_memory, launch, machine_name());
    expect_outputs(outputs.contract, outputs.contract_written, outputs.contract, launch, "contract");
    expect_outputs(outputs.legal, outputs.legal_written, outputs.contract, launch, "legalized");
    expect_outputs(outputs.machine, outputs.machine_written, outputs.contract, launch, machine_name());
  }
}

TEST(LiveLanes, HelpersAndDiscardedPixelsChangeNothing) {
  expect_all_routes("  discard %5\n", "at once");
  expect_all_routes("  if %5\n    discard %5\n  else\n  endif\n", "in a branch");
  expect_all_routes(
      "  %6 = and %0, 1\n  %7 = ine %6, 0\n  %8 = and.b1 %5, %7\n  discard %8\n"
      "  %9 = not.b1 %7\n  %30 = and.b1 %5, %9\n  discard %30\n",
      "one after the other");
  fmt::print("{} quads, each by 3 routes\n", 3 * 2 * kQuads);
}

// A launch need not fill its last block; there are no pixels past its end.
TEST(LiveLanes, PixelsPastTheEndChangeNothing) {
  Routes routes(fmt::format("{}{}{}{}", kDeclarations, kStores, kAtomics, kOutputs));
  sim::Texture texture = level_texture();
  for (uint32_t count : {4u, 28u, 36u}) {
    Memory memory;
    sim::Bindings bindings(routes.module());
    bindings.resources(0)[0].texture = sim::TextureView::whole(texture);
    bind_memory(bindings, memory);
    routes.watch(memory.bytes);
    std::vector<uint32_t> planes(size_t{4} * count, 0);
    for (uint32_t pixel = 0; pixel < count; ++pixel) planes[pixel] = pixel;
    sim::StreamLaunch launch;
    launch.count = count;
    launch.inputs = planes;
    const Routes::Outputs outputs = routes.run(bindings, launch);
    for (const auto* left : {&outputs.contract_memory, &outputs.legal_memory, &outputs.machine_memory}) {
      EXPECT_EQ(word_at(*left, 3 * kPixels), kFilled + count);
      for (uint32_t pixel = 0; pixel < count + 32; ++pixel) {
        EXPECT_EQ(word_at(*left, pixel), pixel < count ? 1u + 16u : kFilled) << pixel;
      }
    }
  }
}

}  // namespace
}  // namespace texlate
