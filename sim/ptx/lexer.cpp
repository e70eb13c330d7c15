#include "sim/ptx/lexer.h"

#include <bit>
#include <charconv>

#include "ir/base/number_text.h"

namespace texlate::sim::ptx {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool is_name(char c) {
  return is_name_start(c) || is_digit(c);
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

class Lexer {
 public:
  Lexer(std::string_view text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    while (skip_space(), at_ < text_.size() && !diagnostics_.full()) next();
    Token end;
    end.line = line_, end.column = column();
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  uint32_t column() const { return static_cast<uint32_t>(at_ - line_start_ + 1); }

  void newline() { ++line_, line_start_ = at_ + 1; }

  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        newline();
      } else if (c == '/' && peek(1) == '/') {
        while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      } else if (c == '/' && peek(1) == '*') {
        for (at_ += 2; at_ < text_.size() && !(text_[at_] == '*' && peek(1) == '/'); ++at_) {
          if (text_[at_] == '\n') newline();
        }
        ++at_;
      } else if (c != ' ' && c != '\t' && c != '\r' && c != '\0') {
        return;
      }
      spaced_ = true;
    }
  }

  Token& push(TokenKind kind, size_t begin) {
    Token token;
    token.kind = kind;
    token.spaced = spaced_;
    token.line = line_;
    token.column = static_cast<uint32_t>(begin - line_start_ + 1);
    token.text = text_.substr(begin, at_ - begin);
    spaced_ = false;
    tokens_.push_back(token);
    return tokens_.back();
  }

  void next() {
    const size_t begin = at_;
    const char c = text_[at_];
    if (is_digit(c)) return number();
    if (is_name_start(c)) {
      while (is_name(peek())) ++at_;
      push(TokenKind::name, begin);
    } else if (c == '.' && (is_name(peek(1)))) {
      ++at_;
      // A modifier such as `.L1::no_allocate` is a single token.
      while (is_name(peek()) || (peek() == ':' && peek(1) == ':' && is_name(peek(2))) ||
             (peek() == ':' && at_ > begin && text_[at_ - 1] == ':' && is_name(peek(1)))) {
        ++at_;
      }
      push(TokenKind::dotted, begin).text.remove_prefix(1);
    } else if (c == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n';) ++at_;
      if (peek() == '"') ++at_;
      push(TokenKind::string, begin);
    } else if (std::string_view("(){}[],;:|!+-=<>@*&~").find(c) != std::string_view::npos) {
      ++at_;
      push(TokenKind::punct, begin);
    } else {
      ++at_;
      diagnostics_.error(SourceLocation::text(line_, static_cast<uint32_t>(begin - line_start_ + 1)),
                         "unexpected character 0x{:02x}", static_cast<unsigned char>(c));
    }
  }

  // PTX ISA 4.5.1, 4.5.2: 0x hex, 0 octal, 0b binary, decimal, U suffix; 0f, 0d, decimal.
  void number() {
    const size_t begin = at_;
    const char second = static_cast<char>(peek(1) | 0x20);
    if (peek() == '0' && (second == 'f' || second == 'd')) return hex_float(begin, second == 'f');
    int base = 10;
    if (peek() == '0' && second == 'x') {
      base = 16, at_ += 2;
    } else if (peek() == '0' && second == 'b') {
      base = 2, at_ += 2;
    }
    const size_t digits = at_;
    while (base == 16 ? is_hex(peek()) : is_digit(peek())) ++at_;
    if (base == 10 && (peek() == '.' || (peek() | 0x20) == 'e')) return decimal_float(begin);
    if (base == 10 && text_[digits] == '0' && at_ - digits > 1) base = 8;
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + digits, text_.data() + at_, value, base);
    const bool good = error == std::errc() && end == text_.data() + at_;
    if (peek() == 'U') ++at_;
    while (is_name(peek())) ++at_, fail_ = true;
    Token& token = push(TokenKind::integer, begin);
    token.bits = value;
    if (!good || fail_) diagnostics_.error(token.location(), "malformed number {}", token.text);
    fail_ = false;
  }

  void hex_float(size_t begin, bool single) {
    at_ += 2;
    const size_t digits = at_;
    while (is_hex(peek())) ++at_;
    uint64_t value = 0;
    std::from_chars(text_.data() + digits, text_.data() + at_, value, 16);
    const bool good = at_ - digits == (single ? 8u : 16u) && !is_name(peek());
    Token& token = push(single ? TokenKind::single : TokenKind::double_, begin);
    token.bits = value;
    if (!good)
      diagnostics_.error(token.location(), "a {} literal has {} hex digits", single ? "0f" : "0d",
                         single ? 8 : 16);
  }

  void decimal_float(size_t begin) {
    if (peek() == '.') ++at_;
    while (is_digit(peek())) ++at_;
    if ((peek() | 0x20) == 'e') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      while (is_digit(peek())) ++at_;
    }
    Token& token = push(TokenKind::double_, begin);
    double value = 0;
    if (!read_number(token.text, value))
      diagnostics_.error(token.location(), "malformed number {}", token.text);
    token.bits = std::bit_cast<uint64_t>(value);
  }

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  size_t at_ = 0, line_start_ = 0;
  uint32_t line_ = 1;
  bool spaced_ = false;
  bool fail_ = false;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, Diagnostics& diagnostics) {
  return Lexer(text, diagnostics).run();
}

}  // namespace texlate::sim::ptx
