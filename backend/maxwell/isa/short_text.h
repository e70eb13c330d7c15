// Texts that are appended without a call and without a loop: a listing consists of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace texlate::maxwell {

template <size_t most>
struct TextOf {
  std::array<char, most> text{};
  uint8_t size = 0;

  constexpr TextOf() = default;
  constexpr TextOf(std::string_view from) { append(from); }
  constexpr void append(std::string_view more) {
    for (const char c : more) text[size++] = c;
  }
  constexpr std::string_view view() const { return {text.data(), size}; }
};
using ShortText = TextOf<23>;

/// Appends a text, and returns the new end. There must be room for sizeof(ShortText).
template <size_t most>
char* write(const TextOf<most>& text, char* at) {
  std::memcpy(at, &text, sizeof(text));
  return at + text.size;
}
inline char* write(std::string_view text, char* at) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

}  // namespace texlate::maxwell
