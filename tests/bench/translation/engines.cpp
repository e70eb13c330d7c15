#include "tests/bench/translation/engines.h"

#include <dlfcn.h>

#include <fstream>
#include <iterator>
// clang-format off
#include <cstddef>  // vkd3d_shader.h leaves out <stddef.h>
#include <vkd3d_shader.h>
// clang-format on

#include "texlate/texlate.hpp"

namespace texlate::bench {

namespace {

class Texlate final : public Engine {
 public:
  explicit Texlate(const std::string& target) : target_(target) { name = "texlate " + target; }

  size_t translate(const std::string& container) override {
    const texlate_parse_options parse = TEXLATE_PARSE_OPTIONS_INIT;
    const api::Program program(container, &parse);
    if (!program.ok()) return 0;
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = target_.c_str();
    options.context = context_.get();
    return program.translate(options).data().size();
  }

 private:
  std::string target_;
  api::Context context_;
};

class Vkd3d final : public Engine {
 public:
  bool load(const std::string& path) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    const auto find = [library](const char* symbol, auto& function) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, symbol));
      return function != nullptr;
    };
    decltype(&vkd3d_shader_get_version) version = nullptr;
    if (!find("vkd3d_shader_compile", compile_) || !find("vkd3d_shader_free_shader_code", free_) ||
        !find("vkd3d_shader_get_version", version))
      return false;
    name = version(nullptr, nullptr);
    return true;
  }

  size_t translate(const std::string& container) override {
    vkd3d_shader_compile_info info{};
    info.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO;
    info.source = {container.data(), container.size()};
    info.source_type = VKD3D_SHADER_SOURCE_DXBC_TPF;
    info.target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY;
    const vkd3d_shader_compile_option strip = {VKD3D_SHADER_COMPILE_OPTION_STRIP_DEBUG, 1};
    info.options = &strip;
    info.option_count = 1;
    vkd3d_shader_code code{};
    if (compile_(&info, &code, nullptr) != VKD3D_OK) return 0;
    const size_t size = code.size;
    free_(&code);
    return size;
  }

 private:
  decltype(&vkd3d_shader_compile) compile_ = nullptr;
  decltype(&vkd3d_shader_free_shader_code) free_ = nullptr;
};

}  // namespace

std::unique_ptr<Engine> make_texlate(const std::string& target) {
  return std::make_unique<Texlate>(target);
}

std::unique_ptr<Engine> load_vkd3d(const std::string& path) {
  auto engine = std::make_unique<Vkd3d>();
  if (!engine->load(path)) return nullptr;
  return engine;
}

bool read_input(const std::string& name, Input& input) {
  std::ifstream file(name, std::ios::binary);
  input.name = name;
  input.container.assign(std::istreambuf_iterator<char>(file), {});
  const api::Program program(input.container);
  texlate_program_info info{};
  info.struct_size = sizeof info;
  if (!program.ok() || texlate_program_get_info(program.get(), &info) != TEXLATE_OK) return false;
  input.instructions = info.instruction_count;
  if (input.container.starts_with("DXBC")) return true;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "dxbc";
  const api::Output output = program.translate(options);
  input.container.assign(output.data());
  return output.ok();
}

}  // namespace texlate::bench
