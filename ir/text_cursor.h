// Reads the text form character by character; statements end with their line.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

#include "ir/base/diagnostics.h"

namespace texlate::ir {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  uint32_t line() const { return line_; }
  /// Length of the whole text.
  size_t size() const { return text_.size(); }

  /// The location of the next `length` characters.
  SourceLocation here(size_t length = 1) {
    skip_blanks();
    return place(at_, length);
  }
  /// The location of a piece of the text that was read in this line.
  SourceLocation place_of(std::string_view piece) const {
    return place(static_cast<size_t>(piece.data() - text_.data()), piece.size());
  }

  /// Is nothing but a comment left in this line?
  bool line_done() {
    skip_blanks();
    return at_end() || text_[at_] == '\n' || text_[at_] == ';';
  }
  /// The comment at the end of this line, from its semicolon.
  std::string_view comment() {
    const size_t start = text_.find_first_of(";\n", at_);
    if (start == std::string_view::npos || text_[start] != ';') return {};
    std::string_view text = text_.substr(start, text_.find('\n', start) - start);
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    return text;
  }
  void next_line() {
    const size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
    line_start_ = at_;
    ++line_;
  }

  char peek() {
    skip_blanks();
    return at_end() ? '\0' : text_[at_];
  }
  bool accept(char wanted) {
    if (peek() != wanted || at_end()) return false;
    ++at_;
    return true;
  }
  bool accept(std::string_view wanted) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  /// Letters, digits and underscores; with `dots`, also dots, as in an operation's spelling. Empty: something
  /// else comes next.
  std::string_view word(bool dots = false) {
    skip_blanks();
    const size_t start = at_;
    while (!at_end() && (is_word(text_[at_]) || (dots && text_[at_] == '.'))) ++at_;
    return text_.substr(start, at_ - start);
  }
  /// A number with everything that belongs to its spelling: `-1.5e+07f`, `0x80000000`.
  std::string_view number() {
    skip_blanks();
    const size_t start = at_;
    if (!at_end() && text_[at_] == '-') ++at_;
    const bool hexadecimal = text_.substr(at_).starts_with("0x");
    while (!at_end()) {
      const char c = text_[at_];
      const bool exponent_sign =
          (c == '+' || c == '-') && !hexadecimal && at_ > start && text_[at_ - 1] == 'e';
      if (!is_word(c) && c != '.' && !exponent_sign) break;
      // Two dots separate the ends of a range of values.
      if (c == '.' && text_.substr(at_).starts_with("..")) break;
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }
  /// The text between quotes, escapes unresolved; nothing if no quote comes next or it is not closed in
  /// this line.
  std::optional<std::string_view> quoted() {
    if (peek() != '"') return std::nullopt;
    const size_t end = text_.find_first_of("\"\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] != '"') return std::nullopt;
    const std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inner;
  }

 private:
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  void skip_blanks() {
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  }
  SourceLocation place(size_t at, size_t length) const {
    return SourceLocation::text(line_, static_cast<uint32_t>(at - line_start_ + 1),
                                static_cast<uint32_t>(length));
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  uint32_t line_ = 1;
};

/// All of `text` as an unsigned decimal number.
template <typename Integer>
bool parse_decimal(std::string_view text, Integer& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace texlate::ir
