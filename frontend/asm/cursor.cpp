#include "frontend/asm/cursor.h"

#include <cstring>

namespace texlate::assembly {

bool Cursor::next_line() {
  at = end;
  if (at >= text_end) return false;
  ++at;  // the newline
  line_begin = at;
  const void* newline = std::memchr(at, '\n', static_cast<size_t>(text_end - at));
  end = newline != nullptr ? static_cast<const char*>(newline) : text_end;
  ++line;
  return true;
}

std::string_view Cursor::word() {
  const char* from = at;
  while (at < end && is_word_character(*at)) ++at;
  return {from, static_cast<size_t>(at - from)};
}

bool Cursor::expect(char c, std::string_view where) {
  if (take(c)) return true;
  const char* from = at;
  return error(from, "expected '{}' {}", c, where);
}

bool Cursor::at_line_end() {
  skip_blanks();
  const char c = peek();
  return c == '\0' || c == ';' || (c == '/' && at + 1 < end && at[1] == '/');
}

bool Cursor::report(LiteralError status, const char* from) {
  if (status == LiteralError::none) return true;
  while (is_word_character(peek()) || peek() == '.' || peek() == '#') ++at;
  const std::string_view text(from, static_cast<size_t>(at - from));
  if (status == LiteralError::too_large) return error(from, "number '{}' does not fit into 32 bits", text);
  return error(from, "expected a number, found '{}'", text);
}

bool Cursor::parse_number(std::string_view what, uint32_t& value) {
  skip_blanks();
  const char* from = at;
  if (peek() < '0' || peek() > '9') return error(from, "expected {}", what);
  return report(read_unsigned(at, end, value), from);
}

bool Cursor::parse_keyword(std::span<const sm4::Keyword> table, std::string_view what, uint32_t& value) {
  skip_blanks();
  const char* from = at;
  const std::string_view name = word();
  const auto found = sm4::find_keyword(table, name);
  if (!found) return error(from, "unknown {} '{}'", what, name);
  value = *found;
  return true;
}

}  // namespace texlate::assembly
