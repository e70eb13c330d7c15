// A text of C's printf as NonSemantic.DebugPrintf takes it.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "backend/spirv/kinds.h"

namespace texlate::spirv {

struct PrintfFormat {
  std::pmr::string text;          // without length modifiers: all values have 32 bits
  std::pmr::vector<Kind> kinds;   // what each conversion takes, in order
  std::string_view refused = {};  // the first conversion that DebugPrintf does not have; empty: none
};

PrintfFormat printf_format(std::string_view format, std::pmr::memory_resource* memory);

}  // namespace texlate::spirv
