#include "tests/support/support.h"
#include "tests/support/paths.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace texlate::test {

Outcome translate(std::string_view listing, const library::TranslateOptions& options) {
  Outcome outcome;
  sm4::Program program;
  Diagnostics diagnostics;
  library::Translation translation(std::pmr::get_default_resource());
  dxbc::Container container;
  outcome.ok = library::read_program(listing, dxbc::DigestCheck::warn, program, container, diagnostics) &&
               library::translate(program, nullptr, options, translation, diagnostics);
  outcome.text = translation.data;
  outcome.reflection = translation.reflection;
  outcome.gaps.assign(translation.explanation.gaps().begin(), translation.explanation.gaps().end());
  for (const Diagnostic& diagnostic : diagnostics.list())
    outcome.diagnostics += render(diagnostic, "test.asm", listing);
  return outcome;
}

std::string pixel_shader(std::string_view body, std::string_view more_declarations) {
  std::string text =
      "ps_5_0\n"
      "dcl_globalFlags refactoringAllowed\n"
      "dcl_constantbuffer cb0[4], dynamicIndexed\n"
      "dcl_sampler s0, mode_default\n"
      "dcl_sampler s1, mode_comparison\n"
      "dcl_resource_texture2d (float,float,float,float) t0\n"
      "dcl_resource_texture2darray (float,float,float,float) t1\n"
      "dcl_resource_texture3d (float,float,float,float) t2\n"
      "dcl_resource_texturecube (float,float,float,float) t3\n";
  text += more_declarations;
  text +=
      "dcl_input_ps linear v0.xyzw\n"
      "dcl_input_ps linear v1.xyzw\n"
      "dcl_output o0.xyzw\n"
      "dcl_temps 4\n";
  text += body;
  text += "ret \n";
  return text;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  return std::move(contents).str();
}

bool write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file.good();
}

std::string find_ptxas() {
#ifdef _WIN32  // the judges of this machine are not for Windows
  return {};
#endif
  if (const char* named = std::getenv("TEXLATE_PTXAS")) return named;
  if (const std::string fetched = source_dir() + "/build/judges/bin/ptxas"; std::filesystem::exists(fetched))
    return fetched;
  if (const char* path = std::getenv("PATH")) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (!folder.empty() && std::filesystem::exists(folder + "/ptxas")) return folder + "/ptxas";
    }
  }
  const std::string usual = "/usr/local/cuda/bin/ptxas";
  return std::filesystem::exists(usual) ? usual : std::string{};
}

std::string ptxas_complaint(const std::string& ptxas, std::string_view text, int sm) {
  // Unique for this process and this call, because tests run in parallel.
  static std::atomic<uint32_t> calls{0};
  const std::string name = "texlate_test_" + std::to_string(::getpid()) + "_" + std::to_string(calls++);
  const std::string base = (std::filesystem::temp_directory_path() / name).string();
  write_file(base + ".ptx", text);
  const std::string command =
      ptxas + " -arch=sm_" + std::to_string(sm) + " -o /dev/null " + base + ".ptx > " + base + ".log 2>&1";
  const int status = std::system(command.c_str());
  std::string said = read_file(base + ".log");
  std::filesystem::remove(base + ".ptx");
  std::filesystem::remove(base + ".log");
  if (status == 0) return {};
  if (said.find("is not defined for option 'gpu-name'") != std::string::npos)
    return {};  // newer than this ptxas supports
  return said.empty() ? "ptxas failed without a word" : said;
}

std::string corpus_folder() {
  const std::string folder = shared_dir() + "/corpus";
  return std::filesystem::is_directory(folder) ? folder : std::string{};
}

}  // namespace texlate::test
