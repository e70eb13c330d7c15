// Alpha test, fog and clip planes of Direct3D 9 in shaders of later models, drawn by a Vulkan device
// (lavapipe is enough; skipped if there is none). Expected values are worked out here from Direct3D 9's
// formulas.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/base/diagnostics.h"
#include "sim/vulkan/device.h"
#include "tests/api/translated.h"

namespace texlate {
namespace {

texlate_state_value value(float x, float y = 0, float z = 0, float w = 0) {
  texlate_state_value made{};
  const float all[4] = {x, y, z, w};
  std::memcpy(made.bits, all, sizeof all);
  return made;
}

texlate_fixed_function no_state() {
  texlate_fixed_function made{};
  made.struct_size = sizeof made;
  return made;
}

class FixedFunction : public testing::Test {
 protected:
  void SetUp() override {
    device_ = sim::vulkan::Device::open({}, diagnostics_);
    if (device_ == nullptr) GTEST_SKIP() << diagnostics_.list()[0].message;
  }

  std::vector<uint32_t> words(std::string_view listing, const texlate_fixed_function& state) {
    const api::Program program(listing);
    EXPECT_TRUE(program.ok());
    const texlate_spirv_options spirv = spirv_options();
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = "spirv";
    options.spirv = &spirv;
    options.fixed_function = &state;
    return words_of(program, options);
  }
  /// Draws pixels of one row; `planes[i]` is input component i, from v0.x on.
  sim::vulkan::PixelJob draw(std::string_view listing, const texlate_fixed_function& state,
                             const std::vector<std::vector<float>>& planes,
                             std::vector<sim::vulkan::Descriptor> descriptors = {}) {
    sim::vulkan::PixelJob job;
    job.width = static_cast<uint32_t>(planes[0].size());
    job.height = 1;
    for (const std::vector<float>& plane : planes) {
      for (uint32_t y = 0; y < job.padded_height(); ++y) {
        for (uint32_t x = 0; x < job.padded_width(); ++x)
          job.inputs.push_back(std::bit_cast<uint32_t>(plane[std::min<size_t>(x, plane.size() - 1)]));
      }
    }
    const std::vector<uint32_t> module = words(listing, state);
    if (module.empty() ||
        !device_->draw_pixels({module, "main", {}, std::move(descriptors), {}}, job, diagnostics_))
      ADD_FAILURE() << (diagnostics_.list().empty() ? "nothing" : diagnostics_.list()[0].message);
    return job;
  }

  std::unique_ptr<sim::vulkan::Device> device_;
  Diagnostics diagnostics_;
};

constexpr std::string_view kCopy =
    "ps_4_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v0.xyzw\nret \n";

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_F(FixedFunction, EachAlphaFunctionIsOrdered) {
  struct Row {
    uint32_t function;
    bool kept[4];  // alpha 0.25, 0.5, 0.75, not a number; reference 0.5
  };
  constexpr Row kRows[] = {
      {0, {true, true, true, true}},    {1, {false, false, false, false}}, {2, {true, false, false, false}},
      {3, {false, true, false, false}}, {4, {true, true, false, false}},   {5, {false, false, true, false}},
      {6, {true, false, true, false}},  {7, {false, true, true, false}},   {8, {true, true, true, true}},
  };
  for (const Row& row : kRows) {
    texlate_fixed_function state = no_state();
    state.alpha_function = row.function;
    state.alpha_reference = value(0.5f);
    const auto job =
        draw(kCopy, state, {{1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0.25f, 0.5f, 0.75f, 0.75f}});
    for (size_t x = 0; x < 3; ++x) EXPECT_EQ(job.written[x] != 0, row.kept[x]) << row.function << " at " << x;
    // On its own, because inputs are interpolated.
    const auto none = draw(kCopy, state, {{1}, {0}, {0}, {kNan}});
    EXPECT_EQ(none.written[0] != 0, row.kept[3]) << row.function << " of NaN";
  }
}

TEST_F(FixedFunction, AlphaIsTestedAtEveryReturn) {
  texlate_fixed_function state = no_state();
  state.alpha_function = 5;
  state.alpha_reference = value(0.5f);
  const auto job = draw(
      "ps_4_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nmov o0.xyzw, v0.xyzw\n"
      "lt r0.x, l(0), v0.x\nretc_nz r0.x\nmov o0.w, l(1.0)\nret \n",
      state, {{1, 1, -1, -1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0.25f, 0.75f, 0.25f, 0.75f}});
  const bool kept[] = {false, true, true, true};
  for (size_t x = 0; x < 4; ++x) EXPECT_EQ(job.written[x] != 0, kept[x]) << x;
}

TEST_F(FixedFunction, KeepsWhatOnlyAnIndexReads) {
  texlate_fixed_function state = no_state();
  state.alpha_function = 5;
  state.alpha_reference = value(0.5f);
  const auto job = draw(
      "ps_4_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\ndcl_indexableTemp x0[2], 4\n"
      "mov x0[0].xyzw, l(0,0,0,0)\nmov x0[1].xyzw, l(0,0,0,1.0)\nmov r0.x, l(0)\nlt r1.x, l(0), v0.x\n"
      "if_nz r1.x\nmov r0.x, l(1)\nendif \nmov o0.xyzw, x0[r0.x].xyzw\nret \n",
      state, {{1, -1}, {0, 0}, {0, 0}, {0, 0}});
  EXPECT_NE(job.written[0], 0u);
  EXPECT_EQ(job.written[1], 0u);
}

TEST_F(FixedFunction, AlphaReferenceInAConstantBuffer) {
  texlate_fixed_function state = no_state();
  state.alpha_function = 7;
  state.alpha_reference.in_buffer = 1;
  state.alpha_reference.buffer = 3;
  state.alpha_reference.offset = 24;
  uint32_t constants[8] = {};
  constants[6] = 0x3f000000;  // 0.5
  sim::vulkan::Descriptor buffer;
  buffer.kind = sim::vulkan::DescriptorKind::constant_buffer;
  buffer.binding = 3;
  buffer.elements.resize(1);
  buffer.elements[0].constants = constants;
  const auto job = draw(kCopy, state, {{1, 1}, {0, 0}, {0, 0}, {0.25f, 0.5f}}, {buffer});
  EXPECT_EQ(job.written[0], 0u);
  EXPECT_NE(job.written[1], 0u);
}

TEST_F(FixedFunction, Fog) {
  const float c = 0.5f, end = 2.0f, scale = 0.75f;
  const float color[4] = {1.0f, 0.25f, 0.0f, 0.5f}, fog[4] = {0.0f, 0.5f, 1.0f, 1.0f};
  const double factors[] = {1, std::exp2(-scale * c), std::exp2(-(scale * c) * (scale * c)),
                            (end - c) * scale};
  for (uint32_t mode = 0; mode <= 3; ++mode) {
    texlate_fixed_function state = no_state();
    state.fog_mode = mode;
    state.fog_color = value(fog[0], fog[1], fog[2], fog[3]);
    state.fog_end = value(end);
    state.fog_scale = value(scale);
    // FOG0 is v1.x: the register after the last one.
    const auto job = draw(kCopy, state, {{color[0]}, {color[1]}, {color[2]}, {color[3]}, {c}});
    const double f = std::min(1.0, factors[mode]);
    for (size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(std::bit_cast<float>(job.targets[0].texels[i]), f * color[i] + (1 - f) * fog[i], 1e-5)
          << mode;
  }
}

TEST_F(FixedFunction, ClipPlanesAndFogOfVertices) {
  texlate_fixed_function state = no_state();
  state.clip_plane_mask = 0x35;  // 0, 2, 4, 5
  state.clip_planes[0] = value(1);
  state.clip_planes[2] = value(0, 0, 0, 2);
  state.clip_planes[4] = value(1, 1, 1, 1);
  state.clip_planes[5] = value(0, -1, 0, 0);
  state.fog_source = 2;
  const std::vector<uint32_t> module =
      words("vs_4_0\ndcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(1.0,2.0,3.0,4.0)\nret \n", state);
  sim::vulkan::VertexJob job;
  job.count = 1;
  ASSERT_TRUE(device_->draw_vertices({module, "main", {}, {}, {}}, job, diagnostics_))
      << diagnostics_.list()[0].message;
  constexpr uint32_t kClipDistance = 3;
  bool clips = false, has_fog = false;
  for (const auto& output : job.outputs) {
    if (output.is_builtin && output.number == kClipDistance) {
      clips = true;
      EXPECT_THAT(output.data,
                  testing::ElementsAre(0x3f800000, 0x41000000, 0x41200000, 0xc0000000));  // 1 8 10 -2
    }
    if (!output.is_builtin) {
      has_fog = true;
      EXPECT_EQ(output.data[0], 0x40400000u);  // z; the others belong to no input
    }
  }
  EXPECT_TRUE(clips);
  EXPECT_TRUE(has_fog);
}

// Every target has the state, because it is part of the program.
TEST(FixedFunctionState, IsInTheIrOfAllTargets) {
  texlate_fixed_function state = no_state();
  state.alpha_function = 2;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.fixed_function = &state;
  const api::Program program(kCopy);
  for (const char* target : {"ir", "ptx", "maxwell", "spirv-text"}) {
    options.target = target;
    const Translated made = translate(program, options);
    EXPECT_EQ(made.status, TEXLATE_OK) << target << made.messages;
    state.alpha_function = 0;
    EXPECT_NE(translate(program, options).text, made.text) << target;
    state.alpha_function = 2;
  }
}

TEST(FixedFunctionState, WhatDirect3DLacksIsRefused) {
  texlate_fixed_function state = no_state();
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.fixed_function = &state;
  options.target = "spirv";
  const api::Program pixel(kCopy);
  state.alpha_function = 9;
  EXPECT_EQ(translate(pixel, options).messages,
            "options.fixed_function.alpha_function is 9, which is not in 0 to 8");
  state.alpha_function = 2;
  state.alpha_reference.in_buffer = 1;
  state.alpha_reference.offset = 2;
  EXPECT_EQ(translate(pixel, options).status, TEXLATE_ERROR_ARGUMENT);
  state.alpha_reference.offset = 0;
  state.alpha_reference.buffer = 3;
  EXPECT_EQ(translate(pixel, options).status, TEXLATE_OK);
  state.alpha_reference.space = 2;
  EXPECT_EQ(translate(pixel, options).messages,
            "options.fixed_function.alpha_reference.space is 2, but before shader model 5.1 there are no "
            "spaces");
  state.alpha_reference.space = 0;
  const std::string code(kCopy);
  const size_t line = code.find('\n') + 1;
  const api::Program own(code.substr(0, line) + "dcl_constantbuffer cb3[2], immediateIndexed\n" +
                         code.substr(line));
  EXPECT_EQ(translate(own, options).messages,
            "options.fixed_function.alpha_reference is in cb3, which the shader declares itself");
  state.alpha_function = 8;  // no test: the reference is not read
  EXPECT_EQ(translate(own, options).status, TEXLATE_OK);
  state.alpha_function = 2;
  const std::string of_51 =
      "ps_5_1\ndcl_constantbuffer CB0[3:5][2], immediateIndexed, space=1\ndcl_output o0.xyzw\n"
      "mov o0.xyzw, l(0,0,0,0)\nret\n";
  const api::Program ranges(of_51);
  ASSERT_TRUE(ranges.ok());
  state.alpha_reference.buffer = 4;
  EXPECT_EQ(translate(ranges, options).status, TEXLATE_OK);
  state.alpha_reference.space = 1;
  EXPECT_EQ(translate(ranges, options).messages,
            "options.fixed_function.alpha_reference is in cb4, which the shader declares itself");
  state.alpha_reference.space = 0;
  for (const char* const form : {"asm", "dxbc"}) {
    options.target = form;
    state.alpha_function = 2;
    EXPECT_EQ(translate(pixel, options).messages,
              std::string("options.fixed_function changes what is translated: ") + form + " cannot have it");
    state.alpha_function = 0;
    EXPECT_EQ(translate(pixel, options).status, TEXLATE_OK) << "a state that changes nothing";
  }
  options.target = "spirv";
  state = no_state();
  state.clip_plane_mask = 1;
  const api::Program vertex(
      "vs_4_0\ndcl_output_siv o0.xyzw, position\ndcl_output_siv o1.x, clip_distance\nmov o0.xyzw, "
      "l(0,0,0,0)\n"
      "mov o1.x, l(0)\nret \n");
  EXPECT_THAT(translate(vertex, options).messages, testing::HasSubstr("writes clip distances itself"));
  const api::Program nowhere("vs_4_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret \n");
  EXPECT_THAT(translate(nowhere, options).messages, testing::HasSubstr("without SV_Position"));
}

}  // namespace
}  // namespace texlate
