// A text of C's printf as NonSemantic.DebugPrintf takes it.
#pragma once

#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/spirv/kinds.h"

namespace texlate::spirv {

class PrintfFormat {
 public:
  PrintfFormat(std::string_view format, std::pmr::memory_resource* memory);

  /// Without length modifiers: all values have 32 bits.
  std::string_view text() const { return text_; }
  /// What each conversion takes, in order.
  std::span<const Kind> kinds() const { return kinds_; }
  /// The first conversion that DebugPrintf does not have; empty: none.
  std::string_view refused() const { return refused_; }

 private:
  std::pmr::string text_;
  std::pmr::vector<Kind> kinds_;
  std::string_view refused_;
};

}  // namespace texlate::spirv
