// Debug information with the assembly as source, and messages of shaders.

#include "tests/api/translated.h"

namespace texlate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kBranch =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xy\ndcl_output o0.xyzw\n"
    "dcl_temps 1\nmul r0.x, v0.x, v0.y\nlt r0.y, l(1.0), r0.x\nif_nz r0.y\n  sqrt r0.x, r0.x\nendif\n"
    "mov o0.xyzw, r0.xxxx\nret\n";

texlate_spirv_options with_debug_info() {
  texlate_spirv_options options = spirv_options();
  options.debug_info = 1;
  return options;
}

/// Lines of DebugLine in the order of the module.
std::vector<uint32_t> lines_of(std::string_view text) {
  std::vector<uint32_t> lines;
  for (size_t at = text.find(" DebugLine "); at != std::string_view::npos;
       at = text.find(" DebugLine ", at + 1)) {
    const size_t number = text.find("%uint_", at) + 6;
    lines.push_back(static_cast<uint32_t>(std::stoul(std::string(text.substr(number, 8)))));
  }
  return lines;
}

std::string line_of_text(std::string_view text, uint32_t line) {
  for (uint32_t i = 1; i < line; ++i) text.remove_prefix(text.find('\n') + 1);
  return std::string(text.substr(0, text.find('\n')));
}

TEST(DebugInformation, TheTextIsTheSource) {
  texlate_spirv_options options = with_debug_info();
  const std::string source(kBranch);
  options.source = source.c_str();
  options.source_name = "branch.asm";
  const Translated made = translate(kBranch, options);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_THAT(made.text,
              AllOf(HasSubstr("OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\""),
                    HasSubstr("\"branch.asm\""), HasSubstr("DebugSource "), HasSubstr("mul r0.x, v0.x, v0.y"),
                    HasSubstr("DebugFunctionDefinition"), HasSubstr("DebugScope"), Not(HasSubstr("OpLine"))));
  EXPECT_THAT(lines_of(made.text), testing::ElementsAre(6u, 7u, 8u, 9u, 10u, 11u, 12u));
  // A scope ends with its block: the entry, the if's arm, and what follows.
  EXPECT_EQ(count(made.text, "DebugScope"), 3u);
}

TEST(DebugInformation, AContainerHasTheListingThatTexlatePrints) {
  const api::Program program(kBranch);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "dxbc";
  const api::Output container = program.translate(options);
  ASSERT_TRUE(container.ok());
  const api::Program read(container.data());
  options.target = "asm";
  const std::string listing(read.translate(options).data());
  const Translated made = translate(read, with_debug_info());
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  std::vector<std::string> texts;
  for (const uint32_t line : lines_of(made.text)) texts.push_back(line_of_text(listing, line));
  EXPECT_THAT(texts, testing::ElementsAre("mul r0.x, v0.x, v0.y", "lt r0.y, l(1.000000), r0.x", "if_nz r0.y",
                                          "  sqrt r0.x, r0.x", "endif ", "mov o0.xyzw, r0.xxxx", "ret "));
}

// One OpString holds 65,533 words.
TEST(DebugInformation, LongTextsContinue) {
  texlate_spirv_options options = with_debug_info();
  const std::string source = std::string(kBranch) + "// " + std::string(600'000, 'x') + "end";
  options.source = source.c_str();
  const Translated made = translate(kBranch, options);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_EQ(count(made.text, "DebugSourceContinued"), 2u);
  EXPECT_THAT(made.text, HasSubstr("xend\""));
}

constexpr std::string_view kHull =
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
    "dcl_tessellator_output_primitive output_triangle_cw\ndcl_globalFlags refactoringAllowed\n"
    "hs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[3][0].xyzw\ndcl_output o0.xyzw\n"
    "dcl_temps 1\nmov r0.x, vOutputControlPointID.x\nmov o0.xyzw, v[r0.x + 0][0].xyzw\nret\nhs_fork_phase\n"
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\nmov o0.x, l(1.0)\nret\n";

TEST(DebugInformation, PhasesAreFunctions) {
  const Translated made = translate(kHull, with_debug_info());
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_EQ(count(made.text, "DebugFunctionDefinition"), 2u);
  EXPECT_THAT(made.text, AllOf(HasSubstr("\"control_points\""), HasSubstr("\"fork\"")));
}

std::string shader_with(std::string_view statement) {
  return "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\n"
         "dcl_temps 1\nadd r0.xyzw, v0.xyzw, l(1,2,3,4)\n" +
         std::string(statement) + "\nmov o0.xyzw, r0.xyzw\nret\n";
}

Translated with_message(std::string_view statement) {
  texlate_spirv_options options = spirv_options();
  options.messages = 1;
  return translate(shader_with(statement), options);
}

TEST(Messages, PrintfIsDebugPrintf) {
  const Translated made = with_message("printf \"%f is %d%% of %08.3lx\", r0.z, l(7), r0.x");
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_THAT(made.text, AllOf(HasSubstr("OpExtInstImport \"NonSemantic.DebugPrintf\""),
                               HasSubstr("OpString \"%f is %d%% of %08.3x\""), HasSubstr("DebugPrintf %")));
  EXPECT_THAT(made.text, HasSubstr("%uint_7 "));
  const Translated vector = with_message("printf \"%f %f %f %f\", r0.xyzw");
  EXPECT_EQ(vector.status, TEXLATE_OK) << vector.messages;
  const size_t call = vector.text.find("DebugPrintf %");
  EXPECT_EQ(count(vector.text.substr(call, vector.text.find('\n', call) - call), "%"), 5u);
}

TEST(Messages, ErrorfAndTextsWithoutConversions) {
  EXPECT_THAT(with_message("errorf \"no %u\", r0.x").text, HasSubstr("OpString \"error: no %u\""));
  EXPECT_THAT(with_message("printf_text \"100 %\"").text, HasSubstr("OpString \"100 %%\""));
}

TEST(Messages, ValuesThatAreMissingAreZeroAndSuperfluousOnesAreLeftOut) {
  const Translated fewer = with_message("printf \"%u %u\", l(5)");
  ASSERT_EQ(fewer.status, TEXLATE_OK) << fewer.messages;
  EXPECT_THAT(fewer.text, HasSubstr("%uint_5 %uint_0"));
  EXPECT_THAT(with_message("printf \"%u\", l(5), l(6)").text, Not(HasSubstr("%uint_6")));
}

TEST(Messages, ConversionsOfOtherTypesAreErrors) {
  const Translated made = with_message("printf \"%d %s\", l(5), l(6)");
  EXPECT_EQ(made.status, TEXLATE_ERROR_INPUT);
  EXPECT_THAT(made.messages, HasSubstr("the conversion '%s' of printf cannot be expressed on spirv"));
  EXPECT_THAT(with_message("printf \"50 %\", l(5)").messages, HasSubstr("the conversion '%'"));
}

TEST(Messages, AreLeftOutUnlessTheCallerAsks) {
  const std::string plain = shader_with("nop"), talks = shader_with("printf \"%f\", r0.x");
  EXPECT_EQ(translate(talks, spirv_options()).text, translate(plain, spirv_options()).text);
  const api::Program program(talks);
  for (const char* const target : {"ptx", "maxwell", "ir"}) {
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = target;
    EXPECT_EQ(program.translate(options).data(), api::Program(plain).translate(options).data()) << target;
  }
}

}  // namespace
}  // namespace texlate
