// Every listing of the corpus through the parser.
#include <gtest/gtest.h>

#include "frontend/asm/parser.h"
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

}  // namespace
}  // namespace texlate
