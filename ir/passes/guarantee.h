// A target's promises for one operation: which of Direct3D's rules its documents promise, and where.
#pragma once

#include <cstdint>
#include <string_view>

namespace texlate::ir {

struct Guarantee {
  uint32_t promises = 0;    // bits of the table's promises
  std::string_view source;  // document and section

  constexpr bool has(uint32_t promise) const { return (promises & promise) == promise; }
};

}  // namespace texlate::ir
