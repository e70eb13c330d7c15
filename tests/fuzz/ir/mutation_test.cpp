// Feeds the fuzzer's entry with printed random modules that are damaged by byte, word and line.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/ir_text.h"
#include "tests/support/random_ir.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace texlate::ir {
namespace {

constexpr uint32_t kSeeds = 40;
constexpr uint32_t kMutationsEach = 100;

class Mutator {
 public:
  explicit Mutator(uint32_t seed) : random_(seed) {}

  void mutate(std::string& text) {
    if (text.empty()) return;
    switch (below(7)) {
      case 0: text[below(text.size())] = static_cast<char>(random_()); break;
      case 1: text.erase(below(text.size()), 1 + below(4)); break;
      case 2: text.resize(below(text.size())); break;
      case 3: swap_pieces(text, "\n"); break;
      case 4: swap_pieces(text, "\n"); break;
      case 5: copy_piece(text, " \n(),"); break;
      default: copy_piece(text, "\n"); break;
    }
  }

 private:
  size_t below(size_t limit) { return random_() % limit; }

  std::pair<size_t, size_t> piece(const std::string& text, const char* separators) {
    const size_t inside = below(text.size());
    const size_t before = text.find_last_of(separators, inside);
    const size_t start = before == std::string::npos ? 0 : before + 1;
    const size_t end = std::min(text.find_first_of(separators, start), text.size());
    return {start, end - start};
  }
  void copy_piece(std::string& text, const char* separators) {
    const auto from = piece(text, separators);
    const std::string copy = text.substr(from.first, from.second);
    const auto to = piece(text, separators);
    text.replace(to.first, to.second, copy);
  }
  void swap_pieces(std::string& text, const char* separators) {
    auto a = piece(text, separators);
    auto b = piece(text, separators);
    if (a.first > b.first) std::swap(a, b);
    if (a.first + a.second >= b.first) return;
    const std::string first = text.substr(a.first, a.second);
    const std::string second = text.substr(b.first, b.second);
    text.replace(b.first, b.second, first);
    text.replace(a.first, a.second, second);
  }

  std::mt19937 random_;
};

void feed(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

TEST(IrTextFuzz, MutatedModules) {
  uint32_t parsed = 0;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    RandomIrOptions options;
    options.form = seed % 2 == 0 ? Form::ssa : Form::registers;
    options.size = 30;
    Module module;
    make_random_module(seed, options, module);
    const std::string original = to_text(module);
    feed(original);
    Mutator mutator(seed);
    for (uint32_t i = 0; i < kMutationsEach; ++i) {
      std::string text = original;
      for (uint32_t count = 1 + i % 3; count != 0; --count) mutator.mutate(text);
      feed(text);
      Module damaged;
      Diagnostics diagnostics;
      parsed += parse(text, damaged, diagnostics);
    }
  }
  // Enough of them must get past the parser for the rest to be tested.
  EXPECT_GT(parsed, kSeeds * kMutationsEach / 10);
}

TEST(IrTextFuzz, HandPickedNonsense) {
  for (const char* text : {"", "\n", ";", "module", "module pixel", "module pixel 5.0", "code {", "code {\n}",
                           "}", "module pixel 5.0 \"\"\ncode {\n%0..%9 = iadd 1, 2\n}\n",
                           "module pixel 5.0 \"\"\ncode {\n%65535 = iadd 1, 2\n}\n",
                           "module pixel 5.0 \"\"\ncode {\n%0 = reg.load r4294967295.x\n}\n",
                           "module pixel 5.0 \"\"\nresource t4294967295 buffer none registers(4294967295, "
                           "unbounded)\ncode {\n}\n",
                           "module pixel 5.0 \"\\x\"\ncode {\n}\n",
                           "module pixel 5.0 \"\"\ncode {\n-\n%\n%0\n%0 =\n= \n}\n}\n}"}) {
    feed(text);
  }
}

}  // namespace
}  // namespace texlate::ir
