// The functions of libvkd3d-shader.so.1 with our own declarations of its structures, for tests of what the
// header of an installed vkd3d is too old for.
#pragma once

#include <cstdarg>

#include "library/vkd3d/abi.h"

namespace texlate::vkd3d {

extern "C" {
const char* vkd3d_shader_get_version(unsigned* major, unsigned* minor);
const SourceType* vkd3d_shader_get_supported_source_types(unsigned* count);
const TargetType* vkd3d_shader_get_supported_target_types(SourceType source, unsigned* count);
int vkd3d_shader_compile(const CompileInfo* info, Code* out, char** messages);
int vkd3d_shader_scan(const CompileInfo* info, char** messages);
int vkd3d_shader_preprocess(const CompileInfo* info, Code* out, char** messages);
void vkd3d_shader_set_log_callback(void (*callback)(const char* format, va_list arguments));
void vkd3d_shader_free_messages(char* messages);
void vkd3d_shader_free_shader_code(Code* code);
void vkd3d_shader_free_scan_descriptor_info(ScanDescriptorInfo* info);
void vkd3d_shader_free_scan_signature_info(ScanSignatureInfo* info);
void vkd3d_shader_free_scan_combined_resource_sampler_info(ScanCombinedResourceSamplerInfo* info);
int vkd3d_shader_parse_input_signature(const Code* dxbc, Signature* signature, char** messages);
SignatureElement* vkd3d_shader_find_signature_element(const Signature* signature, const char* name,
                                                      unsigned index, unsigned stream);
void vkd3d_shader_free_shader_signature(Signature* signature);
void vkd3d_shader_build_varying_map(const Signature* out, const Signature* in, unsigned* count,
                                    VaryingMap* map);
int vkd3d_shader_parse_root_signature(const Code* dxbc, VersionedRootSignature* signature, char** messages);
int vkd3d_shader_serialize_root_signature(const VersionedRootSignature* signature, Code* dxbc,
                                          char** messages);
int vkd3d_shader_convert_root_signature(VersionedRootSignature* to, RootVersion version,
                                        const VersionedRootSignature* from);
void vkd3d_shader_free_root_signature(VersionedRootSignature* signature);
int vkd3d_shader_parse_dxbc(const Code* dxbc, uint32_t flags, DxbcDescription* description, char** messages);
int vkd3d_shader_serialize_dxbc(size_t count, const DxbcSection* sections, Code* dxbc, char** messages);
void vkd3d_shader_free_dxbc(DxbcDescription* description);
}

}  // namespace texlate::vkd3d
