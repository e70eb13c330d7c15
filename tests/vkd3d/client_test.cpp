// A client that is compiled with the header of an installed vkd3d-shader (Debian: 1.2) and linked with ours.

// clang-format off
#include <cstddef>  // vkd3d_shader.h leaves out <stddef.h>
#include <vkd3d_shader.h>
// clang-format on
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "backend/spirv/spirv_tools.h"
#include "tests/support/spirv_text.h"
#include "texlate/texlate.hpp"

namespace texlate {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The lines that libtexlate-vkd3d.so logged about the shaders that `work` compiled.
template <typename Work>
std::string logged(Work work) {
  const std::string name =
      (std::filesystem::temp_directory_path() / ("texlate_vkd3d_" + std::to_string(getpid()) + ".log"))
          .string();
  std::filesystem::remove(name);
  setenv("TEXLATE_VKD3D_LOG", name.c_str(), 1);
  work();
  unsetenv("TEXLATE_VKD3D_LOG");
  std::ifstream file(name);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(name);
  return text;
}

std::string container(std::string_view listing) {
  const api::Program program(listing);
  for (const auto& diagnostic : program.diagnostics())
    ADD_FAILURE() << diagnostic.line << ": " << diagnostic.message;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "dxbc";
  return std::string(program.translate(options).data());
}

struct Compiled {
  int result = 0;
  std::string text;  // disassembly; empty: not valid
  std::string messages;
  std::string log;
};

Compiled compile(const std::string& bytes, const void* chain,
                 std::span<const vkd3d_shader_compile_option> options = {}) {
  vkd3d_shader_compile_info info{};
  info.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO;
  info.next = chain;
  info.source = {bytes.data(), bytes.size()};
  info.source_type = VKD3D_SHADER_SOURCE_DXBC_TPF;
  info.target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY;
  info.options = options.data();
  info.option_count = static_cast<unsigned int>(options.size());
  info.log_level = VKD3D_SHADER_LOG_INFO;
  Compiled made;
  vkd3d_shader_code code{};
  char* messages = nullptr;
  made.log = logged([&] { made.result = vkd3d_shader_compile(&info, &code, &messages); });
  if (messages != nullptr) made.messages = messages;
  vkd3d_shader_free_messages(messages);
  if (made.result != VKD3D_OK) return made;
  std::pmr::vector<uint32_t> words(code.size / 4);
  std::memcpy(words.data(), code.code, code.size);
  vkd3d_shader_free_shader_code(&code);
  std::string wrong;
  if (!spirv::validate(words, wrong)) {
    ADD_FAILURE() << wrong;
    return made;
  }
  made.text = spirv::text_of_spirv_tools(words);
  return made;
}

vkd3d_shader_resource_binding bind(vkd3d_shader_descriptor_type type, unsigned int reg, unsigned int flags,
                                   unsigned int set, unsigned int binding,
                                   vkd3d_shader_visibility visibility = VKD3D_SHADER_VISIBILITY_ALL) {
  return {type, 0, reg, visibility, flags, {set, binding, 1}};
}

constexpr std::string_view kPixel =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[2], immediateIndexed\n"
    "dcl_constantbuffer cb1[1], immediateIndexed\ndcl_sampler s0, mode_default\n"
    "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_structured t1, 16\n"
    "dcl_uav_structured u1, 4\ndcl_uav_typed_texture2d (uint,uint,uint,uint) u2\ndcl_input_ps linear v0.xy\n"
    "dcl_output o0.xyzw\ndcl_temps 2\n"
    "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0\n"
    "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r1.xyzw, l(3), l(0), "
    "t1.xyzw\nadd r0.xyzw, r0.xyzw, r1.xyzw\nadd r0.xyzw, r0.xyzw, cb1[0].xyzw\n"
    "imm_atomic_alloc r1.x, u1\nstore_structured u1.x, r1.x, l(0), v0.x\n"
    "ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) r1.xyzw, l(0,0,0,0), u2.xyzw\n"
    "add r0.xyzw, r0.xyzw, r1.xyzw\nsampleinfo_uint r1.x, rasterizer.x\nadd r0.x, r0.x, r1.x\n"
    "add o0.xyzw, r0.xyzw, cb0[1].xyzw\nret \n";

TEST(Vkd3dClient, SaysWithVkd3dsStructuresWhatTexlateIsToDo) {
  using enum vkd3d_shader_descriptor_type;
  const unsigned int buffer = VKD3D_SHADER_BINDING_FLAG_BUFFER, image = VKD3D_SHADER_BINDING_FLAG_IMAGE;
  const vkd3d_shader_resource_binding bindings[] = {
      bind(VKD3D_SHADER_DESCRIPTOR_TYPE_CBV, 1, buffer, 1, 10),
      bind(VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER, 0, 0, 2, 20),
      // The next two do not apply to texture t0: one is for a buffer, the other for another stage.
      bind(VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, 0, buffer, 3, 98),
      bind(VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, 0, image, 3, 99, VKD3D_SHADER_VISIBILITY_VERTEX),
      bind(VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, 0, image, 3, 30, VKD3D_SHADER_VISIBILITY_PIXEL),
      bind(VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, 1, buffer, 3, 31),
      bind(VKD3D_SHADER_DESCRIPTOR_TYPE_UAV, 1, buffer, 4, 40),
      bind(VKD3D_SHADER_DESCRIPTOR_TYPE_UAV, 2, image, 4, 41)};
  const vkd3d_shader_push_constant_buffer push = {0, 0, VKD3D_SHADER_VISIBILITY_ALL, 4, 32};
  const vkd3d_shader_uav_counter_binding counter = {0, 1, VKD3D_SHADER_VISIBILITY_ALL, {5, 50, 1}, 0};
  vkd3d_shader_parameter samples{};
  samples.name = VKD3D_SHADER_PARAMETER_NAME_RASTERIZER_SAMPLE_COUNT;
  samples.type = VKD3D_SHADER_PARAMETER_TYPE_SPECIALIZATION_CONSTANT;
  samples.data_type = VKD3D_SHADER_PARAMETER_DATA_TYPE_UINT32;
  samples.u.specialization_constant.id = 1234;
  const unsigned int swizzle = VKD3D_SHADER_SWIZZLE(Z, Y, X, W);
  vkd3d_shader_spirv_target_info target{};
  target.type = VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO;
  target.entry_point = "entry";
  target.environment = VKD3D_SHADER_SPIRV_ENVIRONMENT_VULKAN_1_0;
  target.parameters = &samples;
  target.parameter_count = 1;
  target.output_swizzles = &swizzle;
  target.output_swizzle_count = 1;
  vkd3d_shader_interface_info interface {};
  interface.type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO;
  interface.next = &target;
  interface.bindings = bindings;
  interface.binding_count = std::size(bindings);
  interface.push_constant_buffers = &push;
  interface.push_constant_buffer_count = 1;
  interface.uav_counters = &counter;
  interface.uav_counter_count = 1;

  const Compiled texels = compile(container(kPixel), &interface);
  ASSERT_EQ(texels.result, VKD3D_OK) << texels.messages;
  EXPECT_THAT(texels.log, HasSubstr("ps_5_0, "));
  EXPECT_THAT(texels.log, HasSubstr("served: ps_5_0"));
  for (const char* place :
       {"%cb1 Binding 10", "%s0 Binding 20", "%t0 Binding 30", "%t1 Binding 31", "%u1 Binding 40",
        "%u2 Binding 41", "%u1_counter Binding 50", "%u1_counter DescriptorSet 5", "0 Offset 4",
        "SpecId 1234", "OpEntryPoint Fragment %entry", "2 R32ui"})
    EXPECT_THAT(texels.text, HasSubstr(place));
  EXPECT_THAT(texels.text, Not(HasSubstr("BufferBlock")));
  EXPECT_THAT(texels.text, Not(HasSubstr("StorageImageReadWithoutFormat")));

  const vkd3d_shader_compile_option storage[] = {
      {VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV, VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV_STORAGE_BUFFER},
      {VKD3D_SHADER_COMPILE_OPTION_STRIP_DEBUG, 1}};
  const Compiled buffers = compile(container(kPixel), &interface, storage);
  ASSERT_EQ(buffers.result, VKD3D_OK) << buffers.messages;
  EXPECT_THAT(buffers.log, HasSubstr("served: ps_5_0"));
  EXPECT_THAT(buffers.text, HasSubstr("BufferBlock"));
  EXPECT_THAT(buffers.text, Not(HasSubstr("OpName %u1")));
}

TEST(Vkd3dClient, StreamOutputAndCombinedSamplers) {
  const std::string vertex =
      "// Output signature:\n//\n"
      "// Name                 Index   Mask Register SysValue Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------ ------\n"
      "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
      "// TEXCOORD                 0   xy          1     NONE  float   xy  \n//\n"
      "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_sampler s0, mode_default\n"
      "dcl_resource_texture2d (float,float,float,float) t0\ndcl_output_siv o0.xyzw, position\n"
      "dcl_output o1.xy\ndcl_temps 1\n"
      "sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t0.xyzw, s0, l(0)\n"
      "mov o0.xyzw, r0.xyzw\nld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t0.xyzw\n"
      "mov o1.xy, r0.xyxx\nret \n";
  const vkd3d_shader_transform_feedback_element elements[] = {{0, "SV_Position", 0, 0, 4, 0},
                                                              {0, "TEXCOORD", 0, 0, 2, 1}};
  const unsigned int strides[] = {16, 24};
  vkd3d_shader_transform_feedback_info feedback{};
  feedback.type = VKD3D_SHADER_STRUCTURE_TYPE_TRANSFORM_FEEDBACK_INFO;
  feedback.elements = elements;
  feedback.element_count = 2;
  feedback.buffer_strides = strides;
  feedback.buffer_stride_count = 2;
  const vkd3d_shader_combined_resource_sampler pairs[] = {
      {0, 0, 0, 0, VKD3D_SHADER_VISIBILITY_ALL, VKD3D_SHADER_BINDING_FLAG_IMAGE, {0, 7, 1}},
      {0,
       0,
       0,
       VKD3D_SHADER_DUMMY_SAMPLER_INDEX,
       VKD3D_SHADER_VISIBILITY_ALL,
       VKD3D_SHADER_BINDING_FLAG_IMAGE,
       {0, 8, 1}}};
  vkd3d_shader_interface_info interface {};
  interface.type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO;
  interface.next = &feedback;
  interface.combined_samplers = pairs;
  interface.combined_sampler_count = 2;
  const Compiled made = compile(container(vertex), &interface);
  ASSERT_EQ(made.result, VKD3D_OK) << made.messages;
  EXPECT_THAT(made.log, HasSubstr("served: vs_5_0"));
  for (const char* part :
       {"Binding 7", "Binding 8", "XfbStride 24", "XfbStride 16", "BuiltIn PointSize", "Xfb\n"})
    EXPECT_THAT(made.text, HasSubstr(part));
}

// Without an interface the registers are in set 0, numbered in the order of their declarations; a counter
// follows its view.
TEST(Vkd3dClient, WithoutAnInterfaceTheBindingsAreNumbered) {
  const Compiled chosen = compile(container(kPixel), nullptr);
  ASSERT_EQ(chosen.result, VKD3D_OK) << chosen.messages;
  for (const char* place :
       {"%cb0 Binding 0", "%cb1 Binding 1", "%s0 Binding 2", "%t0 Binding 3", "%t1 Binding 4",
        "%u1 Binding 5", "%u1_counter Binding 6", "%u2 Binding 7", "SpecId 0"})
    EXPECT_THAT(chosen.text, HasSubstr(place));
}

TEST(Vkd3dClient, AScanSaysTheSameAsTexlatesQueries) {
  const std::string bytes = container(kPixel);
  vkd3d_shader_scan_descriptor_info scan{};
  scan.type = VKD3D_SHADER_STRUCTURE_TYPE_SCAN_DESCRIPTOR_INFO;
  vkd3d_shader_compile_info info{};
  info.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO;
  info.next = &scan;
  info.source = {bytes.data(), bytes.size()};
  info.source_type = VKD3D_SHADER_SOURCE_DXBC_TPF;
  info.target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY;
  EXPECT_EQ(vkd3d_shader_scan(&info, nullptr), VKD3D_OK);
  const api::Program program(bytes);
  ASSERT_EQ(scan.descriptor_count, program.info().binding_count);
  for (unsigned int i = 0; i < scan.descriptor_count; ++i) {
    texlate_binding binding{};
    binding.struct_size = sizeof binding;
    ASSERT_EQ(texlate_program_get_binding(program.get(), i, &binding), TEXLATE_OK);
    EXPECT_EQ(scan.descriptors[i].register_index, binding.lower_bound);
    const bool counts = (scan.descriptors[i].flags & VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_UAV_COUNTER) != 0;
    EXPECT_EQ((binding.flags & TEXLATE_BINDING_COUNTER) != 0, counts) << i;
    if (counts) continue;  // vkd3d also counts this as a read of the view
    const bool reads = (scan.descriptors[i].flags & VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_UAV_READ) != 0;
    EXPECT_EQ(binding.kind == TEXLATE_BINDING_UAV && (binding.flags & TEXLATE_BINDING_READ) != 0, reads) << i;
  }
  vkd3d_shader_free_scan_descriptor_info(&scan);
}

TEST(Vkd3dClient, ReadsTheRootSignaturesThatTexlateWrites) {
  const texlate_root_range ranges[] = {{0, 4, 1, 2, 0, 3}, {1, UINT32_MAX, 7, 0, 2, UINT32_MAX}};
  texlate_root_parameter parameters[3]{};
  parameters[0].ranges = ranges;
  parameters[0].range_count = 2;
  parameters[1] = {1, 5, 3, 9, 0, 12, nullptr, 0};
  parameters[2] = {3, 1, 4, 8, 4, 0, nullptr, 0};
  const texlate_static_sampler sampler = {0x15, 1, 2, 3, 0.5f, 16, 4, 2, -1.0f, 8.0f, 3, 1, 5};
  texlate_root_signature_description description{};
  description.struct_size = sizeof description;
  description.parameter_stride = sizeof parameters[0];
  description.range_stride = sizeof ranges[0];
  description.sampler_stride = sizeof sampler;
  description.flags = 1;
  description.parameters = parameters;
  description.parameter_count = 3;
  description.samplers = &sampler;
  description.sampler_count = 1;
  for (const uint32_t version : {1u, 2u}) {
    description.version = version;
    texlate_output* output = nullptr;
    const texlate_status status = texlate_root_signature_write(&description, nullptr, &output);
    const api::Output written(output, status);
    ASSERT_TRUE(written.ok());
    const vkd3d_shader_code code = {written.data().data(), written.data().size()};
    vkd3d_shader_versioned_root_signature_desc read{};
    ASSERT_EQ(vkd3d_shader_parse_root_signature(&code, &read, nullptr), VKD3D_OK) << version;
    ASSERT_EQ(static_cast<uint32_t>(read.version), version);
    // In turn, texlate reads what vkd3d writes from it.
    vkd3d_shader_code again{};
    ASSERT_EQ(vkd3d_shader_serialize_root_signature(&read, &again, nullptr), VKD3D_OK);
    vkd3d_shader_free_root_signature(&read);
    texlate_root_signature* signature = nullptr;
    ASSERT_EQ(texlate_root_signature_read(again.code, again.size, nullptr, &signature), TEXLATE_OK);
    vkd3d_shader_free_shader_code(&again);
    texlate_output* twice = nullptr;
    ASSERT_EQ(texlate_root_signature_write(texlate_root_signature_get(signature), nullptr, &twice),
              TEXLATE_OK);
    texlate_root_signature_free(signature);
    EXPECT_EQ(api::Output(twice, TEXLATE_OK).data(), written.data()) << version;
  }
}

}  // namespace
}  // namespace texlate
