#include "library/vkd3d/scan.h"

#include <cstdlib>
#include <cstring>

#include "library/vkd3d/parameters.h"
#include "library/vkd3d/signatures.h"

namespace texlate::vkd3d {

namespace {

/// The client's array; kOutOfMemory if there is none.
template <typename Element>
int allocate_copy(const std::vector<Element>& from, Element*& to, uint32_t& count) {
  if (from.empty()) return kOk;
  void* const memory = std::malloc(sizeof(Element) * from.size());
  if (memory == nullptr) return kOutOfMemory;
  std::memcpy(memory, from.data(), sizeof(Element) * from.size());
  to = static_cast<Element*>(memory);
  count = static_cast<uint32_t>(from.size());
  return kOk;
}

/// D3D10_SB_RESOURCE_DIMENSION, in texlate_binding::dimension.
ResourceType resource_type(uint32_t dimension) {
  using enum ResourceType;
  constexpr ResourceType kTypes[] = {
      none,         buffer,          texture_1d,      texture_2d,        texture_2dms,      texture_3d,
      texture_cube, texture_1darray, texture_2darray, texture_2dmsarray, texture_cubearray, buffer,
      buffer};
  return dimension < std::size(kTypes) ? kTypes[dimension] : none;
}

ResourceDataType data_type(const texlate_binding& declared, uint32_t api) {
  constexpr uint32_t kFirstApiWithMixed = 3, kLastApiWithSamplerType = 15;
  if (declared.kind == TEXLATE_REGISTER_CONSTANT_BUFFER || has_words(declared.dimension))
    return ResourceDataType::uint;
  if (declared.kind == TEXLATE_REGISTER_SAMPLER)
    return api <= kLastApiWithSamplerType ? ResourceDataType::uint : ResourceDataType::none;
  // D3D10_RESOURCE_RETURN_TYPE has the same numbers.
  const auto type = static_cast<ResourceDataType>(declared.component_type);
  return type >= ResourceDataType::mixed && api < kFirstApiWithMixed ? ResourceDataType::float_ : type;
}

DescriptorInfo describe(const texlate_binding& declared, uint32_t api) {
  DescriptorInfo made{};
  made.type = descriptor_type(declared.kind);
  made.register_space = declared.space;
  made.register_index = declared.lower_bound;
  made.resource_type = declared.kind == TEXLATE_REGISTER_CONSTANT_BUFFER ? ResourceType::buffer
                                                                         : resource_type(declared.dimension);
  made.resource_data_type = data_type(declared, api);
  made.count =
      declared.upper_bound == UINT32_MAX ? kUnbounded : declared.upper_bound - declared.lower_bound + 1;
  if ((declared.flags & TEXLATE_BINDING_COMPARISON) != 0) made.flags |= kComparisonSampler;
  if (declared.dimension == kRawBuffer) made.flags |= kRawBufferFlag;
  if (declared.kind != TEXLATE_REGISTER_UAV) return made;
  // vkd3d-shader counts the use of a counter as a read of the view.
  if ((declared.flags & TEXLATE_BINDING_COUNTER) != 0) made.flags |= kUavCounter | kUavRead;
  if ((declared.flags & TEXLATE_BINDING_READ) != 0) made.flags |= kUavRead;
  if ((declared.flags & TEXLATE_BINDING_ATOMIC) != 0) made.flags |= kUavAtomics;
  return made;
}

int fill_descriptors(const Request& request, const api::Program& program, ScanDescriptorInfo& info) {
  constexpr uint32_t kDefaultApi = 2;
  const uint32_t api = request.option(OptionName::api_version, kDefaultApi);
  std::vector<DescriptorInfo> all;
  texlate_binding declared{};
  declared.struct_size = sizeof declared;
  for (uint32_t i = 0; texlate_program_get_binding(program.get(), i, &declared) == TEXLATE_OK; ++i)
    all.push_back(describe(declared, api));
  return allocate_copy(all, info.descriptors, info.descriptor_count);
}

int fill_pairs(const api::Program& program, ScanCombinedResourceSamplerInfo& info, Messages& messages) {
  std::vector<CombinedResourceSampler> all;
  for (const texlate_texture_use& use : program.texture_uses()) {
    if (use.is_indexed != 0) {
      messages.warning(MessageCode::indexed_pair,
                       "a texture or sampler is selected by a dynamic index, so its pair is not listed");
      continue;
    }
    all.push_back({use.texture_space, use.texture, use.sampler_space, use.sampler});
  }
  return allocate_copy(all, info.combined_samplers, info.combined_sampler_count);
}

int fill_signatures(const Request& request, const Container& container, texlate_stage stage,
                    ScanSignatureInfo& info, Messages& messages) {
  const auto read = [&](SignatureKind kind, UsedMask used, Signature& to) {
    return read_signature(container, kind, Which::first, used, to, messages);
  };
  int result = read(SignatureKind::input, UsedMask::read, info.input);
  if (result == kOk) result = read(SignatureKind::output, UsedMask::not_written, info.output);
  if (result == kOk && (stage == TEXLATE_STAGE_HULL || stage == TEXLATE_STAGE_DOMAIN))
    result = read(SignatureKind::patch_constant,
                  stage == TEXLATE_STAGE_HULL ? UsedMask::not_written : UsedMask::read, info.patch_constant);
  if (result != kOk || request.compile.target_type == TargetType::none) return result;
  Signature& varyings = stage == TEXLATE_STAGE_PIXEL ? info.input : info.output;
  const auto fog = added_fog(request, stage, varyings);
  return !fog || append(varyings, *fog) ? kOk : kOutOfMemory;
}

int fill(const Request& request, const Container& container, const api::Program& program,
         Messages& messages) {
  const texlate_program_info about = program.info();
  if (request.scan_descriptors != nullptr) {
    if (const int result = fill_descriptors(request, program, *request.scan_descriptors); result != kOk)
      return result;
  }
  if (request.scan_pairs != nullptr) {
    if (const int result = fill_pairs(program, *request.scan_pairs, messages); result != kOk) return result;
  }
  if (request.scan_signatures != nullptr) {
    if (const int result =
            fill_signatures(request, container, about.stage, *request.scan_signatures, messages);
        result != kOk)
      return result;
  }
  if (request.scan_hull != nullptr) {
    request.scan_hull->output_primitive = about.tessellator_output;
    request.scan_hull->partitioning = about.tessellator_partitioning;
  }
  return kOk;
}

}  // namespace

int fill_scans(const Request& request, const Container& container, const api::Program& program,
               Messages& messages) {
  const int result = fill(request, container, program, messages);
  if (result == kOk) return kOk;
  if (request.scan_descriptors != nullptr) free_descriptors(*request.scan_descriptors);
  if (request.scan_pairs != nullptr) free_pairs(*request.scan_pairs);
  if (request.scan_signatures != nullptr) free_signatures(*request.scan_signatures);
  request.clear_scans();
  return result;
}

void free_descriptors(ScanDescriptorInfo& info) {
  std::free(info.descriptors);
  info.descriptors = nullptr;
  info.descriptor_count = 0;
}

void free_signatures(ScanSignatureInfo& info) {
  free_signature(info.input);
  free_signature(info.output);
  free_signature(info.patch_constant);
}

void free_pairs(ScanCombinedResourceSamplerInfo& info) {
  std::free(info.combined_samplers);
  info.combined_samplers = nullptr;
  info.combined_sampler_count = 0;
}

}  // namespace texlate::vkd3d
