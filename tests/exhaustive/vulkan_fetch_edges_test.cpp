// ld and ld2dms at every edge, as in fetch_edges_test.cpp, on a Vulkan driver: with robustImageAccess2 and
// nullDescriptor and no guards, and with guards and neither feature. The texture unit's own ld is the
// reference, bit for bit; UNORM may be decoded one ULP off (Vulkan requires no more). A driver may do
// more than it promises, so the interpreter, which promises nothing, also judges the guards of the second
// mode. Every offset is used with a third of the formats, and the first 32 offsets with each;
// TEXLATE_EXHAUSTIVE=1: all with all.
#include <fmt/format.h>

#include <bit>
#include <cstdlib>

#include "sim/texture_unit/buffer.h"
#include "tests/exhaustive/fetch_edges.h"
#include "tests/support/vulkan_table.h"

namespace texlate {
namespace {

using namespace edges;

// Number of offsets per shader, and of rows of the table per dispatch.
constexpr size_t kFetchesPerShader = 32, kRowsPerDispatch = 16384;

TableText table_of(const Shape& shape, std::span<const Offset> offsets, const char* type) {
  TableText table;
  table.declarations =
      fmt::format("resource t0 {} {}{}\n", shape.name, type, shape.multisampled ? " samples(4)" : "");
  table.in = 6;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const size_t first = 100 + 4 * i;
    table.body += fmt::format("  %{}..%{} = tex.fetch t0 {} {} {}\n", first, first + 3, shape.name, type,
                              access_text(shape, offsets[i]));
    for (size_t c = 0; c < 4; ++c) table.results.push_back(fmt::format("%{}", first + c));
  }
  return table;
}

bool equals(uint32_t expected, uint32_t result, Format format) {
  if (expected == result) return true;
  if (sim::format_info(format).kind != sim::Kind::unorm || expected == 0) return false;
  return expected - result + 1 <= 2;
}

uint64_t compare(const Shape& shape, const sim::TextureView& view, Format format, const Elements& elements,
                 size_t first, size_t rows, std::span<const Offset> offsets,
                 const std::vector<uint32_t>& results) {
  uint64_t reported = 0;
  for (size_t r = 0; r < rows; ++r) {
    const auto& element = elements.list[first + r];
    for (size_t i = 0; i < offsets.size(); ++i) {
      const Word4 expected = expected_texel(shape, view, element, offsets[i]);
      for (size_t c = 0; c < 4; ++c) {
        const uint32_t result = results[(r * offsets.size() + i) * 4 + c];
        if (equals(expected[c], result, format)) continue;
        if (++reported > 5) return rows * offsets.size();
        ADD_FAILURE() << fmt::format(
            "{} of {} offset ({}) address ({:x}) component {}: ld {:08x}, vulkan {:08x}", shape.name,
            view.bound() ? sim::format_info(format).name : "nothing", fmt::join(offsets[i], ", "),
            fmt::join(element, ", "), c, expected[c], result);
      }
    }
  }
  return rows * offsets.size();
}

/// Reads these elements with these offsets from textures of the formats and from an unbound slot. Returns the
/// number of fetches.
uint64_t fetch_all(const Shape& shape, spirv::Robustness robustness, const Elements& elements,
                   std::span<const Offset> offsets) {
  std::vector<sim::Texture> textures;
  for (Format format : kFormats) textures.push_back(texture_for(shape, format));
  const bool all = std::getenv("TEXLATE_EXHAUSTIVE") != nullptr;
  uint64_t fetches = 0;
  for (size_t start = 0; start < offsets.size(); start += kFetchesPerShader) {
    const std::span<const Offset> some =
        offsets.subspan(start, std::min(kFetchesPerShader, offsets.size() - start));
    VulkanTable as_float(table_of(shape, some, "float")), as_uint(table_of(shape, some, "uint"));
    for (size_t f = 0; f <= textures.size(); ++f) {
      if (!all && start != 0 && (start / kFetchesPerShader + f) % 3 != 0) continue;
      const bool unbound = f == textures.size();
      const Format format = unbound ? Format::r32_float : kFormats[f];
      VulkanTable& table = sim::format_info(format).is_integer() ? as_uint : as_float;
      sim::TextureView view;
      if (!unbound) view = sim::TextureView::whole(textures[f]);
      for (size_t first = 0; first < elements.list.size(); first += kRowsPerDispatch) {
        const size_t rows = std::min(kRowsPerDispatch, elements.list.size() - first);
        std::vector<uint32_t> words;
        for (size_t r = 0; r < rows; ++r)
          words.insert(words.end(), elements.list[first + r].begin(), elements.list[first + r].end());
        const auto results = table.on_device(
            robustness, words, [&](sim::Bindings& bindings) { bindings.resources(2)[0].texture = view; });
        if (start == 0 && robustness == spirv::Robustness::shader) {
          table.expect_guarded(words,
                               [&](sim::Bindings& bindings) { bindings.resources(2)[0].texture = view; });
        }
        fetches += compare(shape, view, format, elements, first, rows, some, results);
        if (testing::Test::HasFailure()) return fetches;
      }
    }
  }
  return fetches;
}

class VulkanFetchEdges : public testing::TestWithParam<std::tuple<Shape, spirv::Robustness>> {};

TEST_P(VulkanFetchEdges, AgreesWithTheTextureUnit) {
  const auto& [shape, robustness] = GetParam();
  TEXLATE_NEEDS_VULKAN(robustness);
  const uint64_t fetches = fetch_all(shape, robustness, elements_of(shape), offsets_of(shape));
  fmt::print("{:>16}, robustness {}: {} fetches\n", shape.name, robustness_name(robustness), fetches);
  RecordProperty("fetches", std::to_string(fetches));
}

INSTANTIATE_TEST_SUITE_P(Shapes, VulkanFetchEdges,
                         testing::Combine(testing::ValuesIn(kShapes), testing::ValuesIn(kBothRobustness)),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param).name) + "_" +
                                  robustness_name(std::get<1>(one.param));
                         });

// Vulkan leaves a sample index out of range undefined, as Direct3D does (docs/reference/direct3d.md 6.1), so
// only guards are tested.
TEST(VulkanFetchEdgesOfSamples, GuardsKeepThemInside) {
  TEXLATE_NEEDS_VULKAN(spirv::Robustness::shader);
  static constexpr Offset kOffsets[] = {{0, 0, 0}, {-1, 0, 0}, {1, 2, 0}, {-8, 7, 0}};
  for (const Shape& shape : kShapes) {
    if (!shape.multisampled) continue;
    const Elements elements = elements_of(shape, kSamplesOutside);
    const uint64_t fetches = fetch_all(shape, spirv::Robustness::shader, elements, kOffsets);
    fmt::print("{:>16}: {} fetches of samples outside\n", shape.name, fetches);
  }
}

class VulkanBufferEdges : public testing::TestWithParam<spirv::Robustness> {};

TEST_P(VulkanBufferEdges, TypedBuffers) {
  TEXLATE_NEEDS_VULKAN(GetParam());
  uint64_t fetches = 0;
  for (Format format : kFormats) {
    const char* type = sim::format_info(format).is_integer() ? "uint" : "float";
    TableText text;
    text.declarations = fmt::format("resource t0 buffer {}\n", type);
    text.body = fmt::format("  %100..%103 = tex.fetch t0 buffer {} coord(%0)\n", type);
    text.results = {"%100", "%101", "%102", "%103"};
    VulkanTable table(text);
    for (uint32_t size : {0u, 1u, 7u}) {
      std::vector<std::byte> memory(size_t{16} * 8, std::byte{0x21});
      sim::BufferView view;
      if (size != 0) view = {memory.data(), sim::BufferKind::typed, format, size};
      const std::vector<uint32_t> coordinates = coordinates_of(size, false);
      const auto results = table.on_device(
          GetParam(), coordinates, [&](sim::Bindings& bindings) { bindings.resources(2)[0].buffer = view; });
      for (size_t r = 0; r < coordinates.size(); ++r, ++fetches) {
        sim::Access access;
        const Word4 expected = view.bound() ? sim::ld_buffer(view, coordinates[r], access) : Word4{};
        for (size_t c = 0; c < 4; ++c) {
          EXPECT_TRUE(equals(expected[c], results[r * 4 + c], format)) << fmt::format(
              "{} of {} elements, element {:x}, component {}: {:08x}, vulkan {:08x}",
              sim::format_info(format).name, size, coordinates[r], c, expected[c], results[r * 4 + c]);
        }
      }
    }
  }
  fmt::print("{:>16}, robustness {}: {} fetches\n", "buffer", robustness_name(GetParam()), fetches);
}

INSTANTIATE_TEST_SUITE_P(Robustness, VulkanBufferEdges, testing::ValuesIn(kBothRobustness),
                         [](const auto& one) { return robustness_name(one.param); });

}  // namespace
}  // namespace texlate
