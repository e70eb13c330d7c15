// Programs with a few changed token words: what a reader with few checks would make of a broken or hostile
// container.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace texlate::test {

/// The token words of the program (SHDR, SHEX) in a container, except version and length.
inline std::span<char> tokens_of(std::string& container) {
  size_t at = container.find("SHEX");
  if (at == std::string::npos) at = container.find("SHDR");
  if (at == std::string::npos) return {};
  uint32_t size = 0;
  std::memcpy(&size, container.data() + at + 4, sizeof size);
  if (size <= 8 || at + 8 + size > container.size()) return {};
  return {container.data() + at + 16, size - 8};
}

/// The containers of the existing folders, up to 16 KiB each, sorted by name.
inline std::vector<std::string> containers_in(const std::vector<std::string>& folders) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".dxbc" && entry.file_size() <= 16384) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (tokens_of(seeds.back()).empty()) seeds.pop_back();
  }
  return seeds;
}

inline void change_a_word(std::span<char> tokens, std::mt19937& random) {
  const size_t count = tokens.size() / 4, at = 4 * (random() % count), other = 4 * (random() % count);
  uint32_t word = 0;
  std::memcpy(&word, tokens.data() + at, sizeof word);
  switch (random() % 4) {
    case 0: word ^= 1u << random() % 32; break;
    case 1: std::memcpy(&word, tokens.data() + other, sizeof word); break;
    case 2: word = (word & ~0x7ffu) | random() % 220; break;  // another opcode
    default: word += random() % 3 - 1; break;
  }
  std::memcpy(tokens.data() + at, &word, sizeof word);
}

/// The container with that number: one of the seeds with one to three words changed.
inline std::string changed_container(const std::vector<std::string>& seeds, uint32_t number) {
  std::mt19937 random(number);
  std::string container = seeds[number % seeds.size()];
  for (uint32_t change = 1 + random() % 3; change != 0; --change) change_a_word(tokens_of(container), random);
  return container;
}

}  // namespace texlate::test
