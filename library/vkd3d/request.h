// What a client of vkd3d-shader asks for: a struct vkd3d_shader_compile_info, its chain and its options.
#pragma once

#include <vector>

#include "library/vkd3d/messages.h"
#include "texlate/texlate.h"

namespace texlate::vkd3d {

/// The structures of a request by type; null if not in the chain. Of two with the same type the first counts.
struct Request {
  explicit Request(const CompileInfo& info);

  /// The last value of an option, which overrides earlier ones; `absent` if the client does not give it.
  uint32_t option(OptionName name, uint32_t absent = 0) const;
  bool has_option(OptionName name) const;
  bool allows(Extension extension) const;
  /// The version 1.n for which the client was written, as option API_VERSION says; 0 if it says nothing.
  uint32_t api_version() const { return option(OptionName::api_version); }
  Environment environment() const {
    return target != nullptr ? target->environment : Environment::vulkan_1_0;
  }
  /// Nothing is allocated that a client would free: what a scan fills is empty until it succeeds.
  void clear_scans() const;

  const CompileInfo& compile;
  const InterfaceInfo* interface = nullptr;
  const DomainTargetInfo* domain = nullptr;
  const SpirvTargetInfo* target = nullptr;
  const TransformFeedbackInfo* transform_feedback = nullptr;
  const DescriptorOffsetInfo* offsets = nullptr;
  const VaryingMapInfo* varyings = nullptr;
  const ParameterInfo* parameters = nullptr;
  ScanDescriptorInfo* scan_descriptors = nullptr;
  ScanSignatureInfo* scan_signatures = nullptr;
  ScanCombinedResourceSamplerInfo* scan_pairs = nullptr;
  ScanHullInfo* scan_hull = nullptr;
  std::vector<StructureType> unknown;  // types that no version up to 1.17 has
};

/// kOk, or the status and a message for what neither texlate nor any vkd3d-shader up to 1.17 knows, and for
/// values that texlate does not serve. vkd3d-shader ignores such things silently.
int check_structures(const Request& request, Messages& messages);
enum class Purpose : uint8_t { scan, compile };
/// What a scan finds does not depend on the values of options other than API_VERSION.
int check_options(const Request& request, Purpose purpose, Messages& messages);

Visibility visibility_of(texlate_stage stage);
inline bool is_visible(Visibility visibility, texlate_stage stage) {
  return visibility == Visibility::all || visibility == visibility_of(stage);
}

// D3D10_SB_RESOURCE_DIMENSION, in texlate_binding::dimension.
inline constexpr uint32_t kBuffer = 1, kRawBuffer = 11, kStructuredBuffer = 12;
inline bool is_buffer(uint32_t dimension) {
  return dimension == kBuffer || dimension == kRawBuffer || dimension == kStructuredBuffer;
}
inline bool has_words(uint32_t dimension) {
  return dimension == kRawBuffer || dimension == kStructuredBuffer;
}

DescriptorType descriptor_type(texlate_binding_kind kind);

}  // namespace texlate::vkd3d
