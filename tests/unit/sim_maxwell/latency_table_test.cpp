// The latencies of the Maxwell machine are those that ptxas's code shows: the machine's table is the one of
// docs/reference/maxwell.md 6c, and that one is not above what tests/corpus/mine_latencies.py finds.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "sim/maxwell/latency.h"
#include "tests/support/paths.h"

namespace texlate::sim::maxwell {
namespace {

namespace fs = std::filesystem;

using Table = std::map<std::string, uint32_t>;

/// "register fixed special" -> cycles: the rows of the document, one entry for each consumer.
Table read_document() {
  std::ifstream file(std::string(test::source_dir()) + "/docs/reference/maxwell.md");
  Table table;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) inside = line == "### Least distances in ptxas's code";
    if (!inside || !line.starts_with("| ")) continue;
    std::array<std::string, 4> cells;
    std::istringstream row(line.substr(1));
    for (std::string& cell : cells) {
      std::getline(row, cell, '|');
      cell = cell.substr(1, cell.size() - 2);
    }
    if (cells[3].find_first_not_of("0123456789") != std::string::npos || cells[0].ends_with("rewritten"))
      continue;
    std::istringstream consumers(cells[2]);
    for (std::string consumer; consumers >> consumer;) {
      if (consumer.ends_with(",")) consumer.pop_back();
      table[cells[0] + " " + cells[1] + " " + consumer] = static_cast<uint32_t>(std::stoul(cells[3]));
    }
  }
  return table;
}

TEST(LatencyTable, IsTheDocuments) {
  Table machine;
  for (const DistanceRow& row : distance_rows()) {
    std::string key(row.passed);
    key += " " + std::string(row.producer) + " " + std::string(row.consumer);
    for (const char* word : {"register_", "double_"}) {
      const size_t at = key.find(word);
      if (at != std::string::npos) key.erase(at + std::string(word).size() - 1, 1);
    }
    const size_t at = key.find(" rro ");
    if (at != std::string::npos) key.replace(at, 5, " RRO ");
    machine[key] = row.cycles;
  }
  const Table document = read_document();
  EXPECT_FALSE(document.empty());
  EXPECT_EQ(machine, document);
}

// The kernels of the tests; over the corpus: tests/corpus/mine_latencies.py with its PTX files.
TEST(LatencyTable, PtxasLeavesNoLess) {
  const fs::path root = test::source_dir();
  if (!fs::exists(root / "build/judges/bin/ptxas")) GTEST_SKIP() << "no build/judges/bin: run `make judges`";
  std::string command = "python3 '" + (root / "tests/corpus/mine_latencies.py").string() + "' --check '" +
                        (root / "docs/reference/maxwell.md").string() + "'";
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "tests/unit/maxwell/kernels"))
    command += " '" + entry.path().string() + "'";
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  char buffer[4096];
  for (size_t size = 0; (size = fread(buffer, 1, sizeof buffer, pipe)) != 0;) output.append(buffer, size);
  EXPECT_EQ(pclose(pipe), 0) << output;
  EXPECT_NE(output.find("register\tRRO\tspecial\t2"), std::string::npos) << output;
}

}  // namespace
}  // namespace texlate::sim::maxwell
