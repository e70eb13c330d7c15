// texlate_known_state: what is wrong is refused, and the message names the member.

#include <cmath>
#include <functional>

#include "tests/api/translated.h"

namespace texlate {
namespace {

struct Known {
  texlate_known_resource resource{};
  texlate_known_sampler sampler{};
  texlate_known_constants constants{};
  texlate_known_state state = TEXLATE_KNOWN_STATE_INIT;

  /// All of it as it should be.
  Known() {
    resource.register_class = TEXLATE_REGISTER_RESOURCE;
    resource.count = 1;
    resource.known = TEXLATE_KNOWN_WIDTH;
    resource.width = 4;
    sampler.state.filter = 0x15;  // linear
    sampler.state.address_u = sampler.state.address_v = sampler.state.address_w = 1;
    sampler.count = 1;
    constants.count = 1;
    constants.rows = 4;
    state.resources = &resource;
    state.resource_count = 1;
    state.samplers = &sampler;
    state.sampler_count = 1;
    state.constants = &constants;
    state.constant_count = 1;
  }
};

texlate_status translate_with(const Known& known, const char* target = "ptx") {
  const api::Program program("ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0,0,0,1.0)\nret\n");
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target;
  options.known = &known.state;
  texlate_output* output = nullptr;
  const texlate_status status = texlate_translate(program.get(), &options, &output);
  texlate_output_free(output);
  return status;
}

TEST(KnownState, WrongArgumentsAreRefused) {
  EXPECT_EQ(translate_with(Known()), TEXLATE_OK);
  struct Row {
    const char* message;
    std::function<void(Known&)> spoil;
  };
  const Row rows[] = {
      {"resources[0].count is 0", [](Known& k) { k.resource.count = 0; }},
      {"its registers exceed 32 bits", [](Known& k) { k.resource.first = k.resource.count = 0xfffffffe; }},
      {"register_class is 1", [](Known& k) { k.resource.register_class = TEXLATE_REGISTER_SAMPLER; }},
      {"known has unknown bits", [](Known& k) { k.resource.known = 1024; }},
      {"only the format of a typed UAV", [](Known& k) { k.resource.known = TEXLATE_KNOWN_TEXEL_FORMAT; }},
      {"format is 5, which is not an enumerator",
       [](Known& k) {
         k.resource.register_class = TEXLATE_REGISTER_UAV;
         k.resource.known = TEXLATE_KNOWN_TEXEL_FORMAT;
         k.resource.format = static_cast<texlate_format>(5);
       }},
      {"ptx has no specialization constants", [](Known& k) { k.resource.specialize = 1; }},
      {"only sizes, slices, mips and samples can be specialization constants",
       [](Known& k) {
         k.resource.specialize = 1;
         k.resource.known = TEXLATE_KNOWN_UNORM_BITS;
       }},
      {"launch has unknown bits", [](Known& k) { k.state.launch = 8; }},
      {"elements is 0", [](Known& k) { k.state.launch = TEXLATE_KNOWN_ELEMENTS; }},
      {"nothing is bound, but more is known",
       [](Known& k) { k.resource.known = TEXLATE_KNOWN_BOUND | TEXLATE_KNOWN_WIDTH; }},
      {"height is 20000: not 1 to 16384",
       [](Known& k) {
         k.resource.known |= TEXLATE_KNOWN_HEIGHT;
         k.resource.height = 20000;
       }},
      {"width is 0: not 1 to 16384",
       [](Known& k) {
         k.resource.known |= TEXLATE_KNOWN_HEIGHT;
         k.resource.width = 0;
         k.resource.height = 2;
       }},
      {"width is 2147483648: not 0", [](Known& k) { k.resource.width = 0x80000000; }},
      {"mips is 16: not 1 to 15",
       [](Known& k) {
         k.resource.known = TEXLATE_KNOWN_MIPS;
         k.resource.mips = 16;
       }},
      {"state.mip_lod_bias is not a number", [](Known& k) { k.sampler.state.mip_lod_bias = NAN; }},
      {"state.max_lod is not a number", [](Known& k) { k.sampler.state.max_lod = NAN; }},
      {"border is not a number",
       [](Known& k) {
         k.sampler.has_border = 1;
         k.sampler.border[2] = NAN;
       }},
      {"elements is 6, but pixels come in quads",
       [](Known& k) {
         k.state.launch = TEXLATE_KNOWN_ELEMENTS;
         k.state.elements = 6;
       }},
      {"mips is 0", [](Known& k) { k.resource.known = TEXLATE_KNOWN_MIPS; }},
      {"components is 16",
       [](Known& k) {
         k.resource.known = TEXLATE_KNOWN_COMPONENTS;
         k.resource.components = 16;
       }},
      {"unorm_bits is 25",
       [](Known& k) {
         k.resource.known = TEXLATE_KNOWN_UNORM_BITS;
         k.resource.unorm_bits = 25;
       }},
      {"state.filter is 0x2", [](Known& k) { k.sampler.state.filter = 2; }},
      {"state.filter is 0x40", [](Known& k) { k.sampler.state.filter = 0x40; }},
      {"max_anisotropy is 0", [](Known& k) { k.sampler.state.filter = 0x55; }},
      {"state.address_v is 6", [](Known& k) { k.sampler.state.address_v = 6; }},
      {"state.comparison is 0", [](Known& k) { k.sampler.state.filter = 0x95; }},
      {"state.border_color is 3", [](Known& k) { k.sampler.state.border_color = 3; }},
      {"rows is 4097", [](Known& k) { k.constants.rows = 4097; }},
      {"words is null but its row_count is 1", [](Known& k) { k.constants.row_count = 1; }},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.message);
    Known known;
    row.spoil(known);
    EXPECT_EQ(translate_with(known), TEXLATE_ERROR_ARGUMENT);
    EXPECT_NE(std::string(texlate_argument_error()).find(row.message), std::string::npos)
        << texlate_argument_error();
  }
}

// Direct3D says what such a sampler does: the least level wins.
TEST(KnownState, LeastLevelMayBeAboveTheGreatest) {
  Known known;
  known.sampler.state.min_lod = 2;
  known.sampler.state.max_lod = 1;
  EXPECT_EQ(translate_with(known), TEXLATE_OK);
}

TEST(KnownState, SuitsWhatTheShaderDeclares) {
  const std::string head = "ps_5_0\ndcl_resource_",
                    tail = " t1\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret\n";
  const std::string of_floats = " (float,float,float,float)";
  struct Row {
    std::string declared;
    std::function<void(texlate_known_resource&)> say;
    const char* message;  // null: it suits
  };
  const auto say = [](uint32_t known, uint32_t width, uint32_t height, uint32_t depth, uint32_t mips) {
    return [=](texlate_known_resource& to) {
      to.known = known;
      to.width = width;
      to.height = height;
      to.depth = depth;
      to.mips = mips;
    };
  };
  constexpr uint32_t kFlat = TEXLATE_KNOWN_WIDTH | TEXLATE_KNOWN_HEIGHT, kDeep = kFlat | TEXLATE_KNOWN_DEPTH;
  const Row rows[] = {
      {"texture2d" + of_floats, say(kDeep, 4, 4, 4, 0), "resources[0].depth is 4, but a texture2d has none"},
      {"texture2d" + of_floats, say(kDeep, 4, 4, 1, 0), nullptr},
      {"texture3d" + of_floats, say(kDeep, 4, 4, 4, 0), nullptr},
      {"texture2d" + of_floats, say(TEXLATE_KNOWN_WIDTH, 20000, 0, 0, 0), "width is 20000: not 1 to 16384"},
      {"buffer" + of_floats, say(TEXLATE_KNOWN_WIDTH, 20000, 0, 0, 0), nullptr},
      {"texture2d" + of_floats, say(kFlat | TEXLATE_KNOWN_MIPS, 16, 9, 0, 6),
       "mips is 6, but a texture of this size has 5 at most"},
      {"texture2d" + of_floats, say(kFlat | TEXLATE_KNOWN_MIPS, 16, 9, 0, 5), nullptr},
      {"texture2d" + of_floats, say(TEXLATE_KNOWN_WIDTH | TEXLATE_KNOWN_MIPS, 16, 0, 0, 6), nullptr},
      {"raw", say(TEXLATE_KNOWN_MIPS, 0, 0, 0, 2), "mips is 2, but a raw_buffer has none"},
  };
  for (const Row& row : rows) {
    const std::string text = head + row.declared + tail;
    SCOPED_TRACE(text);
    const api::Program program(text);
    ASSERT_TRUE(program.ok());
    Known known;
    known.resource.count = 3;
    row.say(known.resource);
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.known = &known.state;
    const api::Output output = program.translate(options);
    EXPECT_EQ(output.status(), row.message == nullptr ? TEXLATE_OK : TEXLATE_ERROR_ARGUMENT);
    EXPECT_THAT(row.message == nullptr ? "" : texlate_argument_error(),
                testing::HasSubstr(row.message == nullptr ? "" : row.message));
  }
}

TEST(KnownState, IsSaidOnce) {
  Known known;
  texlate_known_resource twice[2] = {known.resource, known.resource};
  known.state.resources = twice;
  known.state.resource_count = 2;
  EXPECT_EQ(translate_with(known), TEXLATE_ERROR_ARGUMENT);
  EXPECT_NE(std::string(texlate_argument_error()).find("resources[1]"), std::string::npos);
  twice[1].first = 1;
  EXPECT_EQ(translate_with(known), TEXLATE_OK);
  twice[1].count = UINT32_MAX;  // t1 and all that follow
  EXPECT_EQ(translate_with(known), TEXLATE_OK);
  twice[1].first = 0;
  EXPECT_EQ(translate_with(known), TEXLATE_ERROR_ARGUMENT);
}

TEST(KnownState, GivesTheFormatsOfViews) {
  const api::Program program(
      "cs_5_0\ndcl_uav_typed_texture2d (float,float,float,float) u1\ndcl_input vThreadID.xy\n"
      "dcl_thread_group 8, 8, 1\nstore_uav_typed u1.xyzw, vThreadID.xyyy, l(1.0, 0.5, 0.25, 1.0)\nret\n");
  Known known;
  known.resource.register_class = TEXLATE_REGISTER_UAV;
  known.resource.count = 8;
  known.resource.known = TEXLATE_KNOWN_TEXEL_FORMAT;
  known.resource.format = TEXLATE_FORMAT_R8G8B8A8_UNORM;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.reflect = 1;
  const auto reflection = [&] { return std::string(program.translate(options).reflection()); };
  EXPECT_NE(reflection().find("\"assumed\": true"), std::string::npos);
  options.known = &known.state;
  EXPECT_NE(reflection().find("\"assumed\": false"), std::string::npos) << reflection();
  EXPECT_NE(reflection().find("\"bits\": 8"), std::string::npos) << reflection();
  for (const char* const target : {"ptx", "maxwell", "spirv"}) {
    options.target = target;
    EXPECT_NE(reflection().find("\"format\": \"rgba8_unorm\""), std::string::npos) << target << reflection();
  }
  options.target = nullptr;
  known.resource.format = TEXLATE_FORMAT_R8G8B8A8_UINT;
  EXPECT_EQ(program.translate(options).status(), TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(),
               "options.known: the format of u1 is one of integers, but the shader declares it with floats");
  known.resource.format = TEXLATE_FORMAT_R8G8B8A8_UNORM;
  const texlate_uav_format again{1, 4, 8, TEXLATE_TEXEL_UNORM, TEXLATE_FORMAT_UNKNOWN};
  options.uav_formats = &again;
  options.uav_format_count = 1;
  options.known = nullptr;
  EXPECT_EQ(reflection().find("relies_on"), std::string::npos) << "a format that is no known state";
  options.known = &known.state;
  EXPECT_EQ(program.translate(options).status(), TEXLATE_ERROR_ARGUMENT);
  EXPECT_NE(std::string(texlate_argument_error()).find("both give the format of u1"), std::string::npos);
}

TEST(KnownState, ExplanationsSayWhatWasLeftOut) {
  const api::Program program(
      "ps_5_0\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_output o0.xyzw\n"
      "ld o0.xyzw, l(3, 0, 0, 0), t0.xyzw\nret\n");
  Known known;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.explain = 1;
  const auto left_out = [&] {
    const api::Output output = program.translate(options);
    size_t count = 0;
    for (size_t i = 0; i < output.explanations().size(); ++i) count += output.is_left_out(i) ? 1 : 0;
    EXPECT_FALSE(output.is_left_out(output.explanations().size()));
    return count;
  };
  EXPECT_EQ(left_out(), 0u);
  options.known = &known.state;
  EXPECT_GT(left_out(), 0u);
}

// Vulkan's samplers do everything that Direct3D's do: no module depends on their state. A client of
// vkd3d-shader that has static samplers gains nothing by telling them (docs/vkd3d.md).
TEST(KnownState, SamplersChangeNoSpirv) {
  const api::Program program(
      "ps_5_0\ndcl_sampler s0, mode_comparison\ndcl_sampler s1, mode_default\n"
      "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_texture2d (float,float,float,float) "
      "t1\n"
      "dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 3\n"
      "sample_c_lz r0.x, v0.xyxx, t0.xxxx, s0, v0.z\ngather4_c r1.xyzw, v0.xyxx, t0.xyzw, s0.x, v0.z\n"
      "sample_b r2.xyzw, v0.xyxx, t1.xyzw, s1, v0.w\nlod r0.y, v0.xyxx, t1.xyzw, s1\n"
      "mad o0.xyzw, r0.xyxy, r1.xyzw, r2.xyzw\nret\n");
  Known known;
  known.state.resource_count = known.state.constant_count = 0;
  known.sampler.count = 2;
  for (const char* robustness : {"driver", "shader"}) {
    texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
    if (std::string_view(robustness) == "shader") spirv.robustness = TEXLATE_ROBUSTNESS_SHADER;
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = "spirv";
    options.spirv = &spirv;
    const std::string general(program.translate(options).data());
    options.known = &known.state;
    EXPECT_FALSE(general.empty());
    EXPECT_EQ(std::string(program.translate(options).data()), general) << robustness;
  }
}

TEST(KnownState, IsForTargets) {
  for (const char* target : {"ptx", "spirv", "maxwell", "cubin", "dksh"})
    EXPECT_EQ(translate_with(Known(), target), TEXLATE_OK);
  for (const char* form : {"asm", "dxbc", "ir"})
    EXPECT_EQ(translate_with(Known(), form), TEXLATE_ERROR_ARGUMENT) << form;
}

}  // namespace
}  // namespace texlate
