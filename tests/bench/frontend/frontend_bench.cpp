// Throughput of the frontends over the corpus, in bytes of input: text parsing, token decoding and encoding,
// printing. Without the corpus there is nothing to measure.
#include <benchmark/benchmark.h>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/read.h"
#include "frontend/dxbc/tokens.h"
#include "frontend/sm4/validate.h"
#include "tests/corpus/corpus.h"

namespace {

using namespace texlate;

const std::vector<std::string>& listings() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    if (!corpus::present()) return all;
    for (const auto& path : corpus::files("games", ".asm")) all.push_back(corpus::read(path));
    return all;
  }();
  return texts;
}

/// The code chunks of the containers.
const std::vector<std::vector<std::byte>>& streams() {
  static const std::vector<std::vector<std::byte>> all = [] {
    std::vector<std::vector<std::byte>> code;
    if (!corpus::present()) return code;
    for (const char* folder : {"pairs", "fxc_suite", "dxbc_suite"}) {
      for (const auto& path : corpus::files(folder, ".dxbc")) {
        const std::string file = corpus::read(path);
        dxbc::Container container;
        Diagnostics diagnostics;
        if (!dxbc::read_container(std::as_bytes(std::span(file)), false, container, diagnostics)) continue;
        const dxbc::Chunk* chunk = container.find(dxbc::kCodeTag5);
        if (chunk == nullptr) chunk = container.find(dxbc::kCodeTag4);
        if (chunk == nullptr) continue;
        const auto data = container.data(*chunk);
        code.emplace_back(data.begin(), data.end());
      }
    }
    return code;
  }();
  return all;
}

template <typename Inputs, typename Function>
void measure(benchmark::State& state, const Inputs& inputs, Function function) {
  size_t bytes = 0;
  for (const auto& input : inputs) bytes += input.size();
  if (bytes == 0) return state.SkipWithError("no corpus");
  std::vector<std::byte> arena(64 << 20);
  for (auto _ : state) {
    for (const auto& input : inputs) {
      std::pmr::monotonic_buffer_resource memory(arena.data(), arena.size());
      function(input, &memory);
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

void ParseText(benchmark::State& state) {
  measure(state, listings(), [](const std::string& text, std::pmr::memory_resource* memory) {
    sm4::Program program(memory);
    Diagnostics diagnostics(memory);
    benchmark::DoNotOptimize(assembly::parse(text, program, diagnostics));
  });
}
BENCHMARK(ParseText);

void DecodeTokens(benchmark::State& state) {
  measure(state, streams(), [](const std::vector<std::byte>& code, std::pmr::memory_resource* memory) {
    sm4::Program program(memory);
    Diagnostics diagnostics(memory);
    benchmark::DoNotOptimize(dxbc::decode_tokens(code, 0, program, diagnostics));
  });
}
BENCHMARK(DecodeTokens);

void DecodeAndEncodeTokens(benchmark::State& state) {
  measure(state, streams(), [](const std::vector<std::byte>& code, std::pmr::memory_resource* memory) {
    sm4::Program program(memory);
    Diagnostics diagnostics(memory);
    dxbc::decode_tokens(code, 0, program, diagnostics);
    std::pmr::vector<uint32_t> out(memory);
    benchmark::DoNotOptimize(dxbc::encode_tokens(program, out, diagnostics));
  });
}
BENCHMARK(DecodeAndEncodeTokens);

void DecodeAndPrint(benchmark::State& state) {
  measure(state, streams(), [](const std::vector<std::byte>& code, std::pmr::memory_resource* memory) {
    sm4::Program program(memory);
    Diagnostics diagnostics(memory);
    dxbc::decode_tokens(code, 0, program, diagnostics);
    std::pmr::string out(memory);
    assembly::print(program, {}, out);
    benchmark::DoNotOptimize(out.data());
  });
}
BENCHMARK(DecodeAndPrint);

void ParseAndValidate(benchmark::State& state) {
  measure(state, listings(), [](const std::string& text, std::pmr::memory_resource* memory) {
    sm4::Program program(memory);
    Diagnostics diagnostics(memory);
    assembly::parse(text, program, diagnostics);
    benchmark::DoNotOptimize(sm4::validate(program, diagnostics));
  });
}
BENCHMARK(ParseAndValidate);

}  // namespace

BENCHMARK_MAIN();
