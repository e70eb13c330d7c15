// "Did you mean": the known word that is nearest to a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace texlate::cli {

/// Insertions, deletions, changes and swaps of neighbours (optimal string alignment) that make one word of
/// the other.
size_t edit_distance(std::string_view a, std::string_view b);

/// "; did you mean WORD?", or nothing where no word is near: a third of the letters may be wrong.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace texlate::cli
