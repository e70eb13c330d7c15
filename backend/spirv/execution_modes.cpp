#include "backend/spirv/execution_modes.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/base/input_primitive.h"

namespace texlate::spirv {

spv::ExecutionModel execution_model(ir::Stage stage) {
  // In the order of the stages.
  static constexpr spv::ExecutionModel kModels[] = {spv::ExecutionModelFragment,
                                                    spv::ExecutionModelVertex,
                                                    spv::ExecutionModelGeometry,
                                                    spv::ExecutionModelTessellationControl,
                                                    spv::ExecutionModelTessellationEvaluation,
                                                    spv::ExecutionModelGLCompute};
  return kModels[static_cast<size_t>(stage)];
}

// Direct3D's float rules (D3D11.3 3.1; docs/reference/direct3d.md 4.1), which Vulkan leaves to the
// implementation unless they are declared: 32 bits flush denormals, 64 bits keep them, both round to nearest
// even and keep signed zeros, INF and NaN. Half denormals are numbers that f16tof32 keeps. Only the types
// that the shader computes with are declared.
bool ExecutionModes::has_floats(uint32_t width) const {
  switch (width) {
    case 16: return std::ranges::any_of(code_, [](const auto& i) { return i.op == ir::Op::f16tof32; });
    case 64: return builder_.has_double();
    default: return true;
  }
}

void ExecutionModes::set_float_controls() {
  if (!options_.float_controls && !options_.preserve_specials) return;
  for (const FloatControlRow& row : kFloatControls) {
    const bool is_asked_for = options_.float_controls || row.feature == Feature::specials_32;
    if (!is_asked_for || !device_has(row.feature) || !has_floats(row.width)) continue;
    builder_.require_extension("SPV_KHR_float_controls");
    builder_.require(row.capability);
    builder_.execution_mode(entry_, row.mode, {row.width});
  }
}

bool ExecutionModes::set_stage() {
  switch (module_.stage) {
    case ir::Stage::compute:
      builder_.execution_mode(entry_, spv::ExecutionModeLocalSize,
                              {module_.thread_group[0], module_.thread_group[1], module_.thread_group[2]});
      return true;
    case ir::Stage::pixel:
      builder_.execution_mode(entry_, spv::ExecutionModeOriginUpperLeft);
      if (module_.early_depth_stencil) builder_.execution_mode(entry_, spv::ExecutionModeEarlyFragmentTests);
      for (const ir::Parameter& parameter : module_.outputs) set_output(parameter.system_value);
      return true;
    case ir::Stage::geometry: return set_geometry();
    case ir::Stage::hull:
    case ir::Stage::domain: return set_tessellation();
    case ir::Stage::vertex: break;
  }
  return true;
}

void ExecutionModes::set_output(ir::SystemValue value) {
  const bool is_greater = value == ir::SystemValue::depth_greater_equal;
  const bool is_less = value == ir::SystemValue::depth_less_equal;
  if (value == ir::SystemValue::depth || is_greater || is_less)
    builder_.execution_mode(entry_, spv::ExecutionModeDepthReplacing);
  if (is_greater) builder_.execution_mode(entry_, spv::ExecutionModeDepthGreater);
  if (is_less) builder_.execution_mode(entry_, spv::ExecutionModeDepthLess);
  if (value == ir::SystemValue::stencil_ref)
    builder_.execution_mode(entry_, spv::ExecutionModeStencilRefReplacingEXT);
}

// Values of D3D10_SB_PRIMITIVE_TOPOLOGY (d3d12TokenizedProgramFormat.hpp). Vulkan
// draws patches only with tessellation; a list of patches of 1, 2, 3, 4 or 6 vertices is a list of another
// topology.
bool ExecutionModes::set_geometry() {
  spv::ExecutionMode input, output;
  const uint32_t vertices = vertices_of_input_primitive(module_.input_primitive);
  switch (vertices) {
    case 1: input = spv::ExecutionModeInputPoints; break;
    case 2: input = spv::ExecutionModeInputLines; break;
    case 3: input = spv::ExecutionModeTriangles; break;
    case 4: input = spv::ExecutionModeInputLinesAdjacency; break;
    case 6: input = spv::ExecutionModeInputTrianglesAdjacency; break;
    default:
      diagnostics_.error(
          {}, "a geometry shader that reads {} cannot be expressed on spirv",
          vertices != 0 ? fmt::format("patches of {} control points", vertices) : "no primitive");
      return false;
  }
  switch (module_.output_topology) {
    case 3: output = spv::ExecutionModeOutputLineStrip; break;
    case 5: output = spv::ExecutionModeOutputTriangleStrip; break;
    default: output = spv::ExecutionModeOutputPoints; break;
  }
  builder_.execution_mode(entry_, input);
  builder_.execution_mode(entry_, output);
  builder_.execution_mode(entry_, spv::ExecutionModeInvocations, {std::max(1u, module_.gs_instances)});
  builder_.execution_mode(entry_, spv::ExecutionModeOutputVertices, {module_.max_vertex_count});
  return true;
}

// Values of D3D11_SB_TESSELLATOR_*. The hull shader itself rounds to powers of two: the tessellator treats
// that partitioning as integer (D3D11.3 11.7.7.1).
bool ExecutionModes::set_tessellation() {
  static constexpr spv::ExecutionMode kDomains[] = {spv::ExecutionModeTriangles, spv::ExecutionModeIsolines,
                                                    spv::ExecutionModeTriangles, spv::ExecutionModeQuads};
  builder_.execution_mode(entry_, kDomains[module_.tessellator_domain & 3]);
  if (module_.stage == ir::Stage::domain) return true;
  if (module_.phases.empty() || module_.phases[0].kind != ir::HullPhase::control_point) {
    diagnostics_.error({}, "a hull shader without a control-point phase cannot be expressed on spirv");
    return false;
  }
  switch (module_.tessellator_partitioning) {
    case 3: builder_.execution_mode(entry_, spv::ExecutionModeSpacingFractionalOdd); break;
    case 4: builder_.execution_mode(entry_, spv::ExecutionModeSpacingFractionalEven); break;
    default: builder_.execution_mode(entry_, spv::ExecutionModeSpacingEqual); break;
  }
  switch (module_.tessellator_output) {
    case 1: builder_.execution_mode(entry_, spv::ExecutionModePointMode); break;
    case 3: builder_.execution_mode(entry_, spv::ExecutionModeVertexOrderCw); break;
    case 4: builder_.execution_mode(entry_, spv::ExecutionModeVertexOrderCcw); break;
    default: break;
  }
  builder_.execution_mode(entry_, spv::ExecutionModeOutputVertices,
                          {std::max(1u, module_.output_control_points)});
  return true;
}

}  // namespace texlate::spirv
