// Sampler state and the options of the unit (docs/reference/direct3d.md 2.1).
#pragma once

#include <array>
#include <cstdint>

namespace texlate::sim {

enum class Filter : uint8_t { point, linear };
enum class AddressMode : uint8_t {
  wrap = 1,
  mirror,
  clamp,
  border,
  mirror_once
};                                 // D3D11_TEXTURE_ADDRESS_MODE
enum class Comparison : uint8_t {  // D3D11_COMPARISON_FUNC
  never = 1,
  less,
  equal,
  less_equal,
  greater,
  not_equal,
  greater_equal,
  always,
};
enum class Reduction : uint8_t { standard, comparison, minimum, maximum };  // D3D11_FILTER_REDUCTION_TYPE

struct Sampler {
  Filter min_filter = Filter::point;
  Filter mag_filter = Filter::point;
  Filter mip_filter = Filter::point;
  bool anisotropic = false;  // all three filters are then linear
  Reduction reduction = Reduction::standard;
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  float mip_lod_bias = 0;
  uint32_t max_anisotropy = 1;  // 1..16
  Comparison comparison = Comparison::never;
  std::array<float, 4> border{};
  /// For textures of integers, `border` has the bits of integers and not their values (CUDA, Maxwell).
  bool border_is_bits = false;
  float min_lod = -3.402823466e38f;
  float max_lod = 3.402823466e38f;
};

/// Choices that Direct3D leaves to the device.
struct UnitOptions {
  int subtexel_bits = 8;  // fraction bits of texel coordinates; Direct3D requires at least 8
  int lod_bits = 8;       // fraction bits of the LOD at mip selection
  bool snap_point =
      true;  // point sampling rounds to subtexel_bits before the floor (AMD, Intel) or floors at once
};

}  // namespace texlate::sim
