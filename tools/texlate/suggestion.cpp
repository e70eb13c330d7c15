#include "tools/texlate/suggestion.h"

#include <algorithm>
#include <vector>

namespace texlate::cli {

size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table: for two letters before, the letter before, and the current one.
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  const std::string* nearest = nullptr;
  size_t least = word.size();
  for (const std::string& one : known) {
    const size_t distance = edit_distance(word, one);
    // An abbreviation is near to a word that begins with it.
    const bool begins = word.size() >= 3 && one.starts_with(word);
    if ((begins || distance <= std::max<size_t>(1, word.size() / 3)) &&
        (nearest == nullptr || distance < least)) {
      nearest = &one;
      least = distance;
    }
  }
  return nearest == nullptr ? std::string() : "; did you mean " + *nearest + "?";
}

}  // namespace texlate::cli
