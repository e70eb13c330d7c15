// The shaders of ../shared/corpus, read in place.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace texlate::corpus {

inline std::filesystem::path root() {
  return std::filesystem::path(TEXLATE_SHARED_DIR) / "corpus";
}
inline bool present() {
  return std::filesystem::is_directory(root());
}

/// Files of one folder of the corpus with that extension (".asm"), sorted by name.
inline std::vector<std::filesystem::path> files(const std::string& folder, const std::string& extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(root() / folder)) {
    if (entry.path().extension() == extension) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace texlate::corpus

/// At the start of a test that reads the corpus.
#define TEXLATE_NEEDS_CORPUS() \
  if (!texlate::corpus::present()) GTEST_SKIP() << "no corpus at " << texlate::corpus::root()
