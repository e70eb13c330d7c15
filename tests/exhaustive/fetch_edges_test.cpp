// ld and ld2dms at every edge: dimension x offset x coordinate x mip x slice x bound or not x format. The
// texture unit's own ld is the measure; the interpreter on the contract, the interpreter on the legalised
// module with a target that promises nothing, and the PTX machine on the emitted kernel must give the same
// bits, without poison.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/texture_unit/fetch.h"
#include "tests/support/routes.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate {
namespace {

using sim::Format;
using sim::Word4;

struct Shape {
  const char* name;  // as the text form spells the dimension
  sim::Dimension dimension;
  uint32_t axes;
  int slice_lane;  // of the address: where ld expects the slice; -1: none
  bool multisampled;
  bool mips;
};
constexpr Shape kShapes[] = {
    {"texture1d", sim::Dimension::texture1d, 1, -1, false, true},
    {"texture1darray", sim::Dimension::texture1d_array, 1, 1, false, true},
    {"texture2d", sim::Dimension::texture2d, 2, -1, false, true},
    {"texture2darray", sim::Dimension::texture2d_array, 2, 2, false, true},
    {"texture3d", sim::Dimension::texture3d, 3, -1, false, true},
    {"texture2dms", sim::Dimension::texture2dms, 2, -1, true, false},
    {"texture2dmsarray", sim::Dimension::texture2dms_array, 2, 2, true, false},
};
constexpr Format kFormats[] = {Format::r32g32b32a32_float, Format::r32_float, Format::r16g16_uint,
                               Format::r8g8b8a8_unorm};
constexpr std::array<uint32_t, 3> kSize = {5, 3, 4};  // different, so that exchanged axes show
constexpr uint32_t kMips = 3, kSlices = 2, kSamples = 4;

using Offset = std::array<int, 3>;

/// All combinations for one and two axes; for three, every value
/// on every axis against low, high and middle ones on the others.
std::vector<Offset> offsets_of(const Shape& shape) {
  std::vector<Offset> offsets;
  for (int u = -8; u <= 7; ++u) {
    if (shape.axes == 1) {
      offsets.push_back({u, 0, 0});
      continue;
    }
    const bool all_pairs = shape.axes == 2;
    for (int v = -8; v <= 7; ++v) {
      if (all_pairs || v == -u - 1 || v == u || (u % 5 == 0 && v % 5 == 0)) {
        offsets.push_back({u, v, shape.axes == 3 ? (u * 3 + v * 5) % 8 - (u > v ? 1 : 0) : 0});
      }
    }
  }
  return offsets;
}

std::vector<uint32_t> coordinates_of(uint32_t size, bool few) {
  std::vector<uint32_t> list;
  for (int c = -10; c <= static_cast<int>(size) + 10; ++c) {
    const bool edge = c < -6 || c > static_cast<int>(size) + 7 || (c >= -1 && c <= static_cast<int>(size));
    if (!few || (edge && (c != -9) && (c != static_cast<int>(size) + 9)))
      list.push_back(static_cast<uint32_t>(c));
  }
  for (uint32_t c : {0x7fffffffu, 0x80000000u, 0xffffffffu}) list.push_back(c);
  return list;
}

/// The elements of one launch: planes x, y, z, mip (v0), slice, sample (v1).
struct Elements {
  std::vector<std::array<uint32_t, 6>> list;
  std::vector<uint32_t> planes;

  void pad_to_quads() {
    while (list.size() % 4 != 0) list.push_back(list.back());
    planes.assign(8 * list.size(), 0);
    for (size_t e = 0; e < list.size(); ++e) {
      for (size_t p = 0; p < 6; ++p) planes[p * list.size() + e] = list[e][p];
    }
  }
};

Elements elements_of(const Shape& shape) {
  Elements elements;
  const bool few = shape.axes == 3 || shape.slice_lane >= 0 || shape.multisampled;
  const std::vector<uint32_t> zero = {0};
  const auto xs = coordinates_of(kSize[0], few && shape.axes > 1);
  const auto ys = shape.axes > 1 ? coordinates_of(kSize[1], few) : zero;
  const auto zs = shape.axes > 2 ? coordinates_of(kSize[2], few) : zero;
  const std::vector<uint32_t> mips =
      shape.mips ? std::vector<uint32_t>{~0u, 0, 1, 2, 3, 4, 32, 0x80000000u} : zero;
  const std::vector<uint32_t> slices =
      shape.slice_lane >= 0 ? std::vector<uint32_t>{~0u, 0, 1, 2, 0x80000000u} : zero;
  // Past the count the result is undefined but harmless; here every route reads the same 0.
  const std::vector<uint32_t> samples = shape.multisampled ? std::vector<uint32_t>{0, 1, 2, 3} : zero;
  for (uint32_t x : xs)
    for (uint32_t y : ys)
      for (uint32_t z : zs)
        for (uint32_t mip : mips)
          for (uint32_t slice : slices)
            for (uint32_t sample : samples) elements.list.push_back({x, y, z, mip, slice, sample});
  elements.pad_to_quads();
  return elements;
}

std::string fetch_text(const Shape& shape, const Offset& offset, const char* type) {
  std::string access = "coord(%0";
  if (shape.axes > 1) access += ", %1";
  if (shape.axes > 2) access += ", %2";
  access += ")";
  if (shape.slice_lane >= 0) access += " layer(%4)";
  if (shape.multisampled) access += " sample(%5)";
  if (shape.mips) access += " level(%3)";
  access += fmt::format(" offset({}, {}, {})", offset[0], shape.axes > 1 ? offset[1] : 0,
                        shape.axes > 2 ? offset[2] : 0);
  return fmt::format(
      "module pixel 5.0 \"main\"\nresource t0 {0} {1}{2}\ninput v0.xyzw\ninput v1.xy\noutput o0.xyzw\ncode "
      "{{\n"
      "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n  %4 = input v1.x\n  %5 = "
      "input v1.y\n"
      "  %6..%9 = tex.fetch t0 {0} {1} {3}\n"
      "  output o0.x, %6\n  output o0.y, %7\n  output o0.z, %8\n  output o0.w, %9\n}}\n",
      shape.name, type, shape.multisampled ? " samples(4)" : "", access);
}

Word4 expected_texel(const Shape& shape, const sim::TextureView& view, const std::array<uint32_t, 6>& e,
                     const Offset& offset) {
  if (!view.bound()) return {};
  sim::Access access;
  Word4 address = {e[0], e[1], e[2], e[3]};
  if (shape.slice_lane >= 0) address[static_cast<size_t>(shape.slice_lane)] = e[4];
  if (shape.multisampled) return sim::ld2dms(view, address, e[5], offset, access);
  return sim::ld(view, address, offset, access);
}

sim::Texture texture_for(const Shape& shape, Format format) {
  sim::TextureDesc desc;
  desc.dimension = shape.dimension;
  desc.format = format;
  desc.size = {kSize[0], shape.axes > 1 ? kSize[1] : 1, shape.axes > 2 ? kSize[2] : 1};
  desc.mips = shape.mips ? kMips : 1;
  desc.array_size = shape.slice_lane >= 0 ? kSlices : 1;
  desc.samples = shape.multisampled ? kSamples : 1;
  sim::Texture texture = sim::make_texture(desc);
  uint32_t state = 1;
  for (std::byte& byte : texture.memory()) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::byte>((state >> 24) &
                                  0x3f);  // floats stay finite and normal, and nothing is 0 for long
    byte |= std::byte{1};
  }
  return texture;
}

uint64_t compare(const Shape& shape, const sim::TextureView& view, const Elements& elements,
                 const Offset& offset, const Routes::Outputs& outputs) {
  const size_t count = elements.list.size();
  uint64_t reported = 0;
  for (size_t e = 0; e < count; ++e) {
    const Word4 expected = expected_texel(shape, view, elements.list[e], offset);
    for (size_t c = 0; c < 4; ++c) {
      const size_t at = c * count + e;
      if (outputs.contract[at] == expected[c] && outputs.legal[at] == expected[c] &&
          outputs.ptx[at] == expected[c])
        continue;
      if (++reported > 5) return count;
      ADD_FAILURE() << fmt::format(
          "{} offset ({}) address ({:x}) component {}: ld {:08x}, contract {:08x}, legalised {:08x}, ptx "
          "{:08x}",
          shape.name, fmt::join(offset, ", "), fmt::join(elements.list[e], ", "), c, expected[c],
          outputs.contract[at], outputs.legal[at], outputs.ptx[at]);
    }
  }
  return count;
}

class FetchEdges : public testing::TestWithParam<Shape> {};

TEST_P(FetchEdges, AllRoutesAgreeBitForBit) {
  const Shape& shape = GetParam();
  const Elements elements = elements_of(shape);
  std::vector<sim::Texture> textures;
  for (Format format : kFormats) textures.push_back(texture_for(shape, format));
  uint64_t fetches = 0;
  for (const Offset& offset : offsets_of(shape)) {
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
      ASSERT_EQ(outputs.ptx.size(), outputs.legal.size());
      fetches += compare(shape, view, elements, offset, outputs);
      if (HasFailure()) return;
    }
  }
  fmt::print("{:>16}: {} fetches, each by 4 routes\n", shape.name, fetches);
  RecordProperty("fetches", static_cast<int>(fetches));
}

INSTANTIATE_TEST_SUITE_P(Shapes, FetchEdges, testing::ValuesIn(kShapes),
                         [](const auto& shape) { return std::string(shape.param.name); });

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
          EXPECT_EQ(outputs.ptx[at], expected[c]) << fmt::format("{:x}", elements.list[e][0]);
        }
        ++fetches;
      }
    }
  }
  fmt::print("{:>16}: {} fetches, each by 4 routes\n", "buffer", fetches);
}

}  // namespace
}  // namespace texlate
