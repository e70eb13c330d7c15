// Speed of whole translations, in source instructions (without declarations) per second
// on one core. The shaders are ../shared/corpus/games, pixel and compute, read in
// place.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "frontend/asm/parser.h"
#include "frontend/lower/lower.h"
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

void program_to(benchmark::State& state, const char* target) {
  std::vector<sm4::Program> programs;
  for (const Shader& shader : shaders()) {
    Diagnostics diagnostics;
    assembly::parse(shader.text, programs.emplace_back(), diagnostics);
  }
  library::TranslateOptions options;
  options.to = target;
  size_t next = 0;
  run(state, [&](const Shader&) {
    Diagnostics diagnostics;
    library::Translation translation(std::pmr::get_default_resource());
    library::translate(programs[next++ % programs.size()], nullptr, options, translation, diagnostics);
    benchmark::DoNotOptimize(translation.data.data());
  });
}
BENCHMARK_CAPTURE(program_to, ptx, "ptx")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(program_to, spirv, "spirv")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(program_to, maxwell, "cubin")->Unit(benchmark::kMillisecond);

/// One block of `count` instructions, all of which are needed, including fetches, constants and immediates.
std::string long_shader(int64_t count) {
  std::string text =
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[64], immediateIndexed\n"
      "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
      "dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 5\n";
  for (int r = 0; r < 4; ++r) text += fmt::format("mov r{}.xyzw, v0.xyzw\n", r);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t to = i % 4, from = (7 * i + 1) % 4;
    switch (i % 8) {
      case 0: text += fmt::format("sample r4.xyzw, r{}.xyxx, t0.xyzw, s0\n", to); break;
      case 1: text += fmt::format("mad r{0}.xyzw, r4.xyzw, cb0[{1}].xyzw, r{0}.xyzw\n", to, i % 64); break;
      case 5: text += fmt::format("iadd r{0}.x, r{0}.x, l({1})\n", to, 77777 * i % 0x7fffffff); break;
      default:
        text += fmt::format("mad r{0}.xyzw, r{1}.wxyz, l({2:.3f}, {3:.3f}, 0.5, 2.0), r{0}.xyzw\n", to, from,
                            0.37 * static_cast<double>(i), 1.37 * static_cast<double>(i));
    }
  }
  return text +
         "add r0.xyzw, r0.xyzw, r1.xyzw\nadd r2.xyzw, r2.xyzw, r3.xyzw\nadd o0.xyzw, r0.xyzw, r2.xyzw\nret\n";
}

/// Work must not grow faster than the length. (The time per instruction does: docs/performance.md, "How the
/// time grows".)
void long_program_to(benchmark::State& state, const char* target) {
  sm4::Program program;
  Diagnostics diagnostics;
  if (!assembly::parse(long_shader(state.range(0)), program, diagnostics))
    return state.SkipWithError("the long shader is wrong");
  library::TranslateOptions options;
  options.to = target;
  for (auto _ : state) {
    library::Translation translation(std::pmr::get_default_resource());
    library::translate(program, nullptr, options, translation, diagnostics);
    benchmark::DoNotOptimize(translation.data.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(long_program_to, ptx, "ptx")
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(long_program_to, spirv, "spirv")
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(long_program_to, maxwell, "cubin")
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace texlate::test
