// A position in the text of a listing: reads words, numbers and punctuation, and reports errors there.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/asm/literal.h"
#include "frontend/sm4/spelling.h"
#include "ir/base/diagnostics.h"

namespace texlate::assembly {

constexpr bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// `end` is the end of the line, so that only an immediate constant buffer continues on the next one.
struct Cursor {
  const char* at = nullptr;
  const char* end = nullptr;
  const char* line_begin = nullptr;
  const char* text_end = nullptr;
  uint32_t line = 0;
  Diagnostics* diagnostics = nullptr;

  bool at_end() const { return at >= end; }
  char peek() const { return at < end ? *at : '\0'; }
  /// The rest of the line.
  std::string_view rest() const { return {at, static_cast<size_t>(end - at)}; }
  void skip_blanks() {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
  }
  /// Skips blanks, then `c` if it is next.
  bool take(char c) {
    skip_blanks();
    if (at_end() || *at != c) return false;
    ++at;
    return true;
  }
  /// Moves to the next line. Returns false at the end of the text.
  bool next_line();
  /// Skips blanks. Only a comment may follow at the end.
  bool at_line_end();
  /// Letters, digits and underscores; may be empty.
  std::string_view word();

  // These report an error and return false if something else is there.
  bool expect(char c, std::string_view where);
  bool parse_number(std::string_view what, uint32_t& value);
  bool parse_keyword(std::span<const sm4::Keyword> table, std::string_view what, uint32_t& value);
  /// True if there is no error in the literal that begins at `from`.
  bool report(LiteralError status, const char* from);

  uint32_t column(const char* place) const { return static_cast<uint32_t>(place - line_begin) + 1; }
  /// Of the text from there to here.
  SourceLocation location(const char* from) const {
    return SourceLocation::text(line, column(from), static_cast<uint32_t>(at - from));
  }
  /// Returns false. Cold, as a warning is: code that only errors need is kept away from the rest.
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] bool error(const char* from, fmt::format_string<Args...> format,
                                          Args&&... args) {
    diagnostics->error(location(from), format, std::forward<Args>(args)...);
    return false;
  }
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void warning(const char* from, fmt::format_string<Args...> format,
                                            Args&&... args) {
    diagnostics->warning(location(from), format, std::forward<Args>(args)...);
  }
};

}  // namespace texlate::assembly
