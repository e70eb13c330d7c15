#include "sim/texture_unit/access.h"

#include <array>
#include <string_view>

namespace texlate::sim {

std::string undefined_names(uint32_t bits) {
  static constexpr std::string_view kNames[] = {
#define TEXLATE_UNDEFINED(name) #name,
#include "sim/texture_unit/undefined_table.inc"
#undef TEXLATE_UNDEFINED
  };
  std::string names;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if ((bits >> i & 1) == 0) continue;
    names += names.empty() ? "" : ", ";
    names += kNames[i];
  }
  return names;
}

}  // namespace texlate::sim
