// The example shaders of shaders/.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/paths.h"

namespace texlate::test {

inline const std::string kShaders = source_dir() + "/shaders";

/// Their names without folder and extension, sorted.
inline std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kShaders)) {
    if (entry.path().extension() == ".asm") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace texlate::test
