// Tests what the cases in the example shaders (`texlate test shaders`) do not: ptxas accepts their PTX, and
// README.md shows what texlate emits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/maxwell/containers.h"
#include "tests/support/examples.h"
#include "tests/support/ir_text.h"
#include "tests/support/paths.h"
#include "tests/support/support.h"

namespace texlate::test {
namespace {

class Golden : public testing::TestWithParam<std::string> {};

// `texlate test shaders` compares texts and pictures, but skips a shader that has no cases.
TEST_P(Golden, HasCasesForTextsAndPicture) {
  const std::string source = read_file(kShaders + "/" + GetParam() + ".asm");
  const std::string golden = "golden/" + GetParam();
  EXPECT_NE(source.find("// TEST: golden --folder golden\n"), std::string::npos);
  EXPECT_NE(source.find("--expect-reflection " + golden + ".json"), std::string::npos);
  EXPECT_NE(source.find("--picture " + golden + ".png"), std::string::npos);
}

TEST_P(Golden, PtxIsAcceptedForEveryTarget) {
  const std::string ptxas = find_ptxas();
  if (ptxas.empty()) GTEST_SKIP() << "no ptxas on this machine";
  for (int sm : {75, 90, 120}) {
    library::TranslateOptions options;
    options.backend.sm = static_cast<uint32_t>(sm);
    const Outcome outcome = translate(read_file(kShaders + "/" + GetParam() + ".asm"), options);
    ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
    EXPECT_EQ(ptxas_complaint(ptxas, outcome.text, sm), "");
  }
}

/// What texlate_maxwell_assemble() and texlate_maxwell_disassemble() do, without the interface of C.
std::string assembled(const std::string& listing, maxwell::Container container) {
  std::pmr::string file;
  Diagnostics diagnostics;
  EXPECT_TRUE(maxwell::assemble(listing, container, file, diagnostics)) << ir::to_text(diagnostics, listing);
  return std::string(file);
}
std::string disassembled(const std::string& file) {
  std::string listing;
  Diagnostics diagnostics;
  EXPECT_TRUE(maxwell::disassemble_file({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, listing,
                                        diagnostics));
  return listing;
}

TEST_P(Golden, ListingsAssembleToTheirFiles) {
  const auto to = [](const char* target) {
    library::TranslateOptions options;
    options.to = target;
    const Outcome outcome = translate(read_file(kShaders + "/" + GetParam() + ".asm"), options);
    EXPECT_TRUE(outcome.ok) << outcome.diagnostics;
    return outcome.text;
  };
  const std::string cubin = to("cubin"), dksh = to("dksh");
  const std::string listing = to("maxwell");
  // Only the file's listing shows the end of the program.
  const std::string of_file = disassembled(cubin);
  ASSERT_THAT(of_file, testing::StartsWith(listing));
  EXPECT_THAT(
      of_file.substr(listing.size()),
      testing::MatchesRegex("\\.L[0-9]+:\n  --:-:-:Y:15   BRA \\.L[0-9]+;\n(  --:-:-:Y:0    NOP;\n)+"));
  for (const std::string& text : {listing, of_file})
    EXPECT_EQ(assembled(text, maxwell::Container::cubin), cubin);
  EXPECT_EQ(assembled(disassembled(dksh), maxwell::Container::dksh), dksh);
}

/// The text in backticks in the row of README's table that begins with `name`.
std::string instruction_in_readme(const std::string& readme, const std::string& name) {
  const size_t row = readme.find("| `" + name + "` | `");
  if (row == std::string::npos) return "no row of " + name;
  const size_t first = row + name.size() + 8;
  std::string text = readme.substr(first, readme.find('`', first) - first);
  // A bar is escaped in a table.
  if (const size_t bar = text.find("\\|"); bar != std::string::npos) text.erase(bar, 1);
  return text;
}

// README.md shows the instruction that one ld becomes on three targets.
TEST(Readme, ShowsTheInstructionsOfOneLoad) {
  const std::string readme = read_file(test::source_dir() + "/README.md");
  const std::string source = read_file(kShaders + "/ld_frame.asm");
  for (const char* name : {"ptx", "dksh", "spirv"}) {
    library::TranslateOptions options;
    options.to = std::string_view(name) == "spirv" ? "spirv-text" : name;
    const Outcome outcome = translate(source, options);
    ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
    std::string text = outcome.text;
    if (options.to == "dksh") {
      Diagnostics diagnostics;
      std::string listing;
      ASSERT_TRUE(maxwell::disassemble({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, listing,
                                       diagnostics));
      text = listing;
    }
    const std::string shown = instruction_in_readme(readme, name);
    EXPECT_NE(text.find(shown), std::string::npos) << shown;
  }
}

INSTANTIATE_TEST_SUITE_P(Shaders, Golden, testing::ValuesIn(example_names()),
                         [](const auto& shader) { return shader.param; });

}  // namespace
}  // namespace texlate::test
