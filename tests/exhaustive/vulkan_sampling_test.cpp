// A driver judges the texture unit's sampling: the interpreter and the PTX machine share the unit, so neither
// would reveal a mistake in it. Random sampler states and coordinates, explicit levels: the unit itself on
// one side, the emitted SPIR-V on a Vulkan device on the other.
//
// Tolerances. A coordinate is rounded to 1/256 of a texel, a level to 1/256, each within one unit (D3D11.3
// functional specification 7.18.16.1; Vulkan, subTexelPrecisionBits, mipmapPrecisionBits). The driver's
// result must be between the least and the greatest result of the unit for coordinates and levels within one
// unit. If texels are filtered, weights may differ by two units more. Texels are between 0 and 1.
#include <fmt/format.h>

#include <bit>
#include <random>

#include "sim/texture_unit/sample.h"
#include "tests/support/vulkan_table.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate {
namespace {

using sim::AddressMode;
using sim::Dimension;
using sim::Filter;

constexpr uint32_t kRows = 256;
constexpr int kStates = 24;
constexpr float kUnit = 1.0f / 256;

struct Shape {
  Dimension dimension;
  const char* name;
  uint32_t axes;
  int layer;  // the row word that is the layer; -1: none
};
constexpr Shape kShapes[] = {{Dimension::texture1d, "texture1d", 1, -1},
                             {Dimension::texture2d, "texture2d", 2, -1},
                             {Dimension::texture2d_array, "texture2darray", 2, 3},
                             {Dimension::texture3d, "texture3d", 3, -1}};

TableText table_of(const Shape& shape) {
  static constexpr const char* kCoordinates[] = {"%0", "%0, %1", "%0, %1, %2"};
  TableText table;
  table.declarations = fmt::format("resource t0 {} float\nsampler s0\n", shape.name);
  table.in = 5;
  table.body = fmt::format("  %100..%103 = tex.sample t0 s0 {} float coord({}){} level(%4)\n", shape.name,
                           kCoordinates[shape.axes - 1], shape.layer >= 0 ? " layer(%3)" : "");
  table.results = {"%100", "%101", "%102", "%103"};
  return table;
}

sim::Texture texture_of(const Shape& shape, std::mt19937& random) {
  sim::TextureDesc desc;
  desc.dimension = shape.dimension;
  desc.format = sim::Format::r32g32b32a32_float;
  desc.size = {16, shape.axes > 1 ? 8u : 1u, shape.axes > 2 ? 4u : 1u};
  desc.mips = 3;
  desc.array_size = shape.layer >= 0 ? 3 : 1;
  sim::Texture texture = sim::make_texture(desc);
  const std::span<std::byte> memory = texture.memory();
  for (size_t at = 0; at + 4 <= memory.size(); at += 4) {
    const float texel = static_cast<float>(random() % 257) / 256;
    std::memcpy(memory.data() + at, &texel, 4);
  }
  return texture;
}

sim::Sampler random_sampler(std::mt19937& random) {
  static constexpr std::array<float, 4> kBorders[] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
  static constexpr AddressMode kModes[] = {AddressMode::wrap, AddressMode::mirror, AddressMode::clamp,
                                           AddressMode::border};
  sim::Sampler sampler;
  // One filter for both: at a level of about 0 the tolerance of the level does not determine which is used.
  sampler.min_filter = sampler.mag_filter = random() % 2 != 0 ? Filter::linear : Filter::point;
  sampler.mip_filter = random() % 2 != 0 ? Filter::linear : Filter::point;
  for (AddressMode& mode : sampler.address) mode = kModes[random() % std::size(kModes)];
  sampler.border = kBorders[random() % std::size(kBorders)];
  sampler.mip_lod_bias = static_cast<float>(static_cast<int>(random() % 9) - 4) / 4;
  // No clamp to a half: of two equally near mips, Direct3D takes the smaller (7.18.11), while Vulkan may take
  // the larger.
  sampler.min_lod = static_cast<float>(random() % 5) * 0.37f;
  sampler.max_lod = sampler.min_lod + static_cast<float>(random() % 5) * 0.4f;
  return sampler;
}

/// The unit's answer with coordinates and level moved by this many units.
sim::Word4 answer(const Shape& shape, const sim::TextureView& view, const sim::Sampler& sampler,
                  const std::array<float, 5>& row, const std::array<int, 4>& moved, uint32_t mip) {
  sim::SampleOperands operands;
  for (uint32_t axis = 0; axis < shape.axes; ++axis) {
    const auto size = static_cast<float>(view.size(mip)[static_cast<int>(axis)]);
    operands.coordinate[axis] = row[axis] + static_cast<float>(moved[axis]) * kUnit / size;
  }
  const int slice = sim::dimension_info(shape.dimension).slice;
  if (slice >= 0) operands.coordinate[static_cast<size_t>(slice)] = row[3];
  operands.lod_source = sim::LodSource::level;
  operands.lod = row[4] + static_cast<float>(moved[3]) * kUnit;
  sim::Access access;
  return sim::sample(view, sampler, operands, {.snap_point = false}, access);
}

struct Bounds {
  std::array<float, 4> least, greatest;
};
Bounds bounds_of(const Shape& shape, const sim::TextureView& view, const sim::Sampler& sampler,
                 const std::array<float, 5>& row) {
  Bounds bounds;
  bounds.least.fill(2);
  bounds.greatest.fill(-1);
  const int combinations = shape.axes == 1 ? 9 : shape.axes == 2 ? 27 : 81;
  for (uint32_t mip = 0; mip < view.mip_count; ++mip) {
    for (int step = 0; step < combinations; ++step) {
      const std::array<int, 4> moved{step / 3 % 3 - 1, step / 9 % 3 - 1, step / 27 % 3 - 1, step % 3 - 1};
      const sim::Word4 words = answer(shape, view, sampler, row, moved, mip);
      for (size_t c = 0; c < 4; ++c) {
        const float value = std::bit_cast<float>(words[c]);
        bounds.least[c] = std::min(bounds.least[c], value);
        bounds.greatest[c] = std::max(bounds.greatest[c], value);
      }
    }
  }
  return bounds;
}

TEST(VulkanSampling, TheTextureUnitAgreesWithTheDriver) {
  const spirv::Robustness robustness = robustness_here();
  TEXLATE_NEEDS_VULKAN(robustness);
  std::mt19937 random(7);
  const auto between = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() % 65536) / 65536;
  };
  uint64_t samples = 0;
  for (const Shape& shape : kShapes) {
    VulkanTable table(table_of(shape));
    sim::Texture texture = texture_of(shape, random);
    const sim::TextureView view = sim::TextureView::whole(texture);
    for (int state = 0; state < kStates; ++state) {
      const sim::Sampler sampler = random_sampler(random);
      const bool filters = sampler.min_filter == Filter::linear || sampler.mip_filter == Filter::linear;
      std::vector<std::array<float, 5>> rows(kRows);
      std::vector<uint32_t> words;
      for (auto& row : rows) {
        row = {between(-2, 3), between(-2, 3), between(-2, 3), between(-1, 4), between(-1, 4)};
        if (random() % 4 == 0) row[0] = static_cast<float>(random() % 33) / 16;  // edges of texels
        for (const float value : row) words.push_back(std::bit_cast<uint32_t>(value));
      }
      const auto results = table.on_device(robustness, words, [&](sim::Bindings& bindings) {
        bindings.resources(2)[0].texture = view;
        bindings.samplers(0)[0] = sampler;
      });
      for (size_t r = 0; r < rows.size(); ++r) {
        const Bounds bounds = bounds_of(shape, view, sampler, rows[r]);
        for (size_t c = 0; c < 4; ++c, ++samples) {
          const float found = std::bit_cast<float>(results[r * 4 + c]);
          const float slack = filters ? 2 * kUnit : 0;
          if (found >= bounds.least[c] - slack && found <= bounds.greatest[c] + slack) continue;
          ADD_FAILURE() << fmt::format(
              "{} ({}), {} texels, {} mips, bias {}, levels {} to {}, modes {} {} {}: vulkan {}, unit {} to "
              "{}",
              shape.name, fmt::join(rows[r], ", "), sampler.min_filter == Filter::linear ? "linear" : "point",
              sampler.mip_filter == Filter::linear ? "linear" : "point", sampler.mip_lod_bias,
              sampler.min_lod, sampler.max_lod, static_cast<int>(sampler.address[0]),
              static_cast<int>(sampler.address[1]), static_cast<int>(sampler.address[2]), found,
              bounds.least[c], bounds.greatest[c]);
          return;
        }
      }
    }
  }
  fmt::print("{} components sampled\n", samples);
}

}  // namespace
}  // namespace texlate
