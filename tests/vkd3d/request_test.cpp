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

Compiled with_parameters(std::string_view listing, const std::vector<Parameter1>& all) {
  auto info = structure<ParameterInfo>(StructureType::parameter_info);
  info.parameters = all.data();
  info.parameter_count = static_cast<uint32_t>(all.size());
  return compile(container(listing), &info);
}

using enum ParameterName;

// What vkd3d's own test runner passes for shader models 4 and 5: everything, with values that change nothing.
TEST(Vkd3dRequest, ParametersThatChangeNothingAreServed) {
  const auto uint = [](ParameterName name, uint32_t value) {
    return parameter(name, ParameterType::immediate, ParameterData::uint, value);
  };
  const auto real = [](ParameterName name, uint32_t bits) {
    return parameter(name, ParameterType::immediate, ParameterData::float_, bits);
  };
  std::vector<Parameter1> all = {uint(rasterizer_sample_count, 1),
                                 uint(alpha_test_func, 8),
                                 real(alpha_test_ref, 0),
                                 uint(flat_interpolation, 0),
                                 uint(clip_plane_mask, 0),
                                 real(point_size, 0x3f800000),
                                 real(point_size_min, 0),
                                 real(point_size_max, 0x43800000),
                                 uint(point_sprite, 0),
                                 uint(fog_fragment_mode, 0),
                                 real(fog_end, 0),
                                 real(fog_scale, 0xbf800000),
                                 uint(fog_source, 0)};
  for (uint32_t plane = 0; plane < 8; ++plane)
    all.push_back(
        parameter(static_cast<ParameterName>(6 + plane), ParameterType::immediate, ParameterData::vec4, 0));
  all.push_back(parameter(fog_colour, ParameterType::immediate, ParameterData::vec4, 0));
  for (const std::string_view listing : {kVertexShader, kPixelShader, kViewsShader, kHullShader}) {
    const Compiled plain = compile(container(listing), nullptr);
    const Compiled made = with_parameters(listing, all);
    ASSERT_EQ(made.result, kOk) << made.messages;
    EXPECT_EQ(made.text, plain.text);
  }
}

TEST(Vkd3dRequest, ParametersInBuffers) {
  const Parameter1 less = parameter(alpha_test_func, ParameterType::immediate, ParameterData::uint, 2);
  Parameter1 reference = parameter(alpha_test_ref, ParameterType::buffer, ParameterData::float_, 0);
  reference.buffer = {3, 7, 8};
  const Compiled made = with_parameters(kPixelShader, {less, reference});
  ASSERT_EQ(made.result, kOk) << made.messages;
  for (const char* part : {"Binding 7", "DescriptorSet 3", "0 Offset 8", "OpFOrdLessThan", "OpKill"})
    EXPECT_THAT(made.text, HasSubstr(part));
  // Two planes in one buffer.
  Parameter1 mask = parameter(clip_plane_mask, ParameterType::immediate, ParameterData::uint, 3);
  Parameter1 first = parameter(clip_plane_0, ParameterType::buffer, ParameterData::vec4, 0);
  Parameter1 second = parameter(static_cast<ParameterName>(7), ParameterType::buffer, ParameterData::vec4, 0);
  first.buffer = {1, 2, 16};
  second.buffer = {1, 2, 32};
  const Compiled clipped = with_parameters(kVertexShader, {mask, first, second});
  ASSERT_EQ(clipped.result, kOk) << clipped.messages;
  for (const char* part : {"BuiltIn ClipDistance", "Offset 16", "Offset 32"})
    EXPECT_THAT(clipped.text, HasSubstr(part));
}

TEST(Vkd3dRequest, ParametersThatAreSpecializationConstants) {
  const Parameter1 less = parameter(alpha_test_func, ParameterType::immediate, ParameterData::uint, 2);
  const Parameter1 late =
      parameter(alpha_test_ref, ParameterType::specialization_constant, ParameterData::float_, 4);
  const Compiled made = with_parameters(kPixelShader, {less, late});
  ASSERT_EQ(made.result, kOk) << made.messages;
  for (const char* part : {"SpecId 4", "OpSpecConstant ", "OpFOrdLessThan"})
    EXPECT_THAT(made.text, HasSubstr(part));
  EXPECT_THAT(made.text, Not(HasSubstr("Binding")));
  // A plane has four consecutive ids.
  const Parameter1 mask = parameter(clip_plane_mask, ParameterType::immediate, ParameterData::uint, 1);
  const Parameter1 plane =
      parameter(clip_plane_0, ParameterType::specialization_constant, ParameterData::vec4, 20);
  const Compiled clipped = with_parameters(kVertexShader, {mask, plane});
  ASSERT_EQ(clipped.result, kOk) << clipped.messages;
  for (const char* part : {"SpecId 20", "SpecId 21", "SpecId 22", "SpecId 23"})
    EXPECT_THAT(clipped.text, HasSubstr(part));
}

TEST(Vkd3dRequest, PointSpritesReplaceTexcoord) {
  const auto sprite = [](uint32_t value) {
    return parameter(point_sprite, ParameterType::immediate, ParameterData::uint, value);
  };
  const Compiled plain = with_parameters(kSpriteShader, {sprite(0)});
  ASSERT_EQ(plain.result, kOk) << plain.messages;
  EXPECT_THAT(plain.text, Not(HasSubstr("PointCoord")));
  const Compiled made = with_parameters(kSpriteShader, {sprite(1)});
  ASSERT_EQ(made.result, kOk) << made.messages;
  EXPECT_THAT(made.text, HasSubstr("BuiltIn PointCoord"));
  // v0 is (COLOR.xy, point), v1 is (point, 0).
  const size_t first = made.text.find("OpCompositeConstruct %v4float");
  ASSERT_NE(first, std::string::npos) << made.text;
  const size_t second = made.text.find("OpCompositeConstruct %v4float", first + 1);
  ASSERT_NE(second, std::string::npos) << made.text;
  EXPECT_THAT(made.text.substr(second, made.text.find('\n', second) - second), HasSubstr("%float_0"));
}

TEST(Vkd3dRequest, ParametersThatAreNotServedAreNamed) {
  const Parameter1 late =
      parameter(alpha_test_ref, ParameterType::specialization_constant, ParameterData::float_, 4);
  const Parameter1 open = parameter(alpha_test_func, ParameterType::buffer, ParameterData::uint, 2);
  const Compiled variable = with_parameters(kPixelShader, {open, late});
  EXPECT_EQ(variable.result, kNotImplemented);
  EXPECT_THAT(variable.messages, HasSubstr("E9000: parameter 2 must be an immediate constant"));
  const Parameter1 wrong = parameter(alpha_test_func, ParameterType::immediate, ParameterData::float_, 2);
  EXPECT_EQ(with_parameters(kPixelShader, {wrong}).result, kInvalidArgument);
  const Parameter1 size = parameter(point_size, ParameterType::buffer, ParameterData::uint, 0);
  const Compiled integer = with_parameters(kVertexShader, {size});
  EXPECT_EQ(integer.result, kInvalidArgument);
  EXPECT_THAT(integer.messages,
              HasSubstr("E9008: parameter 14, of the size of points, is not of type FLOAT32"));
  EXPECT_EQ(with_parameters(kPixelShader, {size}).result, kOk) << "pixel shaders have none";
}

TEST(Vkd3dRequest, PointsHaveTheSizeAndTheRangeOfTheParameters) {
  const auto real = [](ParameterName name, uint32_t bits) {
    return parameter(name, ParameterType::immediate, ParameterData::float_, bits);
  };
  const Parameter1 size = real(point_size, 0x40400000);  // 3
  for (const auto& [all, text] :
       {std::pair(std::vector{size}, "%float_3"),
        std::pair(std::vector{size, real(point_size_max, 0x40000000)}, "%float_2"),
        std::pair(std::vector{size, real(point_size_min, 0x40a00000)}, "%float_5"),
        std::pair(std::vector{size, real(point_size_min, 0x40a00000), real(point_size_max, 0x40000000)},
                  "%float_2")}) {
    const Compiled made = with_parameters(kVertexShader, all);
    ASSERT_EQ(made.result, kOk) << made.messages;
    EXPECT_THAT(made.text, HasSubstr(std::string("OpStore %gl_PointSize ") + text));
  }
  EXPECT_EQ(with_parameters(kVertexShader, {real(point_size, 0)}).result, kInvalidArgument);
}

// The size in one place, its limits in others: the shader reads them and takes the upper limit last.
TEST(Vkd3dRequest, PointSizesAreReadWhereTheClientStoresThem) {
  Parameter1 size = parameter(point_size, ParameterType::buffer, ParameterData::float_, 0);
  size.buffer = {3, 7, 20};
  const Parameter1 least =
      parameter(point_size_min, ParameterType::specialization_constant, ParameterData::float_, 4);
  Parameter1 most = parameter(point_size_max, ParameterType::buffer, ParameterData::float_, 0);
  most.buffer = {3, 7, 8};
  const Compiled made = with_parameters(kVertexShader, {size, least, most});
  ASSERT_EQ(made.result, kOk) << made.messages;
  for (const char* part : {"Binding 7", "DescriptorSet 3", "Offset 20", "Offset 8", "SpecId 4",
                           "OpSpecConstant ", "NMax", "NMin", "OpStore %gl_PointSize"})
    EXPECT_THAT(made.text, HasSubstr(part));
  const size_t stored = made.text.find("OpStore %gl_PointSize");
  EXPECT_EQ(made.text.find("OpStore %gl_PointSize", stored + 1), std::string::npos) << "once";
  EXPECT_LT(made.text.find("NMax"), made.text.find("NMin"));
  const Compiled only = with_parameters(kVertexShader, {size});
  ASSERT_EQ(only.result, kOk) << only.messages;
  EXPECT_THAT(only.text, Not(testing::AnyOf(HasSubstr("NMax"), HasSubstr("NMin"))));
  // A constant size between limits that are not known.
  const Parameter1 three = parameter(point_size, ParameterType::immediate, ParameterData::float_, 0x40400000);
  const Compiled limited = with_parameters(kVertexShader, {three, least});
  ASSERT_EQ(limited.result, kOk) << limited.messages;
  EXPECT_THAT(limited.text, testing::AllOf(HasSubstr("%float_3"), HasSubstr("SpecId 4"), HasSubstr("NMax")));
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
