// The text of `texlate translate --explain` (docs/explain.md).
#pragma once

#include <string>
#include <string_view>

#include "texlate/texlate.hpp"

namespace texlate::cli {

/// The gaps that a translation closed, in source order. Instructions with the same gaps are listed together,
/// at the first of them; the last line counts. `source` is the input: text, of which lines are quoted, or a
/// container, whose instructions are disassembled.
std::string explanation_text(const api::Output& output, const std::string& file, std::string_view source);

}  // namespace texlate::cli
