// Throughput of the frontends in bytes of input: over the corpus (without it, there is nothing to measure),
// and over inputs of growing size, well-formed and hostile, whose throughput stays constant if the work is
// linear.
#include <benchmark/benchmark.h>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/listing.h"
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
        if (!dxbc::read_container(std::as_bytes(std::span(file)), dxbc::DigestCheck::warn, container,
                                  diagnostics))
          continue;
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

// Growing inputs: `kLinesOfOne` << range(0) lines. If the time is not linear, bytes_per_second
// falls.

constexpr size_t kLinesOfOne = 1000;

std::string repeat(std::string_view text, size_t n) {
  std::string all;
  all.reserve(text.size() * n);
  for (size_t i = 0; i < n; ++i) all += text;
  return all;
}

std::string instructions(size_t n) {
  return "ps_5_0\ndcl_temps 2\n" +
         repeat(
             "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.xyxx, t0.xyzw, s0\n"
             "mad r0.xyzw, r1.xyzw, l(1.0, 2.0, 3.0, 4.0), r0.xyzw\n",
             n / 2);
}
std::string nested_blocks(size_t n) {
  return "ps_5_0\n" + repeat("if_nz r0.x\n", n);
}
std::string errors(size_t n) {
  return "ps_5_0\n" + repeat("frobnicate r0.xyzw, r1.xyzw\n", n);
}
std::string declarations(size_t n) {
  std::string text = "ps_5_1\n";
  for (size_t i = 0; i < n / 2; ++i)
    text += "dcl_sampler S" + std::to_string(i) + "[0:0], mode_default, space=0\n";
  for (size_t i = 0; i < n / 2; ++i)
    text += "sample r0.xyzw, r0.xyxx, T0[0].xyzw, S" + std::to_string(i) + "[0]\n";
  return text;
}
std::string signature_rows(size_t n) {
  std::string text = "// Input signature:\n// -----\n";
  for (size_t i = 0; i < n; ++i)
    text += "// NAME" + std::to_string(i) + " 0 xyzw " + std::to_string(i) + " NONE float xyzw\n";
  return text + "vs_5_0\nret \n";
}

/// Text to Program, validated, printed, and written as a container.
void GrowingText(benchmark::State& state, std::string (*make)(size_t)) {
  const std::string text = make(kLinesOfOne << state.range(0));
  for (auto _ : state) {
    std::pmr::monotonic_buffer_resource memory;
    sm4::Program program(&memory);
    Diagnostics diagnostics(&memory);
    assembly::parse(text, program, diagnostics);
    sm4::validate(program, diagnostics);
    std::pmr::string out(&memory);
    assembly::print(program, {}, out);
    std::pmr::vector<std::byte> bytes(&memory);
    benchmark::DoNotOptimize(dxbc::write(program, nullptr, bytes, diagnostics));
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK_CAPTURE(GrowingText, instructions, instructions)->DenseRange(0, 6);
BENCHMARK_CAPTURE(GrowingText, nested_blocks, nested_blocks)->DenseRange(0, 6);
BENCHMARK_CAPTURE(GrowingText, errors, errors)->DenseRange(0, 6);
BENCHMARK_CAPTURE(GrowingText, declarations, declarations)->DenseRange(0, 6);
BENCHMARK_CAPTURE(GrowingText, signature_rows, signature_rows)->DenseRange(0, 6);

/// Reads, validates, prints and writes a container.
void GrowingContainer(benchmark::State& state, std::string (*make)(size_t)) {
  sm4::Program source;
  Diagnostics ignored;
  assembly::parse(make(kLinesOfOne << state.range(0)), source, ignored);
  std::pmr::vector<std::byte> container_bytes;
  dxbc::write(source, nullptr, container_bytes, ignored);
  for (auto _ : state) {
    std::pmr::monotonic_buffer_resource memory;
    dxbc::Container container(&memory);
    sm4::Program program(&memory);
    Diagnostics diagnostics(&memory);
    dxbc::read(container_bytes, container, program, diagnostics);
    sm4::validate(program, diagnostics);
    std::pmr::string out(&memory);
    dxbc::disassemble(container, program, {}, out);
    std::pmr::vector<std::byte> bytes(&memory);
    benchmark::DoNotOptimize(dxbc::write(program, &container, bytes, diagnostics));
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * container_bytes.size()));
}
BENCHMARK_CAPTURE(GrowingContainer, instructions, instructions)->DenseRange(0, 6);
BENCHMARK_CAPTURE(GrowingContainer, nested_blocks, nested_blocks)->DenseRange(0, 6);
BENCHMARK_CAPTURE(GrowingContainer, declarations, declarations)->DenseRange(0, 6);

}  // namespace

BENCHMARK_MAIN();
