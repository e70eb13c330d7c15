// Replaces spirv_tools.cpp in builds without SPIRV-Tools (TEXLATE_SPIRV_TOOLS=OFF): target.cpp reports that
// they are missing.

#include "backend/spirv/spirv_tools.h"

namespace texlate::spirv {

bool has_spirv_tools() {
  return false;
}

bool validate(std::span<const uint32_t>, std::string& message) {
  message = "built without SPIRV-Tools";
  return false;
}

bool optimize(std::pmr::vector<uint32_t>&, std::string& message) {
  message = "built without SPIRV-Tools";
  return false;
}

}  // namespace texlate::spirv
