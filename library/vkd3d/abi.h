// The binary interface of libvkd3d-shader.so.1, versions 1.2 to 1.17 (docs/vkd3d.md): structures,
// enumerations and error codes. Members never moved from one version to the next, so one set of declarations
// serves clients of all versions. tests/vkd3d/abi_test.cpp compares them with the header of an installed
// vkd3d.
#pragma once

#include <cstddef>
#include <cstdint>

namespace texlate::vkd3d {

enum Result : int {
  kOk = 0,
  kError = -1,
  kOutOfMemory = -2,
  kInvalidArgument = -3,
  kInvalidShader = -4,
  kNotImplemented = -5,
};

enum class StructureType : uint32_t {
  compile_info = 0,
  interface_info = 1,
  scan_descriptor_info = 2,
  spirv_domain_shader_target_info = 3,
  spirv_target_info = 4,
  transform_feedback_info = 5,
  hlsl_source_info = 6,                      // 1.3
  preprocess_info = 7,                       // 1.3
  descriptor_offset_info = 8,                // 1.3
  scan_signature_info = 9,                   // 1.9
  varying_map_info = 10,                     // 1.9
  scan_combined_resource_sampler_info = 11,  // 1.10
  parameter_info = 12,                       // 1.13
  scan_hull_shader_tessellation_info = 13,   // 1.15
};

enum class SourceType : uint32_t {
  none = 0,
  dxbc_tpf = 1,
  hlsl = 2,          // 1.3
  d3d_bytecode = 3,  // 1.3: shader models 1 to 3
  dxbc_dxil = 4,     // 1.9
  fx = 5,            // 1.14
  tx = 6,            // 1.17
};

enum class TargetType : uint32_t {
  none = 0,
  spirv_binary = 1,
  spirv_text = 2,
  d3d_asm = 3,       // 1.3
  d3d_bytecode = 4,  // 1.3
  dxbc_tpf = 5,      // 1.3
  glsl = 6,          // 1.3
  fx = 7,            // 1.11
  msl = 8,           // 1.14
};

enum class OptionName : uint32_t {
  strip_debug = 1,
  buffer_uav = 2,
  formatting = 3,
  api_version = 4,                        // 1.3
  typed_uav = 5,                          // 1.5
  write_tess_geom_point_size = 6,         // 1.7
  pack_matrix_order = 7,                  // 1.9
  backward_compatibility = 8,             // 1.10
  fragment_coordinate_origin = 9,         // 1.10
  feature = 10,                           // 1.11
  child_effect = 11,                      // 1.12
  warn_implicit_truncation = 12,          // 1.12
  include_empty_buffers_in_effects = 13,  // 1.12
};

enum class LogLevel : uint32_t { none = 0, error = 1, warning = 2, info = 3 };

enum class Visibility : uint32_t {
  all = 0,
  vertex = 1,
  hull = 2,
  domain = 3,
  geometry = 4,
  pixel = 5,
  compute = 1000000000,
};

enum class DescriptorType : uint32_t { srv = 0, uav = 1, cbv = 2, sampler = 3 };

inline constexpr uint32_t kBindingOfBuffer = 1, kBindingOfImage = 2;  // flags of a binding
inline constexpr uint32_t kDummySampler = UINT32_MAX;
inline constexpr uint32_t kUnbounded = UINT32_MAX;
inline constexpr uint32_t kNoDynamicOffset = UINT32_MAX;

enum class Environment : uint32_t {
  none = 0,
  opengl_4_5 = 1,
  vulkan_1_0 = 2,
  vulkan_1_1 = 3,  // 1.12
};

enum class Extension : uint32_t {
  demote_to_helper_invocation = 1,
  descriptor_indexing = 2,        // 1.3
  stencil_export = 3,             // 1.3
  viewport_index_layer = 4,       // 1.11
  fragment_shader_interlock = 5,  // 1.12
};

enum class ParameterType : uint32_t { immediate = 1, specialization_constant = 2, buffer = 3 };  // 3: 1.13
enum class ParameterData : uint32_t { uint = 1, float_ = 2, vec4 = 3 };  // 2: 1.13, 3: 1.14

enum class ParameterName : uint32_t {
  rasterizer_sample_count = 1,
  alpha_test_func = 2,     // 1.13
  alpha_test_ref = 3,      // 1.13
  flat_interpolation = 4,  // 1.13
  clip_plane_mask = 5,     // 1.14
  clip_plane_0 = 6,        // 1.14; planes 1 to 7 follow
  clip_plane_7 = 13,
  point_size = 14,         // 1.14
  point_size_min = 15,     // 1.14
  point_size_max = 16,     // 1.14
  point_sprite = 17,       // 1.14
  fog_fragment_mode = 18,  // 1.15
  fog_color = 19,          // 1.15
  fog_end = 20,            // 1.15
  fog_scale = 21,          // 1.15
  fog_source = 22,         // 1.15
};

enum class ResourceType : uint32_t {
  none = 0,
  buffer = 1,
  texture_1d = 2,
  texture_2d = 3,
  texture_2dms = 4,
  texture_3d = 5,
  texture_cube = 6,
  texture_1darray = 7,
  texture_2darray = 8,
  texture_2dmsarray = 9,
  texture_cubearray = 10,
};

enum class ResourceDataType : uint32_t {
  none = 0,  // 1.16
  unorm = 1,
  snorm = 2,
  int_ = 3,
  uint = 4,
  float_ = 5,
  mixed = 6,  // 1.3, as the next two
  double_ = 7,
  continued = 8,
};

// Flags of DescriptorInfo.
inline constexpr uint32_t kUavCounter = 1, kUavRead = 2, kComparisonSampler = 4;
inline constexpr uint32_t kUavAtomics = 8;        // 1.6
inline constexpr uint32_t kRawBufferFlag = 0x10;  // 1.9

struct Code {
  const void* code;
  size_t size;
};

/// How every structure of a chain begins.
struct Chained {
  StructureType type;
  const void* next;
};

struct CompileOption {
  OptionName name;
  uint32_t value;
};

struct CompileInfo {
  StructureType type;
  const void* next;
  Code source;
  SourceType source_type;
  TargetType target_type;
  const CompileOption* options;
  uint32_t option_count;
  LogLevel log_level;
  const char* source_name;
};

struct DescriptorBinding {
  uint32_t set, binding, count;
};

struct ResourceBinding {
  DescriptorType type;
  uint32_t register_space, register_index;
  Visibility visibility;
  uint32_t flags;
  DescriptorBinding binding;
};

struct CombinedSampler {
  uint32_t resource_space, resource_index, sampler_space, sampler_index;
  Visibility visibility;
  uint32_t flags;
  DescriptorBinding binding;
};

struct UavCounterBinding {
  uint32_t register_space, register_index;
  Visibility visibility;
  DescriptorBinding binding;
  uint32_t offset;
};

struct PushConstantBuffer {
  uint32_t register_space, register_index;
  Visibility visibility;
  uint32_t offset, size;  // bytes
};

struct InterfaceInfo {
  StructureType type;
  const void* next;
  const ResourceBinding* bindings;
  uint32_t binding_count;
  const PushConstantBuffer* push_constant_buffers;
  uint32_t push_constant_buffer_count;
  const CombinedSampler* combined_samplers;
  uint32_t combined_sampler_count;
  const UavCounterBinding* uav_counters;
  uint32_t uav_counter_count;
};

struct DescriptorInfo {
  DescriptorType type;
  uint32_t register_space, register_index;
  ResourceType resource_type;
  ResourceDataType resource_data_type;
  uint32_t flags, count;
};

struct ScanDescriptorInfo {
  StructureType type;
  const void* next;
  DescriptorInfo* descriptors;
  uint32_t descriptor_count;
};

struct DomainTargetInfo {
  StructureType type;
  const void* next;
  uint32_t output_primitive, partitioning;
};

union ParameterValue {
  uint32_t u32;  // or the id of a specialization constant
  float f32;     // 1.13
};

struct Parameter {
  ParameterName name;
  ParameterType type;
  ParameterData data_type;
  ParameterValue value;
};

struct ParameterBuffer {
  uint32_t set, binding, offset;
};

struct Parameter1 {  // 1.13
  ParameterName name;
  ParameterType type;
  ParameterData data_type;
  union {
    uint32_t u32;
    float f32;
    float vec4[4];  // 1.14
    uint32_t specialization_id;
    ParameterBuffer buffer;
    void* reserved[2];
  };
};

struct SpirvTargetInfo {
  StructureType type;
  const void* next;
  const char* entry_point;
  Environment environment;
  const Extension* extensions;
  uint32_t extension_count;
  const Parameter* parameters;
  uint32_t parameter_count;
  bool dual_source_blending;
  const uint32_t* output_swizzles;
  uint32_t output_swizzle_count;
};

struct TransformFeedbackElement {
  uint32_t stream;
  const char* semantic_name;
  uint32_t semantic_index;
  uint8_t component_index, component_count, output_slot;
};

struct TransformFeedbackInfo {
  StructureType type;
  const void* next;
  const TransformFeedbackElement* elements;
  uint32_t element_count;
  const uint32_t* buffer_strides;
  uint32_t buffer_stride_count;
};

struct DescriptorOffset {
  uint32_t static_offset, dynamic_offset_index;
};

struct DescriptorOffsetInfo {  // 1.3
  StructureType type;
  const void* next;
  uint32_t descriptor_table_offset, descriptor_table_count;  // bytes, words
  const DescriptorOffset* binding_offsets;
  const DescriptorOffset* uav_counter_offsets;
};

struct SignatureElement {
  const char* semantic_name;
  uint32_t semantic_index, stream_index, sysval, component_type, register_index, mask, used_mask,
      min_precision;
};

struct Signature {
  SignatureElement* elements;
  uint32_t element_count;
};

struct ScanSignatureInfo {  // 1.9
  StructureType type;
  const void* next;
  Signature input, output, patch_constant;
};

struct VaryingMap {  // 1.9
  uint32_t output_signature_index, input_register_index, input_mask;
};

struct VaryingMapInfo {  // 1.9
  StructureType type;
  const void* next;
  const VaryingMap* varying_map;
  uint32_t varying_count;
};

struct CombinedResourceSampler {  // 1.10
  uint32_t resource_space, resource_index, sampler_space, sampler_index;
};

struct ScanCombinedResourceSamplerInfo {  // 1.10
  StructureType type;
  const void* next;
  CombinedResourceSampler* combined_samplers;
  uint32_t combined_sampler_count;
};

struct ParameterInfo {  // 1.13
  StructureType type;
  const void* next;
  const Parameter1* parameters;
  uint32_t parameter_count;
};

struct ScanHullInfo {  // 1.15
  StructureType type;
  const void* next;
  uint32_t output_primitive, partitioning;
};

struct DxbcSection {  // 1.7
  uint32_t tag;
  Code data;
};

struct DxbcDescription {  // 1.7
  uint32_t tag;
  uint32_t checksum[4];
  uint32_t version;
  size_t size;
  size_t section_count;
  DxbcSection* sections;
};

enum class RootVersion : uint32_t { none = 0, v1_0 = 1, v1_1 = 2 };
enum class RootParameterType : uint32_t { table = 0, constants = 1, cbv = 2, srv = 3, uav = 4 };

struct DescriptorRange {
  uint32_t type, count, base_register, space, table_offset;
};

struct DescriptorRange1 {
  uint32_t type, count, base_register, space, flags, table_offset;
};

template <typename Range>
struct Table {
  uint32_t range_count;
  const Range* ranges;
};

struct RootConstants {
  uint32_t shader_register, space, value_count;
};

struct RootDescriptor {
  uint32_t shader_register, space;
};

struct RootDescriptor1 {
  uint32_t shader_register, space, flags;
};

struct RootParameter {
  using Range = DescriptorRange;
  using Descriptor = RootDescriptor;
  RootParameterType type;
  union {
    Table<DescriptorRange> table;
    RootConstants constants;
    RootDescriptor descriptor;
  };
  uint32_t visibility;
};

struct RootParameter1 {
  using Range = DescriptorRange1;
  using Descriptor = RootDescriptor1;
  RootParameterType type;
  union {
    Table<DescriptorRange1> table;
    RootConstants constants;
    RootDescriptor1 descriptor;
  };
  uint32_t visibility;
};

struct StaticSampler {
  uint32_t filter, address_u, address_v, address_w;
  float mip_lod_bias;
  uint32_t max_anisotropy, comparison, border_color;
  float min_lod, max_lod;
  uint32_t shader_register, space, visibility;
};

template <typename ParameterOf>
struct RootBody {
  using Parameter = ParameterOf;
  uint32_t parameter_count;
  const ParameterOf* parameters;
  uint32_t sampler_count;
  const StaticSampler* samplers;
  uint32_t flags;
};

struct VersionedRootSignature {
  RootVersion version;
  union {
    RootBody<RootParameter> v1_0;
    RootBody<RootParameter1> v1_1;
  };
};

}  // namespace texlate::vkd3d
