// An observer of the text form after each pass, for debugging, of passes whose form is not the IR's.
#pragma once

#include <string_view>

namespace texlate {

struct PassText {
  /// The name of the pass is a string literal.
  void (*after)(void* user, std::string_view pass, std::string_view text) = nullptr;
  void* user = nullptr;
};

}  // namespace texlate
