// The shaders of ../shared/corpus, read in place.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/paths.h"

namespace texlate::corpus {

inline std::filesystem::path root() {
  return std::filesystem::path(test::shared_dir()) / "corpus";
}
inline bool present() {
  return std::filesystem::is_directory(root());
}

/// Files with that extension (".asm") in one folder of the corpus, sorted by name.
inline std::vector<std::filesystem::path> files(const std::string& folder, const std::string& extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(root() / folder)) {
    if (entry.path().extension() == extension) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Every listing and container of all folders.
inline std::vector<std::filesystem::path> shaders() {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"games", "pairs", "fxc_suite", "dxbc_suite", "hlsl_suite"}) {
    for (const char* extension : {".asm", ".dxbc"}) {
      for (const std::filesystem::path& path : files(folder, extension)) found.push_back(path);
    }
  }
  return found;
}

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Unpatched shaders that are nevertheless wrong: a driver test that breaks out of an `if`, and two in which
/// vkd3d's compiler omitted the declaration of t0, or the range of a constant buffer.
inline bool is_known_to_be_wrong(const std::filesystem::path& path) {
  constexpr std::string_view kStems[] = {"vkd3d_ps_break_code_ps_4_0_21b3ac",
                                         "vkd3d_shader_api_L38_ps_break_code_ps_4_0", "cbuffer__52_ps_5_1",
                                         "register-reservations-numeric__30_ps_5_1"};
  return std::find(std::begin(kStems), std::end(kStems), path.stem().string()) != std::end(kStems);
}

}  // namespace texlate::corpus

/// At the start of a test that reads the corpus.
#define TEXLATE_NEEDS_CORPUS() \
  if (!texlate::corpus::present()) GTEST_SKIP() << "no corpus at " << texlate::corpus::root()
