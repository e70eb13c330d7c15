// What the example shaders' own cases (`texlate test shaders`) do not say: ptxas takes their PTX, and
// README.md shows what comes out.

#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/examples.h"
#include "tests/support/paths.h"
#include "tests/support/support.h"

namespace texlate::test {
namespace {

class Golden : public testing::TestWithParam<std::string> {};

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

// README.md shows the first load of ld_edges as it is printed.
TEST(Readme, ShowsThePtxOfTheExample) {
  const std::string readme = read_file(test::source_dir() + "/README.md");
  const size_t load = readme.find("tex.level.2d");
  ASSERT_NE(load, std::string::npos);
  const size_t first = readme.rfind("```\n", load) + 4;
  const std::string golden = read_file(kShaders + "/golden/ld_edges.ptx");
  std::string block = "\n";
  std::istringstream lines(readme.substr(first, readme.find("```", load) - first));
  for (std::string line; std::getline(lines, line);) block += "\t" + line + "\n";
  EXPECT_NE(golden.find(block), std::string::npos) << block;
}

INSTANTIATE_TEST_SUITE_P(Shaders, Golden, testing::ValuesIn(example_names()),
                         [](const auto& shader) { return shader.param; });

}  // namespace
}  // namespace texlate::test
