// Errors about instructions that a target does not support. They must give the name in the source, never the
// name of an IR operation.

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/every_instruction.h"
#include "tests/support/support.h"

namespace texlate::test {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kTargets[] = {"ptx", "spirv", "maxwell", "dksh"};
constexpr sm4::StageMask kStages[] = {sm4::kVertex, sm4::kPixel,  sm4::kGeometry,
                                      sm4::kHull,   sm4::kDomain, sm4::kCompute};

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// A word of the text that names an IR operation but no instruction; empty if there is none.
std::string operation_in(std::string_view text) {
  for (uint32_t op = 0; op < ir::kOpCount; ++op) {
    const std::string_view name = ir::info(static_cast<ir::Op>(op)).text;
    if (name.find('.') == std::string_view::npos) continue;
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const size_t end = at + name.size();
      const bool whole = (at == 0 || !is_word_character(text[at - 1])) &&
                         (end == text.size() || !is_word_character(text[end]));
      if (whole) return std::string(name);
    }
  }
  return "";
}

TEST(TargetMessages, NameTheInstructionThatWasWritten) {
  uint32_t refused = 0;
  for (const sm4::OpcodeInfo& info : sm4::kOpcodeTable) {
    if (info.mnemonic.empty() || info.has(sm4::kDeclaration)) continue;
    for (const sm4::StageMask stage : kStages) {
      if ((info.stages & stage) == 0) continue;
      for (const std::string_view target : kTargets) {
        library::TranslateOptions options;
        options.to = target;
        const Outcome outcome = translate(program_around(info, stage), options);
        EXPECT_EQ(operation_in(outcome.diagnostics), "") << target << ": " << outcome.diagnostics;
        if (outcome.ok || outcome.diagnostics.find("cannot be expressed") == std::string::npos) continue;
        EXPECT_THAT(outcome.diagnostics, HasSubstr("error: ")) << target;
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 5u);
}

TEST(TargetMessages, StartWithTheMnemonic) {
  library::TranslateOptions options;
  options.backend.sm = 52;
  const Outcome outcome = translate(
      pixel_shader("ld_s_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.x, v0.xyzw, t0.xyzw\n"),
      options);
  EXPECT_FALSE(outcome.ok);
  EXPECT_THAT(outcome.diagnostics, HasSubstr("error: ld_s: residency feedback before sm_60 cannot be"));
}

}  // namespace
}  // namespace texlate::test
