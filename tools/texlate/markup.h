// The characters that HTML and XML reserve.
#pragma once

#include <string_view>

namespace texlate::cli {

/// The replacement of a character that would be read as markup; empty if it needs none.
constexpr std::string_view entity_of(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return {};
  }
}

/// Printable ASCII, which needs no encoding.
constexpr bool is_printable(char c) {
  return c >= 0x20 && c < 0x7f;
}

}  // namespace texlate::cli
