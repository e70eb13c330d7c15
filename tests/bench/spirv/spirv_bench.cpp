// DXBC containers to SPIR-V, in process: texlate against libvkd3d-shader, over the containers that both
// translate. Counters: instructions of a module, median over the containers; of the function alone, and of
// the whole module.

#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vkd3d_shader.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "backend/spirv/emit.h"
#include "frontend/dxbc/read.h"
#include "frontend/lower/lower.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/legalize_texture.h"
#include "ir/passes/optimize.h"
#include "tests/corpus/corpus.h"

namespace texlate {
namespace {

struct Size {
  size_t all = 0, function = 0;
};

Size count(std::span<const uint32_t> words) {
  Size size;
  bool inside = false;
  for (size_t at = 5; at < words.size() && (words[at] >> 16) != 0; at += words[at] >> 16) {
    inside |= (words[at] & 0xffff) == 54;  // OpFunction
    ++size.all;
    size.function += inside;
  }
  return size;
}

/// The whole way: read, lower, legalise, emit, as `texlate translate --to spirv` goes.
std::optional<Size> by_texlate(const std::string& bytes, bool counted) {
  std::pmr::monotonic_buffer_resource arena(1 << 16);
  Diagnostics diagnostics(&arena);
  dxbc::Container container(&arena);
  sm4::Program program(&arena);
  if (!dxbc::read(std::as_bytes(std::span(bytes)), container, program, diagnostics)) return std::nullopt;
  ir::Module module(&arena);
  if (!lower::lower(program, module, diagnostics)) return std::nullopt;
  ir::construct_ssa(module);
  ir::optimize_once(module);
  spirv::Options options;
  const size_t values = module.values.size();
  if (!ir::legalize_texture(module, spirv::texture_guarantees(options.robustness), diagnostics))
    return std::nullopt;
  if (module.values.size() != values) ir::optimize_once(module);
  std::pmr::vector<uint32_t> words(&arena);
  if (!spirv::emit(module, options, words, diagnostics)) return std::nullopt;
  return counted ? count(words) : Size{};
}

std::optional<Size> by_vkd3d(const std::string& bytes, bool counted) {
  vkd3d_shader_compile_info info{};
  info.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO;
  info.source = {bytes.data(), bytes.size()};
  info.source_type = VKD3D_SHADER_SOURCE_DXBC_TPF;
  info.target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY;
  info.log_level = VKD3D_SHADER_LOG_NONE;
  vkd3d_shader_code code{};
  if (vkd3d_shader_compile(&info, &code, nullptr) < 0) return std::nullopt;
  Size size;
  if (counted) size = count({static_cast<const uint32_t*>(code.code), code.size / 4});
  vkd3d_shader_free_shader_code(&code);
  return size;
}

/// The peer ends the process on some containers: it is tried in a process of its own first.
bool vkd3d_survives(const std::string& bytes) {
  const pid_t child = fork();
  if (child == 0) _exit(by_vkd3d(bytes, false) ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct Corpus {
  std::vector<std::string> containers;
  std::vector<Size> texlate, vkd3d;
};

const Corpus& shared_corpus() {
  static const Corpus corpus = [] {
    Corpus both;
    if (!corpus::present()) return both;
    for (const char* folder : {"pairs", "hlsl_suite", "fxc_suite", "dxbc_suite"}) {
      for (const auto& path : corpus::files(folder, ".dxbc")) {
        std::string bytes = corpus::read(path);
        const auto ours = by_texlate(bytes, true);
        if (!ours || !vkd3d_survives(bytes)) continue;
        const auto theirs = by_vkd3d(bytes, true);
        if (!theirs) continue;
        both.containers.push_back(std::move(bytes));
        both.texlate.push_back(*ours);
        both.vkd3d.push_back(*theirs);
      }
    }
    return both;
  }();
  return corpus;
}

size_t median(const std::vector<Size>& sizes, size_t Size::*member) {
  std::vector<size_t> numbers;
  for (const Size& size : sizes) numbers.push_back(size.*member);
  std::sort(numbers.begin(), numbers.end());
  return numbers.empty() ? 0 : numbers[numbers.size() / 2];
}

void run(benchmark::State& state, std::optional<Size> (*translate)(const std::string&, bool),
         const std::vector<Size>& sizes) {
  const Corpus& corpus = shared_corpus();
  if (corpus.containers.empty()) return state.SkipWithError("no containers");
  for (auto _ : state) {
    for (const std::string& bytes : corpus.containers) benchmark::DoNotOptimize(translate(bytes, false));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * corpus.containers.size()));
  state.counters["shaders"] = static_cast<double>(corpus.containers.size());
  state.counters["instructions"] = static_cast<double>(median(sizes, &Size::all));
  state.counters["in_function"] = static_cast<double>(median(sizes, &Size::function));
}

void texlate_to_spirv(benchmark::State& state) {
  run(state, by_texlate, shared_corpus().texlate);
}
void vkd3d_to_spirv(benchmark::State& state) {
  run(state, by_vkd3d, shared_corpus().vkd3d);
}
BENCHMARK(texlate_to_spirv)->Unit(benchmark::kMillisecond);
BENCHMARK(vkd3d_to_spirv)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace texlate
