// Programs with a few token words changed, to SPIR-V: what the front end takes is refused with an error, or
// becomes a module that SPIRV-Tools' validator takes.
#include <gtest/gtest.h>

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

#include "backend/spirv/emit.h"
#include "backend/spirv/spirv_tools.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/read.h"
#include "frontend/lower/lower.h"
#include "frontend/sm4/validate.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/legalize_texture.h"
#include "ir/passes/optimize.h"
#include "ir/verifier.h"

#include "tests/support/ir_text.h"

namespace texlate {
namespace {

/// The module that the container becomes; false: it is refused.
bool translate(const std::string& bytes, sm4::Program& program, std::pmr::vector<uint32_t>& words) {
  Diagnostics diagnostics;
  dxbc::Container container(std::pmr::get_default_resource());
  if (!dxbc::read(std::as_bytes(std::span(bytes)), container, program, diagnostics,
                  {.digest = dxbc::DigestCheck::ignore}))
    return false;
  ir::Module module;
  if (!sm4::validate(program, diagnostics) || !lower::lower(program, module, diagnostics, {})) return false;
  if (!ir::construct_ssa(module, diagnostics)) return false;
  ir::verify_or_fail(module);
  ir::optimize_once(module);
  const spirv::Options options;
  if (!ir::legalize_texture(module, spirv::texture_guarantees(options.robustness), diagnostics)) return false;
  spirv::fit_limits(module);
  return spirv::emit(module, options, words, diagnostics);
}

/// The token words of the program (SHDR, SHEX) in a container, but version and length.
std::span<char> tokens_of(std::string& container) {
  size_t at = container.find("SHEX");
  if (at == std::string::npos) at = container.find("SHDR");
  if (at == std::string::npos) return {};
  uint32_t size = 0;
  std::memcpy(&size, container.data() + at + 4, sizeof size);
  return {container.data() + at + 16, size - 8};
}

void change_a_word(std::span<char> tokens, std::mt19937& random) {
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

TEST(ValidSpirv, WhatBecomesOfChangedTokensIsValidOrRefused) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TEXLATE_CONTAINER_SEEDS))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  ASSERT_FALSE(seeds.empty());
  size_t translated = 0;
  for (uint32_t seed = 0; seed < 4000 && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    std::string container = seeds[seed % seeds.size()];
    for (uint32_t change = 1 + random() % 3; change != 0; --change)
      change_a_word(tokens_of(container), random);
    sm4::Program program;
    std::pmr::vector<uint32_t> words;
    if (!translate(container, program, words)) continue;
    ++translated;
    std::string message;
    std::pmr::string text;
    if (!spirv::validate(words, message)) assembly::print(program, {}, text);
    EXPECT_EQ(message, "") << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(translated, 400u) << "most changes would be refused";
}

}  // namespace
}  // namespace texlate
