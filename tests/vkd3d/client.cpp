#include "tests/vkd3d/client.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory_resource>

#include "backend/spirv/spirv_tools.h"
#include "frontend/dxbc/digest.h"
#include "tests/support/spirv_text.h"
#include "texlate/texlate.hpp"

namespace texlate::vkd3d {

namespace {

CompileInfo info_of(std::string_view bytes, const void* chain, const Call& call) {
  return {StructureType::compile_info,
          chain,
          {bytes.data(), bytes.size()},
          call.source,
          call.target,
          call.options.data(),
          static_cast<uint32_t>(call.options.size()),
          call.level,
          nullptr};
}

std::string take_messages(char* messages) {
  const std::string text = messages != nullptr ? messages : "";
  vkd3d_shader_free_messages(messages);
  return text;
}

void disassemble(Compiled& made) {
  std::pmr::vector<uint32_t> words(made.bytes.size() / 4);
  std::memcpy(words.data(), made.bytes.data(), made.bytes.size());
  std::string wrong;
  if (!spirv::validate(words, wrong)) {
    ADD_FAILURE() << wrong << spirv::text_of_spirv_tools(words);
    return;
  }
  made.text = spirv::text_of_spirv_tools(words);
}

}  // namespace

std::string logged_by(void (*work)(void*), void* argument) {
  const std::string name =
      (std::filesystem::temp_directory_path() / ("texlate_vkd3d_" + std::to_string(getpid()) + ".log"))
          .string();
  std::filesystem::remove(name);
  setenv("TEXLATE_VKD3D_LOG", name.c_str(), 1);
  work(argument);
  unsetenv("TEXLATE_VKD3D_LOG");
  std::ifstream file(name);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(name);
  return text;
}

std::string container(std::string_view listing) {
  const api::Program program(listing);
  for (const auto& diagnostic : program.diagnostics())
    ADD_FAILURE() << diagnostic.line << ": " << diagnostic.message;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "dxbc";
  return std::string(program.translate(options).data());
}

std::string with_digest(std::string bytes) {
  const dxbc::Digest digest = dxbc::digest_of(std::as_bytes(std::span(bytes)));
  std::memcpy(bytes.data() + 4, digest.data(), sizeof digest);
  return bytes;
}

Compiled compile(std::string_view bytes, const void* chain, const Call& call) {
  const CompileInfo info = info_of(bytes, chain, call);
  Compiled made;
  Code code{};
  char* messages = nullptr;
  made.log = logged([&] { made.result = vkd3d_shader_compile(&info, &code, &messages); });
  made.messages = take_messages(messages);
  if (made.result != kOk) {
    EXPECT_EQ(code.code, nullptr) << "an error leaves the result alone";
    return made;
  }
  made.bytes.assign(static_cast<const char*>(code.code), code.size);
  vkd3d_shader_free_shader_code(&code);
  const bool is_ours = made.log.find("served: ") != std::string::npos;
  if (is_ours && call.target == TargetType::spirv_binary) disassemble(made);
  return made;
}

Compiled scan(std::string_view bytes, const void* chain, const Call& call) {
  const CompileInfo info = info_of(bytes, chain, call);
  Compiled made;
  char* messages = nullptr;
  made.log = logged([&] { made.result = vkd3d_shader_scan(&info, &messages); });
  made.messages = take_messages(messages);
  return made;
}

}  // namespace texlate::vkd3d
