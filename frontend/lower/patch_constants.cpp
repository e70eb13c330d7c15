#include "frontend/lower/patch_constants.h"

#include <bit>
#include <span>

namespace texlate::lower {

namespace {

/// The tessellation factor that an element of the patch constants is, or none (D3D_NAME, d3dcommon.h).
ir::SystemValue factor_of(const sm4::SignatureElement& element) {
  using enum ir::SystemValue;
  static constexpr std::array kQuadEdges = {quad_edge_u0, quad_edge_v0, quad_edge_u1, quad_edge_v1};
  static constexpr std::array kQuadInsides = {quad_inside_u, quad_inside_v};
  static constexpr std::array kTriEdges = {tri_edge_u, tri_edge_v, tri_edge_w};
  const auto nth = [&](std::span<const ir::SystemValue> values) {
    return element.semantic_index < values.size() ? values[element.semantic_index] : none;
  };
  constexpr uint32_t kQuadEdge = 11, kQuadInside = 12, kTriEdge = 13, kTriInside = 14, kDetail = 15,
                     kDensity = 16;
  switch (element.system_value) {
    case kQuadEdge: return nth(kQuadEdges);
    case kQuadInside: return nth(kQuadInsides);
    case kTriEdge: return nth(kTriEdges);
    case kTriInside: return tri_inside;
    case kDetail: return line_detail;
    case kDensity: return line_density;
    default: return none;
  }
}

}  // namespace

std::array<ir::Parameter, 5> split_patch_constant(const Lowering& lowering, const ir::Parameter& parameter) {
  std::array<ir::Parameter, 5> parts;
  parts.fill(parameter);
  ir::Parameter& rest = parts.back();
  for (uint32_t c = 0; c < 4; ++c) parts[c].mask = 0;
  if (parameter.system_value != ir::SystemValue::none) return parts;
  for (const sm4::SignatureElement& element : lowering.program.patch_constant_signature) {
    const ir::SystemValue factor = factor_of(element);
    const auto mask = static_cast<uint8_t>(element.mask & rest.mask);
    if (element.register_index != parameter.reg || factor == ir::SystemValue::none || mask == 0) continue;
    ir::Parameter& part = parts[static_cast<size_t>(std::countr_zero(mask))];
    part.mask = mask;
    part.system_value = factor;
    rest.mask &= static_cast<uint8_t>(~mask);
  }
  return parts;
}

}  // namespace texlate::lower
