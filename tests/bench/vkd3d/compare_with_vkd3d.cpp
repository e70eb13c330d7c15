// compare_with_vkd3d FILE.dxbc...: translates the same containers to SPIR-V by texlate and by vkd3d-shader,
// one thread, container to module. Time: the minimum of several runs of each file, summed over the files that
// both translate. A file that ends the process (an assertion, a fault) is tried in a child process first and
// counts as not translated.
//
// compare_with_vkd3d --both FILE.dxbc...: prints the names of the files that both translate, one per line.
// compare_with_vkd3d --by texlate|vkd3d FILE.dxbc...: each file once, by one of the two; texlate checks
// digests. For valgrind: callgrind counts translate_all() with --toggle-collect='translate_all*'.

// clang-format off
#include <cstddef>  // vkd3d_shader.h leaves out <stddef.h>
#include <vkd3d_shader.h>
// clang-format on
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "texlate/texlate.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kRuns = 15;

/// Bytes of SPIR-V; 0: it failed.
size_t by_vkd3d(const std::string& bytes) {
  vkd3d_shader_compile_info info{};
  info.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO;
  info.source = {bytes.data(), bytes.size()};
  info.source_type = VKD3D_SHADER_SOURCE_DXBC_TPF;
  info.target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY;
  const vkd3d_shader_compile_option strip = {VKD3D_SHADER_COMPILE_OPTION_STRIP_DEBUG, 1};
  info.options = &strip;
  info.option_count = 1;
  vkd3d_shader_code code{};
  if (vkd3d_shader_compile(&info, &code, nullptr) != VKD3D_OK) return 0;
  const size_t size = code.size;
  vkd3d_shader_free_shader_code(&code);
  return size;
}

size_t translate_by_texlate(const std::string& bytes, texlate_digest digest) {
  texlate_parse_options parse = TEXLATE_PARSE_OPTIONS_INIT;
  parse.digest = digest;
  const texlate::api::Program program(bytes, &parse);
  if (!program.ok()) return 0;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  return program.translate(options).data().size();
}

/// Like the peer: without checking the digest.
size_t by_texlate(const std::string& bytes) {
  return translate_by_texlate(bytes, TEXLATE_DIGEST_IGNORE);
}
size_t by_texlate_with_digest(const std::string& bytes) {
  return translate_by_texlate(bytes, TEXLATE_DIGEST_WARN);
}

using Translate = size_t (*)(const std::string&);

bool survives(Translate translate, const std::string& bytes) {
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(2);
    alarm(10);
    _exit(translate(bytes) != 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

double least_microseconds(Translate translate, const std::string& bytes) {
  double least = 1e30;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = Clock::now();
    translate(bytes);
    least = std::min(least, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  return least;
}

std::string contents(const char* name) {
  std::ifstream file(name, std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

/// What callgrind counts: only translations.
[[gnu::noinline]] size_t translate_all(Translate translate, const std::vector<std::string>& files) {
  size_t bytes = 0;
  for (const std::string& file : files) bytes += translate(file);
  return bytes;
}

int translate_once(std::string_view by, std::span<char*> names) {
  setenv("VKD3D_SHADER_DEBUG", "none", 1);  // its output to stderr must not be counted
  const Translate translate = by == "texlate" ? by_texlate_with_digest : by_vkd3d;
  std::vector<std::string> files;
  for (const char* name : names) files.push_back(contents(name));
  std::printf("%zu files, %zu bytes of SPIR-V\n", files.size(), translate_all(translate, files));
  return 0;
}

int print_both(std::span<char*> names) {
  for (const char* name : names) {
    const std::string bytes = contents(name);
    if (survives(by_texlate, bytes) && survives(by_vkd3d, bytes)) std::printf("%s\n", name);
  }
  return 0;
}

int compare(std::span<char*> names) {
  size_t both = 0, texlate_alone = 0, vkd3d_alone = 0, neither = 0;
  double texlate_time = 0, vkd3d_time = 0;
  size_t texlate_size = 0, vkd3d_size = 0;
  for (const char* name : names) {
    const std::string bytes = contents(name);
    const bool texlate_can = survives(by_texlate, bytes), vkd3d_can = survives(by_vkd3d, bytes);
    if (!texlate_can || !vkd3d_can) {
      ++(texlate_can ? texlate_alone : vkd3d_can ? vkd3d_alone : neither);
      if (vkd3d_can) std::printf("vkd3d alone: %s\n", name);
      continue;
    }
    ++both;
    texlate_time += least_microseconds(by_texlate, bytes);
    vkd3d_time += least_microseconds(by_vkd3d, bytes);
    texlate_size += by_texlate(bytes);
    vkd3d_size += by_vkd3d(bytes);
  }
  std::printf("%zu files: %zu by both, %zu by texlate alone, %zu by vkd3d alone, %zu by neither\n",
              names.size(), both, texlate_alone, vkd3d_alone, neither);
  if (both == 0) return 1;
  std::printf("texlate %s: %.0f us, %zu bytes of SPIR-V\n", texlate_version(), texlate_time, texlate_size);
  std::printf("%s: %.0f us, %zu bytes of SPIR-V\n", vkd3d_shader_get_version(nullptr, nullptr), vkd3d_time,
              vkd3d_size);
  std::printf("time x%.2f, size x%.2f\n", vkd3d_time / texlate_time,
              static_cast<double>(vkd3d_size) / static_cast<double>(texlate_size));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::span<char*> names(arguments + 1, static_cast<size_t>(count) - 1);
  const std::string_view first = names.empty() ? "" : names[0];
  if (first == "--both") return print_both(names.subspan(1));
  if (first == "--by" && names.size() > 1) return translate_once(names[1], names.subspan(2));
  return compare(names);
}
