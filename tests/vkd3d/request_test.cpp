// Requests of clients that are written for vkd3d-shader 1.3 to 1.17: structures and options that the header
// of 1.2 lacks, and the status of broken input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/vkd3d/client.h"
#include "tests/vkd3d/shaders.h"

namespace texlate::vkd3d {
namespace {

using testing::HasSubstr;
using testing::Not;

template <typename Structure>
Structure structure(StructureType type, const void* next = nullptr) {
  Structure made;
  std::memset(static_cast<void*>(&made), 0, sizeof made);
  made.type = type;
  made.next = next;
  return made;
}

void check_signatures(const ScanSignatureInfo& info) {
  ASSERT_EQ(info.input.element_count, 2u);
  EXPECT_STREQ(info.input.elements[1].semantic_name, "NORMAL");
  EXPECT_EQ(info.input.elements[1].semantic_index, 1u);
  EXPECT_EQ(info.input.elements[1].register_index, 1u);
  EXPECT_EQ(info.input.elements[1].mask, 7u);
  EXPECT_EQ(info.input.elements[1].used_mask, 1u);
  ASSERT_EQ(info.output.element_count, 2u);
  EXPECT_EQ(info.output.elements[0].sysval, 1u);
  EXPECT_EQ(info.output.elements[1].mask, 3u);
  EXPECT_EQ(info.output.elements[1].used_mask, 1u) << "the components that are written";
  EXPECT_EQ(info.patch_constant.element_count, 0u);
}

// libvkd3d 1.16 and later take the vertex inputs from here.
TEST(Vkd3dRequest, CompilingFillsAScanOfSignatures) {
  auto signatures = structure<ScanSignatureInfo>(StructureType::scan_signature_info);
  const auto interface = structure<InterfaceInfo>(StructureType::interface_info, &signatures);
  const Compiled made = compile(container(kVertexShader), &interface, {{{OptionName::api_version, 17}}});
  ASSERT_EQ(made.result, kOk) << made.messages;
  EXPECT_THAT(made.log, HasSubstr("served: vs_5_0"));
  check_signatures(signatures);
  vkd3d_shader_free_scan_signature_info(&signatures);
  EXPECT_EQ(signatures.input.element_count, 0u);
  vkd3d_shader_free_scan_signature_info(&signatures);  // twice does no harm

  ASSERT_EQ(scan(container(kVertexShader), &signatures).result, kOk);
  check_signatures(signatures);
  vkd3d_shader_free_scan_signature_info(&signatures);
}

TEST(Vkd3dRequest, CompilingFillsAScanOfDescriptors) {
  auto descriptors = structure<ScanDescriptorInfo>(StructureType::scan_descriptor_info);
  descriptors.descriptor_count = 0xdead;
  const Compiled made = compile(container(kViewsShader), &descriptors, {{{OptionName::api_version, 16}}});
  ASSERT_EQ(made.result, kOk) << made.messages;
  ASSERT_EQ(descriptors.descriptor_count, 3u);
  EXPECT_EQ(descriptors.descriptors[0].flags, kUavRead);
  EXPECT_EQ(descriptors.descriptors[1].flags, kUavRead | kUavAtomics);
  EXPECT_EQ(descriptors.descriptors[1].resource_data_type, ResourceDataType::uint);
  EXPECT_EQ(descriptors.descriptors[2].flags, 0u);
  EXPECT_EQ(descriptors.descriptors[2].register_index, 2u);
  EXPECT_EQ(descriptors.descriptors[2].resource_type, ResourceType::texture_2d);
  EXPECT_EQ(descriptors.descriptors[2].count, 1u);
  vkd3d_shader_free_scan_descriptor_info(&descriptors);
}

// Nothing that a caller would free is left behind if the request fails.
TEST(Vkd3dRequest, AFailureLeavesScansEmpty) {
  auto signatures = structure<ScanSignatureInfo>(StructureType::scan_signature_info);
  auto descriptors = structure<ScanDescriptorInfo>(StructureType::scan_descriptor_info, &signatures);
  descriptors.descriptors = reinterpret_cast<DescriptorInfo*>(1);
  signatures.input.elements = reinterpret_cast<SignatureElement*>(1);
  EXPECT_EQ(scan("nothing", &descriptors).result, kInvalidArgument);
  EXPECT_EQ(descriptors.descriptors, nullptr);
  EXPECT_EQ(signatures.input.elements, nullptr);
}

TEST(Vkd3dRequest, TypedViewsAreReadWithoutAFormatIfTheClientSaysSo) {
  const Compiled words = compile(container(kViewsShader), nullptr);
  ASSERT_EQ(words.result, kOk) << words.messages;
  EXPECT_THAT(words.text, HasSubstr("2 R32f"));
  EXPECT_THAT(words.text, Not(HasSubstr("StorageImageReadWithoutFormat")));
  const Compiled unknown = compile(container(kViewsShader), nullptr, {{{OptionName::typed_uav, 1}}});
  ASSERT_EQ(unknown.result, kOk) << unknown.messages;
  EXPECT_THAT(unknown.text, Not(HasSubstr("2 R32f")));
  EXPECT_THAT(unknown.text, HasSubstr("2 R32ui")) << "atomics need a format";
  EXPECT_THAT(unknown.text, HasSubstr("StorageImageReadWithoutFormat"));
}

TEST(Vkd3dRequest, WhatNoVersionKnowsIsRefusedAndNamed) {
  const std::string bytes = container(kPixelShader);
  const Compiled option = compile(bytes, nullptr, {{{static_cast<OptionName>(14), 1}}});
  EXPECT_EQ(option.result, kNotImplemented);
  EXPECT_THAT(option.messages, HasSubstr("<anonymous>: E2008: option 14 is unknown"));
  const auto newer = structure<InterfaceInfo>(static_cast<StructureType>(14));
  const Compiled chained = compile(bytes, &newer);
  EXPECT_EQ(chained.result, kNotImplemented);
  EXPECT_THAT(chained.messages, HasSubstr("structure of type 14"));
  EXPECT_EQ(scan(bytes, &newer).result, kNotImplemented);
  const Compiled origin = compile(bytes, nullptr, {{{OptionName::fragment_coordinate_origin, 1}}});
  EXPECT_EQ(origin.result, kNotImplemented);
  EXPECT_THAT(origin.messages, HasSubstr("FRAGMENT_COORDINATE_ORIGIN"));
  const Compiled silent = compile(bytes, &newer, {.level = LogLevel::none});
  EXPECT_EQ(silent.messages, "");
}

struct Broken {
  const char* name;
  std::string bytes;
  int result;
  const char* message;
};

std::string changed(std::string bytes, size_t at, char by) {
  bytes[at] = static_cast<char>(bytes[at] ^ by);
  return bytes;
}

std::vector<Broken> broken_inputs() {
  const std::string good = container(kPixelShader);
  std::string no_shader = good;
  for (const char* chunk : {"SHDR", "SHEX"}) {
    if (const size_t at = no_shader.find(chunk); at != std::string::npos) no_shader.replace(at, 4, "NONE");
  }
  return {
      {"empty", "", kInvalidArgument, "E0001"},
      {"short", good.substr(0, 31), kInvalidArgument, "E0001"},
      {"assembly text", std::string(kPixelShader), kInvalidArgument, "E0002"},
      {"garbage", std::string(64, '\xa5'), kInvalidArgument, "E0002"},
      {"magic before the digest", changed(good, 0, 1), kInvalidArgument, "E0002"},
      {"wrong digest", changed(good, 5, 1), kInvalidArgument, "E0003"},
      {"a byte changed", changed(good, good.size() - 5, 1), kInvalidArgument, "E0003"},
      {"cut", good.substr(0, good.size() - 4), kInvalidArgument, "E0003"},
      {"version", with_digest(changed(good, 20, 2)), kInvalidArgument, "E0004"},
      {"offset of a chunk", with_digest(changed(good, 35, 0x40)), kInvalidArgument, "E0005"},
      {"number of chunks", with_digest(changed(good, 31, 0x40)), kInvalidArgument, "E0005"},
      {"no shader", with_digest(no_shader), kInvalidArgument, ""},
  };
}

TEST(Vkd3dRequest, BrokenContainersHaveVkd3dsStatus) {
  for (const Broken& row : broken_inputs()) {
    const Compiled compiled = compile(row.bytes, nullptr);
    EXPECT_EQ(compiled.result, row.result) << row.name;
    EXPECT_THAT(compiled.messages, HasSubstr(row.message)) << row.name;
    EXPECT_THAT(compiled.log, HasSubstr("refused: ")) << row.name;
    const Compiled scanned = scan(row.bytes, nullptr);
    EXPECT_EQ(scanned.result, row.result) << row.name;
    EXPECT_THAT(scanned.messages, HasSubstr(row.message)) << row.name;
  }
}

TEST(Vkd3dRequest, TheHeadersSizeIsNotChecked) {
  EXPECT_EQ(compile(with_digest(changed(container(kPixelShader), 24, 4)), nullptr).result, kOk);
}

TEST(Vkd3dRequest, RequestsOfUnknownKind) {
  const std::string bytes = container(kPixelShader);
  EXPECT_EQ(compile(bytes, nullptr, {.target = TargetType::none}).result, kInvalidArgument);
  EXPECT_EQ(compile(bytes, nullptr, {.target = static_cast<TargetType>(9)}).result, kInvalidArgument);
  EXPECT_EQ(compile(bytes, nullptr, {.source = SourceType::none}).result, kInvalidArgument);
  EXPECT_EQ(compile(bytes, nullptr, {.source = static_cast<SourceType>(7)}).result, kInvalidArgument);
  auto target = structure<SpirvTargetInfo>(StructureType::spirv_target_info);
  EXPECT_EQ(compile(bytes, &target).result, kError) << "an environment of 0";
  target.environment = static_cast<Environment>(4);
  EXPECT_EQ(compile(bytes, &target).result, kError);
  CompileInfo wrong{};
  wrong.type = StructureType::interface_info;
  EXPECT_EQ(vkd3d_shader_compile(&wrong, nullptr, nullptr), kInvalidArgument);
}

// What needs another library says so, and how to name one.
TEST(Vkd3dRequest, WithoutAnotherLibraryForeignSourcesAreRefused) {
  for (const SourceType source :
       {SourceType::hlsl, SourceType::d3d_bytecode, SourceType::dxbc_dxil, SourceType::fx}) {
    const Compiled made = compile("float4 main() : SV_Target { return 0; }", nullptr, {.source = source});
    EXPECT_EQ(made.result, kNotImplemented);
    EXPECT_THAT(made.messages, HasSubstr("TEXLATE_VKD3D_REAL"));
    EXPECT_THAT(made.log, HasSubstr("refused: "));
  }
  auto target = structure<SpirvTargetInfo>(StructureType::spirv_target_info);
  target.environment = Environment::opengl_4_5;
  const Compiled made = compile(container(kPixelShader), &target);
  EXPECT_EQ(made.result, kNotImplemented);
  EXPECT_THAT(made.messages, HasSubstr("SPIR-V for OpenGL"));
}

}  // namespace
}  // namespace texlate::vkd3d
