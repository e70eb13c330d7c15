// Reads the text form of machine functions (backend/maxwell/machine/text.h), which only tests do.
#pragma once

#include <string_view>

#include "backend/maxwell/machine/layout.h"

namespace texlate {
class Diagnostics;
}

namespace texlate::maxwell::machine::test {

/// Reads a function in either form without lines. False, with located errors, if the text is wrong; verify()
/// checks what the text means.
bool parse(std::string_view text, Function& function, Diagnostics& diagnostics);
/// Reads lines. The function keeps their instructions.
bool parse(std::string_view text, Function& function, Layout& layout, Diagnostics& diagnostics);

}  // namespace texlate::maxwell::machine::test
