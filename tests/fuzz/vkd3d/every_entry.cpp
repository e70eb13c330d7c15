// Every function of libvkd3d-shader.so.1 with arbitrary containers, whose digest is mended in three of four
// cases, and with chains and options that a checksum of the bytes chooses. Nothing may crash or leak, what
// was allocated is freed, and a failure gives nothing to free.

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "frontend/dxbc/digest.h"
#include "tests/vkd3d/entries.h"

using namespace texlate;
using namespace texlate::vkd3d;

namespace {

void check(bool good) {
  if (!good) std::abort();
}

/// Numbers that depend on the input only.
class Choices {
 public:
  explicit Choices(const std::string& bytes) {
    for (const char byte : bytes) state_ = (state_ ^ static_cast<uint8_t>(byte)) * 0x100000001b3u;
  }
  uint32_t below(uint32_t count) {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return static_cast<uint32_t>(state_ >> 33) % count;
  }
  bool coin() { return below(2) != 0; }

 private:
  uint64_t state_ = 0xcbf29ce484222325u;
};

template <typename Structure>
void prepend(Structure& structure, StructureType type, const void*& chain) {
  structure.type = type;
  structure.next = chain;
  chain = &structure;
}

/// Everything that a request may have in its chain. What the scans give is freed at the end.
class Chain {
 public:
  explicit Chain(Choices& choose) {
    if (choose.coin()) prepend(descriptors_, StructureType::scan_descriptor_info, first_);
    if (choose.coin()) prepend(signatures_, StructureType::scan_signature_info, first_);
    if (choose.coin()) prepend(pairs_, StructureType::scan_combined_resource_sampler_info, first_);
    if (choose.coin()) prepend(hull_, StructureType::scan_hull_shader_tessellation_info, first_);
    if (choose.coin()) add_target(choose);
    if (choose.below(4) == 0) add_interface(choose);
    if (choose.below(4) == 0) add_varyings(choose);
    if (choose.below(4) == 0) add_stream_output(choose);
    if (choose.below(8) == 0) prepend(domain_, StructureType::spirv_domain_shader_target_info, first_);
    if (choose.below(8) == 0) prepend(source_, StructureType::hlsl_source_info, first_);
    if (choose.below(4) == 0) add_parameters(choose);
    if (choose.below(64) == 0) prepend(unknown_, static_cast<StructureType>(14 + choose.below(9)), first_);
  }
  ~Chain() {
    vkd3d_shader_free_scan_descriptor_info(&descriptors_);
    vkd3d_shader_free_scan_signature_info(&signatures_);
    vkd3d_shader_free_scan_combined_resource_sampler_info(&pairs_);
  }
  const void* first() const { return first_; }
  bool is_empty() const {
    return descriptors_.descriptor_count == 0 && signatures_.input.element_count == 0 &&
           signatures_.output.element_count == 0 && pairs_.combined_sampler_count == 0;
  }

 private:
  void add_target(Choices& choose) {
    target_.environment = static_cast<Environment>(choose.below(4) + 1);
    for (uint32_t e = 1; e <= 5; ++e) {
      if (choose.coin()) extensions_.push_back(static_cast<Extension>(e));
    }
    target_.extensions = extensions_.data();
    target_.extension_count = static_cast<uint32_t>(extensions_.size());
    target_.dual_source_blending = choose.coin();
    swizzle_ = choose.below(UINT32_MAX);
    target_.output_swizzles = &swizzle_;
    target_.output_swizzle_count = choose.below(2);
    prepend(target_, StructureType::spirv_target_info, first_);
  }
  void add_interface(Choices& choose) {
    for (uint32_t i = 0; i < 8; ++i) {
      const DescriptorBinding at = {choose.below(3), i, choose.below(3) == 0 ? 64 : 1u};
      bindings_.push_back({static_cast<DescriptorType>(choose.below(4)), choose.below(2), choose.below(4),
                           Visibility::all, choose.below(4), at});
      offsets_.push_back({choose.below(3), choose.coin() ? kNoDynamicOffset : choose.below(4)});
    }
    push_ = {0, choose.below(4), Visibility::all, 4 * choose.below(8), 4 * choose.below(64)};
    counter_ = {0, choose.below(4), Visibility::all, {0, 20, 1}, choose.below(8) == 0 ? 4u : 0u};
    combined_ = {0, choose.below(3), 0, choose.below(3), Visibility::all, kBindingOfImage, {1, 30, 1}};
    interface_.bindings = bindings_.data();
    interface_.binding_count = static_cast<uint32_t>(bindings_.size());
    interface_.push_constant_buffers = &push_;
    interface_.push_constant_buffer_count = choose.below(2);
    interface_.uav_counters = &counter_;
    interface_.uav_counter_count = choose.below(2);
    interface_.combined_samplers = &combined_;
    interface_.combined_sampler_count = choose.below(2);
    if (choose.coin()) {
      table_.binding_offsets = offsets_.data();
      prepend(table_, StructureType::descriptor_offset_info, first_);
    }
    prepend(interface_, StructureType::interface_info, first_);
  }
  void add_varyings(Choices& choose) {
    varying_ = {choose.below(4), choose.below(40), choose.below(20)};
    varyings_.varying_map = &varying_;
    varyings_.varying_count = choose.below(2);
    prepend(varyings_, StructureType::varying_map_info, first_);
  }
  void add_stream_output(Choices& choose) {
    constexpr const char* kNames[] = {"SV_Position", "TEXCOORD", "COLOR", nullptr};
    for (uint32_t i = 0; i < 3; ++i)
      elements_.push_back({choose.below(2), kNames[choose.below(4)], choose.below(2),
                           static_cast<uint8_t>(choose.below(2)), static_cast<uint8_t>(choose.below(5)),
                           static_cast<uint8_t>(choose.below(5))});
    stride_ = 4 * choose.below(32);
    output_.elements = elements_.data();
    output_.element_count = choose.below(4);
    output_.buffer_strides = &stride_;
    output_.buffer_stride_count = choose.below(2);
    prepend(output_, StructureType::transform_feedback_info, first_);
  }
  /// Half of the lists have nothing wrong in them.
  void add_parameters(Choices& choose) {
    const bool is_wild = choose.coin();
    for (uint32_t i = 0; i < 6; ++i) {
      Parameter1& parameter = parameters_.emplace_back();
      parameter.name = static_cast<ParameterName>(is_wild ? choose.below(24) : 1 + choose.below(22));
      parameter.type = static_cast<ParameterType>(is_wild ? choose.below(5) : 1 + choose.below(3));
      parameter.data_type = is_wild ? static_cast<ParameterData>(choose.below(5)) : data_of(parameter.name);
      if (!is_wild && parameter.data_type == ParameterData::uint) parameter.type = ParameterType::immediate;
      parameter.buffer = {choose.below(10), choose.below(3), 16 * choose.below(4)};
    }
    info_.parameters = parameters_.data();
    info_.parameter_count = static_cast<uint32_t>(parameters_.size());
    prepend(info_, StructureType::parameter_info, first_);
  }

  static ParameterData data_of(ParameterName name) {
    using enum ParameterName;
    if ((name >= clip_plane_0 && name < point_size) || name == fog_color) return ParameterData::vec4;
    const bool is_float = name == alpha_test_ref || name == point_size || name == point_size_min ||
                          name == point_size_max || name == fog_end || name == fog_scale;
    return is_float ? ParameterData::float_ : ParameterData::uint;
  }

  const void* first_ = nullptr;
  ScanDescriptorInfo descriptors_{};
  ScanSignatureInfo signatures_{};
  ScanCombinedResourceSamplerInfo pairs_{};
  ScanHullInfo hull_{};
  SpirvTargetInfo target_{};
  InterfaceInfo interface_{};
  DescriptorOffsetInfo table_{};
  VaryingMapInfo varyings_{};
  ParameterInfo info_{};
  TransformFeedbackInfo output_{};
  DomainTargetInfo domain_{};
  Chained source_{}, unknown_{};
  std::vector<TransformFeedbackElement> elements_;
  std::vector<Extension> extensions_;
  std::vector<ResourceBinding> bindings_;
  std::vector<DescriptorOffset> offsets_;
  std::vector<Parameter1> parameters_;
  PushConstantBuffer push_{};
  UavCounterBinding counter_{};
  CombinedSampler combined_{};
  VaryingMap varying_{};
  uint32_t swizzle_ = 0, stride_ = 0;
};

void compile_and_scan(const Code& code, Choices& choose) {
  const Chain chain(choose), scanned(choose);
  std::vector<CompileOption> options;
  for (uint32_t i = choose.below(5); i != 0; --i)
    options.push_back({static_cast<OptionName>(choose.below(14)), choose.below(4)});
  if (choose.coin()) options.push_back({OptionName::api_version, choose.below(20)});
  CompileInfo info{};
  info.source = code;
  info.source_type = SourceType::dxbc_tpf;
  info.target_type = static_cast<TargetType>(choose.below(8) == 0 ? choose.below(10) : 1);
  info.options = options.data();
  info.option_count = static_cast<uint32_t>(options.size());
  info.log_level = static_cast<LogLevel>(choose.below(4));
  info.next = chain.first();
  Code out{};
  char* messages = nullptr;
  const int compiled = vkd3d_shader_compile(&info, &out, &messages);
  check((compiled == kOk) == (out.code != nullptr));
  check(compiled == kOk || chain.is_empty());
  vkd3d_shader_free_messages(messages);
  vkd3d_shader_free_shader_code(&out);
  info.next = scanned.first();
  const int result = vkd3d_shader_scan(&info, &messages);
  check(result == kOk || scanned.is_empty());
  vkd3d_shader_free_messages(messages);
}

/// What is not about DXBC: everything but DXBC is refused without another library.
void call_the_rest(const Code& code, Choices& choose) {
  unsigned major = 0, count = 0;
  check(vkd3d_shader_get_version(&major, nullptr) != nullptr);
  check(vkd3d_shader_get_supported_source_types(&count) != nullptr && count != 0);
  vkd3d_shader_get_supported_target_types(static_cast<SourceType>(choose.below(9)), &count);
  void (*const silent)(const char*, va_list) = [](const char*, va_list) {};
  vkd3d_shader_set_log_callback(choose.coin() ? silent : nullptr);
  const Chain chain(choose);
  CompileInfo info{};
  info.source = code;
  info.source_type = static_cast<SourceType>(choose.below(9));
  info.target_type = static_cast<TargetType>(choose.below(10));
  info.next = chain.first();
  Code out{};
  char* messages = nullptr;
  check(vkd3d_shader_preprocess(&info, &out, &messages) != kOk && out.code == nullptr);
  vkd3d_shader_free_messages(messages);
  if (info.source_type == SourceType::dxbc_tpf) return;
  check(vkd3d_shader_compile(&info, &out, &messages) != kOk && out.code == nullptr && chain.is_empty());
  vkd3d_shader_free_messages(messages);
}

void read_signature(const Code& code) {
  Signature signature{};
  if (vkd3d_shader_parse_input_signature(&code, &signature, nullptr) == kOk) {
    std::vector<VaryingMap> map(signature.element_count);
    unsigned count = 0;
    vkd3d_shader_build_varying_map(&signature, &signature, &count, map.data());
    check(count <= map.size());
    for (uint32_t i = 0; i < signature.element_count; ++i) {
      const SignatureElement& element = signature.elements[i];
      check(vkd3d_shader_find_signature_element(&signature, element.semantic_name, element.semantic_index,
                                                element.stream_index) != nullptr);
    }
  } else {
    check(signature.elements == nullptr && signature.element_count == 0);
  }
  vkd3d_shader_free_shader_signature(&signature);
}

void read_root_signature(const Code& code) {
  VersionedRootSignature read{}, converted{};
  if (vkd3d_shader_parse_root_signature(&code, &read, nullptr) != kOk)
    return check(read.version == RootVersion::none);
  const RootVersion other = read.version == RootVersion::v1_0 ? RootVersion::v1_1 : RootVersion::v1_0;
  if (vkd3d_shader_convert_root_signature(&converted, other, &read) == kOk) {
    Code written{};
    vkd3d_shader_serialize_root_signature(&converted, &written, nullptr);
    vkd3d_shader_free_shader_code(&written);
  }
  vkd3d_shader_free_root_signature(&converted);
  vkd3d_shader_free_root_signature(&read);
}

void read_container(const Code& code) {
  DxbcDescription description{};
  if (vkd3d_shader_parse_dxbc(&code, 1, &description, nullptr) != kOk)
    return check(description.sections == nullptr);
  // Sections may overlap, so what is written may be larger than what was read, but not without limit.
  if (description.section_count < 64) {
    Code written{};
    check(vkd3d_shader_serialize_dxbc(description.section_count, description.sections, &written, nullptr) ==
          kOk);
    DxbcDescription again{};
    check(vkd3d_shader_parse_dxbc(&written, 0, &again, nullptr) == kOk);
    check(again.section_count == description.section_count);
    vkd3d_shader_free_dxbc(&again);
    vkd3d_shader_free_shader_code(&written);
  }
  vkd3d_shader_free_dxbc(&description);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  Choices choose(bytes);
  if (size >= 32 && choose.below(4) != 0) {
    const dxbc::Digest digest = dxbc::digest_of(std::as_bytes(std::span(bytes)));
    std::memcpy(bytes.data() + 4, digest.data(), sizeof digest);
  }
  const Code code = {bytes.data(), bytes.size()};
  compile_and_scan(code, choose);
  if (choose.below(16) == 0) call_the_rest(code, choose);
  read_signature(code);
  read_root_signature(code);
  read_container(code);
  return 0;
}
