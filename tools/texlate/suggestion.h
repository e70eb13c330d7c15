// "Did you mean": finds the known word nearest to a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace texlate::cli {

/// The number of insertions, deletions, changes and swaps of neighbors (optimal string alignment) that turn
/// one word into the other.
size_t edit_distance(std::string_view a, std::string_view b);

/// "; did you mean WORD?", or nothing if no word is near: up to a third of the letters may be wrong.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace texlate::cli
