// Texture and surface objects according to CUDA: one descriptor holds texture and sampler.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/texture_unit/sample.h"

namespace texlate::sim::ptx {

/// The sampler part of a texture object, or the object of a .samplerref. CUDA has one filter for minification
/// and magnification, no comparison function, and no MIRROR_ONCE.
struct SamplerObject {
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  Filter filter = Filter::point;
  Filter mip_filter = Filter::point;
  float mip_bias = 0;
  float min_lod = 0, max_lod = 1000;
  uint32_t max_anisotropy = 1;
  std::array<float, 4> border{};  // for textures of integers: their bits
  /// For the depth-compare operand; CUDA has no function for it. If absent, the result of a comparison is
  /// poison.
  std::optional<Comparison> comparison;
  /// From a .samplerref (PTX ISA 5.3.2): overrides the texture's normalized coordinates.
  bool force_unnormalized = false;
};

/// The contents of a CUtexObject, or of the object of a .texref. With unnormalized coordinates, wrap and
/// mirror behave as clamp.
struct TextureObject : SamplerObject {
  TextureView view;
  bool normalized = true;
};

/// The contents of a CUsurfObject: mip 0 of the view.
struct SurfaceObject {
  TextureView view;
};

/// The operands of a texture instruction for one lane.
struct TextureRequest {
  std::array<float, 4> coordinate{};  // per axis; unnormalized ones as given; cubes: the direction
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

/// Four components, and a mask of those that the documents leave undefined (bit i: component i).
struct TextureResult {
  Word4 value{};
  uint32_t poison = 0;
  bool mapped = true;  // false: an unmapped texel was needed
};
constexpr uint32_t kAllPoison = 0xf;

/// tex and tld4. Poison results from integer coordinates, level, layer or sample out of range, from offsets
/// outside -8..7, from components that the format lacks, and from a comparison without a function.
TextureResult read_texture(const TextureObject& object, const TextureRequest& request,
                           const UnitOptions& options);

}  // namespace texlate::sim::ptx
