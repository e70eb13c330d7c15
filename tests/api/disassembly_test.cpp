// Containers with changed tokens: their listing assembles to the same program, or there is an error that
// names the place. Listings of programs that are read leniently.

#include <cstring>
#include <random>

#include "tests/api/translated.h"
#include "tests/fuzz/changed_tokens.h"

namespace texlate {
namespace {

constexpr std::string_view kSeeds[] = {
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},\n"
    "{ 0, 1.000000, 0, 0} }\ndcl_constantbuffer cb0[4], dynamicIndexed\ndcl_sampler s0, mode_default\n"
    "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_structured t1, 16\n"
    "dcl_uav_typed_buffer (uint,uint,uint,uint) u1\ndcl_input_ps linear noperspective centroid v0.xyzw\n"
    "dcl_output o0.xyzw\ndcl_output oDepthGE\ndcl_temps 2\n"
    "dcl_indexableTemp x0[4], 4\nprintf \"%f is fine\", r0.z\nmov x0[r0.x + 2].xy, -|cb0[r0.y + 1].xyzw|\n"
    "if_nz r0.x\nsample_aoffimmi_indexable(1,-2,0)(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, "
    "t0.yzwx, s0\nendif \nld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) "
    "r1.xy, "
    "r0.x, l(4), t1.xyxx\nmad_sat [precise(xy)] o0.xyzw {min16f}, r0.xyzw, icb[r1.x + 1].xyzw, "
    "l(1.000000, 2.000000, 1e-20, 4.000000)\nmov oDepthGE, d(1.500000l, -2.000000l)\nret \n",
    "hs_5_0\nhs_decls \ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
    "dcl_tessellator_output_primitive output_triangle_cw\ndcl_hs_max_tessfactor l(64.000000)\nhs_fork_phase "
    "\n"
    "dcl_hs_fork_phase_instance_count 2\ndcl_input vForkInstanceID\ndcl_output_siv o0.x, "
    "finalTriUeq0EdgeTessFactor\ndcl_temps 1\nmov o0.x, vForkInstanceID\nret \n",
    "ps_5_1\ndcl_constantbuffer CB0[0:1][4], immediateIndexed, space=2\ndcl_sampler S0[0:*], mode_default, "
    "space=0\n"
    "dcl_resource_texture2d (float,float,float,float) T0[1:3], space=1\ndcl_output o0.xyzw\ndcl_temps 1\n"
    "mov r0.xyzw, CB0[1][2].xyzw\nsample o0.xyzw, r0.xyxx, T0[r0.x + 1].xyzw, S0[2]\nret \n"};

std::string translated(const api::Program& program, const char* target, std::string* message = nullptr) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target;
  const api::Output output = program.translate(options);
  if (message != nullptr) {
    for (const auto& diagnostic : output.diagnostics()) {
      *message = diagnostic.message;
      EXPECT_NE(diagnostic.offset, UINT32_MAX) << *message;
    }
  }
  return std::string(output.data());
}

std::string container_of(std::string_view listing) {
  const api::Program program(listing);
  EXPECT_TRUE(program.ok()) << listing;
  return translated(program, "dxbc");
}

api::Program read(std::string_view container) {
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  options.digest = TEXLATE_DIGEST_IGNORE;
  return api::Program(container, &options);
}

/// The listing from its model on. The interpolation of dcl_input_ps_sgv has no meaning.
std::string without_header(std::string_view listing) {
  constexpr std::string_view kConstant = "dcl_input_ps_sgv constant";
  std::string text(listing.substr(listing.find("_5_")));
  for (size_t at = 0; (at = text.find(kConstant, at)) != text.npos; ++at)
    text.replace(at, kConstant.size(), "dcl_input_ps_sgv");
  return text;
}

TEST(Disassembly, ReadsBackOrIsAnError) {
  std::mt19937 random(1);
  size_t listed = 0, refused = 0;
  for (const std::string_view seed : kSeeds) {
    const std::string original = container_of(seed);
    for (uint32_t run = 0; run < 2000; ++run) {
      std::string changed = original;
      const std::span<char> tokens = test::tokens_of(changed);
      ASSERT_FALSE(tokens.empty());
      const size_t at = random() % tokens.size();
      tokens[at] = static_cast<char>(tokens[at] ^ (1u << random() % 8));
      if (random() % 4 == 0) tokens[random() % tokens.size()] = static_cast<char>(random());
      const api::Program program = read(changed);
      if (!program.ok()) continue;
      std::string message;
      const std::string listing = translated(program, "asm", &message);
      if (listing.empty()) {
        ASSERT_NE(message, "");
        ++refused;
        continue;
      }
      const api::Program again(listing);
      ASSERT_TRUE(again.ok()) << listing;
      // The program that the text gives has the same listing, except for the header.
      const std::string twice = translated(read(translated(again, "dxbc")), "asm");
      ASSERT_EQ(without_header(twice), without_header(listing));
      ++listed;
    }
  }
  EXPECT_GT(listed, 500u);
  EXPECT_GT(refused, 20u);
}

TEST(Disassembly, NamesWhatNoListingCanSay) {
  std::string container = container_of("vs_5_0\ndcl_input_sgv v0.x, vertex_id\nret \n");
  const std::span<char> tokens = test::tokens_of(container);
  constexpr size_t kSystemValue = 3 * 4;
  ASSERT_EQ(tokens[kSystemValue], 6);
  tokens[kSystemValue] = 99;
  std::string message;
  EXPECT_EQ(translated(read(container), "asm", &message), "");
  EXPECT_THAT(message, testing::HasSubstr("no listing can say what this dcl_input_sgv says"));
}

// docs/frontend.md, "Lenient reading": callers of earlier versions, whose structure ends before the member,
// read strictly.
TEST(Lenient, IsAnOptionOfReading) {
  constexpr std::string_view kFix =
      "ps_5_0\ndcl_constantbuffer cb0[1], immediateIndexed\ndcl_output o0.xyzw\ndcl_temps 1\n"
      "mov r3.xyzw, cb0[2].xyzw\nmov o0.xyzw, r3.xyzw\nret \n";
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  options.lenient = 1;
  for (const bool knows : {true, false}) {
    if (!knows) options.struct_size = offsetof(texlate_parse_options, lenient);
    const api::Program program(kFix, &options);
    ASSERT_TRUE(program.ok());
    texlate_output* output = nullptr;
    const texlate_status status = texlate_check(program.get(), &output);
    EXPECT_EQ(status, knows ? TEXLATE_OK : TEXLATE_ERROR_INPUT);
    texlate_output_free(output);
    const std::string ir = translated(program, "ir");
    EXPECT_EQ(ir.find("cb0 rows(3)") != std::string::npos, knows) << ir;
  }
}

}  // namespace
}  // namespace texlate
