// The least sizes of the structures of texlate.h: where the last member ends that the structure had in the
// first version with it. They never change, whatever members are added: programs compiled with that version
// pass these sizes, plus padding.
#pragma once

#include <cstddef>

#include "texlate/texlate.h"

namespace texlate::library {

#define TEXLATE_END_OF(structure, member) (offsetof(structure, member) + sizeof(structure::member))

// Since 0.1. texlate_parse_options and texlate_binding had padding after these members.
inline constexpr size_t kOldestParseOptions = TEXLATE_END_OF(texlate_parse_options, digest);
inline constexpr size_t kOldestProgramInfo = TEXLATE_END_OF(texlate_program_info, binding_count);
inline constexpr size_t kOldestBinding = TEXLATE_END_OF(texlate_binding, size);
inline constexpr size_t kOldestTargetInfo = TEXLATE_END_OF(texlate_target_info, takes_uav_formats);
inline constexpr size_t kOldestTranslateOptions = TEXLATE_END_OF(texlate_translate_options, callback_user);
inline constexpr size_t kOldestSpirvOptions = TEXLATE_END_OF(texlate_spirv_options, preserve_specials);
inline constexpr size_t kOldestMaxwellOptions = TEXLATE_END_OF(texlate_maxwell_options, callback_user);
// Elements of arrays. Callers of 0.1 pass no stride, so these are also the distances between their elements.
inline constexpr size_t kOldestUavFormat = TEXLATE_END_OF(texlate_uav_format, kind);
inline constexpr size_t kOldestClassInstance = TEXLATE_END_OF(texlate_class_instance, sampler);
inline constexpr size_t kOldestSpirvBinding = TEXLATE_END_OF(texlate_spirv_binding, passing);
inline constexpr size_t kOldestSpirvCombined = TEXLATE_END_OF(texlate_spirv_combined, binding);

// Since 0.2.
inline constexpr size_t kOldestSignatureElement = TEXLATE_END_OF(texlate_signature_element, min_precision);
inline constexpr size_t kOldestPtxOptions = TEXLATE_END_OF(texlate_ptx_options, native_compare);
inline constexpr size_t kOldestRootDescription =
    TEXLATE_END_OF(texlate_root_signature_description, sampler_count);
// Elements of arrays.
inline constexpr size_t kOldestVarying = TEXLATE_END_OF(texlate_varying, input_mask);
inline constexpr size_t kOldestSpirvParameter = TEXLATE_END_OF(texlate_spirv_parameter, value);
inline constexpr size_t kOldestStreamOutput = TEXLATE_END_OF(texlate_stream_output, buffer);
inline constexpr size_t kOldestRootParameter = TEXLATE_END_OF(texlate_root_parameter, range_count);
inline constexpr size_t kOldestRootRange = TEXLATE_END_OF(texlate_root_range, table_offset);
inline constexpr size_t kOldestStaticSampler = TEXLATE_END_OF(texlate_static_sampler, visibility);

// Since 0.3.
inline constexpr size_t kOldestFixedFunction = TEXLATE_END_OF(texlate_fixed_function, fog_source);
inline constexpr size_t kOldestKernelOptions = TEXLATE_END_OF(texlate_kernel_options, max_registers);
inline constexpr size_t kOldestKnownState = TEXLATE_END_OF(texlate_known_state, constant_stride);
// Elements of arrays.
inline constexpr size_t kOldestDeviceProperty = TEXLATE_END_OF(texlate_device_property, value);
inline constexpr size_t kOldestTextureUse = TEXLATE_END_OF(texlate_texture_use, is_indexed);
inline constexpr size_t kOldestKnownResource = TEXLATE_END_OF(texlate_known_resource, unorm_bits);
inline constexpr size_t kOldestKnownSampler = TEXLATE_END_OF(texlate_known_sampler, border);
inline constexpr size_t kOldestKnownConstants = TEXLATE_END_OF(texlate_known_constants, row_count);

#undef TEXLATE_END_OF

// What programs were compiled with, in tests/api/frozen. A member must only be added at the end.
static_assert(kOldestUavFormat == 16 && kOldestClassInstance == 24 && kOldestSpirvBinding == 28 &&
              kOldestSpirvCombined == 24 && kOldestVarying == 16 && kOldestSpirvParameter == 24 &&
              kOldestRootRange == 24 && kOldestStaticSampler == 52);
static_assert(sizeof(void*) != 8 ||
              (kOldestParseOptions == 36 && kOldestProgramInfo == 40 && kOldestBinding == 36 &&
               kOldestTargetInfo == 44 && kOldestTranslateOptions == 112 && kOldestSpirvOptions == 80 &&
               kOldestMaxwellOptions == 40));
static_assert(sizeof(void*) != 8 ||
              (kOldestSignatureElement == 48 && kOldestPtxOptions == 52 && kOldestRootDescription == 72 &&
               kOldestStreamOutput == 32 && kOldestRootParameter == 40));

}  // namespace texlate::library
