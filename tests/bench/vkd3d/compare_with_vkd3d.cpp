// compare_with_vkd3d FILE.dxbc...: the same containers to SPIR-V by texlate and by vkd3d-shader, one thread,
// container to module. Time: the least of several runs of each file, summed over the files that both
// translate. A file that ends the process (an assertion, a fault) is tried in a child first and counts as not
// translated.

// clang-format off
#include <cstddef>  // vkd3d_shader.h leaves out <stddef.h>
#include <vkd3d_shader.h>
// clang-format on
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "texlate/texlate.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kRuns = 15;

/// Bytes of SPIR-V; 0: it could not.
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

size_t by_texlate(const std::string& bytes) {
  texlate_parse_options parse = TEXLATE_PARSE_OPTIONS_INIT;
  parse.digest = TEXLATE_DIGEST_IGNORE;
  const texlate::api::Program program(bytes, &parse);
  if (!program.ok()) return 0;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  return program.translate(options).data().size();
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

}  // namespace

int main(int count, char** names) {
  size_t both = 0, texlate_alone = 0, vkd3d_alone = 0, neither = 0;
  double texlate_time = 0, vkd3d_time = 0;
  size_t texlate_size = 0, vkd3d_size = 0;
  for (int i = 1; i < count; ++i) {
    std::ifstream file(names[i], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const bool texlate_can = survives(by_texlate, bytes), vkd3d_can = survives(by_vkd3d, bytes);
    if (!texlate_can || !vkd3d_can) {
      ++(texlate_can ? texlate_alone : vkd3d_can ? vkd3d_alone : neither);
      if (vkd3d_can) std::printf("vkd3d alone: %s\n", names[i]);
      continue;
    }
    ++both;
    texlate_time += least_microseconds(by_texlate, bytes);
    vkd3d_time += least_microseconds(by_vkd3d, bytes);
    texlate_size += by_texlate(bytes);
    vkd3d_size += by_vkd3d(bytes);
  }
  std::printf("%d files: %zu by both, %zu by texlate alone, %zu by vkd3d alone, %zu by neither\n", count - 1,
              both, texlate_alone, vkd3d_alone, neither);
  if (both == 0) return 1;
  std::printf("texlate %s: %.0f us, %zu bytes of SPIR-V\n", texlate_version(), texlate_time, texlate_size);
  std::printf("%s: %.0f us, %zu bytes of SPIR-V\n", vkd3d_shader_get_version(nullptr, nullptr), vkd3d_time,
              vkd3d_size);
  std::printf("time x%.2f, size x%.2f\n", vkd3d_time / texlate_time,
              static_cast<double>(vkd3d_size) / static_cast<double>(texlate_size));
  return 0;
}
