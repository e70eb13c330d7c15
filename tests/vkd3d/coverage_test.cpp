// The table of docs/vkd3d.md: each function, structure, option and parameter of vkd3d-shader 1.2 to 1.17 is
// tried, and what became of it is what the document says. TEXLATE_UPDATE_DOCS=1 rewrites the table.

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>

#include "tests/support/paths.h"
#include "tests/vkd3d/client.h"
#include "tests/vkd3d/shaders.h"

namespace texlate::vkd3d {
namespace {

constexpr std::string_view kStart = "<!-- made by tests/vkd3d/coverage_test.cpp -->\n";
constexpr std::string_view kEnd = "<!-- end -->";

struct TableRow {
  std::string name;
  const char* since;
  std::function<Compiled()> attempt;
  const char* note;
};

std::string outcome(const TableRow& row) {
  const Compiled made = row.attempt();
  if (made.result == kOk) return "served";
  return made.messages.find("TEXLATE_VKD3D_REAL") != std::string::npos ? "named library" : "refused";
}

std::string table(const char* heading, const std::vector<TableRow>& rows) {
  std::string text = std::string("\n| ") + heading + " | since | | |\n|---|---|---|---|\n";
  for (const TableRow& row : rows)
    text += "| `" + row.name + "` | " + row.since + " | " + outcome(row) + " | " + row.note + " |\n";
  return text;
}

/// A call that gives kOk if everything was as it should be.
std::function<Compiled()> tried(std::function<int(char**)> call) {
  return [call = std::move(call)] {
    Compiled made;
    char* messages = nullptr;
    made.result = call(&messages);
    if (messages != nullptr) made.messages = messages;
    vkd3d_shader_free_messages(messages);
    return made;
  };
}
std::function<Compiled()> succeeds(std::function<bool()> call) {
  return tried([call = std::move(call)](char**) { return call() ? kOk : kError; });
}

int preprocess(char** messages) {
  CompileInfo info{};
  info.source_type = SourceType::hlsl;
  info.log_level = LogLevel::info;
  Code out{};
  return vkd3d_shader_preprocess(&info, &out, messages);
}

bool lists_sources() {
  unsigned count = 0;
  const SourceType* const all = vkd3d_shader_get_supported_source_types(&count);
  return count != 0 && all[0] == SourceType::dxbc_tpf;
}

bool lists_targets() {
  unsigned count = 0;
  const TargetType* const all = vkd3d_shader_get_supported_target_types(SourceType::dxbc_tpf, &count);
  return count >= 3 && all[0] == TargetType::spirv_binary;
}

bool frees_messages() {
  char* messages = nullptr;
  const Code nothing{};
  Signature signature{};
  vkd3d_shader_parse_input_signature(&nothing, &signature, &messages);
  const bool has_text = messages != nullptr;
  vkd3d_shader_free_messages(messages);
  return has_text;
}

bool compiles_and_frees() {
  const std::string bytes = container(kPixelShader);
  CompileInfo info{};
  info.source = {bytes.data(), bytes.size()};
  info.source_type = SourceType::dxbc_tpf;
  info.target_type = TargetType::spirv_binary;
  Code out{};
  const bool good = vkd3d_shader_compile(&info, &out, nullptr) == kOk;
  vkd3d_shader_free_shader_code(&out);
  return good;
}

/// Writes a root signature, reads it and converts it.
bool uses_root_signatures() {
  VersionedRootSignature written{}, read{}, converted{};
  written.version = RootVersion::v1_0;
  Code code{};
  bool good = vkd3d_shader_serialize_root_signature(&written, &code, nullptr) == kOk &&
              vkd3d_shader_parse_root_signature(&code, &read, nullptr) == kOk &&
              read.version == RootVersion::v1_0 &&
              vkd3d_shader_convert_root_signature(&converted, RootVersion::v1_1, &read) == kOk;
  vkd3d_shader_free_shader_code(&code);
  vkd3d_shader_free_root_signature(&converted);
  vkd3d_shader_free_root_signature(&read);
  return good && read.version == RootVersion::none;
}

/// Reads a signature, finds an element, and matches it with itself.
bool uses_signatures() {
  const std::string bytes = container(kVertexShader);
  const Code code = {bytes.data(), bytes.size()};
  Signature read{};
  if (vkd3d_shader_parse_input_signature(&code, &read, nullptr) != kOk) return false;
  VaryingMap map[2];
  unsigned count = 0;
  vkd3d_shader_build_varying_map(&read, &read, &count, map);
  const bool good =
      vkd3d_shader_find_signature_element(&read, "normal", 1, 0) == read.elements + 1 && count == 2;
  vkd3d_shader_free_shader_signature(&read);
  return good && read.elements == nullptr;
}

/// Fills a scan structure and frees it.
template <typename Structure, typename Member>
std::function<Compiled()> fills(StructureType type, std::string_view shader, void (*release)(Structure*),
                                Member member) {
  return succeeds([=] {
    Structure info{};
    info.type = type;
    const bool good = scan(container(shader), &info).result == kOk && info.*member != nullptr;
    release(&info);
    return good && info.*member == nullptr;
  });
}

bool fills_signatures() {
  ScanSignatureInfo info{};
  info.type = StructureType::scan_signature_info;
  const bool good = scan(container(kVertexShader), &info).result == kOk && info.input.elements != nullptr;
  vkd3d_shader_free_scan_signature_info(&info);
  return good && info.input.elements == nullptr;
}

bool calls_the_callback() {
  static int calls;
  calls = 0;
  vkd3d_shader_set_log_callback([](const char*, va_list) { ++calls; });
  compile("garbage", nullptr);
  vkd3d_shader_set_log_callback(nullptr);
  return calls == 1;
}

bool uses_containers() {
  const DxbcSection section = {1, {"abc", 3}};
  Code code{};
  DxbcDescription read{};
  const bool good = vkd3d_shader_serialize_dxbc(1, &section, &code, nullptr) == kOk &&
                    vkd3d_shader_parse_dxbc(&code, 0, &read, nullptr) == kOk && read.section_count == 1;
  vkd3d_shader_free_dxbc(&read);
  vkd3d_shader_free_shader_code(&code);
  return good && read.sections == nullptr;
}

std::vector<TableRow> functions() {
  const auto has_version = [] {
    unsigned minor = 0;
    return std::strstr(vkd3d_shader_get_version(nullptr, &minor), "texlate") != nullptr && minor == 17;
  };
  using enum StructureType;
  return {
      {"vkd3d_shader_get_version", "1.2", succeeds(has_version), "1.17, and texlate's version in the text"},
      {"vkd3d_shader_get_supported_source_types", "1.2", succeeds(lists_sources),
       "DXBC, and what the named library reads"},
      {"vkd3d_shader_get_supported_target_types", "1.2", succeeds(lists_targets),
       "SPIR-V, SPIR-V text, assembly text, and what the named library writes"},
      {"vkd3d_shader_compile", "1.2", [] { return compile(container(kPixelShader), nullptr); },
       "also fills the scan structures of its chain"},
      {"vkd3d_shader_scan", "1.2", [] { return scan(container(kPixelShader), nullptr); }, ""},
      {"vkd3d_shader_free_messages", "1.2", succeeds(frees_messages), ""},
      {"vkd3d_shader_free_shader_code", "1.2", succeeds(compiles_and_frees), ""},
      {"vkd3d_shader_parse_root_signature", "1.2", succeeds(uses_root_signatures),
       "without chunk RTS0: version 0, as vkd3d"},
      {"vkd3d_shader_serialize_root_signature", "1.2", succeeds(uses_root_signatures),
       "the bytes are vkd3d's"},
      {"vkd3d_shader_convert_root_signature", "1.2", succeeds(uses_root_signatures), "between 1.0 and 1.1"},
      {"vkd3d_shader_free_root_signature", "1.2", succeeds(uses_root_signatures), ""},
      {"vkd3d_shader_parse_input_signature", "1.2", succeeds(uses_signatures), "the names are copies"},
      {"vkd3d_shader_find_signature_element", "1.2", succeeds(uses_signatures), ""},
      {"vkd3d_shader_free_shader_signature", "1.2", succeeds(uses_signatures),
       "also sets the count to 0: a second call does no harm"},
      {"vkd3d_shader_free_scan_descriptor_info", "1.2",
       fills(scan_descriptor_info, kViewsShader, vkd3d_shader_free_scan_descriptor_info,
             &ScanDescriptorInfo::descriptors),
       "likewise"},
      {"vkd3d_shader_preprocess", "1.3", tried(preprocess), "HLSL"},
      {"vkd3d_shader_set_log_callback", "1.4", succeeds(calls_the_callback),
       "gets a line for each shader that is refused or passed on"},
      {"vkd3d_shader_parse_dxbc", "1.7", succeeds(uses_containers), "sections point into the client's bytes"},
      {"vkd3d_shader_serialize_dxbc", "1.7", succeeds(uses_containers), ""},
      {"vkd3d_shader_free_dxbc", "1.7", succeeds(uses_containers), ""},
      {"vkd3d_shader_free_scan_signature_info", "1.9", succeeds(fills_signatures), ""},
      {"vkd3d_shader_build_varying_map", "1.9", succeeds(uses_signatures), ""},
      {"vkd3d_shader_free_scan_combined_resource_sampler_info", "1.10",
       fills(scan_combined_resource_sampler_info, kSamplingShader,
             vkd3d_shader_free_scan_combined_resource_sampler_info,
             &ScanCombinedResourceSamplerInfo::combined_samplers),
       ""},
  };
}

/// Compiles with a structure whose members are 0 after what `fill` sets.
template <typename Structure, typename Fill>
std::function<Compiled()> with(StructureType type, std::string_view shader, Fill fill) {
  return [=] {
    Structure chained;
    std::memset(static_cast<void*>(&chained), 0, sizeof chained);
    chained.type = type;
    fill(chained);
    return compile(container(shader), &chained);
  };
}

template <typename Structure>
std::function<Compiled()> with(StructureType type, std::string_view shader) {
  return with<Structure>(type, shader, [](Structure&) {});
}

/// A register for each kind of entry.
Compiled with_everything_bound() {
  constexpr std::string_view kShader =
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n"
      "dcl_constantbuffer cb1[1], immediateIndexed\ndcl_sampler s0, mode_default\n"
      "dcl_resource_texture2d (float,float,float,float) t0\ndcl_uav_structured_opc u0, 16\ndcl_temps 2\n"
      "dcl_thread_group 1, 1, 1\nimm_atomic_alloc r1.x, u0\n"
      "sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, cb0[0].xyxx, t0.xyzw, s0, cb1[0].x\n"
      "store_structured u0.xyzw, r1.x, l(0), r0.xyzw\nret \n";
  const ResourceBinding bindings[] = {
      {DescriptorType::cbv, 0, 0, Visibility::all, kBindingOfBuffer, {0, 10, 1}},
      {DescriptorType::uav, 0, 0, Visibility::compute, kBindingOfBuffer, {0, 11, 1}}};
  const PushConstantBuffer push = {0, 1, Visibility::all, 4, 16};
  const CombinedSampler pair = {0, 0, 0, 0, Visibility::all, kBindingOfImage, {1, 12, 1}};
  const UavCounterBinding counter = {0, 0, Visibility::all, {1, 13, 1}, 0};
  InterfaceInfo info{};
  info.type = StructureType::interface_info;
  info.bindings = bindings;
  info.binding_count = 2;
  info.push_constant_buffers = &push;
  info.push_constant_buffer_count = 1;
  info.combined_samplers = &pair;
  info.combined_sampler_count = 1;
  info.uav_counters = &counter;
  info.uav_counter_count = 1;
  const Compiled made = compile(container(kShader), &info);
  for (const char* part : {"Binding 10", "Binding 11", "Binding 12", "Binding 13", "PushConstant"})
    EXPECT_THAT(made.text, testing::HasSubstr(part));
  return made;
}

std::vector<TableRow> structures() {
  using enum StructureType;
  static const VaryingMap map = {0, 3, 15};
  return {
      {"COMPILE_INFO", "1.2", [] { return compile(container(kPixelShader), nullptr); }, ""},
      {"INTERFACE_INFO", "1.2", with_everything_bound,
       "bindings, push constants, combined samplers, UAV counters; without it or without bindings, numbers "
       "in the order of the declarations"},
      {"SCAN_DESCRIPTOR_INFO", "1.2",
       [] {
         ScanDescriptorInfo info{};
         info.type = scan_descriptor_info;
         Compiled made = compile(container(kViewsShader), &info);
         EXPECT_EQ(info.descriptor_count, 3u);
         vkd3d_shader_free_scan_descriptor_info(&info);
         return made;
       },
       "in `scan` and in `compile`"},
      {"SPIRV_DOMAIN_SHADER_TARGET_INFO", "1.2",
       with<DomainTargetInfo>(spirv_domain_shader_target_info, kPixelShader),
       "the hull shader says it itself, which Vulkan allows"},
      {"SPIRV_TARGET_INFO", "1.2",
       with<SpirvTargetInfo>(spirv_target_info, kPixelShader,
                             [](SpirvTargetInfo& info) {
                               static const uint32_t swizzle = 0x03000102;
                               info.environment = Environment::vulkan_1_0;
                               info.entry_point = "entry";
                               info.output_swizzles = &swizzle;
                               info.output_swizzle_count = 1;
                             }),
       "entry point, environment, extensions, parameters, dual-source blending, output swizzles"},
      {"TRANSFORM_FEEDBACK_INFO", "1.2",
       with<TransformFeedbackInfo>(transform_feedback_info, kVertexShader,
                                   [](TransformFeedbackInfo& info) {
                                     static const TransformFeedbackElement all[] = {
                                         {0, "SV_Position", 0, 0, 4, 0}, {0, nullptr, 0, 0, 2, 0}};
                                     info.elements = all;
                                     info.element_count = 2;
                                   }),
       "elements without a name are gaps"},
      {"HLSL_SOURCE_INFO", "1.3", with<Chained>(hlsl_source_info, kPixelShader), "says nothing about DXBC"},
      {"PREPROCESS_INFO", "1.3", with<Chained>(preprocess_info, kPixelShader), "says nothing about DXBC"},
      {"DESCRIPTOR_OFFSET_INFO", "1.3", with<DescriptorOffsetInfo>(descriptor_offset_info, kPixelShader),
       "anywhere in the chain"},
      {"SCAN_SIGNATURE_INFO", "1.9",
       [] {
         ScanSignatureInfo info{};
         info.type = scan_signature_info;
         Compiled made = compile(container(kVertexShader), &info);
         EXPECT_EQ(info.input.element_count, 2u);
         vkd3d_shader_free_scan_signature_info(&info);
         return made;
       },
       "in `scan` and in `compile`"},
      {"VARYING_MAP_INFO", "1.9",
       with<VaryingMapInfo>(varying_map_info, kVertexShader,
                            [](VaryingMapInfo& info) {
                              info.varying_map = &map;
                              info.varying_count = 1;
                            }),
       "vertex, domain and geometry shaders; refused for hull shaders"},
      {"SCAN_COMBINED_RESOURCE_SAMPLER_INFO", "1.10",
       [] {
         ScanCombinedResourceSamplerInfo info{};
         info.type = scan_combined_resource_sampler_info;
         Compiled made = compile(container(kSamplingShader), &info);
         EXPECT_EQ(info.combined_sampler_count, 3u);
         vkd3d_shader_free_scan_combined_resource_sampler_info(&info);
         return made;
       },
       "in `scan` and in `compile`"},
      {"PARAMETER_INFO", "1.13", with<ParameterInfo>(parameter_info, kPixelShader),
       "replaces the parameters of SPIRV_TARGET_INFO"},
      {"SCAN_HULL_SHADER_TESSELLATION_INFO", "1.15",
       with<ScanHullInfo>(scan_hull_shader_tessellation_info, kHullShader), "in `scan` and in `compile`"},
      {"any other", "", with<Chained>(static_cast<StructureType>(99), kPixelShader), "vkd3d ignores it"},
  };
}

std::function<Compiled()> with_option(OptionName name, uint32_t value,
                                      std::string_view shader = kViewsShader) {
  return [=] { return compile(container(shader), nullptr, {{{name, value}}}); };
}

std::vector<TableRow> options() {
  using enum OptionName;
  return {
      {"STRIP_DEBUG", "1.2", with_option(strip_debug, 1), "names and lines are omitted"},
      {"BUFFER_UAV", "1.2", with_option(buffer_uav, 1),
       "storage buffers; typed buffers cannot be, and are refused then"},
      {"FORMATTING", "1.2", with_option(formatting, 10),
       "of text: the default, which has the signatures; colors, offsets and raw ids are refused"},
      {"API_VERSION", "1.3", with_option(api_version, 17),
       "decides what scans report, and whether doubles need FEATURE; newer than 1.17: a warning"},
      {"TYPED_UAV", "1.5", with_option(typed_uav, 1), "0: read views are R32; 1: of unknown format"},
      {"WRITE_TESS_GEOM_POINT_SIZE", "1.7", with_option(write_tess_geom_point_size, 0), ""},
      {"PACK_MATRIX_ORDER", "1.9", with_option(pack_matrix_order, 1), "says nothing about DXBC"},
      {"BACKWARD_COMPATIBILITY", "1.10", with_option(backward_compatibility, 1), "says nothing about DXBC"},
      {"FRAGMENT_COORDINATE_ORIGIN = UPPER_LEFT", "1.10", with_option(fragment_coordinate_origin, 0), ""},
      {"FRAGMENT_COORDINATE_ORIGIN = LOWER_LEFT", "1.10", with_option(fragment_coordinate_origin, 1),
       "Vulkan has no such origin"},
      {"FEATURE", "1.11", with_option(feature, 2), "doubles; nothing else in DXBC depends on it"},
      {"CHILD_EFFECT", "1.12", with_option(child_effect, 1), "says nothing about DXBC"},
      {"WARN_IMPLICIT_TRUNCATION", "1.12", with_option(warn_implicit_truncation, 1),
       "says nothing about DXBC"},
      {"INCLUDE_EMPTY_BUFFERS_IN_EFFECTS", "1.12", with_option(include_empty_buffers_in_effects, 1),
       "says nothing about DXBC"},
      {"any other", "", with_option(static_cast<OptionName>(14), 0), "vkd3d ignores it"},
  };
}

/// Compiles with the extension, after trying without it.
TableRow extension(const char* name, const char* since, Extension allowed, std::string_view shader,
                   const char* message_without, const char* note) {
  const auto compile_with = [=](uint32_t count) {
    SpirvTargetInfo target{};
    target.type = StructureType::spirv_target_info;
    target.environment = Environment::vulkan_1_1;
    target.extensions = &allowed;
    target.extension_count = count;
    DescriptorOffset offset = {0, 1};  // at word 1 of the push constants
    DescriptorOffsetInfo offsets{};
    offsets.type = StructureType::descriptor_offset_info;
    offsets.next = &target;
    offsets.binding_offsets = &offset;
    ResourceBinding binding{};
    binding.type = DescriptorType::cbv;
    binding.flags = kBindingOfBuffer;
    binding.binding = {0, 0, 8};
    InterfaceInfo interface {};
    interface.type = StructureType::interface_info;
    interface.next = &offsets;
    interface.bindings = &binding;
    interface.binding_count = 1;
    const bool has_heap = allowed == Extension::descriptor_indexing;
    const void* const chain = has_heap ? static_cast<const void*>(&interface) : &target;
    return compile(container(shader), chain, {{{OptionName::api_version, 17}}});
  };
  return {name, since,
          [=] {
            const Compiled without = compile_with(0);
            EXPECT_EQ(without.result == kOk, *message_without == 0) << name;
            EXPECT_THAT(without.messages, testing::HasSubstr(message_without)) << name;
            return compile_with(1);
          },
          note};
}

std::vector<TableRow> extensions() {
#define PIXELS "ps_5_0\ndcl_globalFlags refactoringAllowed\n"
  return {
      extension("DEMOTE_TO_HELPER_INVOCATION", "1.2", Extension::demote_to_helper_invocation,
                PIXELS
                "dcl_input_ps linear v0.x\ndcl_output o0.xyzw\ndiscard_nz v0.x\nmov o0.xyzw, v0.xxxx\nret\n",
                "", "without it a discarded pixel ends with OpKill"),
      extension("DESCRIPTOR_INDEXING", "1.3", Extension::descriptor_indexing,
                PIXELS "dcl_constantbuffer cb0[1], immediateIndexed\ndcl_output o0.xyzw\n"
                       "mov o0.xyzw, cb0[0].xyzw\nret\n",
                "E2003", "without it offsets in push constants are refused"),
      extension("STENCIL_EXPORT", "1.3", Extension::stencil_export,
                PIXELS "dcl_output oStencilRef\nmov oStencilRef, l(1)\nret\n", "E2004",
                "without it stencil references are refused, if API_VERSION is 1.3 or later"),
      extension(
          "VIEWPORT_INDEX_LAYER", "1.11", Extension::viewport_index_layer,
          "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output_siv o0.xyzw, position\n"
          "dcl_output_siv o1.x, rendertarget_array_index\nmov o0.xyzw, l(0,0,0,1)\nmov o1.x, l(1)\nret\n",
          "E2004",
          "without it layers of vertex and domain shaders are refused, if API_VERSION is 1.11 or later"),
      extension("FRAGMENT_SHADER_INTERLOCK", "1.12", Extension::fragment_shader_interlock,
                "ps_5_1\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw_rov U0[0:0], space=0\n"
                "store_raw U0[0].x, l(0), l(1)\nret\n",
                "E2004", "without it rasterizer-ordered views are refused"),
  };
#undef PIXELS
}

std::function<Compiled()> of_source(SourceType source) {
  return [=] { return compile(container(kPixelShader), nullptr, {.source = source}); };
}
std::function<Compiled()> to_target(TargetType target) {
  return [=] { return compile(container(kPixelShader), nullptr, {.target = target}); };
}
std::function<Compiled()> in_environment(Environment environment) {
  return with<SpirvTargetInfo>(StructureType::spirv_target_info, kPixelShader,
                               [=](SpirvTargetInfo& info) { info.environment = environment; });
}

std::vector<TableRow> conversions() {
  return {
      {"from DXBC_TPF", "1.2", of_source(SourceType::dxbc_tpf), "shader models 4.0 to 5.1"},
      {"from HLSL", "1.3", of_source(SourceType::hlsl), ""},
      {"from D3D_BYTECODE", "1.3", of_source(SourceType::d3d_bytecode), "shader models 1 to 3"},
      {"from DXBC_DXIL", "1.9", of_source(SourceType::dxbc_dxil), ""},
      {"from FX", "1.14", of_source(SourceType::fx), ""},
      {"from TX", "1.17", of_source(SourceType::tx), ""},
      {"to SPIRV_BINARY", "1.2", to_target(TargetType::spirv_binary), ""},
      {"to SPIRV_TEXT", "1.2", to_target(TargetType::spirv_text), ""},
      {"to D3D_ASM", "1.3", to_target(TargetType::d3d_asm), "as fxc prints it"},
      {"to GLSL", "1.3", to_target(TargetType::glsl), ""},
      {"to MSL", "1.14", to_target(TargetType::msl), ""},
      {"for OPENGL_4_5", "1.2", in_environment(Environment::opengl_4_5), ""},
      {"for VULKAN_1_0", "1.2", in_environment(Environment::vulkan_1_0), ""},
      {"for VULKAN_1_1", "1.12", in_environment(Environment::vulkan_1_1), ""},
      {"any other source", "", of_source(static_cast<SourceType>(7)), "status -3, as vkd3d"},
      {"any other target", "", to_target(static_cast<TargetType>(9)), "status -3, as vkd3d"},
      {"any other environment", "", in_environment(static_cast<Environment>(4)), "status -1, as vkd3d"},
  };
}

std::function<Compiled()> compile_with(std::string_view shader, std::vector<Parameter1> all) {
  return with<ParameterInfo>(StructureType::parameter_info, shader, [=](ParameterInfo& info) {
    info.parameters = all.data();
    info.parameter_count = static_cast<uint32_t>(all.size());
  });
}

std::vector<TableRow> parameters() {
  using enum ParameterName;
  using enum ParameterType;
  const auto one = [](std::string_view shader, ParameterName name, uint32_t value) {
    return compile_with(shader, {parameter(name, immediate, ParameterData::uint, value)});
  };
  const Parameter1 less = parameter(alpha_test_func, immediate, ParameterData::uint, 2);
  const Parameter1 half = parameter(alpha_test_ref, immediate, ParameterData::float_, 0x3f000000);
  const Parameter1 late_limit = parameter(point_size_max, specialization_constant, ParameterData::float_, 3);
  return {
      {"RASTERIZER_SAMPLE_COUNT", "1.2", one(kPixelShader, rasterizer_sample_count, 4),
       "immediate or specialization constant"},
      {"ALPHA_TEST_FUNC", "1.13", compile_with(kPixelShader, {less, half}),
       "the value of ALPHA_TEST_REF: immediate, specialization constant or in a buffer"},
      {"FLAT_INTERPOLATION", "1.13", one(kPixelShader, flat_interpolation, 1),
       "says nothing about shader models 4 and 5"},
      {"CLIP_PLANE_MASK", "1.14", one(kVertexShader, clip_plane_mask, 1),
       "planes: immediate, specialization constants or in buffers"},
      {"POINT_SIZE", "1.14",
       compile_with(kVertexShader, {parameter(point_size, buffer, ParameterData::float_, 0), late_limit}),
       "with POINT_SIZE_MIN and POINT_SIZE_MAX: immediate, specialization constants or in buffers"},
      {"POINT_SPRITE", "1.14", one(kSpriteShader, point_sprite, 1), "TEXCOORD is the place in the point"},
      {"FOG_FRAGMENT_MODE", "1.15", one(kPixelShader, fog_fragment_mode, 1),
       "color, end and scale: immediate, specialization constants or in buffers"},
      {"FOG_SOURCE", "1.15", one(kVertexShader, fog_source, 2), "vertex and domain shaders"},
      {"any other", "", one(kPixelShader, static_cast<ParameterName>(23), 0), "vkd3d ignores it"},
  };
}

TEST(Vkd3dCoverage, TheDocumentSaysWhatBecomesOfEverything) {
  const std::string path = test::source_dir() + "/docs/vkd3d.md";
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t start = text.find(kStart), end = text.find(kEnd);
  ASSERT_NE(start, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string made = text.substr(0, start + kStart.size()) + table("function", functions()) +
                           table("structure", structures()) + table("option", options()) +
                           table("extension", extensions()) + table("parameter", parameters()) +
                           table("conversion", conversions()) + "\n" + text.substr(end);
  if (std::getenv("TEXLATE_UPDATE_DOCS") != nullptr) {
    std::ofstream(path, std::ios::binary) << made;
    return;
  }
  EXPECT_EQ(text, made) << "run once with TEXLATE_UPDATE_DOCS=1";
}

TEST(Vkd3dCoverage, EveryFunctionHasTheVersionOfVkd3ds) {
  const std::vector<TableRow> all = functions();
  EXPECT_EQ(all.size(), 23u);
  for (const TableRow& row : all)
    EXPECT_NE(dlvsym(RTLD_DEFAULT, row.name.c_str(), "VKD3D_1_0"), nullptr) << row.name;
}

}  // namespace
}  // namespace texlate::vkd3d
