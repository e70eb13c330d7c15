// Numbers in texts.
#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace texlate {

/// Reads all of the text as one number. False: it is something else, or does not fit.
template <typename Number, typename... Format>
bool read_number(std::string_view text, Number& out, Format... base_or_format) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out, base_or_format...);
  return error == std::errc() && stop == end;
}

}  // namespace texlate
