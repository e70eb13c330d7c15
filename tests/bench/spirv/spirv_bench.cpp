// DXBC containers to SPIR-V, in process: texlate compared with libvkd3d-shader, over the containers that both
// translate. Counters: instructions of a module (median over the containers), of the function alone and of
// the whole module; ours / theirs, as the median over the modules and for all instructions together.

#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vkd3d_shader.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "frontend/asm/parser.h"
#include "frontend/dxbc/read.h"
#include "library/pipeline.h"
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

/// The whole translation, as in `texlate translate --to spirv`, in a block of memory that the caller keeps.
std::optional<Size> translate(const std::string& bytes, bool counted, dxbc::DigestCheck digest) {
  static std::vector<std::byte> block(size_t{64} << 20);
  std::pmr::monotonic_buffer_resource arena(block.data(), block.size());
  Diagnostics diagnostics(&arena);
  dxbc::Container container(&arena);
  sm4::Program program(&arena);
  if (!library::read_program(bytes, digest, program, container, diagnostics)) return std::nullopt;
  library::TranslateOptions options;
  options.to = "spirv";
  library::Translation translation(&arena);
  if (!library::translate(program, &container, options, translation, diagnostics)) return std::nullopt;
  if (!counted) return Size{};
  std::vector<uint32_t> words(translation.data.size() / 4);
  std::memcpy(words.data(), translation.data.data(), words.size() * 4);
  return count(words);
}

/// Like the peer: without checking the digest.
std::optional<Size> by_texlate(const std::string& bytes, bool counted) {
  return translate(bytes, counted, dxbc::DigestCheck::ignore);
}
std::optional<Size> by_texlate_with_digest(const std::string& bytes, bool counted) {
  return translate(bytes, counted, dxbc::DigestCheck::warn);
}

std::optional<Size> by_vkd3d(const std::string& bytes, bool counted) {
  // Set before its first message: what it writes to stderr must not be included in its time.
  [[maybe_unused]] static const int quiet = setenv("VKD3D_SHADER_DEBUG", "none", 1);
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

/// The peer ends the process on some containers, so each is tried in a separate process first.
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

/// A listing of a game as the container that the assembler writes for it.
std::string assembled(const std::string& text) {
  sm4::Program program;
  Diagnostics diagnostics;
  std::pmr::vector<std::byte> bytes;
  if (!assembly::parse(text, program, diagnostics) || !dxbc::write(program, nullptr, bytes, diagnostics))
    return {};
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void add(Corpus& corpus, std::string bytes) {
  const auto ours = by_texlate(bytes, true);
  if (!ours || !vkd3d_survives(bytes)) return;
  const auto theirs = by_vkd3d(bytes, true);
  if (!theirs) return;
  corpus.containers.push_back(std::move(bytes));
  corpus.texlate.push_back(*ours);
  corpus.vkd3d.push_back(*theirs);
}

/// The last one is all of them.
const char* const kSuites[] = {"games", "pairs", "hlsl_suite", "fxc_suite", "dxbc_suite", "all"};
constexpr size_t kAll = std::size(kSuites) - 1;

const Corpus& corpus_of(size_t suite) {
  static std::array<std::optional<Corpus>, std::size(kSuites)> all;
  if (all[suite]) return *all[suite];
  Corpus& corpus = all[suite].emplace();
  if (!corpus::present()) return corpus;
  if (suite == kAll) {
    for (size_t part = 0; part < kAll; ++part) {
      const Corpus& other = corpus_of(part);
      corpus.containers.insert(corpus.containers.end(), other.containers.begin(), other.containers.end());
      corpus.texlate.insert(corpus.texlate.end(), other.texlate.begin(), other.texlate.end());
      corpus.vkd3d.insert(corpus.vkd3d.end(), other.vkd3d.begin(), other.vkd3d.end());
    }
    return corpus;
  }
  const std::string folder = kSuites[suite];
  const bool text = folder == "games";
  for (const auto& path : corpus::files(folder, text ? ".asm" : ".dxbc")) {
    const std::string bytes = corpus::read(path);
    add(corpus, text ? assembled(bytes) : bytes);
  }
  return corpus;
}

template <typename Number>
double median(std::vector<Number> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers.empty() ? 0 : static_cast<double>(numbers[numbers.size() / 2]);
}

/// Median over the modules of ours / theirs.
double ratio(const Corpus& corpus, size_t Size::*member) {
  std::vector<double> ratios;
  for (size_t i = 0; i < corpus.texlate.size(); ++i) {
    ratios.push_back(static_cast<double>(corpus.texlate[i].*member) /
                     static_cast<double>(corpus.vkd3d[i].*member));
  }
  return median(ratios);
}

/// All instructions of ours / all of theirs.
double total_ratio(const Corpus& corpus) {
  auto total = [](const std::vector<Size>& sizes) {
    size_t sum = 0;
    for (const Size& size : sizes) sum += size.all;
    return static_cast<double>(sum);
  };
  return total(corpus.texlate) / total(corpus.vkd3d);
}

double median(const std::vector<Size>& sizes, size_t Size::*member) {
  std::vector<size_t> numbers;
  for (const Size& size : sizes) numbers.push_back(size.*member);
  return median(numbers);
}

void run(benchmark::State& state, std::optional<Size> (*way)(const std::string&, bool),
         std::vector<Size> Corpus::*sizes) {
  const Corpus& corpus = corpus_of(static_cast<size_t>(state.range(0)));
  if (corpus.containers.empty()) return state.SkipWithError("no containers");
  for (auto _ : state) {
    for (const std::string& bytes : corpus.containers) benchmark::DoNotOptimize(way(bytes, false));
  }
  state.SetLabel(kSuites[state.range(0)]);
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * corpus.containers.size()));
  state.counters["shaders"] = static_cast<double>(corpus.containers.size());
  state.counters["instructions"] = median(corpus.*sizes, &Size::all);
  state.counters["in_function"] = median(corpus.*sizes, &Size::function);
  if (sizes != &Corpus::texlate) return;
  state.counters["ratio"] = ratio(corpus, &Size::all);
  state.counters["function_ratio"] = ratio(corpus, &Size::function);
  state.counters["total_ratio"] = total_ratio(corpus);
}

void texlate_to_spirv(benchmark::State& state) {
  run(state, by_texlate, &Corpus::texlate);
}
void texlate_with_digest(benchmark::State& state) {
  run(state, by_texlate_with_digest, &Corpus::texlate);
}
void vkd3d_to_spirv(benchmark::State& state) {
  run(state, by_vkd3d, &Corpus::vkd3d);
}
BENCHMARK(texlate_to_spirv)->DenseRange(0, std::size(kSuites) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(texlate_with_digest)->DenseRange(0, std::size(kSuites) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(vkd3d_to_spirv)->DenseRange(0, std::size(kSuites) - 1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace texlate
