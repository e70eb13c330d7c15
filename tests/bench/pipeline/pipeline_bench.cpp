// How fast whole translations are, in source instructions (declarations not counted) a second on one core.
// The shaders are
// ../shared/corpus/games, pixel and compute, read in place.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>

#include "frontend/asm/parser.h"
#include "frontend/lower/lower.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/optimize.h"
#include "tests/support/support.h"

namespace texlate::test {
namespace {

struct Shader {
  std::string text;
  size_t instructions = 0;
};

const std::vector<Shader>& shaders() {
  static const std::vector<Shader> list = [] {
    std::vector<Shader> found;
    const std::string corpus = corpus_folder();
    if (corpus.empty()) return found;
    for (const auto& entry : std::filesystem::directory_iterator(corpus + "/games")) {
      if (entry.path().extension() != ".asm") continue;
      Shader shader{read_file(entry.path().string())};
      sm4::Program program;
      Diagnostics diagnostics;
      library::Translation translation(std::pmr::get_default_resource());
      dxbc::Container container;
      if (!library::read_program(shader.text, dxbc::DigestCheck::warn, program, container, diagnostics))
        continue;
      if (!library::translate(program, nullptr, {}, translation, diagnostics)) continue;
      for (const sm4::Instruction& instruction : program.instructions) {
        shader.instructions += sm4::info(instruction.opcode).has(sm4::kDeclaration) ? 0 : 1;
      }
      found.push_back(std::move(shader));
    }
    return found;
  }();
  return list;
}

/// Runs `work` over all shaders and counts instructions.
template <typename Work>
void run(benchmark::State& state, Work work) {
  if (shaders().empty()) {
    state.SkipWithError("../shared/corpus is not here");
    return;
  }
  size_t instructions = 0;
  size_t bytes = 0;
  for (auto _ : state) {
    for (const Shader& shader : shaders()) {
      work(shader);
      instructions += shader.instructions;
      bytes += shader.text.size();
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(instructions));
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
}

void parse_text(benchmark::State& state) {
  run(state, [](const Shader& shader) {
    std::pmr::monotonic_buffer_resource arena(1 << 20);
    sm4::Program program(&arena);
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(assembly::parse(shader.text, program, diagnostics));
  });
}
BENCHMARK(parse_text)->Unit(benchmark::kMillisecond);

void program_to_ir(benchmark::State& state) {
  std::vector<sm4::Program> programs;
  for (const Shader& shader : shaders()) {
    Diagnostics diagnostics;
    assembly::parse(shader.text, programs.emplace_back(), diagnostics);
  }
  size_t next = 0;
  run(state, [&](const Shader&) {
    std::pmr::monotonic_buffer_resource arena(1 << 20);
    ir::Module module(&arena);
    Diagnostics diagnostics;
    library::prepare(programs[next++ % programs.size()], nullptr, {}, module, diagnostics);
    benchmark::DoNotOptimize(module.code.data());
  });
}
BENCHMARK(program_to_ir)->Unit(benchmark::kMillisecond);

void program_to_ptx(benchmark::State& state) {
  std::vector<sm4::Program> programs;
  for (const Shader& shader : shaders()) {
    Diagnostics diagnostics;
    assembly::parse(shader.text, programs.emplace_back(), diagnostics);
  }
  size_t next = 0;
  run(state, [&](const Shader&) {
    Diagnostics diagnostics;
    library::Translation translation(std::pmr::get_default_resource());
    library::translate(programs[next++ % programs.size()], nullptr, {}, translation, diagnostics);
    benchmark::DoNotOptimize(translation.data.data());
  });
}
BENCHMARK(program_to_ptx)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace texlate::test
