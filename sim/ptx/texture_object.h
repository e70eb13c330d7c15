// Texture and surface objects by CUDA's rules: one descriptor holds texture and sampler.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/texture_unit/sample.h"

namespace texlate::sim::ptx {

/// The sampler's half of a texture object, or what a .samplerref names. CUDA has one filter for minification
/// and magnification, no comparison function, and no MIRROR_ONCE.
struct SamplerObject {
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  Filter filter = Filter::point;
  Filter mip_filter = Filter::point;
  float mip_bias = 0;
  float min_lod = 0, max_lod = 1000;
  uint32_t max_anisotropy = 1;
  std::array<float, 4> border{};
  /// For the depth-compare operand, which CUDA itself leaves without a function: absent, the result is
  /// poison.
  std::optional<Comparison> comparison;
  /// Of a .samplerref (PTX ISA 5.3.2): overrides the texture's normalised coordinates.
  bool force_unnormalized = false;
};

/// What a CUtexObject holds, or what a .texref names. With unnormalised coordinates wrap and mirror act as
/// clamp.
struct TextureObject : SamplerObject {
  TextureView view;
  bool normalized = true;
};

/// What a CUsurfObject holds: mip 0 of the view.
struct SurfaceObject {
  TextureView view;
};

/// A texture instruction's operands for one lane.
struct TextureRequest {
  std::array<float, 4> coordinate{};  // by axis, unnormalised ones as given; cubes: the direction
  std::array<int32_t, 3> texel{};     // integer coordinates
  bool integer = false;
  uint32_t layer = 0;
  uint32_t sample = 0;
  enum class Level : uint8_t { base, level, gradient } level_source = Level::base;
  float level = 0;
  int32_t integer_level = 0;
  Derivatives derivatives;
  std::array<int32_t, 3> offset{};
  std::optional<float> reference;
  int gather_component = -1;  // tld4
};

/// Four components and which of them the documents leave undefined (bit i: component i).
struct TextureResult {
  Word4 value{};
  uint32_t poison = 0;
  bool mapped = true;  // false: an unmapped texel was needed
};
constexpr uint32_t kAllPoison = 0xf;

/// tex and tld4. Poison: integer coordinates, level, layer or sample out of range, offsets outside -8..7,
/// components the format lacks, a comparison without a function.
TextureResult read_texture(const TextureObject& object, const TextureRequest& request,
                           const UnitOptions& options);

}  // namespace texlate::sim::ptx
