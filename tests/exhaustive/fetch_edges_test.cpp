// ld and ld2dms at every edge: dimension x offset x coordinate x mip x slice x bound or not x format. The
// texture unit's own ld is the reference. The interpreter on the contract, the interpreter on the legalized
// module for a target that promises nothing, and the machine on the emitted kernel must give the same bits,
// without poison. TEXLATE_EVERY=4 takes only every fourth offset.
#include <fmt/format.h>

#include "tests/exhaustive/fetch_edges.h"
#include "tests/support/routes.h"

namespace texlate {
namespace {

using namespace edges;

std::string fetch_text(const Shape& shape, const Offset& offset, const char* type) {
  const std::string access = access_text(shape, offset);
  return fmt::format(
      "module pixel 5.0 \"main\"\nresource t0 {0} {1}{2}\ninput v0.xyzw\ninput v1.xy\noutput o0.xyzw\ncode "
      "{{\n"
      "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n  %4 = input v1.x\n  %5 = "
      "input v1.y\n"
      "  %6..%9 = tex.fetch t0 {0} {1} {3}\n"
      "  output o0.x, %6\n  output o0.y, %7\n  output o0.z, %8\n  output o0.w, %9\n}}\n",
      shape.name, type, shape.multisampled ? " samples(4)" : "", access);
}

uint64_t compare(const Shape& shape, const sim::TextureView& view, const Elements& elements,
                 const Offset& offset, const Routes::Outputs& outputs) {
  const size_t count = elements.list.size();
  EXPECT_EQ(outputs.machine.size(), 4 * count);
  if (outputs.machine.size() != 4 * count) return 0;
  uint64_t reported = 0;
  for (size_t e = 0; e < count; ++e) {
    const Word4 expected = expected_texel(shape, view, elements.list[e], offset);
    for (size_t c = 0; c < 4; ++c) {
      const size_t at = c * count + e;
      if (outputs.contract[at] == expected[c] && outputs.legal[at] == expected[c] &&
          outputs.machine[at] == expected[c])
        continue;
      if (++reported > 5) return count;
      ADD_FAILURE() << fmt::format(
          "{} offset ({}) address ({:x}) component {}: ld {:08x}, contract {:08x}, legalized {:08x}, machine "
          "{:08x}",
          shape.name, fmt::join(offset, ", "), fmt::join(elements.list[e], ", "), c, expected[c],
          outputs.contract[at], outputs.legal[at], outputs.machine[at]);
    }
  }
  return count;
}

/// Reads these elements with each of these offsets from every format and from an unbound slot. Returns the
/// number of fetches.
uint64_t fetch_all(const Shape& shape, const Elements& elements, std::span<const Offset> offsets) {
  std::vector<sim::Texture> textures;
  for (Format format : kFormats) textures.push_back(texture_for(shape, format));
  const char* asked = std::getenv("TEXLATE_EVERY");
  const size_t every = asked == nullptr ? 1 : std::strtoul(asked, nullptr, 10);
  uint64_t fetches = 0;
  for (size_t o = 0; o < offsets.size(); o += every) {
    const Offset& offset = offsets[o];
    Routes as_float(fetch_text(shape, offset, "float")), as_uint(fetch_text(shape, offset, "uint"));
    for (size_t f = 0; f <= textures.size(); ++f) {
      const bool unbound = f == textures.size();
      const bool integer = !unbound && sim::format_info(kFormats[f]).is_integer();
      Routes& routes = integer ? as_uint : as_float;
      sim::Bindings bindings(routes.module());
      sim::TextureView view;
      if (!unbound) view = sim::TextureView::whole(textures[f]);
      bindings.resources(0)[0].texture = view;
      sim::StreamLaunch launch;
      launch.count = static_cast<uint32_t>(elements.list.size());
      launch.inputs = elements.planes;
      const Routes::Outputs outputs = routes.run(bindings, launch);
      fetches += compare(shape, view, elements, offset, outputs);
      if (testing::Test::HasFailure()) return fetches;
    }
  }
  return fetches;
}

class FetchEdges : public testing::TestWithParam<Shape> {};

TEST_P(FetchEdges, AllRoutesAgreeBitForBit) {
  const Shape& shape = GetParam();
  const uint64_t fetches = fetch_all(shape, elements_of(shape), offsets_of(shape));
  fmt::print("{:>16}: {} fetches, each by 4 routes\n", shape.name, fetches);
  RecordProperty("fetches", static_cast<int>(fetches));
}

INSTANTIATE_TEST_SUITE_P(Shapes, FetchEdges, testing::ValuesIn(kShapes),
                         [](const auto& shape) { return std::string(shape.param.name); });

// A sample past the count must not read the next slice, or anything else.
TEST(FetchEdgesOfSamples, AllRoutesAgreeBitForBit) {
  static constexpr Offset kOffsets[] = {{0, 0, 0}, {-1, 0, 0}, {1, 2, 0}, {-8, 7, 0}};
  for (const Shape& shape : kShapes) {
    if (!shape.multisampled) continue;
    const uint64_t fetches = fetch_all(shape, elements_of(shape, kSamplesOutside), kOffsets);
    fmt::print("{:>16}: {} fetches of samples outside, each by 4 routes\n", shape.name, fetches);
  }
}

TEST(FetchEdgesOfBuffers, AllRoutesAgreeBitForBit) {
  const auto text = [](const char* type) {
    return fmt::format(
        "module pixel 5.0 \"main\"\nresource t0 buffer {0}\ninput v0.x\noutput o0.xyzw\ncode {{\n  %0 = "
        "input v0.x\n"
        "  %6..%9 = tex.fetch t0 buffer {0} coord(%0)\n"
        "  output o0.x, %6\n  output o0.y, %7\n  output o0.z, %8\n  output o0.w, %9\n}}\n",
        type);
  };
  uint64_t fetches = 0;
  for (Format format : kFormats) {
    for (uint32_t size : {0u, 1u, 7u}) {
      std::vector<std::byte> memory(size_t{16} * 8, std::byte{0x21});
      Routes routes(text(sim::format_info(format).is_integer() ? "uint" : "float"));
      sim::Bindings bindings(routes.module());
      sim::BufferView view;
      if (size != 0) view = {memory.data(), sim::BufferKind::typed, format, size};
      bindings.resources(0)[0].buffer = view;
      Elements elements;
      for (uint32_t c : coordinates_of(size, false)) elements.list.push_back({c, 0, 0, 0, 0, 0});
      elements.pad_to_quads();
      sim::StreamLaunch launch;
      launch.count = static_cast<uint32_t>(elements.list.size());
      launch.inputs = elements.planes;
      const Routes::Outputs outputs = routes.run(bindings, launch);
      for (size_t e = 0; e < elements.list.size(); ++e) {
        sim::Access access;
        const Word4 expected = view.bound() ? sim::ld_buffer(view, elements.list[e][0], access) : Word4{};
        for (size_t c = 0; c < 4; ++c) {
          const size_t at = c * elements.list.size() + e;
          EXPECT_EQ(outputs.contract[at], expected[c]);
          EXPECT_EQ(outputs.legal[at], expected[c]);
          EXPECT_EQ(outputs.machine[at], expected[c]) << fmt::format("{:x}", elements.list[e][0]);
        }
        ++fetches;
      }
    }
  }
  fmt::print("{:>16}: {} fetches, each by 4 routes\n", "buffer", fetches);
}

}  // namespace
}  // namespace texlate
