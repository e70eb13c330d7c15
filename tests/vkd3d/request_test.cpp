// Requests of clients that are written for vkd3d-shader 1.3 to 1.17: structures and options that the header
// of 1.2 lacks, and the status of broken input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
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
  EXPECT_EQ(scan(bytes, nullptr, {{{static_cast<OptionName>(14), 1}}}).result, kNotImplemented);
  const Compiled origin = compile(bytes, nullptr, {{{OptionName::fragment_coordinate_origin, 1}}});
  EXPECT_EQ(origin.result, kNotImplemented);
  EXPECT_THAT(origin.messages, HasSubstr("FRAGMENT_COORDINATE_ORIGIN"));
  EXPECT_EQ(scan(bytes, nullptr, {{{OptionName::fragment_coordinate_origin, 1}}}).result, kOk)
      << "a scan depends on no origin";
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
  all.push_back(parameter(fog_color, ParameterType::immediate, ParameterData::vec4, 0));
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

// Where fog leaves the vertex shader and enters the pixel shader, a client learns from scans, and says by a
// varying map.
TEST(Vkd3dRequest, ScansHaveTheVaryingOfFog) {
  const auto uint = [](ParameterName name, uint32_t value) {
    return parameter(name, ParameterType::immediate, ParameterData::uint, value);
  };
  const Parameter1 mode = uint(fog_fragment_mode, 0), by_z = uint(fog_source, 2),
                   by_color = uint(fog_source, 1);
  const auto scanned = [](std::string_view listing, const Parameter1& given, TargetType target) {
    auto parameters = structure<ParameterInfo>(StructureType::parameter_info);
    parameters.parameters = &given;
    parameters.parameter_count = 1;
    auto signatures = structure<ScanSignatureInfo>(StructureType::scan_signature_info, &parameters);
    EXPECT_EQ(scan(container(listing), &signatures, {.target = target}).result, kOk);
    return signatures;
  };
  ScanSignatureInfo pixel = scanned(kSpriteShader, mode, TargetType::spirv_binary);
  ASSERT_EQ(pixel.input.element_count, 4u);
  const SignatureElement& fog = pixel.input.elements[3];
  EXPECT_STREQ(fog.semantic_name, "FOG");
  EXPECT_EQ(fog.register_index, 2u) << "the register after the last";
  EXPECT_EQ(fog.mask, 1u);
  EXPECT_EQ(fog.used_mask, 1u);
  EXPECT_EQ(fog.component_type, 3u);
  ScanSignatureInfo vertex = scanned(kVertexShader, by_z, TargetType::spirv_binary);
  ASSERT_EQ(vertex.output.element_count, 3u);
  EXPECT_EQ(vertex.output.elements[2].register_index, 2u);
  std::vector<VaryingMap> map(pixel.input.element_count);
  unsigned count = 0;
  vkd3d_shader_build_varying_map(&vertex.output, &pixel.input, &count, map.data());
  ASSERT_EQ(count, 4u);
  EXPECT_EQ(map[3].output_signature_index, 2u);
  vkd3d_shader_free_scan_signature_info(&pixel);
  vkd3d_shader_free_scan_signature_info(&vertex);

  // A scan for no target is of the shader alone, and color 1 is no fog if there is none.
  for (auto& [listing, given, target] :
       {std::tuple(kSpriteShader, mode, TargetType::none), std::tuple(kVertexShader, by_z, TargetType::none),
        std::tuple(kVertexShader, by_color, TargetType::spirv_binary)}) {
    ScanSignatureInfo plain = scanned(listing, given, target);
    EXPECT_EQ(vkd3d_shader_find_signature_element(&plain.input, "FOG", 0, 0), nullptr);
    EXPECT_EQ(vkd3d_shader_find_signature_element(&plain.output, "FOG", 0, 0), nullptr);
    vkd3d_shader_free_scan_signature_info(&plain);
  }
}

TEST(Vkd3dRequest, FogFollowsTheVaryingMap) {
  const auto text_with = [](uint32_t output, const std::vector<Parameter1>& all) {
    auto parameters = structure<ParameterInfo>(StructureType::parameter_info);
    parameters.parameters = all.data();
    parameters.parameter_count = static_cast<uint32_t>(all.size());
    auto varyings = structure<VaryingMapInfo>(StructureType::varying_map_info, &parameters);
    const VaryingMap map = {output, 7, 1};
    varyings.varying_map = &map;
    varyings.varying_count = 1;
    const Compiled made = compile(container(kVertexShader), &varyings);
    EXPECT_EQ(made.result, kOk) << made.messages;
    EXPECT_THAT(made.text, HasSubstr("Location 7"));
    return made.text;
  };
  const auto uint = [](ParameterName name, uint32_t value) {
    return parameter(name, ParameterType::immediate, ParameterData::uint, value);
  };
  const Parameter1 by_w = uint(fog_source, 3), none = uint(fog_source, 0), planes = uint(clip_plane_mask, 1);
  const std::string zero = text_with(3, {by_w});  // past what the scan lists: nobody writes it
  EXPECT_NE(text_with(2, {by_w}), zero);
  EXPECT_EQ(text_with(2, {none}), zero) << "without fog there is no third output";
  // Clip distances come after fog: element 2 is fog as before, the last component of the position.
  const std::string clipped = text_with(2, {by_w, planes});
  EXPECT_THAT(clipped, HasSubstr("BuiltIn ClipDistance"));
  const auto after = [&](const std::string& before) {
    const size_t at = clipped.find(before);
    return at == std::string::npos
               ? ""
               : clipped.substr(at + before.size(), clipped.find('\n', at) - at - before.size());
  };
  const size_t place = clipped.find(" Location 7");
  const size_t name = clipped.rfind(' ', place - 1) + 1;
  const std::string stored = after("OpStore " + clipped.substr(name, place - name) + " ");
  EXPECT_THAT(after(stored + " = "), testing::MatchesRegex("OpVectorShuffle %v4float .* 3 3 3 3")) << clipped;
}

TEST(Vkd3dRequest, StateThatContradictsTheShader) {
  const auto immediate = [](ParameterName name, uint32_t value) {
    return parameter(name, ParameterType::immediate, ParameterData::uint, value);
  };
  const std::string clips =
      "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output_siv o0.xyzw, position\n"
      "dcl_output_siv o1.x, clip_distance\nmov o0.xyzw, l(0,0,0,1)\nmov o1.x, l(1.0)\nret \n";
  const std::string no_position =
      "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,1)\nret \n";
  const Compiled twice = with_parameters(clips, {immediate(clip_plane_mask, 1)});
  EXPECT_EQ(twice.result, kInvalidArgument);
  EXPECT_THAT(twice.messages, HasSubstr("E9020: "));
  for (const Parameter1& needs_position : {immediate(clip_plane_mask, 1), immediate(fog_source, 2)}) {
    const Compiled made = with_parameters(no_position, {needs_position});
    EXPECT_EQ(made.result, kInvalidShader);
    EXPECT_THAT(made.messages, HasSubstr("E9021: "));
  }
}

TEST(Vkd3dRequest, ParametersOfWrongTypes) {
  const Parameter1 less = parameter(alpha_test_func, ParameterType::immediate, ParameterData::uint, 2);
  for (const ParameterType type : {ParameterType{0}, ParameterType{4}}) {
    const Compiled made =
        with_parameters(kPixelShader, {less, parameter(alpha_test_ref, type, ParameterData::float_, 0)});
    EXPECT_EQ(made.result, kInvalidArgument);
    EXPECT_THAT(made.messages, HasSubstr("E9000: parameter 3 has type "));
  }
  const Compiled vector = with_parameters(
      kPixelShader, {less, parameter(alpha_test_ref, ParameterType::immediate, ParameterData::vec4, 0)});
  EXPECT_EQ(vector.result, kInvalidArgument);
  EXPECT_THAT(vector.messages, HasSubstr("E9008: parameter 3 is not of type FLOAT32"));
  const Compiled plane = with_parameters(
      kVertexShader, {parameter(clip_plane_mask, ParameterType::immediate, ParameterData::uint, 1),
                      parameter(clip_plane_0, ParameterType::buffer, ParameterData::float_, 0)});
  EXPECT_EQ(plane.result, kInvalidArgument);
  EXPECT_THAT(plane.messages, HasSubstr("E9008: parameter 6 is not of type FLOAT32_VEC4"));
}

// A buffer is never sampled: its pair with the sampler that stands for none is where it is bound.
TEST(Vkd3dRequest, BuffersInPairs) {
  constexpr std::string_view kBuffers =
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_sampler s0, mode_default\n"
      "dcl_resource_buffer (float,float,float,float) t0\ndcl_resource_raw t1\n"
      "dcl_resource_texture2d (float,float,float,float) t2\ndcl_output o0.xyzw\ndcl_temps 2\n"
      "ld_indexable(buffer)(float,float,float,float) r0.xyzw, l(0,0,0,0), t0.xyzw\n"
      "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, l(0), t1.xxxx\n"
      "add r0.xyzw, r0.xyzw, r1.xxxx\n"
      "sample_l_indexable(texture2d)(float,float,float,float) r1.xyzw, l(0,0,0,0), t2.xyzw, s0, l(0)\n"
      "add o0.xyzw, r0.xyzw, r1.xyzw\nret \n";
  const CombinedSampler pairs[] = {{0, 0, 0, kDummySampler, Visibility::all, kBindingOfBuffer, {0, 5, 1}},
                                   {0, 1, 0, kDummySampler, Visibility::all, kBindingOfBuffer, {0, 6, 1}},
                                   {0, 2, 0, 0, Visibility::pixel, kBindingOfImage, {0, 7, 1}}};
  auto interface = structure<InterfaceInfo>(StructureType::interface_info);
  interface.combined_samplers = pairs;
  interface.combined_sampler_count = 3;
  const Compiled made = compile(container(kBuffers), &interface);
  ASSERT_EQ(made.result, kOk) << made.messages;
  for (const char* part : {"%t0 Binding 5", "%t1 Binding 6", "Binding 7", "Buffer 0 0 0 1 Unknown"})
    EXPECT_THAT(made.text, HasSubstr(part));
  CombinedSampler many = pairs[2];
  many.binding.count = 2;
  interface.combined_samplers = &many;
  interface.combined_sampler_count = 1;
  const Compiled array = compile(container(kBuffers), &interface);
  EXPECT_EQ(array.result, kInvalidShader);
  EXPECT_THAT(array.messages, HasSubstr("E2002: "));
}

/// The container with the words of its first chunk `name` changed.
std::string with_chunk(const std::string& bytes, uint32_t name, const std::vector<uint32_t>& words) {
  const Code code = {bytes.data(), bytes.size()};
  DxbcDescription description{};
  EXPECT_EQ(vkd3d_shader_parse_dxbc(&code, 0, &description, nullptr), kOk);
  bool found = false;
  for (size_t i = 0; i < description.section_count; ++i) {
    if (description.sections[i].tag != name) continue;
    description.sections[i].data = {words.data(), words.size() * 4};
    found = true;
  }
  EXPECT_TRUE(found);
  Code made{};
  EXPECT_EQ(vkd3d_shader_serialize_dxbc(description.section_count, description.sections, &made, nullptr),
            kOk);
  std::string text(static_cast<const char*>(made.code), made.size);
  vkd3d_shader_free_shader_code(&made);
  vkd3d_shader_free_dxbc(&description);
  return text;
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
  constexpr uint32_t osgn = 0x4e47534f, shex = 0x58454853;
  const std::string good = container(kPixelShader);
  const auto first_chunk = static_cast<uint8_t>(good[32]);
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
      {"size of a chunk", with_digest(changed(good, first_chunk + 7, 0x40)), kInvalidArgument, "E0006"},
      {"no shader", with_digest(no_shader), kInvalidArgument, "E1000: the container has no shader"},
      {"cut shader", with_chunk(good, shex, {0x50, 9}), kInvalidArgument, "does not hold its 9 tokens"},
      // Number of elements, offset of the first; name, index, system value, type, register, masks; text.
      {"signature", with_chunk(good, osgn, {2, 8, 32, 0, 0, 3, 0, 15, 0x41}), kInvalidArgument, "E0008"},
      {"its names", with_chunk(good, osgn, {1, 8, 36, 0, 0, 3, 0, 15, 0x41}), kInvalidArgument, "E0009"},
      {"its types", with_chunk(good, osgn, {1, 8, 32, 0, 0, 4, 0, 15, 0x41}), kInvalidArgument, "E0010"},
      {"its registers", with_chunk(good, osgn, {1, 8, 32, 0, 0, 3, 32, 15, 0x41}), kInvalidShader,
       "E1004: A0"},
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
  const Compiled source = compile(bytes, nullptr, {.source = static_cast<SourceType>(7)});
  EXPECT_EQ(source.result, kInvalidArgument);
  EXPECT_THAT(source.messages, HasSubstr("E2008: source type 7 is unknown"));
  EXPECT_THAT(source.log, HasSubstr("refused: "));
  auto target = structure<SpirvTargetInfo>(StructureType::spirv_target_info);
  EXPECT_EQ(compile(bytes, &target).result, kError) << "an environment of 0";
  target.environment = static_cast<Environment>(4);
  const Compiled environment = compile(bytes, &target);
  EXPECT_EQ(environment.result, kError);
  EXPECT_THAT(environment.messages, HasSubstr("E2008: environment 4 is unknown"));
  EXPECT_THAT(environment.log, HasSubstr("refused: "));
  CompileInfo wrong{};
  wrong.type = StructureType::interface_info;
  wrong.next = &wrong;  // is not followed, or this would not end
  EXPECT_EQ(vkd3d_shader_compile(&wrong, nullptr, nullptr), kInvalidArgument);
}

// As in vkd3d-shader, the first parameter of a name counts, in either structure.
TEST(Vkd3dRequest, OfTwoParametersTheFirstCounts) {
  const auto size = [](uint32_t bits) {
    return parameter(point_size, ParameterType::immediate, ParameterData::float_, bits);
  };
  const Compiled made = with_parameters(kVertexShader, {size(0x40400000), size(0x40a00000)});
  ASSERT_EQ(made.result, kOk) << made.messages;
  EXPECT_THAT(made.text, HasSubstr("OpStore %gl_PointSize %float_3"));
  EXPECT_THAT(made.text, Not(HasSubstr("%float_5")));

  const auto samples = [](uint32_t count) {
    Parameter one{};
    one.name = rasterizer_sample_count;
    one.type = ParameterType::immediate;
    one.data_type = ParameterData::uint;
    one.value.u32 = count;
    return one;
  };
  const Parameter counts[] = {samples(4), samples(8)};
  auto target = structure<SpirvTargetInfo>(StructureType::spirv_target_info);
  target.environment = Environment::vulkan_1_0;
  target.parameters = counts;
  target.parameter_count = 2;
  const Compiled asked = compile(container("ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\n"
                                           "sampleinfo_uint o0.xyzw, rasterizer.xyzw\nret \n"),
                                 &target);
  ASSERT_EQ(asked.result, kOk) << asked.messages;
  EXPECT_THAT(asked.text, HasSubstr("%uint_4"));
  EXPECT_THAT(asked.text, Not(HasSubstr("%uint_8")));
}

// A size is that of what is bound: without a binding there is none.
TEST(Vkd3dRequest, WhatIsOnlyQueriedNeedsABinding) {
  const std::string pixel = "ps_5_0\ndcl_globalFlags refactoringAllowed\n";
  const std::string end = "dcl_output o0.xyzw\ndcl_temps 1\n";
  const std::string texture =
      pixel + "dcl_resource_texture2d (float,float,float,float) t1\n" + end +
      "resinfo_indexable(texture2d)(float,float,float,float) o0.xyzw, l(0), t1.xyzw\nret \n";
  const std::string buffer = pixel + "dcl_resource_raw t1\n" + end +
                             "bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, t1.x\n"
                             "mov o0.xyzw, r0.xxxx\nret \n";
  const std::string samples = pixel + "dcl_resource_texture2dms(4) (float,float,float,float) t1\n" + end +
                              "sampleinfo_uint o0.xyzw, t1.xyzw\nret \n";
  ResourceBinding other{};
  other.type = DescriptorType::srv;
  other.register_index = 5;
  other.flags = kBindingOfImage | kBindingOfBuffer;
  other.binding = {0, 0, 1};
  auto interface = structure<InterfaceInfo>(StructureType::interface_info);
  interface.bindings = &other;
  interface.binding_count = 1;
  for (const std::string& listing : {texture, buffer, samples}) {
    const Compiled made = compile(container(listing), &interface);
    EXPECT_EQ(made.result, kInvalidShader) << listing;
    EXPECT_THAT(made.messages, HasSubstr("E2000: the request has no binding for t1 of space 0")) << listing;
  }
  // What is not even queried needs none.
  const std::string idle = pixel + "dcl_resource_raw t1\n" + end + "mov o0.xyzw, l(0,0,0,0)\nret \n";
  EXPECT_EQ(compile(container(idle), &interface).result, kOk);
}

TEST(Vkd3dRequest, EntryPointsHaveNames) {
  auto target = structure<SpirvTargetInfo>(StructureType::spirv_target_info);
  target.environment = Environment::vulkan_1_0;
  for (const char* name : {"", "a\nb"}) {
    target.entry_point = name;
    const Compiled made = compile(container(kPixelShader), &target);
    EXPECT_EQ(made.result, kInvalidArgument);
    EXPECT_THAT(made.messages, HasSubstr("E2002: options.entry "));
  }
}

// In a process of its own: a process reads the variable once.
TEST(Vkd3dRequest, ALibraryThatCannotBeLoadedIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("TEXLATE_VKD3D_REAL", "/no/such/library.so", 1);
  EXPECT_EXIT(
      {
        const Compiled made = compile("float4 main();", nullptr, {.source = SourceType::hlsl});
        std::fputs((made.messages + made.log).c_str(), stderr);
        std::exit(made.result == kNotImplemented ? 0 : 1);
      },
      testing::ExitedWithCode(0),
      "E2008: .*TEXLATE_VKD3D_REAL names \"/no/such/library.so\", which cannot be used: .*cannot open"
      ".*refused: .*which cannot be used");
  unsetenv("TEXLATE_VKD3D_REAL");
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
