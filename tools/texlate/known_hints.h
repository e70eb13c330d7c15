// What known state would save, for `texlate translate --explain` (docs/known_state.md).
#pragma once

#include <string>

#include "texlate/texlate.hpp"

namespace texlate::cli {

/// "if t0 were known: 41 instructions fewer" for the registers that save most, a line each, the most first;
/// empty if none saves a tenth of the code. Each is a translation with a common texture, sampler or constant
/// buffer in this register, besides what is known already. Empty for targets that are not text.
std::string known_hints(const api::Program& program, const texlate_translate_options& options,
                        std::string_view translation);

}  // namespace texlate::cli
