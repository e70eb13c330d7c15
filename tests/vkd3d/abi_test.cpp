// Our declarations of the interface against the header of an installed vkd3d-shader, and against the sizes
// that the structures of later versions have (docs/vkd3d.md).

// clang-format off
#include <cstddef>  // vkd3d_shader.h leaves out <stddef.h>
#include <vkd3d_shader.h>
// clang-format on
#include <gtest/gtest.h>

#include "library/vkd3d/abi.h"

namespace texlate::vkd3d {
namespace {

// Members of one name at one offset, in structures of one size.
#define SAME_MEMBER(ours, our_member, theirs, their_member) \
  static_assert(offsetof(ours, our_member) == offsetof(theirs, their_member))
#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs))
#define SAME_VALUE(ours, theirs) static_assert(static_cast<uint32_t>(ours) == static_cast<uint32_t>(theirs))

SAME_SIZE(Code, vkd3d_shader_code);
SAME_SIZE(CompileOption, vkd3d_shader_compile_option);
SAME_SIZE(CompileInfo, vkd3d_shader_compile_info);
SAME_MEMBER(CompileInfo, source, vkd3d_shader_compile_info, source);
SAME_MEMBER(CompileInfo, target_type, vkd3d_shader_compile_info, target_type);
SAME_MEMBER(CompileInfo, log_level, vkd3d_shader_compile_info, log_level);
SAME_MEMBER(CompileInfo, source_name, vkd3d_shader_compile_info, source_name);
SAME_SIZE(ResourceBinding, vkd3d_shader_resource_binding);
SAME_MEMBER(ResourceBinding, binding, vkd3d_shader_resource_binding, binding);
SAME_SIZE(CombinedSampler, vkd3d_shader_combined_resource_sampler);
SAME_MEMBER(CombinedSampler, binding, vkd3d_shader_combined_resource_sampler, binding);
SAME_SIZE(UavCounterBinding, vkd3d_shader_uav_counter_binding);
SAME_MEMBER(UavCounterBinding, offset, vkd3d_shader_uav_counter_binding, offset);
SAME_SIZE(PushConstantBuffer, vkd3d_shader_push_constant_buffer);
SAME_MEMBER(PushConstantBuffer, size, vkd3d_shader_push_constant_buffer, size);
SAME_SIZE(InterfaceInfo, vkd3d_shader_interface_info);
SAME_MEMBER(InterfaceInfo, push_constant_buffers, vkd3d_shader_interface_info, push_constant_buffers);
SAME_MEMBER(InterfaceInfo, combined_samplers, vkd3d_shader_interface_info, combined_samplers);
SAME_MEMBER(InterfaceInfo, uav_counter_count, vkd3d_shader_interface_info, uav_counter_count);
SAME_SIZE(DescriptorInfo, vkd3d_shader_descriptor_info);
SAME_MEMBER(DescriptorInfo, count, vkd3d_shader_descriptor_info, count);
SAME_SIZE(ScanDescriptorInfo, vkd3d_shader_scan_descriptor_info);
SAME_MEMBER(ScanDescriptorInfo, descriptor_count, vkd3d_shader_scan_descriptor_info, descriptor_count);
SAME_SIZE(DomainTargetInfo, vkd3d_shader_spirv_domain_shader_target_info);
SAME_SIZE(Parameter, vkd3d_shader_parameter);
SAME_MEMBER(Parameter, value, vkd3d_shader_parameter, u);
SAME_SIZE(SpirvTargetInfo, vkd3d_shader_spirv_target_info);
SAME_MEMBER(SpirvTargetInfo, extensions, vkd3d_shader_spirv_target_info, extensions);
SAME_MEMBER(SpirvTargetInfo, dual_source_blending, vkd3d_shader_spirv_target_info, dual_source_blending);
SAME_MEMBER(SpirvTargetInfo, output_swizzle_count, vkd3d_shader_spirv_target_info, output_swizzle_count);
SAME_SIZE(TransformFeedbackElement, vkd3d_shader_transform_feedback_element);
SAME_MEMBER(TransformFeedbackElement, output_slot, vkd3d_shader_transform_feedback_element, output_slot);
SAME_SIZE(TransformFeedbackInfo, vkd3d_shader_transform_feedback_info);
SAME_MEMBER(TransformFeedbackInfo, buffer_strides, vkd3d_shader_transform_feedback_info, buffer_strides);
SAME_SIZE(SignatureElement, vkd3d_shader_signature_element);
SAME_MEMBER(SignatureElement, register_index, vkd3d_shader_signature_element, register_index);
SAME_MEMBER(SignatureElement, min_precision, vkd3d_shader_signature_element, min_precision);
SAME_SIZE(Signature, vkd3d_shader_signature);
SAME_SIZE(StaticSampler, vkd3d_shader_static_sampler_desc);
SAME_SIZE(DescriptorRange, vkd3d_shader_descriptor_range);
SAME_SIZE(DescriptorRange1, vkd3d_shader_descriptor_range1);
SAME_MEMBER(DescriptorRange1, flags, vkd3d_shader_descriptor_range1, flags);
SAME_SIZE(RootParameter, vkd3d_shader_root_parameter);
SAME_SIZE(RootParameter1, vkd3d_shader_root_parameter1);
SAME_MEMBER(RootParameter1, visibility, vkd3d_shader_root_parameter1, shader_visibility);
SAME_SIZE(RootBody<RootParameter>, vkd3d_shader_root_signature_desc);
SAME_SIZE(VersionedRootSignature, vkd3d_shader_versioned_root_signature_desc);

SAME_VALUE(StructureType::transform_feedback_info, VKD3D_SHADER_STRUCTURE_TYPE_TRANSFORM_FEEDBACK_INFO);
SAME_VALUE(StructureType::scan_descriptor_info, VKD3D_SHADER_STRUCTURE_TYPE_SCAN_DESCRIPTOR_INFO);
SAME_VALUE(OptionName::formatting, VKD3D_SHADER_COMPILE_OPTION_FORMATTING);
SAME_VALUE(SourceType::dxbc_tpf, VKD3D_SHADER_SOURCE_DXBC_TPF);
SAME_VALUE(TargetType::spirv_text, VKD3D_SHADER_TARGET_SPIRV_TEXT);
SAME_VALUE(Visibility::compute, VKD3D_SHADER_VISIBILITY_COMPUTE);
SAME_VALUE(Visibility::pixel, VKD3D_SHADER_VISIBILITY_PIXEL);
SAME_VALUE(DescriptorType::sampler, VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER);
SAME_VALUE(Environment::vulkan_1_0, VKD3D_SHADER_SPIRV_ENVIRONMENT_VULKAN_1_0);
SAME_VALUE(Extension::demote_to_helper_invocation,
           VKD3D_SHADER_SPIRV_EXTENSION_EXT_DEMOTE_TO_HELPER_INVOCATION);
SAME_VALUE(ParameterName::rasterizer_sample_count, VKD3D_SHADER_PARAMETER_NAME_RASTERIZER_SAMPLE_COUNT);
SAME_VALUE(ResourceType::texture_cubearray, VKD3D_SHADER_RESOURCE_TEXTURE_CUBEARRAY);
SAME_VALUE(ResourceDataType::float_, VKD3D_SHADER_RESOURCE_DATA_FLOAT);
SAME_VALUE(kComparisonSampler, VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_SAMPLER_COMPARISON_MODE);
SAME_VALUE(RootParameterType::uav, VKD3D_SHADER_ROOT_PARAMETER_TYPE_UAV);
SAME_VALUE(RootVersion::v1_1, VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1);
SAME_VALUE(kInvalidShader, VKD3D_ERROR_INVALID_SHADER);
SAME_VALUE(kNotImplemented, VKD3D_ERROR_NOT_IMPLEMENTED);

// Structures that came after 1.2, on machines with 64-bit pointers.
static_assert(sizeof(DescriptorOffsetInfo) == 40 && sizeof(DescriptorOffset) == 8);
static_assert(sizeof(ScanSignatureInfo) == 64 && offsetof(ScanSignatureInfo, patch_constant) == 48);
static_assert(sizeof(VaryingMapInfo) == 32 && sizeof(VaryingMap) == 12);
static_assert(sizeof(ScanCombinedResourceSamplerInfo) == 32 && sizeof(CombinedResourceSampler) == 16);
static_assert(sizeof(ParameterInfo) == 32 && sizeof(Parameter1) == 32 && offsetof(Parameter1, u32) == 16);
static_assert(sizeof(ScanHullInfo) == 24);
static_assert(sizeof(DxbcSection) == 24 && sizeof(DxbcDescription) == 48 &&
              offsetof(DxbcDescription, sections) == 40);

TEST(Vkd3dAbi, IsCheckedByTheCompiler) {}

}  // namespace
}  // namespace texlate::vkd3d
