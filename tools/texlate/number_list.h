// Places in a scene, as options give them: "3,4".
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace texlate::cli {

/// `least` to `count` numbers, separated by commas; missing ones are 0.
inline bool parse_numbers(std::string_view text, size_t least, size_t count,
                          std::array<uint32_t, 3>& numbers) {
  numbers = {};
  for (size_t i = 0; i < count; ++i) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<size_t>(stop - text.data()));
    if (text.empty()) return i + 1 >= least;
    if (text[0] != ',') return false;
    text.remove_prefix(1);
  }
  return false;
}

}  // namespace texlate::cli
