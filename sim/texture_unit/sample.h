// sample, sample_b, _l, _d, _c, _c_lz, gather4, gather4_c, gather4_po(_c), lod
// (docs/reference/direct3d.md 1.4, 2.2).
#pragma once

#include <array>
#include <optional>

#include "sim/texture_unit/fetch.h"
#include "sim/texture_unit/lod.h"
#include "sim/texture_unit/sampler.h"

namespace texlate::sim {

enum class LodSource : uint8_t {
  derivatives,  // sample, sample_c: the caller computes the derivatives from the quad
  bias,         // sample_b: derivatives and a bias
  gradients,    // sample_d
  level,        // sample_l
  zero,         // sample_c_lz: level 0, before bias and clamps
};

struct SampleOperands {
  std::array<float, 4>
      coordinate{};  // address after its swizzle; the slice is in the component that dimension_info() names
  LodSource lod_source = LodSource::derivatives;
  float lod = 0;  // bias or level
  Derivatives derivatives;
  TexelOffset offset{};
  std::optional<float> lod_clamp;  // `_cl`
  std::optional<float> reference;  // sample_c, sample_c_lz
};

/// All sample instructions. The result is the 4-vector before the resource operand's swizzle. Comparisons set
/// all four components.
Word4 sample(const TextureView& view, const Sampler& sampler, const SampleOperands& operands,
             const UnitOptions& options, Access& access);

/// gather4 of one component: texels (i0,j1) (i1,j1) (i1,j0) (i0,j0) of the view's mip 0.
Word4 gather4(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
              const TexelOffset& offset, int component, const UnitOptions& options, Access& access);
/// gather4_c: the four comparison results, unfiltered.
Word4 gather4_c(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
                const TexelOffset& offset, float reference, const UnitOptions& options, Access& access);
/// gather4_po: uses the low six bits of each offset, signed (-32..31).
TexelOffset programmable_offset(uint32_t x, uint32_t y);

/// `lod`: (clamped, unclamped, 0, 0) as float bits. The unclamped value includes the sampler's bias, as in
/// Vulkan (Direct3D does not specify this).
Word4 lod(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
          const Derivatives& derivatives, Access& access);

}  // namespace texlate::sim
