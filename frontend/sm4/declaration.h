// The contents of a Program's declarations: typed accessors for Instruction's raw fields. The meaning of the
// bits and dwords of each declaration is defined only here (d3d12TokenizedProgramFormat.hpp;
// docs/reference/direct3d.md 5.2, 5.3).
//
//   declaration                  controls, from bit 11      operands         dwords after them
//   ---------------------------  -------------------------  ---------------  ---------------------------
//   dcl_resource                 [4:0] dimension,           t#; 5.1: 3 idx   return types; 5.1: space
//                                [11:5] samples
//   dcl_resource_raw                                        t#; 5.1: 3 idx   5.1: space
//   dcl_resource_structured                                 t#; 5.1: 3 idx   stride; 5.1: space
//   dcl_sampler                  [3:0] mode                 s#; 5.1: 3 idx   5.1: space
//   dcl_constantbuffer           [0] dynamicIndexed         cb#[n]; 5.1: 3   5.1: size, space
//   dcl_uav_typed                [4:0] dimension, flags     u#; 5.1: 3 idx   return types; 5.1: space
//   dcl_uav_raw                  flags                      u#; 5.1: 3 idx   5.1: space
//   dcl_uav_structured           flags                      u#; 5.1: 3 idx   stride; 5.1: space
//   dcl_tgsm_raw                                            g#               bytes
//   dcl_tgsm_structured                                     g#               stride, count
//   dcl_input*, dcl_output*      [3:0] interpolation (ps)   v#, o#, ...      _siv, _sgv: system value
//   dcl_indexrange                                          first register   count
//   dcl_temps                                                                count
//   dcl_indexableTemp                                                        register, count, components
//   dcl_globalFlags              flags
//   dcl_thread_group                                                         x, y, z
//   dcl_immediateConstantBuffer  custom data                                 4 per row
//   dcl_maxout,                                                              count
//   dcl_gs_instance_count,
//   dcl_hs_*_instance_count
//   dcl_hs_max_tessfactor                                                    bits of a float
//   dcl_inputprimitive,          the value
//   dcl_outputtopology,
//   dcl_tessellator_*,
//   dcl_*_control_point_count
#pragma once

#include "frontend/sm4/program.h"

namespace texlate::sm4 {

/// dcl_input_ps*: bits [14:11].
enum class Interpolation : uint8_t {
  undefined = 0,
  constant = 1,
  linear = 2,
  linear_centroid = 3,
  linear_noperspective = 4,
  linear_noperspective_centroid = 5,
  linear_sample = 6,
  linear_noperspective_sample = 7,
};

/// The dword after dcl_*_siv and dcl_*_sgv (D3D10_SB_NAME).
enum class SystemValue : uint8_t {
  undefined = 0,
  position = 1,
  clip_distance = 2,
  cull_distance = 3,
  rendertarget_array_index = 4,
  viewport_array_index = 5,
  vertex_id = 6,
  primitive_id = 7,
  instance_id = 8,
  is_front_face = 9,
  sample_index = 10,
  quad_edge_u0 = 11,
  quad_edge_v0 = 12,
  quad_edge_u1 = 13,
  quad_edge_v1 = 14,
  quad_inside_u = 15,
  quad_inside_v = 16,
  tri_edge_u = 17,
  tri_edge_v = 18,
  tri_edge_w = 19,
  tri_inside = 20,
  line_detail = 21,
  line_density = 22,
};

/// D3D11_SB_TESSELLATOR_DOMAIN; what is not one is another number.
enum TessellatorDomain : uint8_t { kNoDomain = 0, kIsolineDomain = 1, kTriDomain = 2, kQuadDomain = 3 };

/// D3D11_SB_TESSELLATOR_OUTPUT_PRIMITIVE
enum TessellatorOutput : uint8_t { kPointOutput = 1, kLineOutput, kClockwiseOutput, kCounterclockwiseOutput };

enum class SamplerMode : uint8_t { default_ = 0, comparison = 1, mono = 2 };

/// Classes of custom data (Instruction::controls of Opcode::custom_data): bits [31:11] of its token.
inline constexpr uint16_t kCommentCustomData = 0;
inline constexpr uint16_t kDebugInfoCustomData = 1;
inline constexpr uint16_t kOpaqueCustomData = 2;
inline constexpr uint16_t kImmediateConstantBuffer = 3;
inline constexpr uint16_t kShaderMessage = 4;
inline constexpr uint16_t kClipPlaneMapping = 5;

/// dcl_globalFlags: bits of Instruction::controls.
enum GlobalFlags : uint16_t {
  kRefactoringAllowed = 1 << 0,
  kEnableDoublePrecision = 1 << 1,
  kForceEarlyDepthStencil = 1 << 2,
  kEnableRawAndStructuredBuffers = 1 << 3,
  kSkipOptimization = 1 << 4,
  kEnableMinimumPrecision = 1 << 5,
  kEnable11_1DoubleExtensions = 1 << 6,
  kEnable11_1ShaderExtensions = 1 << 7,
  kAllResourcesBound = 1 << 8,
};

inline ResourceDimension declared_dimension(const Instruction& dcl) {
  return static_cast<ResourceDimension>(dcl.controls & 0x1f);
}
inline uint32_t declared_sample_count(const Instruction& dcl) {
  return (dcl.controls >> 5) & 0x7f;
}
inline SamplerMode declared_sampler_mode(const Instruction& dcl) {
  return static_cast<SamplerMode>(dcl.controls & 0xf);
}
inline bool declared_dynamic_indexed(const Instruction& dcl) {
  return (dcl.controls & 1) != 0;
}
inline uint32_t declared_control_points(const Instruction& dcl) {
  return dcl.controls & 0x3f;
}
inline uint32_t declared_output_topology(const Instruction& dcl) {
  return dcl.controls & 0x7f;
}
inline uint32_t declared_tessellator_domain(const Instruction& dcl) {
  return dcl.controls & 0x3;
}
inline uint32_t declared_tessellator_partitioning(const Instruction& dcl) {
  return dcl.controls & 0x7;
}
inline uint32_t declared_tessellator_output(const Instruction& dcl) {
  return dcl.controls & 0x7;
}
inline Interpolation declared_interpolation(const Instruction& dcl) {
  return static_cast<Interpolation>(dcl.controls & 0xf);
}

/// The upper bound of an unbounded range.
inline constexpr uint32_t kUnbounded = 0xffffffffu;

/// The registers of a resource, sampler, constant buffer or view: one register in 5.0, a range in a space in
/// 5.1.
struct DeclaredRange {
  uint32_t id;           // the number in operands: slot in 5.0, range id in 5.1
  uint32_t lower_bound;  // first register; equals id in 5.0
  uint32_t upper_bound;  // last register, inclusive; or kUnbounded
  uint32_t space;        // 0 in 5.0
};
DeclaredRange declared_range(const Program& program, const Instruction& dcl);

/// Size of a constant buffer in vec4 rows; 0: unknown.
uint32_t declared_constant_buffer_size(const Program& program, const Instruction& dcl);

/// Packed return types of dcl_resource and dcl_uav_typed.
uint16_t declared_return_types(const Program& program, const Instruction& dcl);

/// Stride in bytes of dcl_resource_structured, dcl_uav_structured and dcl_tgsm_structured.
uint32_t declared_stride(const Program& program, const Instruction& dcl);

/// System value of dcl_*_siv and dcl_*_sgv; undefined for other declarations.
SystemValue declared_system_value(const Program& program, const Instruction& dcl);

}  // namespace texlate::sm4
