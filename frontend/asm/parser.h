// Assembly text to Program.
#pragma once

#include <string_view>

#include "frontend/sm4/program.h"

namespace texlate::assembly {

/// Parses the first SM4.0-5.1 listing in `text` into `program` (which must be empty). The listing may be
/// alone, below a Direct3D 9 level-9 listing, or inside a C comment, a markdown fence or `#if 0`; everything
/// before its profile line is skipped but for the signatures of header comments. Reports several errors in
/// one run: a line with an error is left out of the program. True when there was none.
///
/// Accepts what fxc prints, and what mod tools, vkd3d and people write: see docs of each piece in the parser.
bool parse(std::string_view text, sm4::Program& program, Diagnostics& diagnostics);

}  // namespace texlate::assembly
