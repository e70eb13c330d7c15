// Runs the options for drivers on a Vulkan device (lavapipe is enough; skipped if there is none): heaps,
// counters, swizzles and the linkage of stages.

#include <cstring>

#include "ir/base/diagnostics.h"
#include "sim/vulkan/device.h"
#include "tests/api/translated.h"

namespace texlate {
namespace {

using sim::vulkan::Descriptor;
using sim::vulkan::DescriptorKind;
using sim::vulkan::Element;

class DriverExecution : public testing::Test {
 protected:
  void SetUp() override {
    device_ = sim::vulkan::Device::open({}, diagnostics_);
    if (device_ == nullptr) GTEST_SKIP() << diagnostics_.list()[0].message;
  }

  /// The SPIR-V words of a program with these options. An error fails the test and gives no words.
  std::vector<uint32_t> words(const api::Program& program, const texlate_spirv_options& spirv) {
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = "spirv";
    options.spirv = &spirv;
    return words_of(program, options);
  }
  void dispatch(std::string_view listing, std::span<const texlate_spirv_binding> bindings,
                std::vector<Descriptor> descriptors, std::vector<uint32_t> push_constants = {}) {
    texlate_spirv_options spirv = spirv_options();
    spirv.bindings = bindings.data();
    spirv.binding_count = bindings.size();
    spirv.strict_bindings = 1;
    const std::vector<uint32_t> module = words(api::Program(listing), spirv);
    const sim::vulkan::Shader shader{module, "main", {}, std::move(descriptors), std::move(push_constants)};
    const bool good = device_->dispatch(shader, {1, 1, 1}, diagnostics_);
    for (const Diagnostic& diagnostic : diagnostics_.list()) ADD_FAILURE() << diagnostic.message;
    ASSERT_TRUE(good);
  }

  std::unique_ptr<sim::vulkan::Device> device_;
  Diagnostics diagnostics_;
};

Element buffer_of(std::span<uint32_t> memory) {
  Element element;
  element.buffer.data = reinterpret_cast<std::byte*>(memory.data());
  element.buffer.kind = sim::BufferKind::raw;
  element.buffer.element_count = static_cast<uint32_t>(memory.size_bytes());
  return element;
}

Descriptor array_of(DescriptorKind kind, uint32_t set, std::vector<Element> elements) {
  Descriptor descriptor;
  descriptor.kind = kind;
  descriptor.set = set;
  descriptor.elements = std::move(elements);
  return descriptor;
}

texlate_spirv_binding heap(texlate_register_class which, uint32_t count, uint32_t set, uint32_t size,
                           uint32_t element) {
  texlate_spirv_binding binding{};
  binding.register_class = which;
  binding.count = count;
  binding.set = set;
  binding.array_size = size;
  binding.element = element;
  return binding;
}

TEST_F(DriverExecution, RegistersAreElementsOfHeaps) {
  constexpr std::string_view listing =
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n"
      "dcl_resource_raw t0\ndcl_resource_raw t1\ndcl_uav_raw u0\ndcl_input vThreadIDInGroup.x\ndcl_temps 2\n"
      "dcl_thread_group 4, 1, 1\nishl r0.x, vThreadIDInGroup.x, l(2)\n"
      "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, r0.x, t0.xxxx\n"
      "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.y, r0.x, t1.xxxx\n"
      "iadd r1.x, r1.x, r1.y\niadd r1.x, r1.x, cb0[0].x\nstore_raw u0.x, r0.x, r1.x\nret \n";
  const texlate_spirv_binding bindings[] = {heap(TEXLATE_REGISTER_CONSTANT_BUFFER, 1, 0, 3, 2),
                                            heap(TEXLATE_REGISTER_RESOURCE, 2, 1, 4, 1),
                                            heap(TEXLATE_REGISTER_UAV, 1, 2, 2, 1)};
  uint32_t constants[3][4] = {{1000}, {2000}, {3000}};
  uint32_t inputs[4][4] = {{9, 9, 9, 9}, {1, 2, 3, 4}, {10, 20, 30, 40}, {8, 8, 8, 8}};
  uint32_t outputs[2][4] = {};
  std::vector<Element> buffers(3), resources, views;
  for (int i = 0; i < 3; ++i) buffers[i].constants = constants[i];
  for (auto& input : inputs) resources.push_back(buffer_of(input));
  for (auto& output : outputs) views.push_back(buffer_of(output));
  dispatch(listing, bindings,
           {array_of(DescriptorKind::constant_buffer, 0, buffers),
            array_of(DescriptorKind::words, 1, resources), array_of(DescriptorKind::words, 2, views)});
  EXPECT_THAT(outputs[1], testing::ElementsAre(3011, 3022, 3033, 3044));
  EXPECT_THAT(outputs[0], testing::Each(0u));
}

// What a debugger reads changes no result, and lavapipe accepts it.
TEST_F(DriverExecution, DebugInformationAndMessagesHaveNoEffect) {
  constexpr std::string_view listing =
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_input vThreadIDInGroup.x\ndcl_temps "
      "1\n"
      "dcl_thread_group 4, 1, 1\nishl r0.x, vThreadIDInGroup.x, l(2)\nif_nz vThreadIDInGroup.x\n"
      "printf \"%u is not %f\", r0.x, l(0.5)\nstore_raw u0.x, r0.x, r0.x\nendif\nret \n";
  const texlate_spirv_binding bindings[] = {heap(TEXLATE_REGISTER_UAV, 1, 0, 0, 0)};
  uint32_t output[4] = {7, 7, 7, 7};
  texlate_spirv_options spirv = spirv_options();
  spirv.debug_info = spirv.messages = 1;
  spirv.bindings = bindings;
  spirv.binding_count = 1;
  const std::vector<uint32_t> module = words(api::Program(listing), spirv);
  const sim::vulkan::Shader shader{
      module, "main", {}, {array_of(DescriptorKind::words, 0, {buffer_of(output)})}, {}};
  EXPECT_TRUE(device_->dispatch(shader, {1, 1, 1}, diagnostics_));
  EXPECT_THAT(output, testing::ElementsAre(7, 4, 8, 12));
}

TEST_F(DriverExecution, PushConstantsGiveWordsAndMoveElements) {
  // cb0 has 20 bytes from byte 4 on. The word at byte 24 is added to t0's element, that at byte 28 to cb1's.
  constexpr std::string_view listing =
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[3], dynamicIndexed\n"
      "dcl_constantbuffer cb1[1], immediateIndexed\ndcl_resource_raw t0\ndcl_uav_raw u0\n"
      "dcl_input vThreadIDInGroup.x\ndcl_temps 2\ndcl_thread_group 4, 1, 1\nishl r0.x, vThreadIDInGroup.x, "
      "l(2)\n"
      "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, r0.x, t0.xxxx\n"
      "iadd r1.x, r1.x, cb1[0].x\niadd r1.x, r1.x, cb0[vThreadIDInGroup.x + 0].x\n"
      "iadd r1.x, r1.x, cb0[1].y\nstore_raw u0.x, r0.x, r1.x\nret \n";
  texlate_spirv_binding bindings[] = {
      heap(TEXLATE_REGISTER_CONSTANT_BUFFER, 1, 0, 0, 0), heap(TEXLATE_REGISTER_CONSTANT_BUFFER, 1, 0, 3, 1),
      heap(TEXLATE_REGISTER_RESOURCE, 1, 1, 4, 1), heap(TEXLATE_REGISTER_UAV, 1, 2, 0, 0)};
  bindings[0].passing = TEXLATE_PASSING_PUSH_CONSTANTS;
  bindings[0].binding = 4;
  bindings[0].size = 20;
  bindings[1].first = 1;
  bindings[1].has_element_offset = bindings[2].has_element_offset = 1;
  bindings[1].element_offset_at = 28;
  bindings[2].element_offset_at = 24;
  uint32_t constants[3][4] = {{1000}, {2000}, {3000}};
  uint32_t inputs[4][4] = {{9, 9, 9, 9}, {8, 8, 8, 8}, {7, 7, 7, 7}, {1, 2, 3, 4}};
  uint32_t output[4] = {};
  std::vector<Element> buffers(3), resources;
  for (int i = 0; i < 3; ++i) buffers[i].constants = constants[i];
  for (auto& input : inputs) resources.push_back(buffer_of(input));
  dispatch(
      listing, bindings,
      {array_of(DescriptorKind::constant_buffer, 0, buffers), array_of(DescriptorKind::words, 1, resources),
       array_of(DescriptorKind::words, 2, {buffer_of(output)})},
      {0xdead, 100, 0xdead, 0xdead, 0xdead, 200, 2, 1});
  // t0 is element 1 + 2, and cb1 is element 1 + 1. Row 0 of cb0 is 100, and row 1 is 200. The other rows and
  // cb0[1].y are out of bounds and read 0.
  EXPECT_THAT(output, testing::ElementsAre(3101, 3202, 3003, 3004));
}

TEST_F(DriverExecution, CountersOfARangeAndInTexelBuffers) {
  constexpr std::string_view listing =
      "cs_5_1\ndcl_globalFlags refactoringAllowed\ndcl_uav_structured U0[3:6], 4, space=0\n"
      "dcl_uav_structured U1[9:9], 4, space=0\ndcl_uav_raw U2[10:10], space=0\ndcl_input vThreadIDInGroup.x\n"
      "dcl_temps 1\ndcl_thread_group 4, 1, 1\nimm_atomic_alloc r0.x, U0[vThreadIDInGroup.x + 3]\n"
      "imm_atomic_consume r0.y, U1[9]\nishl r0.z, vThreadIDInGroup.x, l(2)\nstore_raw U2[10].x, r0.z, "
      "r0.x\nret \n";
  texlate_spirv_binding bindings[3] = {};
  bindings[0].register_class = bindings[1].register_class = TEXLATE_REGISTER_COUNTER;
  bindings[2].register_class = TEXLATE_REGISTER_UAV;
  bindings[0].first = 3;
  bindings[1].first = 9;
  bindings[2].first = 10;
  for (uint32_t i = 0; i < 3; ++i) {
    bindings[i].count = 1;
    bindings[i].set = i;
  }
  bindings[1].passing = TEXLATE_PASSING_TEXEL_BUFFER;
  uint32_t counters[4] = {10, 20, 30, 40}, consumed = 100, before[4] = {};
  std::vector<Element> range(4);
  for (int i = 0; i < 4; ++i) range[i].buffer.counter = &counters[i];
  Element texel = buffer_of({&consumed, 1});
  texel.buffer.kind = sim::BufferKind::typed;
  texel.buffer.format = sim::Format::r32_uint;
  texel.buffer.element_count = 1;
  Descriptor typed = array_of(DescriptorKind::storage_typed_buffer, 1, {texel});
  typed.texel = sim::Kind::uint;
  dispatch(listing, bindings,
           {array_of(DescriptorKind::counter, 0, range), typed,
            array_of(DescriptorKind::words, 2, {buffer_of(before)})});
  EXPECT_THAT(counters, testing::ElementsAre(11, 21, 31, 41));
  EXPECT_THAT(before, testing::ElementsAre(10, 20, 30, 40));
  EXPECT_EQ(consumed, 96u);
}

TEST_F(DriverExecution, TargetsAreSwizzled) {
  const uint8_t swizzle[1][4] = {{2, 0, 0, 3}};
  texlate_spirv_options spirv = spirv_options();
  spirv.output_swizzles = swizzle;
  spirv.output_swizzle_count = 1;
  const std::vector<uint32_t> module =
      words(api::Program("ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\n"
                         "mov o0.xyzw, l(0.25,0.5,0.75,1.0)\nret \n"),
            spirv);
  sim::vulkan::PixelJob job;
  job.width = job.height = 1;
  ASSERT_TRUE(device_->draw_pixels({module, "main", {}, {}, {}}, job, diagnostics_))
      << diagnostics_.list()[0].message;
  ASSERT_EQ(job.targets.size(), 1u);
  // 0.75, 0.25, 0.25, 1
  EXPECT_THAT(job.targets[0].texels, testing::ElementsAre(0x3f400000, 0x3e800000, 0x3e800000, 0x3f800000));
}

// A discarded pixel stores nothing, and its neighbors still have their derivatives.
TEST_F(DriverExecution, DiscardsWithAndWithoutDemotion) {
  for (const texlate_discard discard : {TEXLATE_DISCARD_DEMOTE, TEXLATE_DISCARD_FLAG}) {
    texlate_spirv_options spirv = spirv_options();
    spirv.discard = discard;
    const std::vector<uint32_t> module =
        words(api::Program(
                  "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u1\n"
                  "dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_temps 2\n"
                  "lt r0.x, v0.x, l(1.0)\ndiscard_nz r0.x\nimm_atomic_iadd r0.y, u1, l(0), l(1)\n"
                  "ushr r0.z, r0.y, l(2)\nishl r0.z, r0.z, l(2)\niadd r0.z, r0.z, l(4)\n"
                  "store_raw u1.x, r0.z, l(7)\nmul r1.x, v0.x, v0.x\nderiv_rtx_coarse r1.y, r1.x\n"
                  "mov o0.xyzw, r1.yyyy\nret \n"),
              spirv);
    uint32_t memory[2] = {};
    sim::vulkan::PixelJob job;
    job.width = job.height = 2;
    Descriptor view = array_of(DescriptorKind::words, 0, {buffer_of(memory)});
    view.binding = 161;  // the default of u1
    ASSERT_TRUE(device_->draw_pixels({module, "main", {}, {view}, {}}, job, diagnostics_))
        << diagnostics_.list()[0].message;
    EXPECT_THAT(job.written, testing::ElementsAre(0, testing::Ne(0u), 0, testing::Ne(0u)));
    EXPECT_EQ(memory[0], 2u) << "only the pixels that are kept count";
    EXPECT_EQ(memory[1], 7u);
    // 1.5 * 1.5 - 0.5 * 0.5
    EXPECT_EQ(job.targets[0].texels[4], 0x40000000u);
    EXPECT_EQ(job.targets[0].texels[12], 0x40000000u);
  }
}

TEST_F(DriverExecution, OutputsMoveAndMissingOnesAreZero) {
  const std::string columns =
      "// Name                 Index   Mask Register SysValue Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------ ------\n";
  const api::Program vertex("// Output signature:\n//\n" + columns +
                            "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
                            "// A                        0   xy          1     NONE  float   xy  \n"
                            "// B                        0     zw        1     NONE  float     zw\n//\n"
                            "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output_siv o0.xyzw, position\n"
                            "dcl_output o1.xy\ndcl_output o1.zw\nmov o0.xyzw, l(0,0,0,1.0)\n"
                            "mov o1.xyzw, l(1.0,2.0,3.0,4.0)\nret \n");
  const api::Program pixel("// Input signature:\n//\n" + columns +
                           "// B                        0   xy          3     NONE  float   xy  \n"
                           "// C                        0     zw        3     NONE  float     zw\n//\n"
                           "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v3.xy\n"
                           "dcl_input_ps linear v3.zw\ndcl_output o0.xyzw\nmov o0.xyzw, v3.xyzw\nret \n");
  ASSERT_TRUE(vertex.ok() && pixel.ok());
  texlate_spirv_options spirv = spirv_options();
  spirv.next = pixel.get();
  const std::vector<uint32_t> module = words(vertex, spirv);
  sim::vulkan::VertexJob job;
  job.count = 1;
  ASSERT_TRUE(device_->draw_vertices({module, "main", {}, {}, {}}, job, diagnostics_))
      << diagnostics_.list()[0].message;
  bool found = false;
  for (const auto& output : job.outputs) {
    if (output.is_builtin) continue;
    found = true;
    EXPECT_EQ(output.number, 3u);
    // B, and zeros for C.
    EXPECT_THAT(output.data, testing::ElementsAre(0x40400000, 0x40800000, 0, 0));
  }
  EXPECT_TRUE(found);
}

TEST_F(DriverExecution, StreamOutputIsWhatTheDeclarationSays) {
  const api::Program program(
      "// Output signature:\n//\n"
      "// Name                 Index   Mask Register SysValue Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------ ------\n"
      "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
      "// A                        0   xy          1     NONE  float   xy  \n"
      "// B                        0     zw        1     NONE  float     zw\n//\n"
      "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_sgv v0.x, vertex_id\n"
      "dcl_output_siv o0.xyzw, position\ndcl_output o1.xy\ndcl_output o1.zw\ndcl_temps 1\n"
      "mov o0.xyzw, l(5.0,6.0,7.0,8.0)\nmov o1.xyz, l(1.0,2.0,3.0,0)\nutof r0.x, v0.x\nif_nz v0.x\n"
      "mov o1.w, r0.x\nelse \nmov o1.w, l(-1.0)\nendif \nret \n");
  ASSERT_TRUE(program.ok());
  // B.w; a gap; A; z and w of the position: 4 + 4 + 8 + 8 of the 32 bytes.
  const texlate_stream_output entries[] = {
      {0, "B", 0, 1, 1, 0}, {0, nullptr, 0, 0, 1, 0}, {0, "A", 0, 0, 2, 0}, {0, "SV_POSITION", 0, 2, 2, 0}};
  const uint32_t stride = 32;
  texlate_spirv_options spirv = spirv_options();
  spirv.stream_output = entries;
  spirv.stream_output_count = std::size(entries);
  spirv.buffer_strides = &stride;
  spirv.buffer_stride_count = 1;
  const std::vector<uint32_t> module = words(program, spirv);
  sim::vulkan::VertexJob job;
  job.count = 3;
  ASSERT_TRUE(device_->draw_vertices({module, "main", {}, {}, {}}, job, diagnostics_))
      << diagnostics_.list()[0].message;
  ASSERT_EQ(job.outputs.size(), 3u);
  EXPECT_THAT(job.outputs[0].data, testing::ElementsAre(0xbf800000, 0x3f800000, 0x40000000));  // -1, 1, 2
  EXPECT_THAT(job.outputs[1].data,
              testing::ElementsAre(0x3f800000, 0x40000000, 0x3f800000, 0x40000000, 0x3f800000, 0x40000000));
  EXPECT_THAT(job.outputs[2].data,
              testing::ElementsAre(0x40e00000, 0x41000000, 0x40e00000, 0x41000000, 0x40e00000, 0x41000000));
}

}  // namespace
}  // namespace texlate
