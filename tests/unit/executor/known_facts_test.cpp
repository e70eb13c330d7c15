// Each fact alone: with it, the guard that asks for it is not made.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/support/ir_text.h"
#include "texlate/texlate.hpp"

namespace texlate::test {
namespace {

constexpr const char* kHead = "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n";

struct Row {
  const char* name;
  const char* declarations;
  const char* code;
  texlate_known_resource known;  // of t0
  const char* gap;               // that needs no code then
};

texlate_known_resource t0(uint32_t known) {
  texlate_known_resource resource{};
  resource.register_class = TEXLATE_REGISTER_RESOURCE;
  resource.count = 1;
  resource.known = known | TEXLATE_KNOWN_BOUND;
  resource.bound = 1;
  return resource;
}

texlate_known_resource sized(uint32_t width, uint32_t height) {
  texlate_known_resource resource = t0(TEXLATE_KNOWN_WIDTH | TEXLATE_KNOWN_HEIGHT);
  resource.width = width;
  resource.height = height;
  return resource;
}

std::vector<Row> rows() {
  const char* const texture = "dcl_resource_texture2d (float,float,float,float) t0\n";
  const char* const array = "dcl_resource_texture2darray (float,float,float,float) t0\n";
  const char* const buffer = "dcl_resource_buffer (float,float,float,float) t0\n";
  const char* const samples = "dcl_resource_texture2dms(4) (float,float,float,float) t0\n";
  const char* const sampled =
      "dcl_resource_texture2d (float,float,float,float) t0\ndcl_sampler s0, mode_default\n";
  std::vector<Row> rows;
  rows.push_back({"bound", sampled, "sample_l o0, v0.xyxx, t0.xyzw, s0, l(0)", t0(0), "unbound"});
  rows.push_back({"size", texture, "ld o0, l(3, 2, 0, 0), t0.xyzw", sized(4, 3), "coordinate_range"});
  rows.push_back({"masked coordinates", texture,
                  "and r0.xy, v0.xyxx, l(15, 15, 0, 0)\nmov r0.zw, l(0,0,0,0)\nld o0, r0.xyzw, t0.xyzw",
                  sized(16, 16), "coordinate_range"});
  texlate_known_resource mips = t0(TEXLATE_KNOWN_MIPS);
  mips.mips = 3;
  rows.push_back({"mips", texture, "ld o0, l(0, 0, 0, 2), t0.xyzw", mips, "level_range"});
  texlate_known_resource slices = t0(TEXLATE_KNOWN_SLICES);
  slices.slices = 6;
  rows.push_back({"slices", array, "ld o0, l(0, 0, 5, 0), t0.xyzw", slices, "slice_range"});
  texlate_known_resource elements = t0(TEXLATE_KNOWN_WIDTH);
  elements.width = 8;
  rows.push_back({"elements", buffer, "ld o0, l(7, 7, 7, 7), t0.xyzw", elements, "coordinate_range"});
  texlate_known_resource samples_known = t0(TEXLATE_KNOWN_SAMPLES);
  samples_known.samples = 4;
  rows.push_back(
      {"samples", samples, "ldms o0, l(0, 0, 0, 0), t0.xyzw, l(3)", samples_known, "sample_range"});
  texlate_known_resource components = t0(TEXLATE_KNOWN_COMPONENTS);
  components.components = 15;
  rows.push_back(
      {"components", sampled, "sample_l o0, v0.xyxx, t0.xyzw, s0, l(0)", components, "missing_components"});
  return rows;
}

/// The explanation of the gap: empty if there is none.
std::string gap_of(const std::string& shader, const char* target, const texlate_known_resource* known,
                   const char* gap) {
  const api::Program program(shader);
  EXPECT_TRUE(program.ok()) << shader;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target;
  options.explain = 1;
  texlate_known_state state = TEXLATE_KNOWN_STATE_INIT;
  state.resources = known;
  state.resource_count = 1;
  if (known != nullptr) options.known = &state;
  const api::Output output = program.translate(options);
  EXPECT_TRUE(output.ok()) << shader;
  const std::string json(output.explanation_json());
  const size_t at = json.find(fmt::format("\"gap\": \"{}\"", gap));
  if (at == std::string::npos) return {};
  return json.substr(at, json.find('}', at) - at);
}

TEST(KnownFacts, LeaveOutTheirGuards) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.name);
    const std::string shader = fmt::format("{}{}{}\nret\n", kHead, row.declarations, row.code);
    for (const char* const target : {"ptx", "maxwell"}) {
      SCOPED_TRACE(target);
      const std::string general = gap_of(shader, target, nullptr, row.gap);
      EXPECT_NE(general.find("\"done\""), std::string::npos) << general;
      const std::string known = gap_of(shader, target, &row.known, row.gap);
      EXPECT_NE(known.find("\"known\""), std::string::npos) << known;
    }
  }
}

struct Alone {
  const char* name;
  const char* declarations;
  const char* code;
  texlate_known_state state;
  const char* fact;  // in the reflection
};

texlate_known_state with(const texlate_known_resource& resource) {
  texlate_known_state state = TEXLATE_KNOWN_STATE_INIT;
  state.resources = &resource;
  state.resource_count = 1;
  return state;
}

// One fact of each kind, and nothing else: the code is smaller, and the reflection names the fact.
TEST(KnownFacts, EachAloneMakesTheCodeSmaller) {
  const char* const compared =
      "dcl_resource_texture2d (float,float,float,float) t0\ndcl_sampler s0, mode_comparison\n";
  const char* const compare = "sample_c_lz r0.x, v0.xyxx, t0.xxxx, s0, v0.z\nmov o0, r0.xxxx";
  const char* const volume = "dcl_resource_texture3d (float,float,float,float) t0\n";
  const char* const sampled_array =
      "dcl_resource_texture2darray (float,float,float,float) t0\ndcl_sampler s0, mode_default\n";
  texlate_known_resource size = sized(4, 3), bytes = t0(TEXLATE_KNOWN_WIDTH), depth = sized(4, 3);
  bytes.width = 64;
  depth.depth = 8;
  depth.known |= TEXLATE_KNOWN_DEPTH;
  texlate_known_resource slices = t0(TEXLATE_KNOWN_SLICES), mips = t0(TEXLATE_KNOWN_MIPS);
  slices.slices = mips.mips = 4;
  texlate_known_resource unorm = t0(TEXLATE_KNOWN_UNORM_BITS), components = t0(TEXLATE_KNOWN_COMPONENTS);
  unorm.unorm_bits = 16;
  components.components = 15;
  const texlate_known_resource bound = t0(0);
  texlate_known_sampler sampler{};
  sampler.state = {0x94, 4, 4, 4, 0, 1, 4, 2, 0, 1000, 0, 0, 0};  // linear, border, less or equal
  sampler.count = 1;
  texlate_known_state samplers = TEXLATE_KNOWN_STATE_INIT;
  samplers.samplers = &sampler;
  samplers.sampler_count = 1;
  const texlate_known_constants rows{0, 0, 1, 4, nullptr, 0, 0, 0};
  const uint32_t words[4] = {1, 2, 3, 4};
  const texlate_known_constants values{0, 0, 1, 0, words, 3, 1, 0};
  texlate_known_state row_count = TEXLATE_KNOWN_STATE_INIT, row_values = TEXLATE_KNOWN_STATE_INIT;
  row_count.constants = &rows;
  row_values.constants = &values;
  row_count.constant_count = row_values.constant_count = 1;
  const char* const buffer = "dcl_constantbuffer cb0[4], immediateIndexed\n";
  const char* const raw = "dcl_resource_raw t0\n";
  const Alone cases[] = {
      {"bound", sampled_array, "sample_l o0, v0.xyzx, t0.xyzw, s0, l(0)", with(bound), "bound"},
      {"width and height", volume, "ld o0, l(3, 2, 0, 0), t0.xyzw", with(size), "height"},
      {"depth", volume, "ld o0, l(3, 2, 7, 0), t0.xyzw", with(depth), "depth"},
      {"bytes", raw, "ld_raw o0, l(16), t0.xyzw", with(bytes), "bytes"},
      {"slices", sampled_array, "ld o0, l(0, 0, 3, 0), t0.xyzw", with(slices), "layers"},
      {"mips", sampled_array, "ld o0, l(0, 0, 0, 3), t0.xyzw", with(mips), "levels"},
      {"components", sampled_array, "sample_l o0, v0.xyzx, t0.xyzw, s0, l(0)", with(components), "keep0"},
      {"UNORM bits", compared, compare, with(unorm), "reference_scale"},
      {"sampler", compared, compare, samplers, "compare_function"},
      {"rows", buffer, "mul o0, v0, cb0[3]", row_count, "\"rows\": 4"},
      {"values", buffer, "mul o0, v0, cb0[3]", row_values, "\"words\""},
  };
  for (const Alone& each : cases) {
    SCOPED_TRACE(each.name);
    const api::Program program(fmt::format("{}{}{}\nret\n", kHead, each.declarations, each.code));
    ASSERT_TRUE(program.ok());
    for (const char* const target : {"ptx", "maxwell"}) {
      texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
      options.target = target;
      options.reflect = 1;
      const api::Output general = program.translate(options);
      options.known = &each.state;
      const api::Output known = program.translate(options);
      ASSERT_TRUE(general.ok() && known.ok());
      EXPECT_LT(known.data().size(), general.data().size()) << target;
      EXPECT_NE(known.reflection().find(each.fact), std::string_view::npos) << known.reflection();
    }
  }
}

// A coordinate that may be outside keeps its guard, whatever the size is.
TEST(KnownFacts, KeepGuardsThatMayFail) {
  const std::string shader = fmt::format(
      "{}dcl_resource_texture2d (float,float,float,float) t0\n"
      "ftoi r0.xy, v0.xyxx\nmov r0.zw, l(0,0,0,0)\nld o0, r0.xyzw, t0.xyzw\nret\n",
      kHead);
  const texlate_known_resource known = sized(16, 16);
  const std::string gap = gap_of(shader, "ptx", &known, "coordinate_range");
  EXPECT_NE(gap.find("\"done\""), std::string::npos) << gap;
}

TEST(KnownFacts, AreListedInTheReflection) {
  const std::string shader = fmt::format(
      "{}dcl_constantbuffer cb0[4], immediateIndexed\ndcl_resource_texture2d (float,float,float,float) t0\n"
      "ld r0, l(3, 2, 0, 0), t0.xyzw\nmul o0, r0, cb0[2]\nret\n",
      kHead);
  const api::Program program(shader);
  texlate_known_state state = TEXLATE_KNOWN_STATE_INIT;
  const texlate_known_resource resource = sized(4, 3);
  state.resources = &resource;
  state.resource_count = 1;
  const uint32_t words[4] = {1, 2, 3, 4};
  const texlate_known_constants constants{0, 0, 1, 4, words, 2, 1, 0};
  state.constants = &constants;
  state.constant_count = 1;
  for (const char* const target : {"ptx", "maxwell", "spirv", "dksh"}) {
    SCOPED_TRACE(target);
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = target;
    options.reflect = 1;
    EXPECT_EQ(std::string(program.translate(options).reflection()).find("relies_on"), std::string::npos);
    options.known = &state;
    const api::Output output = program.translate(options);
    ASSERT_TRUE(output.ok());
    const std::string reflection(output.reflection());
    EXPECT_NE(reflection.find("relies_on"), std::string::npos);
    EXPECT_NE(reflection.find("\"row\": 2"), std::string::npos) << reflection;
    const bool asks_for_sizes = std::string_view(target) == "ptx" || std::string_view(target) == "maxwell";
    EXPECT_EQ(reflection.find("\"fact\": \"height\"") != std::string::npos, asks_for_sizes) << reflection;
  }
}

TEST(KnownFacts, ReplaceRowsQueriesAndUnboundSlots) {
  const std::string shader = fmt::format(
      "{}dcl_constantbuffer cb0[1], immediateIndexed\ndcl_resource_texture2d (float,float,float,float) t0\n"
      "dcl_resource_texture2d (float,float,float,float) t1\n"
      "resinfo_uint r0.xyz, l(1), t0.xyzw\nutof r0.xy, r0.xyxx\nld r1.x, l(0,0,0,0), t1.xyzw\n"
      "if_nz cb0[0].x\n  add r0.x, r0.x, r1.x\nelse\n  ld r0.x, l(0,0,0,0), t1.xyzw\nendif\n"
      "mov o0.xy, r0.xyxx\nmov o0.zw, l(0,0,0,0)\nret\n",
      kHead);
  texlate_known_resource resources[2] = {sized(64, 32), {}};
  resources[0].known |= TEXLATE_KNOWN_MIPS;
  resources[0].mips = 7;
  resources[1].register_class = TEXLATE_REGISTER_RESOURCE;
  resources[1].first = 1;
  resources[1].count = 1;
  resources[1].known = TEXLATE_KNOWN_BOUND;
  const uint32_t words[4] = {1, 0, 0, 0};
  const texlate_known_constants constants{0, 0, 1, 0, words, 0, 1, 0};
  texlate_known_state state = TEXLATE_KNOWN_STATE_INIT;
  state.resources = resources;
  state.resource_count = 2;
  state.constants = &constants;
  state.constant_count = 1;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.known = &state;
  const api::Output output = api::Program(shader).translate(options);
  ASSERT_TRUE(output.ok());
  const std::string ptx(output.data());
  EXPECT_EQ(ptx.find("tex."), std::string::npos) << ptx;        // t1 is unbound, t0 only queried
  EXPECT_EQ(ptx.find("selp"), std::string::npos) << ptx;        // nothing is left to decide
  EXPECT_NE(ptx.find("0x42000000"), std::string::npos) << ptx;  // 32.0, the width of mip 1
}

}  // namespace
}  // namespace texlate::test
