// The tessellation factors among the patch constants of hull and domain shaders.
#pragma once

#include <optional>
#include <span>

#include "ir/module.h"
#include "sim/pipeline/tessellator.h"

namespace texlate::sim {

/// Where a patch constant with this system value is in TessellationFactors; nothing if it is no factor.
struct FactorPlace {
  bool inside = false;
  uint32_t index = 0;
};
std::optional<FactorPlace> factor_place(ir::SystemValue value);

/// How many edge and inside factors patches of a domain have.
struct FactorCounts {
  uint32_t edges = 0, insides = 0;
};
FactorCounts factor_counts(TessellatorDomain domain);

/// The state that a hull shader declares.
Tessellation tessellation_of(const ir::Module& hull);

/// The factors of one patch, from planes of patch constants with a word for each patch. Factors that the
/// shader does not declare are 0.
TessellationFactors factors_of(const ir::Module& hull, std::span<const uint32_t> constants, uint32_t patches,
                               uint32_t patch);

}  // namespace texlate::sim
