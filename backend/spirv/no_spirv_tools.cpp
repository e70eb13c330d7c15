// Stands in for spirv_tools.cpp in builds without SPIRV-Tools (TEXLATE_SPIRV_TOOLS=OFF): whoever asks is told.

#include "backend/spirv/spirv_tools.h"

namespace texlate::spirv {

bool has_spirv_tools() {
  return false;
}

bool validate(std::span<const uint32_t>, std::string& message) {
  message = "this build of texlate has no SPIRV-Tools";
  return false;
}

bool optimize(std::pmr::vector<uint32_t>&, std::string& message) {
  message = "this build of texlate has no SPIRV-Tools";
  return false;
}

std::string disassemble(std::span<const uint32_t>) {
  return {};
}

}  // namespace texlate::spirv
