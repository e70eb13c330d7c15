// docs/reference/seeds.md names a test for each clause of the documents that came with the mission; each must
// exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "tests/support/paths.h"

namespace texlate {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// "Suite.Name" of every GoogleTest test in the folder.
std::set<std::string> tests_in(const std::filesystem::path& folder) {
  static const std::regex kTest(R"(^TEST(?:_F|_P)?\((\w+),\s*(\w+)\))", std::regex::multiline);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read(entry.path());
    for (auto at = std::sregex_iterator(text.begin(), text.end(), kTest); at != std::sregex_iterator(); ++at)
      names.insert((*at)[1].str() + '.' + (*at)[2].str());
  }
  return names;
}

std::string_view last_cell(std::string_view row) {
  row = row.substr(0, row.rfind('|'));
  return row.substr(row.rfind('|') + 1);
}

TEST(Seeds, EveryClauseHasATestThatExists) {
  const std::filesystem::path root(test::source_dir());
  const std::set<std::string> tests = tests_in(root / "tests");
  ASSERT_GT(tests.size(), 500u);
  const std::string page = read(root / "docs/reference/seeds.md");
  static const std::regex kName(R"(`(\w+\.\w+)`)");
  bool in_table = false;
  size_t rows = 0;
  for (size_t begin = 0; begin < page.size();) {
    const size_t end = std::min(page.find('\n', begin), page.size());
    const std::string line = page.substr(begin, end - begin);
    begin = end + 1;
    if (line == "| clause | test |") in_table = true;
    if (line.empty()) in_table = false;
    if (!in_table || line == "| clause | test |" || line == "|---|---|") continue;
    ++rows;
    const std::string cell(last_cell(line));
    size_t named = 0;
    for (auto at = std::sregex_iterator(cell.begin(), cell.end(), kName); at != std::sregex_iterator();
         ++at) {
      ++named;
      EXPECT_TRUE(tests.contains((*at)[1].str())) << "no test " << (*at)[1].str() << ": " << line;
    }
    EXPECT_TRUE(named > 0 || cell.starts_with(" no test: ")) << line;
  }
  EXPECT_GT(rows, 100u);
}

}  // namespace
}  // namespace texlate
