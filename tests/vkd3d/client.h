// A client of libvkd3d-shader.so.1 of any version, and shaders for it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/vkd3d/entries.h"

namespace texlate::vkd3d {

/// The lines that the library logged while `work` ran.
std::string logged_by(void (*work)(void*), void* argument);
template <typename Work>
std::string logged(Work work) {
  return logged_by([](void* argument) { (*static_cast<Work*>(argument))(); }, &work);
}

/// The container of a listing.
std::string container(std::string_view listing);
/// The same bytes with the digest that they should have.
std::string with_digest(std::string bytes);

inline Parameter1 parameter(ParameterName name, ParameterType type, ParameterData data, uint32_t value) {
  Parameter1 made{};
  made.name = name;
  made.type = type;
  made.data_type = data;
  made.u32 = value;
  return made;
}

struct Compiled {
  int result = 0;
  std::string text;  // SPIR-V's disassembly; empty: not valid
  std::string bytes;
  std::string messages;
  std::string log;
};

struct Call {
  std::vector<CompileOption> options = {};
  TargetType target = TargetType::spirv_binary;
  SourceType source = SourceType::dxbc_tpf;
  LogLevel level = LogLevel::info;
};

/// Compiles the bytes with a chain of structures. The SPIR-V must be valid.
Compiled compile(std::string_view bytes, const void* chain, const Call& call = {});
/// The result is the status, and the messages are those of the scan.
Compiled scan(std::string_view bytes, const void* chain, const Call& call = {});

}  // namespace texlate::vkd3d
