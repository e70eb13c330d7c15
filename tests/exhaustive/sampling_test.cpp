// The sample and gather families over random coordinates: dimension x level rule x offset x filter x address
// mode x format. The texture unit's answer is the reference. The interpreter on the contract must give the
// same bits. The interpreter on the legalized module and the machine on the emitted kernel must give the same
// bits if a texture object does the work. What legalize_texture expands (a level from derivatives, a
// comparison's footprint) may round as far as Direct3D allows for fixed-point conversion: 0.6 instead of 0.5
// units (functional specification 3.2.4.1; docs/reference/direct3d.md 2.3).
#include "tests/exhaustive/sampling_case.h"

#include <algorithm>
#include <cmath>

#include "sim/texture_unit/address.h"
#include "sim/texture_unit/cube.h"
#include "tests/support/routes.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate {
namespace {

using sim::AddressMode;
using sim::Dimension;
using sim::Filter;
using sim::Format;
using sim::LodSource;
using sim::Word4;

constexpr uint32_t kElements = 1024;
constexpr float kToleratedTexels = 0.1f / 256;  // of a coordinate: 0.6 - 0.5 units of 8 fraction bits
constexpr float kToleratedLevels =
    0.5f / 256;                 // of a level: log2 is exact to 2^-21, one rounding of 8 fraction bits away
constexpr float kContrast = 2;  // between two texels, border colors included
constexpr double kRounding =
    1e-5;  // products and sums of weights, in units of the largest texel (at most 1.5)

// As in PTX and Maxwell (backend/*/texture_guarantees.cpp, ir/passes/legalize_texture.cpp).
bool level_in_code(const SamplingCase& c) {
  const bool cannot = c.dimension == Dimension::texture3d || sim::dimension_info(c.dimension).cube;
  switch (c.level) {
    case LodSource::bias: return true;
    case LodSource::derivatives:
    case LodSource::gradients: return cannot || c.reading == Reading::sample_c;
    default: return c.reading == Reading::sample_c;
  }
}
// Maxwell takes the directions of cubes divided by their greatest component, as ptxas passes them
// (docs/maxwell-isa.md).
bool texels_in_code(const SamplingCase& c) {
  const bool divided = on_maxwell() && sim::dimension_info(c.dimension).cube;
  return divided || c.reading == Reading::sample_c || c.offset_by_register();
}
// The texture object determines which texel a gather reads; whether it passes the comparison is exact.
bool exact(const SamplingCase& c) {
  return !texels_in_code(c) && (c.gathers() || !level_in_code(c));
}

// NaNs, with and without payload, and infinities: one format has some of them.
constexpr uint32_t kSpecial[] = {0x7fc00000u, 0xffc00001u, 0x7f800000u, 0xff800000u};
bool has_special_texels(Format format) {
  return format == Format::r32_float;
}

sim::Texture texture_for(Dimension dimension, Format format) {
  const sim::DimensionInfo& info = sim::dimension_info(dimension);
  sim::TextureDesc desc;
  desc.dimension = dimension;
  desc.format = format;
  desc.size = {16, info.cube ? 16u : info.axes > 1 ? 11u : 1u, info.axes > 2 ? 6u : 1u};
  desc.mips = 0;
  desc.array_size = info.cube ? (info.slice >= 0 ? 18 : 6) : info.slice >= 0 ? 3 : 1;
  sim::Texture texture = sim::make_texture(desc);
  const size_t component_bytes = sim::format_info(format).layout.component[0].bits / 8;
  uint32_t state = 12345;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  std::span<std::byte> memory = texture.memory();
  for (size_t at = 0; at + component_bytes <= memory.size(); at += component_bytes) {
    // Floats in quarters, so that references are equal to some of them; UNORM: any bits.
    uint32_t word = sim::format_info(format).kind == sim::Kind::float_
                        ? std::bit_cast<uint32_t>(static_cast<float>(next() % 5) / 4)
                        : next();
    if (has_special_texels(format) && next() % 16 == 0) word = kSpecial[next() % std::size(kSpecial)];
    std::memcpy(memory.data() + at, &word, component_bytes);
  }
  return texture;
}

// `turn` varies which comparison is combined with which filter and address mode.
std::vector<sim::Sampler> samplers_for(const SamplingCase& c, size_t turn) {
  struct Filters {
    Filter texel, mip;
    uint32_t anisotropy;
  };
  static constexpr Filters kFilters[] = {{Filter::point, Filter::point, 1},
                                         {Filter::linear, Filter::point, 1},
                                         {Filter::point, Filter::linear, 1},
                                         {Filter::linear, Filter::linear, 1},
                                         {Filter::linear, Filter::linear, 4}};
  static constexpr std::array<AddressMode, 3> kModes[] = {
      {AddressMode::wrap, AddressMode::wrap, AddressMode::wrap},
      {AddressMode::mirror, AddressMode::mirror, AddressMode::mirror},
      {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp},
      {AddressMode::border, AddressMode::border, AddressMode::border},
      {AddressMode::border, AddressMode::wrap, AddressMode::mirror},
      {AddressMode::clamp, AddressMode::border, AddressMode::wrap},
      {AddressMode::mirror_once, AddressMode::mirror_once,
       AddressMode::mirror_once},  // CUDA lacks it: only for expanded comparisons
  };
  struct Clamps {
    float bias, low, high;
  };
  static constexpr Clamps kClamps[] = {
      {0, 0, 1000}, {0.5f, -3.4e38f, 3.4e38f}, {-1.25f, 0, 2.5f}, {0, 1.3f, 2.6f}, {0.25f, 2, 1}};
  std::vector<sim::Sampler> list;
  for (const Filters& filters : kFilters) {
    for (const auto& modes : kModes) {
      if (modes[0] == AddressMode::mirror_once && !texels_in_code(c)) continue;
      sim::Sampler sampler;
      sampler.min_filter = sampler.mag_filter = filters.texel;
      sampler.mip_filter = filters.mip;
      sampler.anisotropic = filters.anisotropy > 1;
      sampler.max_anisotropy = filters.anisotropy;
      sampler.address = modes;
      const Clamps& clamps = kClamps[list.size() % std::size(kClamps)];
      const bool mip_zero_only = sim::dimension_info(c.dimension).cube && c.gathers();
      sampler.mip_lod_bias = mip_zero_only ? 0 : clamps.bias;
      sampler.min_lod = mip_zero_only ? 0 : clamps.low;
      sampler.max_lod = clamps.high;
      sampler.border = {0.25f, 1.5f, -0.5f, 0.75f};
      if (list.size() % 3 == 1) sampler.border[0] = 1.25f;
      if (c.compares()) {
        sampler.reduction = sim::Reduction::comparison;
        sampler.comparison = static_cast<sim::Comparison>(1 + (list.size() + turn) % 8);
      }
      list.push_back(sampler);
    }
  }
  // Texture objects have one filter for minification and magnification; expanded comparisons have both.
  for (size_t i = 0; i < 2 && c.reading == Reading::sample_c; ++i) {
    list.push_back(list[i]);
    (i == 0 ? list.back().min_filter : list.back().mag_filter) = Filter::linear;
  }
  return list;
}

// Where three faces meet, Direct3D compares three texels and then derives the fourth; a texture object
// derives it first. Such a device gives 0 or 1 instead of 1/3 and 2/3 (docs/reference/direct3d.md 1.4,
// gather4_c: both are allowed).
bool compares_at_a_corner(const SamplingCase& c, const sim::TextureView& view, const SamplingElement& e,
                          const sim::UnitOptions& options) {
  if (!c.compares() || !c.gathers() || !view.bound() || !sim::dimension_info(c.dimension).cube) return false;
  const sim::FacePoint at = sim::project_to_face(e.coordinate);
  const uint32_t side = view.size(0).width;
  const auto leaves = [&](double u) {
    const int64_t first =
        std::clamp<int64_t>(sim::axis_taps(u * side, Filter::linear, options).texel[0], -1, side);
    return first < 0 || first + 1 >= side;
  };
  return leaves(at.u) && leaves(at.v);
}

bool same(uint32_t a, uint32_t b) {
  const auto is_nan = [](uint32_t w) { return (w & 0x7fffffffu) > 0x7f800000u; };
  return a == b || (is_nan(a) && is_nan(b));
}

/// One run of one case with one sampler and texture, and the verdict on each element.
struct Judge {
  const SamplingCase& c;
  const sim::TextureView& view;
  const sim::Sampler& sampler;
  const SamplingElements& elements;
  const sim::UnitOptions options{.snap_point = false};
  uint64_t words = 0, rounded = 0;

  Word4 answer(size_t e, const sim::Sampler& with, const std::array<float, 3>& shift = {},
               float lod_shift = 0) const {
    return texture_unit_answer(c, view, with, elements.list[e], quad_derivatives(elements.list, e), shift,
                               options, lod_shift);
  }

  /// Is this the unit's answer for a coordinate and level within the tolerance?
  bool is_near(size_t e, uint32_t component, uint32_t word) const {
    if (!view.bound()) return false;
    const float value = std::bit_cast<float>(word);
    // Each probe of an anisotropic sample is rounded on its own: by one step of the weights in each
    // direction, and of the level.
    if (sampler.anisotropic && view.dimension != Dimension::texture3d) {
      const sim::Derivatives steps = quad_derivatives(elements.list, e);
      // Probes that are far apart or far out are at coordinates of few fraction bits.
      const auto is_far = [](float d) { return !(std::fabs(d) < 64); };
      const bool bounded = value >= -0.5f && value <= 1.5f;
      if (std::ranges::any_of(steps.ddx, is_far) || std::ranges::any_of(steps.ddy, is_far) ||
          std::ranges::any_of(elements.list[e].coordinate, is_far))
        return bounded;
      const float near = std::bit_cast<float>(answer(e, sampler)[component]);
      if (std::fabs(value - near) <= 3 * kContrast / 256) return true;
      if (has_special_texels(view.format) && !(std::isfinite(value) && std::isfinite(near))) return true;
    }
    const bool cube = sim::dimension_info(c.dimension).cube;
    float major = 0;
    for (float axis : elements.list[e].coordinate) major = std::max(major, std::fabs(axis));
    for (uint32_t mip = 0; mip < view.mip_count; ++mip) {
      for (uint32_t step = 0; step < 81; ++step) {
        std::array<float, 3> shift{};
        const auto third = [](uint32_t n) { return static_cast<float>(n % 3) - 1; };
        for (int axis = 0; axis < 3 && texels_in_code(c); ++axis) {
          const float texel = kToleratedTexels / static_cast<float>(view.size(mip)[cube ? 0 : axis]);
          shift[static_cast<size_t>(axis)] =
              third(step / std::array<uint32_t, 3>{1, 3, 9}[static_cast<size_t>(axis)]) * texel *
              (cube ? 2 * major : 1);
        }
        const float lod_shift = level_in_code(c) ? third(step / 27) * kToleratedLevels : 0;
        const uint32_t expected = answer(e, sampler, shift, lod_shift)[component];
        const double other = std::bit_cast<float>(expected);
        if (same(word, expected) || std::fabs(value - other) <= kRounding) return true;
      }
    }
    return false;
  }

  void judge(const Routes::Outputs& outputs) {
    const size_t count = elements.list.size();
    int reported = 0;
    for (size_t e = 0; e < count; ++e) {
      if (compares_at_a_corner(c, view, elements.list[e], options)) continue;
      const Word4 expected = answer(e, sampler);
      for (uint32_t k = 0; k < 4; ++k) {
        const size_t at = k * count + e;
        const uint32_t contract = outputs.contract[at], legal = outputs.legal[at],
                       machine = outputs.machine[at];
        ++words;
        bool good = same(contract, expected[k]);
        if (!same(legal, expected[k]) || !same(machine, expected[k])) {
          good = good && !exact(c) && is_near(e, k, legal) && is_near(e, k, machine);
          const auto differs = [&](uint32_t word) {
            return !same(word, expected[k]) && std::fabs(double{std::bit_cast<float>(word)} -
                                                         std::bit_cast<float>(expected[k])) > kRounding;
          };
          rounded += differs(legal) || differs(machine) ? 1 : 0;
        }
        if (good || ++reported > 1) continue;
        const SamplingElement& element = elements.list[e];
        ADD_FAILURE() << sampling_text(c)
                      << fmt::format(
                             "coordinate ({}) layer {} lod {} reference {} offset ({}) component {}: unit {} "
                             "({:08x}), contract {} "
                             "({:08x}), legalized {} ({:08x}), machine {} ({:08x})\nfilter {} mip {} address "
                             "({}, {}, {}) bias {} lod [{}, {}] comparison {}",
                             fmt::join(element.coordinate, ", "), element.layer, element.lod,
                             element.reference, fmt::join(element.offset, ", "), k,
                             std::bit_cast<float>(expected[k]), expected[k], std::bit_cast<float>(contract),
                             contract, std::bit_cast<float>(legal), legal, std::bit_cast<float>(machine),
                             machine, static_cast<int>(sampler.min_filter),
                             static_cast<int>(sampler.mip_filter), static_cast<int>(sampler.address[0]),
                             static_cast<int>(sampler.address[1]), static_cast<int>(sampler.address[2]),
                             sampler.mip_lod_bias, sampler.min_lod, sampler.max_lod,
                             static_cast<int>(sampler.comparison));
      }
    }
  }
};

struct Family {
  const char* name;
  Reading reading;
  std::vector<Dimension> dimensions;
  std::vector<LodSource> levels;
};

std::vector<sim::TexelOffset> offsets_for(const SamplingCase& c) {
  if (sim::dimension_info(c.dimension).cube || c.offset_by_register()) return {{}};
  return {{}, {-8, 7, -8}, {3, -2, 5}, {-1, 0, 7}};
}

std::vector<Format> formats_for(const SamplingCase& c) {
  if (c.compares()) return {Format::r32_float, Format::d16_unorm, Format::r24_unorm_x8_typeless};
  return {Format::r32g32b32a32_float, Format::r8g8b8a8_unorm, Format::r32_float, Format::r8g8_unorm,
          Format::r8g8b8a8_unorm_srgb};
}

class Sampling : public testing::TestWithParam<Family> {};

TEST_P(Sampling, AllRoutesAgreeWithTheTextureUnit) {
  const Family& family = GetParam();
  uint64_t samples = 0, words = 0, rounded = 0, modules = 0;
  for (Dimension dimension : family.dimensions) {
    SamplingCase c;
    c.dimension = dimension;
    c.reading = family.reading;
    std::vector<sim::Texture> textures;
    const std::vector<Format> formats = formats_for(c);
    for (Format format : formats) textures.push_back(texture_for(dimension, format));
    for (LodSource level : family.levels) {
      c.level = level;
      for (const sim::TexelOffset& offset : offsets_for(c)) {
        c.offset = offset;
        c.component = c.gathers() && !c.compares() ? static_cast<int>(modules % 4) : 0;
        ++modules;
        Routes routes(sampling_text(c));
        std::vector<sim::Sampler> samplers = samplers_for(c, modules);
        // The last one is for the unbound slot: whatever 0 passes, an unbound slot reads 0.
        samplers.push_back(samplers[0]);
        samplers.back().comparison = sim::Comparison::always;
        for (size_t s = 0; s < samplers.size(); ++s) {
          const bool unbound = s + 1 == samplers.size();
          sim::Bindings bindings(routes.module());
          sim::Texture& texture = textures[(s + modules) % textures.size()];
          const sim::Sampler& sampler = samplers[s];
          const SamplingElements elements(c, sim::TextureView::whole(texture), kElements,
                                          static_cast<uint32_t>(modules * 1000 + s));
          const sim::TextureView view = unbound ? sim::TextureView{} : sim::TextureView::whole(texture);
          bindings.resources(0)[0].texture = view;
          bindings.samplers(0)[0] = sampler;
          sim::StreamLaunch launch;
          launch.count = kElements;
          launch.inputs = elements.planes;
          Judge judge{c, view, sampler, elements};
          judge.judge(routes.run(bindings, launch));
          samples += kElements;
          words += judge.words;
          rounded += judge.rounded;
          if (HasFailure()) return;
        }
      }
    }
  }
  fmt::print("{:>12}: {} modules, {} samples, each by 4 routes; {} of {} components rounded otherwise\n",
             family.name, modules, samples, rounded, words);
  // The tolerance is for rare coordinates on the boundary of two fixed-point numbers.
  EXPECT_LE(rounded * 1000, words);
}

const std::vector<Dimension> kAll = {Dimension::texture1d,         Dimension::texture1d_array,
                                     Dimension::texture2d,         Dimension::texture2d_array,
                                     Dimension::texture3d,         Dimension::texture_cube,
                                     Dimension::texture_cube_array};
const std::vector<Dimension> kFlat = {Dimension::texture1d, Dimension::texture1d_array, Dimension::texture2d,
                                      Dimension::texture2d_array};
const std::vector<Dimension> kGathered = {Dimension::texture2d, Dimension::texture2d_array,
                                          Dimension::texture_cube, Dimension::texture_cube_array};
const std::vector<Dimension> kCubes = {Dimension::texture_cube, Dimension::texture_cube_array};
const std::vector<Dimension> kPlanes = {Dimension::texture2d, Dimension::texture2d_array};

INSTANTIATE_TEST_SUITE_P(
    Families, Sampling,
    testing::Values(Family{"sample", Reading::sample, kAll, {LodSource::derivatives}},
                    Family{"sample_b", Reading::sample, kAll, {LodSource::bias}},
                    Family{"sample_l", Reading::sample, kAll, {LodSource::level}},
                    Family{"sample_lz", Reading::sample, kAll, {LodSource::zero}},
                    Family{"sample_d", Reading::sample, kAll, {LodSource::gradients}},
                    Family{"sample_c", Reading::sample_c, kFlat, {LodSource::derivatives}},
                    Family{"sample_c_lz", Reading::sample_c, kFlat, {LodSource::zero}},
                    Family{"sample_c_cube", Reading::sample_c, kCubes, {LodSource::derivatives}},
                    Family{"sample_c_lz_cube", Reading::sample_c, kCubes, {LodSource::zero}},
                    Family{"gather4", Reading::gather, kGathered, {LodSource::zero}},
                    Family{"gather4_c", Reading::gather_c, kGathered, {LodSource::zero}},
                    Family{"gather4_po", Reading::gather_po, kPlanes, {LodSource::zero}},
                    Family{"gather4_po_c", Reading::gather_po_c, kPlanes, {LodSource::zero}}),
    [](const auto& family) { return std::string(family.param.name); });

}  // namespace
}  // namespace texlate
