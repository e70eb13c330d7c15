// The results of TMML.LOD (docs/reference/maxwell.md 6b).
#pragma once

#include "sim/texture_unit/sample.h"

namespace texlate::sim::maxwell {

/// R: the unclamped LOD (S8.8); G: the clamped LOD (U8.8); B: the direction of the major axis in texels, u
/// (S2.6) in bits 7:0 and v in 15:8; A: log2(minor / major) (S4.12). The upper halves are zero.
Word4 texture_level(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
                    const Derivatives& derivatives, sim::Access& access);

}  // namespace texlate::sim::maxwell
