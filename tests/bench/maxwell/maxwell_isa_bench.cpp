// Speed of the codec on one core. Words: recorded pairs of NVIDIA's disassembler (docs/conventions.md)
// that decode, in a shuffled order; without them, random words of every form.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/text.h"
#include "ir/base/diagnostics.h"
#include "tests/support/maxwell_codec.h"
#include "tests/support/paths.h"

namespace texlate::maxwell {
namespace {

std::vector<uint64_t> random_words(std::mt19937_64& random) {
  std::vector<uint64_t> words;
  for (const CompiledForm& f : compiled_table().compiled) {
    for (unsigned i = 0; i < 12; ++i) words.push_back(f.value | (random() & random() & ~f.fixed_mask));
  }
  return words;
}

std::vector<uint64_t> recorded_words() {
  std::vector<uint64_t> words;
  std::ifstream file(test::shared_dir() + "/facts/maxwell_vectors.tsv");
  for (std::string line; std::getline(file, line);) {
    const size_t at = line.find("\t0x", line.find("\t0x", line.find("\t0x") + 1) + 1);
    if (line.empty() || line.front() == '#' || at == std::string::npos) continue;
    words.push_back(std::stoull(line.substr(at + 1, 18), nullptr, 16));
  }
  return words;
}

std::vector<uint64_t> words() {
  std::mt19937_64 random(1);
  std::vector<uint64_t> all = recorded_words();
  if (all.empty()) all = random_words(random);
  Instruction ignored;
  std::erase_if(all, [&](uint64_t word) { return !decode(word, ignored); });
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

void decode_words(benchmark::State& state, const std::vector<uint64_t>& all) {
  Instruction instruction;
  for (auto _ : state) {
    for (const uint64_t word : all) {
      const bool known = decode(word, instruction);
      benchmark::DoNotOptimize(known);
      benchmark::DoNotOptimize(instruction);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(all.size()));
}

void decode_recorded(benchmark::State& state) {
  decode_words(state, words());
}
BENCHMARK(decode_recorded);

void decode_random(benchmark::State& state) {
  std::mt19937_64 random(2);
  std::vector<uint64_t> all = random_words(random);
  std::shuffle(all.begin(), all.end(), random);
  decode_words(state, all);
}
BENCHMARK(decode_random);

void encode_recorded(benchmark::State& state) {
  std::vector<Instruction> instructions;
  for (const uint64_t word : words()) decode(word, instructions.emplace_back());
  for (auto _ : state) {
    for (const Instruction& instruction : instructions) benchmark::DoNotOptimize(encode(instruction).word);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(instructions.size()));
}
BENCHMARK(encode_recorded);

void print_recorded(benchmark::State& state) {
  std::vector<Instruction> instructions;
  for (const uint64_t word : words()) decode(word, instructions.emplace_back());
  std::string text;
  for (auto _ : state) {
    for (const Instruction& instruction : instructions) {
      text.clear();
      print(instruction, 8, text);
      benchmark::DoNotOptimize(text.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(instructions.size()));
}
BENCHMARK(print_recorded);

void parse_recorded(benchmark::State& state) {
  std::vector<std::string> texts;
  for (const uint64_t word : words()) {
    Instruction instruction;
    decode(word, instruction);
    print(instruction, 8, texts.emplace_back());
  }
  for (auto _ : state) {
    for (const std::string& text : texts) {
      Diagnostics diagnostics;
      Instruction instruction;
      benchmark::DoNotOptimize(parse(text, 8, instruction, diagnostics));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(texts.size()));
}
BENCHMARK(parse_recorded);

}  // namespace
}  // namespace texlate::maxwell
