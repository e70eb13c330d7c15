// Converts assembly text to a Program.
#pragma once

#include <string_view>

#include "frontend/sm4/program.h"

namespace texlate::assembly {

/// Parses the first SM4.0-5.1 listing in `text` into `program` (which must be empty). The listing may be
/// alone, below a Direct3D 9 level-9 listing, or inside a C comment, a markdown fence or `#if 0`. Everything
/// before its profile line is skipped, except signatures in header comments. One run reports several errors:
/// a line with an error is left out of the program. Returns true if there was no error.
///
/// Accepts what fxc, mod tools and vkd3d print, and hand-written text; see the comments in the parser's
/// files.
bool parse(std::string_view text, sm4::Program& program, Diagnostics& diagnostics);

}  // namespace texlate::assembly
