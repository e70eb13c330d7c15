// Every function of libvkd3d-shader.so.1 apart from compiling (request_test.cpp).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "tests/vkd3d/client.h"
#include "tests/vkd3d/shaders.h"

namespace texlate::vkd3d {
namespace {

using testing::HasSubstr;

Code code_of(const std::string& bytes) {
  return {bytes.data(), bytes.size()};
}

TEST(Vkd3dEntries, Version) {
  unsigned major = 0, minor = 0;
  EXPECT_THAT(vkd3d_shader_get_version(&major, &minor), HasSubstr("vkd3d-shader 1.17 (texlate "));
  EXPECT_EQ(major, 1u);
  EXPECT_EQ(minor, 17u);
  vkd3d_shader_get_version(nullptr, nullptr);
}

TEST(Vkd3dEntries, SourcesAndTargets) {
  unsigned count = 0;
  const SourceType* const sources = vkd3d_shader_get_supported_source_types(&count);
  ASSERT_EQ(count, 1u) << "without another library";
  EXPECT_EQ(sources[0], SourceType::dxbc_tpf);
  const TargetType* const targets = vkd3d_shader_get_supported_target_types(SourceType::dxbc_tpf, &count);
  ASSERT_EQ(count, 3u);
  EXPECT_EQ(targets[0], TargetType::spirv_binary);
  EXPECT_EQ(targets[1], TargetType::spirv_text);
  EXPECT_EQ(targets[2], TargetType::d3d_asm);
  for (const SourceType other : {SourceType::none, SourceType::hlsl, static_cast<SourceType>(99)}) {
    count = 7;
    EXPECT_EQ(vkd3d_shader_get_supported_target_types(other, &count), nullptr);
    EXPECT_EQ(count, 0u);
  }
}

TEST(Vkd3dEntries, TextTargets) {
  const Compiled words = compile(container(kPixelShader), nullptr, {.target = TargetType::spirv_text});
  ASSERT_EQ(words.result, kOk) << words.messages;
  EXPECT_THAT(words.bytes, HasSubstr("OpEntryPoint Fragment"));
  const Compiled listing = compile(container(kPixelShader), nullptr, {.target = TargetType::d3d_asm});
  ASSERT_EQ(listing.result, kOk) << listing.messages;
  EXPECT_THAT(listing.bytes, HasSubstr("\nmov o0.xyzw"));
  const Compiled with_signatures =
      compile(container(kVertexShader), nullptr, {{{OptionName::formatting, 0x20}}, TargetType::d3d_asm});
  ASSERT_EQ(with_signatures.result, kOk) << with_signatures.messages;
  EXPECT_THAT(with_signatures.bytes, HasSubstr("// NORMAL                   1 "));
  const Compiled colored =
      compile(container(kPixelShader), nullptr, {{{OptionName::formatting, 1}}, TargetType::spirv_text});
  EXPECT_EQ(colored.result, kNotImplemented);
  EXPECT_THAT(colored.messages, HasSubstr("FORMATTING"));
}

TEST(Vkd3dEntries, InputSignatures) {
  const std::string bytes = container(kVertexShader);
  const Code code = code_of(bytes);
  Signature signature{};
  ASSERT_EQ(vkd3d_shader_parse_input_signature(&code, &signature, nullptr), kOk);
  ASSERT_EQ(signature.element_count, 2u);
  SignatureElement* const found = vkd3d_shader_find_signature_element(&signature, "nOrMaL", 1, 0);
  EXPECT_EQ(found, signature.elements + 1);
  EXPECT_EQ(found->component_type, 3u);
  EXPECT_EQ(vkd3d_shader_find_signature_element(&signature, "NORMAL", 0, 0), nullptr);
  EXPECT_EQ(vkd3d_shader_find_signature_element(&signature, "NORMAL", 1, 1), nullptr);
  EXPECT_EQ(vkd3d_shader_find_signature_element(&signature, "NORMA", 1, 0), nullptr);
  vkd3d_shader_free_shader_signature(&signature);
  vkd3d_shader_free_shader_signature(&signature);

  const Code nothing{bytes.data(), 8};
  char* messages = nullptr;
  EXPECT_EQ(vkd3d_shader_parse_input_signature(&nothing, &signature, &messages), kInvalidArgument);
  EXPECT_EQ(signature.elements, nullptr);
  EXPECT_THAT(messages, HasSubstr("E0001: "));
  vkd3d_shader_free_messages(messages);
}

/// A container with these sections.
std::string container_of(std::initializer_list<DxbcSection> sections) {
  Code code{};
  EXPECT_EQ(vkd3d_shader_serialize_dxbc(sections.size(), sections.begin(), &code, nullptr), kOk);
  std::string bytes(static_cast<const char*>(code.code), code.size);
  vkd3d_shader_free_shader_code(&code);
  return bytes;
}

constexpr uint32_t kIsgn = 0x4e475349, kIsg1 = 0x31475349;

TEST(Vkd3dEntries, SignatureChunks) {
  struct Row {
    std::vector<uint32_t> words;
    const char* message;
    int result;
  };
  // Number of elements, offset of the first; name, index, system value, type, register, masks; text.
  const uint32_t text = 0x41;  // "A"
  const Row rows[] = {
      {{1, 8, 32, 5, 0, 3, 2, 0x030f, text}, "", kOk},
      {{0, 8}, "", kOk},
      {{1}, "E0008", kInvalidArgument},
      {{2, 8, 32, 5, 0, 3, 2, 0x030f, text}, "E0008", kInvalidArgument},
      {{1, 0x1000, 32, 5, 0, 3, 2, 0x030f, text}, "E0008", kInvalidArgument},
      {{0xffffffff, 8, 32, 5, 0, 3, 2, 0x030f, text}, "E0008", kInvalidArgument},
      {{1, 8, 36, 5, 0, 3, 2, 0x030f, text}, "E0009", kInvalidArgument},
      {{1, 8, 32, 5, 0, 3, 2, 0x030f, 0x41414141}, "E0009", kInvalidArgument},
      {{1, 8, 32, 5, 0, 4, 2, 0x030f, text}, "E0010", kInvalidArgument},
  };
  for (const Row& row : rows) {
    const std::string bytes = container_of({{kIsgn, {row.words.data(), row.words.size() * 4}}});
    const Code code = code_of(bytes);
    Signature signature{};
    char* messages = nullptr;
    EXPECT_EQ(vkd3d_shader_parse_input_signature(&code, &signature, &messages), row.result);
    EXPECT_THAT(messages != nullptr ? messages : "", HasSubstr(row.message));
    vkd3d_shader_free_messages(messages);
    if (row.result == kOk && row.words[0] == 1) {
      ASSERT_EQ(signature.element_count, 1u);
      EXPECT_STREQ(signature.elements[0].semantic_name, "A");
      EXPECT_EQ(signature.elements[0].semantic_index, 5u);
      EXPECT_EQ(signature.elements[0].mask, 15u);
      EXPECT_EQ(signature.elements[0].used_mask, 3u);
    } else {
      EXPECT_EQ(signature.elements, nullptr);
      EXPECT_EQ(signature.element_count, 0u);
    }
    vkd3d_shader_free_shader_signature(&signature);
  }
  // With streams and minimum precision; of several chunks the last counts.
  const uint32_t wide[] = {1, 8, 3, 40, 5, 0, 3, 2, 0x030f, 1, text, 0};
  const uint32_t none[] = {0, 8};
  const std::string bytes = container_of({{kIsgn, {none, sizeof none}}, {kIsg1, {wide, sizeof wide}}});
  const Code code = code_of(bytes);
  Signature signature{};
  ASSERT_EQ(vkd3d_shader_parse_input_signature(&code, &signature, nullptr), kOk);
  ASSERT_EQ(signature.element_count, 1u);
  EXPECT_EQ(signature.elements[0].stream_index, 3u);
  EXPECT_EQ(signature.elements[0].min_precision, 1u);
  vkd3d_shader_free_shader_signature(&signature);
}

TEST(Vkd3dEntries, VaryingMaps) {
  SignatureElement outputs[] = {{"SV_Position", 0, 0, 1, 3, 0, 15, 15, 0},
                                {"COLOR", 0, 0, 0, 3, 1, 15, 15, 0},
                                {"COLOR", 1, 0, 0, 3, 2, 15, 15, 0}};
  SignatureElement inputs[] = {{"SV_Position", 0, 0, 1, 3, 0, 15, 15, 0},
                               {"color", 1, 0, 0, 3, 3, 3, 3, 0},
                               {"MISSING", 0, 0, 0, 3, 4, 1, 1, 0}};
  const Signature out = {outputs, 3}, in = {inputs, 3};
  VaryingMap map[3];
  unsigned count = 0;
  vkd3d_shader_build_varying_map(&out, &in, &count, map);
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(map[0].output_signature_index, 2u);
  EXPECT_EQ(map[0].input_register_index, 3u);
  EXPECT_EQ(map[0].input_mask, 3u);
  EXPECT_EQ(map[1].output_signature_index, 3u) << "nobody writes it";
}

TEST(Vkd3dEntries, Containers) {
  const std::string bytes = container_of({{1, {"abc", 3}}, {2, {"", 0}}, {1, {"d", 1}}});
  const Code code = code_of(bytes);
  DxbcDescription description{};
  ASSERT_EQ(vkd3d_shader_parse_dxbc(&code, 0, &description, nullptr), kOk);
  EXPECT_EQ(std::memcmp(&description.tag, "DXBC", 4), 0);
  EXPECT_EQ(std::memcmp(description.checksum, bytes.data() + 4, 16), 0);
  EXPECT_EQ(description.version, 1u);
  EXPECT_EQ(description.size, bytes.size());
  ASSERT_EQ(description.section_count, 3u);
  EXPECT_EQ(description.sections[2].tag, 1u);
  EXPECT_EQ(description.sections[2].data.size, 1u);
  EXPECT_EQ(description.sections[0].data.code, bytes.data() + 32 + 3 * 4 + 8)
      << "sections are in the client's bytes";
  vkd3d_shader_free_dxbc(&description);

  std::string wrong = bytes;
  wrong[5] ^= 1;
  const Code other = code_of(wrong);
  EXPECT_EQ(vkd3d_shader_parse_dxbc(&other, 0, &description, nullptr), kInvalidArgument);
  EXPECT_EQ(description.sections, nullptr);
  EXPECT_EQ(description.section_count, 0u);
  EXPECT_EQ(vkd3d_shader_parse_dxbc(&other, 1, &description, nullptr), kOk) << "told to skip the digest";
  vkd3d_shader_free_dxbc(&description);
  EXPECT_EQ(vkd3d_shader_parse_dxbc(&code, 2, &description, nullptr), kInvalidArgument) << "no such flag";
  EXPECT_EQ(container_of({}).size(), 32u);
}

// Chunks begin at multiples of 4 with 0xab between them; nothing follows the last one.
TEST(Vkd3dEntries, ChunksAreAligned) {
  const std::string bytes = container_of({{1, {"abc", 3}}, {2, {"", 0}}, {3, {"d", 1}}});
  const auto word = [&](size_t at) {
    uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  EXPECT_EQ(word(32), 44u);
  EXPECT_EQ(word(36), 56u);
  EXPECT_EQ(word(40), 64u);
  EXPECT_EQ(bytes.substr(52, 4), "abc\xab");
  EXPECT_EQ(word(64), 3u);
  EXPECT_EQ(word(68), 1u);
  EXPECT_EQ(bytes.substr(72), "d");
  EXPECT_EQ(word(24), bytes.size());
}

VersionedRootSignature root_signature() {
  static const DescriptorRange1 ranges[] = {{0, 4, 1, 2, 2, 3}, {1, UINT32_MAX, 7, 0, 1, UINT32_MAX}};
  static const DescriptorRange1 samplers[] = {{3, 2, 0, 0, 0, 0}};
  static RootParameter1 parameters[4]{};
  parameters[0].type = RootParameterType::table;
  parameters[0].table = {2, ranges};
  parameters[1].type = RootParameterType::constants;
  parameters[1].constants = {3, 9, 12};
  parameters[1].visibility = 5;
  parameters[2].type = RootParameterType::srv;
  parameters[2].descriptor = {4, 8, 4};
  parameters[3].type = RootParameterType::table;
  parameters[3].table = {1, samplers};
  static const StaticSampler sampler = {0x15, 1, 2, 3, 0.5f, 16, 4, 2, -1.0f, 8.0f, 3, 1, 5};
  VersionedRootSignature made{};
  made.version = RootVersion::v1_1;
  made.v1_1 = {4, parameters, 1, &sampler, 0x41};
  return made;
}

TEST(Vkd3dEntries, RootSignaturesAreWrittenAndRead) {
  const VersionedRootSignature given = root_signature();
  Code code{};
  ASSERT_EQ(vkd3d_shader_serialize_root_signature(&given, &code, nullptr), kOk);
  VersionedRootSignature read{};
  ASSERT_EQ(vkd3d_shader_parse_root_signature(&code, &read, nullptr), kOk);
  ASSERT_EQ(read.version, RootVersion::v1_1);
  ASSERT_EQ(read.v1_1.parameter_count, 4u);
  EXPECT_EQ(read.v1_1.flags, 0x41u);
  EXPECT_EQ(read.v1_1.parameters[1].constants.value_count, 12u);
  EXPECT_EQ(read.v1_1.parameters[1].visibility, 5u);
  EXPECT_EQ(read.v1_1.parameters[2].descriptor.flags, 4u);
  EXPECT_EQ(std::memcmp(read.v1_1.parameters[0].table.ranges, given.v1_1.parameters[0].table.ranges,
                        2 * sizeof(DescriptorRange1)),
            0);
  EXPECT_EQ(std::memcmp(read.v1_1.samplers, given.v1_1.samplers, sizeof(StaticSampler)), 0);
  vkd3d_shader_free_root_signature(&read);
  EXPECT_EQ(read.version, RootVersion::none);
  vkd3d_shader_free_root_signature(&read);
  vkd3d_shader_free_shader_code(&code);

  VersionedRootSignature empty{};
  empty.version = RootVersion::v1_0;
  ASSERT_EQ(vkd3d_shader_serialize_root_signature(&empty, &code, nullptr), kOk);
  EXPECT_EQ(code.size, 68u);
  vkd3d_shader_free_shader_code(&code);
}

TEST(Vkd3dEntries, RootSignaturesAreConverted) {
  const VersionedRootSignature given = root_signature();
  VersionedRootSignature older{}, newer{};
  ASSERT_EQ(vkd3d_shader_convert_root_signature(&older, RootVersion::v1_0, &given), kOk);
  ASSERT_EQ(older.version, RootVersion::v1_0);
  EXPECT_EQ(older.v1_0.parameters[0].table.ranges[0].table_offset, 3u);
  EXPECT_EQ(older.v1_0.parameters[2].descriptor.space, 8u);
  EXPECT_EQ(older.v1_0.sampler_count, 1u);
  ASSERT_EQ(vkd3d_shader_convert_root_signature(&newer, RootVersion::v1_1, &older), kOk);
  EXPECT_EQ(newer.v1_1.parameters[0].table.ranges[0].flags, 3u) << "descriptors and data are volatile";
  EXPECT_EQ(newer.v1_1.parameters[3].table.ranges[0].flags, 3u) << "samplers, too";
  EXPECT_EQ(newer.v1_1.parameters[2].descriptor.flags, 2u);
  VersionedRootSignature none{};
  EXPECT_EQ(vkd3d_shader_convert_root_signature(&none, RootVersion::v1_1, &newer), kInvalidArgument);
  EXPECT_EQ(vkd3d_shader_convert_root_signature(&none, static_cast<RootVersion>(3), &newer),
            kInvalidArgument);
  vkd3d_shader_free_root_signature(&older);
  vkd3d_shader_free_root_signature(&newer);
}

TEST(Vkd3dEntries, WrongRootSignatures) {
  VersionedRootSignature given = root_signature();
  Code code{};
  char* messages = nullptr;
  const auto refused = [&](const char* message) {
    EXPECT_EQ(vkd3d_shader_serialize_root_signature(&given, &code, &messages), kInvalidArgument);
    EXPECT_THAT(messages != nullptr ? messages : "", HasSubstr(message));
    EXPECT_EQ(code.code, nullptr);
    vkd3d_shader_free_messages(messages);
  };
  given.version = static_cast<RootVersion>(3);
  refused("E3001");
  RootParameter1 parameter{};
  parameter.type = static_cast<RootParameterType>(5);
  given.version = RootVersion::v1_1;
  given.v1_1 = {1, &parameter, 0, nullptr, 0};
  refused("E3002");
  DescriptorRange1 ranges[] = {{4, 1, 0, 0, 0, 0}, {3, 1, 0, 0, 0, 0}};
  parameter.type = RootParameterType::table;
  parameter.table = {1, ranges};
  refused("E3003");
  ranges[0].type = 0;
  parameter.table = {2, ranges};
  refused("E3004");

  const std::string bytes = container(kPixelShader);
  const Code shader = code_of(bytes);
  VersionedRootSignature read{};
  EXPECT_EQ(vkd3d_shader_parse_root_signature(&shader, &read, nullptr), kOk) << "a container without one";
  EXPECT_EQ(read.version, RootVersion::none);
}

TEST(Vkd3dEntries, ScansOfDescriptorsDependOnTheClientsVersion) {
  constexpr std::string_view kShader =
      "ps_5_1\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB3[3:3][2], immediateIndexed, "
      "space=1\n"
      "dcl_sampler S0[2:4], mode_comparison, space=0\ndcl_resource_texture2d (mixed,mixed,mixed,mixed) "
      "T0[5:*], space=7\n"
      "dcl_resource_raw T1[1:1], space=0\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret \n";
  ScanDescriptorInfo info{};
  info.type = StructureType::scan_descriptor_info;
  const auto data_type = [&](uint32_t api, uint32_t index) {
    std::vector<CompileOption> options;
    if (api != 0) options.push_back({OptionName::api_version, api});
    EXPECT_EQ(scan(container(kShader), &info, {options}).result, kOk);
    EXPECT_EQ(info.descriptor_count, 4u);
    const ResourceDataType type = info.descriptors[index].resource_data_type;
    vkd3d_shader_free_scan_descriptor_info(&info);
    return type;
  };
  for (const uint32_t api : {0u, 2u}) {
    EXPECT_EQ(data_type(api, 1), ResourceDataType::uint);
    EXPECT_EQ(data_type(api, 2), ResourceDataType::float_);
  }
  for (const uint32_t api : {3u, 15u}) {
    EXPECT_EQ(data_type(api, 1), ResourceDataType::uint);
    EXPECT_EQ(data_type(api, 2), ResourceDataType::mixed);
  }
  EXPECT_EQ(data_type(16, 1), ResourceDataType::none);
  EXPECT_EQ(data_type(16, 0), ResourceDataType::uint);

  ASSERT_EQ(scan(container(kShader), &info).result, kOk);
  EXPECT_EQ(info.descriptors[0].type, DescriptorType::cbv);
  EXPECT_EQ(info.descriptors[0].register_space, 1u);
  EXPECT_EQ(info.descriptors[0].register_index, 3u);
  EXPECT_EQ(info.descriptors[0].resource_type, ResourceType::buffer);
  EXPECT_EQ(info.descriptors[1].flags, kComparisonSampler);
  EXPECT_EQ(info.descriptors[1].count, 3u);
  EXPECT_EQ(info.descriptors[2].count, kUnbounded);
  EXPECT_EQ(info.descriptors[3].flags, kRawBufferFlag);
  vkd3d_shader_free_scan_descriptor_info(&info);
}

TEST(Vkd3dEntries, ScansOfPairs) {
  ScanCombinedResourceSamplerInfo pairs{};
  pairs.type = StructureType::scan_combined_resource_sampler_info;
  ASSERT_EQ(scan(container(kSamplingShader), &pairs).result, kOk);
  ASSERT_EQ(pairs.combined_sampler_count, 3u);
  const CombinedResourceSampler* const all = pairs.combined_samplers;
  EXPECT_EQ(all[0].resource_index, 1u);
  EXPECT_EQ(all[0].sampler_index, 0u);
  EXPECT_EQ(all[1].resource_index, 1u);
  EXPECT_EQ(all[1].sampler_index, kDummySampler);
  EXPECT_EQ(all[1].sampler_space, 0u);
  EXPECT_EQ(all[2].resource_index, 0u);
  vkd3d_shader_free_scan_combined_resource_sampler_info(&pairs);
  EXPECT_EQ(pairs.combined_sampler_count, 0u);
}

TEST(Vkd3dEntries, ScansOfTessellation) {
  ScanHullInfo hull{};
  hull.type = StructureType::scan_hull_shader_tessellation_info;
  ASSERT_EQ(scan(container(kHullShader), &hull).result, kOk);
  EXPECT_EQ(hull.output_primitive, 4u);
  EXPECT_EQ(hull.partitioning, 3u);
  ASSERT_EQ(scan(container(kPixelShader), &hull).result, kOk);
  EXPECT_EQ(hull.output_primitive, 0u) << "other stages have none";
  EXPECT_EQ(hull.partitioning, 0u);
}

std::string callback_text;

void remember(const char* format, va_list arguments) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, arguments);
  callback_text += text;
}

TEST(Vkd3dEntries, RefusalsGoToTheLogCallback) {
  vkd3d_shader_set_log_callback(remember);
  compile("garbage", nullptr);
  vkd3d_shader_set_log_callback(nullptr);
  EXPECT_THAT(callback_text, HasSubstr("texlate: refused: DXBC, 7 bytes: E0001: "));
}

TEST(Vkd3dEntries, PreprocessingNeedsAnotherLibrary) {
  CompileInfo info{};
  info.type = StructureType::compile_info;
  info.source_type = SourceType::hlsl;
  info.log_level = LogLevel::error;
  Code out{};
  char* messages = nullptr;
  EXPECT_EQ(vkd3d_shader_preprocess(&info, &out, &messages), kNotImplemented);
  EXPECT_THAT(messages, HasSubstr("TEXLATE_VKD3D_REAL"));
  vkd3d_shader_free_messages(messages);
}

// A client may free what it never filled.
TEST(Vkd3dEntries, ZeroedStructuresCanBeFreed) {
  Code code{};
  vkd3d_shader_free_shader_code(&code);
  vkd3d_shader_free_messages(nullptr);
  Signature signature{};
  vkd3d_shader_free_shader_signature(&signature);
  ScanDescriptorInfo descriptors{};
  vkd3d_shader_free_scan_descriptor_info(&descriptors);
  ScanSignatureInfo signatures{};
  vkd3d_shader_free_scan_signature_info(&signatures);
  ScanCombinedResourceSamplerInfo pairs{};
  vkd3d_shader_free_scan_combined_resource_sampler_info(&pairs);
  DxbcDescription description{};
  vkd3d_shader_free_dxbc(&description);
  VersionedRootSignature root{};
  vkd3d_shader_free_root_signature(&root);
}

}  // namespace
}  // namespace texlate::vkd3d
