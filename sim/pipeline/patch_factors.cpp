#include "sim/pipeline/patch_factors.h"

#include <bit>

namespace texlate::sim {

std::optional<FactorPlace> factor_place(ir::SystemValue value) {
  using enum ir::SystemValue;
  switch (value) {
    case quad_edge_u0:
    case tri_edge_u:
    case line_density: return FactorPlace{false, 0};
    case quad_edge_v0:
    case tri_edge_v:
    case line_detail: return FactorPlace{false, 1};
    case quad_edge_u1:
    case tri_edge_w: return FactorPlace{false, 2};
    case quad_edge_v1: return FactorPlace{false, 3};
    case quad_inside_u:
    case tri_inside: return FactorPlace{true, 0};
    case quad_inside_v: return FactorPlace{true, 1};
    default: return std::nullopt;
  }
}

FactorCounts factor_counts(TessellatorDomain domain) {
  switch (domain) {
    case TessellatorDomain::isoline: return {2, 0};
    case TessellatorDomain::tri: return {3, 1};
    case TessellatorDomain::quad: return {4, 2};
  }
  return {};
}

Tessellation tessellation_of(const ir::Module& hull) {
  return {static_cast<TessellatorDomain>(hull.tessellator_domain),
          static_cast<Partitioning>(hull.tessellator_partitioning),
          static_cast<TessellatorOutput>(hull.tessellator_output)};
}

TessellationFactors factors_of(const ir::Module& hull, std::span<const uint32_t> constants, uint32_t patches,
                               uint32_t patch) {
  TessellationFactors factors;
  for (const ir::Parameter& parameter : hull.patch_constants) {
    const auto place = factor_place(parameter.system_value);
    if (!place || parameter.mask == 0) continue;
    const auto component = static_cast<uint32_t>(std::countr_zero(parameter.mask));
    const size_t at = (size_t{parameter.reg} * 4 + component) * patches + patch;
    if (at >= constants.size()) continue;
    float& to = place->inside ? factors.inside[place->index] : factors.edge[place->index];
    to = std::bit_cast<float>(constants[at]);
  }
  return factors;
}

}  // namespace texlate::sim
