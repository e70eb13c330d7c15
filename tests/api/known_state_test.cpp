// texlate_known_state: what is wrong is refused, and the message names the member.

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

texlate_status translate(const Known& known, const char* target = "ptx") {
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
  EXPECT_EQ(translate(Known()), TEXLATE_OK);
  struct Row {
    const char* message;
    std::function<void(Known&)> spoil;
  };
  const Row rows[] = {
      {"resources[0].count is 0", [](Known& k) { k.resource.count = 0; }},
      {"its registers exceed 32 bits", [](Known& k) { k.resource.first = k.resource.count = 0xfffffffe; }},
      {"register_class is 1", [](Known& k) { k.resource.register_class = TEXLATE_REGISTER_SAMPLER; }},
      {"known has unknown bits", [](Known& k) { k.resource.known = 512; }},
      {"nothing is bound, but more is known",
       [](Known& k) { k.resource.known = TEXLATE_KNOWN_BOUND | TEXLATE_KNOWN_WIDTH; }},
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
    EXPECT_EQ(translate(known), TEXLATE_ERROR_ARGUMENT);
    EXPECT_NE(std::string(texlate_argument_error()).find(row.message), std::string::npos)
        << texlate_argument_error();
  }
}

TEST(KnownState, IsSaidOnce) {
  Known known;
  texlate_known_resource twice[2] = {known.resource, known.resource};
  known.state.resources = twice;
  known.state.resource_count = 2;
  EXPECT_EQ(translate(known), TEXLATE_ERROR_ARGUMENT);
  EXPECT_NE(std::string(texlate_argument_error()).find("resources[1]"), std::string::npos);
  twice[1].first = 1;
  EXPECT_EQ(translate(known), TEXLATE_OK);
  twice[1].count = UINT32_MAX;  // t1 and all that follow
  EXPECT_EQ(translate(known), TEXLATE_OK);
  twice[1].first = 0;
  EXPECT_EQ(translate(known), TEXLATE_ERROR_ARGUMENT);
}

TEST(KnownState, IsForTargets) {
  for (const char* target : {"ptx", "spirv", "maxwell", "cubin", "dksh"})
    EXPECT_EQ(translate(Known(), target), TEXLATE_OK);
  for (const char* form : {"asm", "dxbc", "ir"})
    EXPECT_EQ(translate(Known(), form), TEXLATE_ERROR_ARGUMENT) << form;
}

}  // namespace
}  // namespace texlate
