// The functions of libvkd3d-shader.so.1, versions 1.2 to 1.17 (docs/vkd3d.md). Everything that a client gets
// is allocated by malloc() and freed by the functions below. No exception leaves the library.

#include <cstdlib>
#include <new>

#include "library/vkd3d/client_log.h"
#include "library/vkd3d/compile.h"
#include "library/vkd3d/conversions.h"
#include "library/vkd3d/root_signatures.h"
#include "library/vkd3d/scan.h"
#include "library/vkd3d/signatures.h"
#include "texlate/texlate.h"

#define TEXLATE_VKD3D_EXPORT extern "C" __attribute__((visibility("default")))

using namespace texlate::vkd3d;

namespace {

// The newest vkd3d-shader whose interface this is.
constexpr unsigned kMajor = 1, kMinor = 17;

template <typename Work>
int guarded(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  }
}

/// For functions whose input has no name: runs `work` and gives the client its messages.
template <typename Work>
int with_messages(char** messages, Work work) {
  if (messages != nullptr) *messages = nullptr;
  return guarded([&] {
    Messages texts;
    const int result = work(texts);
    texts.copy_to(messages);
    return result;
  });
}

}  // namespace

TEXLATE_VKD3D_EXPORT const char* vkd3d_shader_get_version(unsigned* major, unsigned* minor) {
  if (major != nullptr) *major = kMajor;
  if (minor != nullptr) *minor = kMinor;
  return "vkd3d-shader 1.17 (texlate " TEXLATE_VKD3D_VERSION ")";
}

TEXLATE_VKD3D_EXPORT const SourceType* vkd3d_shader_get_supported_source_types(unsigned* count) {
  *count = static_cast<unsigned>(source_types().size());
  return source_types().data();
}

TEXLATE_VKD3D_EXPORT const TargetType* vkd3d_shader_get_supported_target_types(SourceType source,
                                                                               unsigned* count) {
  *count = static_cast<unsigned>(target_types(source).size());
  return *count != 0 ? target_types(source).data() : nullptr;
}

TEXLATE_VKD3D_EXPORT int vkd3d_shader_compile(const CompileInfo* info, Code* out, char** messages) {
  return guarded([&] { return compile(*info, *out, messages); });
}

TEXLATE_VKD3D_EXPORT int vkd3d_shader_scan(const CompileInfo* info, char** messages) {
  return guarded([&] { return scan(*info, messages); });
}

TEXLATE_VKD3D_EXPORT int vkd3d_shader_preprocess(const CompileInfo* info, Code* out, char** messages) {
  return guarded([&] { return preprocess(*info, *out, messages); });
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_set_log_callback(LogCallback callback) {
  set_log_callback(callback);
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_messages(char* messages) {
  std::free(messages);
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_shader_code(Code* code) {
  if (code != nullptr) std::free(const_cast<void*>(code->code));
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_scan_descriptor_info(ScanDescriptorInfo* info) {
  free_descriptors(*info);
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_scan_signature_info(ScanSignatureInfo* info) {
  free_signatures(*info);
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_scan_combined_resource_sampler_info(
    ScanCombinedResourceSamplerInfo* info) {
  free_pairs(*info);
}

TEXLATE_VKD3D_EXPORT int vkd3d_shader_parse_input_signature(const Code* dxbc, Signature* signature,
                                                            char** messages) {
  *signature = {};
  return with_messages(messages, [&](Messages& texts) {
    Container container;
    const int result = read_container(*dxbc, Digest::check, container, texts);
    if (result != kOk) return result;
    return read_signature(container, SignatureKind::input, Which::last, UsedMask::read, *signature, texts);
  });
}

TEXLATE_VKD3D_EXPORT SignatureElement* vkd3d_shader_find_signature_element(const Signature* signature,
                                                                           const char* name, unsigned index,
                                                                           unsigned stream) {
  return find_element(*signature, name, index, stream);
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_shader_signature(Signature* signature) {
  free_signature(*signature);
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_build_varying_map(const Signature* out, const Signature* in,
                                                         unsigned* count, VaryingMap* map) {
  *count = build_varying_map(*out, *in, map);
}

TEXLATE_VKD3D_EXPORT int vkd3d_shader_parse_root_signature(const Code* dxbc,
                                                           VersionedRootSignature* signature,
                                                           char** messages) {
  return with_messages(messages,
                       [&](Messages& texts) { return parse_root_signature(*dxbc, *signature, texts); });
}

TEXLATE_VKD3D_EXPORT int vkd3d_shader_serialize_root_signature(const VersionedRootSignature* signature,
                                                               Code* dxbc, char** messages) {
  return with_messages(messages,
                       [&](Messages& texts) { return serialize_root_signature(*signature, *dxbc, texts); });
}

TEXLATE_VKD3D_EXPORT int vkd3d_shader_convert_root_signature(VersionedRootSignature* to, RootVersion version,
                                                             const VersionedRootSignature* from) {
  return guarded([&] { return convert_root_signature(*from, version, *to); });
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_root_signature(VersionedRootSignature* signature) {
  free_root_signature(*signature);
}

TEXLATE_VKD3D_EXPORT int vkd3d_shader_parse_dxbc(const Code* dxbc, uint32_t flags,
                                                 DxbcDescription* description, char** messages) {
  constexpr uint32_t kIgnoreChecksum = 1;
  *description = {};
  return with_messages(messages, [&](Messages& texts) {
    if ((flags & ~kIgnoreChecksum) != 0) {
      texts.error(MessageCode::not_implemented, "a flag that is newer than vkd3d-shader 1.17");
      return static_cast<int>(kInvalidArgument);
    }
    Container container;
    const Digest digest = (flags & kIgnoreChecksum) != 0 ? Digest::skip : Digest::check;
    if (const int result = read_container(*dxbc, digest, container, texts); result != kOk) return result;
    return describe_container(container, *description);
  });
}

TEXLATE_VKD3D_EXPORT int vkd3d_shader_serialize_dxbc(size_t count, const DxbcSection* sections, Code* dxbc,
                                                     char** messages) {
  return with_messages(messages, [&](Messages&) { return write_container({sections, count}, *dxbc); });
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_dxbc(DxbcDescription* description) {
  std::free(description->sections);
  description->sections = nullptr;
  description->section_count = 0;
}
