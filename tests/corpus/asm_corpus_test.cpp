// Every listing of the corpus through the parser.
#include <gtest/gtest.h>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/sm4/compare.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/validate.h"
#include "tests/corpus/corpus.h"

namespace texlate {
namespace {

struct Counts {
  size_t files = 0;
  size_t parsed = 0;
};

Counts parse_folder(const std::string& folder) {
  Counts counts;
  for (const auto& path : corpus::files(folder, ".asm")) {
    ++counts.files;
    const std::string text = corpus::read(path);
    sm4::Program program;
    Diagnostics diagnostics;
    const bool good = assembly::parse(text, program, diagnostics);
    counts.parsed += good;
    if (good) continue;
    for (size_t i = 0; i < std::min<size_t>(diagnostics.list().size(), 3); ++i) {
      std::printf("%s", render(diagnostics.list()[i], path.filename().string(), text).c_str());
    }
  }
  std::printf("%s: %zu of %zu listings parse\n", folder.c_str(), counts.parsed, counts.files);
  return counts;
}

TEST(AsmCorpus, EveryListingParses) {
  TEXLATE_NEEDS_CORPUS();
  for (const char* folder : {"games", "pairs", "fxc_suite", "hlsl_suite"}) {
    const Counts counts = parse_folder(folder);
    EXPECT_EQ(counts.parsed, counts.files) << folder;
    EXPECT_NE(counts.files, 0u);
  }
}

const std::vector<std::string> kFolders = {"games", "pairs", "fxc_suite", "hlsl_suite"};

TEST(AsmCorpus, PrintedTextParsesToAnEqualProgramAndIsStable) {
  TEXLATE_NEEDS_CORPUS();
  size_t unstable = 0;
  for (const std::string& folder : kFolders) {
    for (const auto& path : corpus::files(folder, ".asm")) {
      const std::string text = corpus::read(path);
      sm4::Program first;
      Diagnostics diagnostics;
      ASSERT_TRUE(assembly::parse(text, first, diagnostics)) << path;
      assembly::PrintOptions options;
      options.exact_literals = true;
      std::pmr::string printed;
      assembly::print(first, options, printed);
      sm4::Program second;
      Diagnostics errors;
      ASSERT_TRUE(assembly::parse(printed, second, errors)) << path << "\n"
                                                            << render(errors.list()[0], "text", printed);
      EXPECT_EQ(errors.list().size(), 0u) << path;
      EXPECT_EQ(sm4::difference(first, second), "") << path;
      std::pmr::string again;
      assembly::print(second, options, again);
      EXPECT_EQ(printed, again) << path;
      // With fxc's six decimals, a tiny untyped literal is printed as 0.000000 at first and as 0 from then
      // on.
      std::pmr::string texts[3];
      const sm4::Program* source = &first;
      sm4::Program programs[2];
      for (size_t i = 0; i < 3; ++i) {
        assembly::print(*source, {}, texts[i]);
        if (i == 2) break;
        ASSERT_TRUE(assembly::parse(texts[i], programs[i], errors)) << path;
        source = &programs[i];
      }
      unstable += texts[0] != texts[1];
      EXPECT_EQ(texts[1], texts[2]) << path;
    }
  }
  std::printf("without exact literals %zu listings change once more\n", unstable);
}

/// The self-check of docs/reference/assembly-text.md: the closing line counts the instructions, in every
/// pristine listing whose statistics were not stripped (stripped ones have 0).
TEST(AsmCorpus, ClosingLineCountsTheInstructions) {
  TEXLATE_NEEDS_CORPUS();
  size_t checked = 0;
  size_t stripped = 0;
  for (const auto& path : corpus::files("games", ".asm")) {
    if (path.filename().string().starts_with("patched__")) continue;
    const std::string text = corpus::read(path);
    sm4::Program program;
    Diagnostics diagnostics;
    ASSERT_TRUE(assembly::parse(text, program, diagnostics)) << path;
    if (program.instruction_slots == sm4::Program::kUnknownSlots || program.instruction_slots == 0) {
      ++stripped;
      continue;
    }
    uint32_t count = 0;
    for (const sm4::Instruction& instruction : program.instructions)
      count += !sm4::info(instruction.opcode).has(sm4::kDeclaration);
    ++checked;
    EXPECT_EQ(count, program.instruction_slots) << path;
  }
  std::printf("%zu pristine listings checked, %zu without a count\n", checked, stripped);
  EXPECT_GT(checked, 150u);
}

/// Pristine listings pass the validator. Patched ones may contain wrong code (mod tools, people); they are
/// listed.
TEST(AsmCorpus, PristineListingsAreValid) {
  TEXLATE_NEEDS_CORPUS();
  for (const std::string& folder : kFolders) {
    size_t valid = 0;
    size_t count = 0;
    for (const auto& path : corpus::files(folder, ".asm")) {
      const std::string text = corpus::read(path);
      sm4::Program program;
      Diagnostics diagnostics;
      ASSERT_TRUE(assembly::parse(text, program, diagnostics)) << path;
      const bool good = sm4::validate(program, diagnostics);
      ++count;
      valid += good;
      if (good) continue;
      std::string first;
      for (const Diagnostic& diagnostic : diagnostics.list()) {
        if (diagnostic.severity == Severity::error && first.empty())
          first = render(diagnostic, path.filename().string(), text);
      }
      if (path.filename().string().starts_with("patched__") || corpus::is_known_to_be_wrong(path)) {
        std::printf("%s", first.c_str());
      } else {
        ADD_FAILURE() << first;
      }
    }
    std::printf("%s: %zu of %zu listings are valid\n", folder.c_str(), valid, count);
  }
}

}  // namespace
}  // namespace texlate
