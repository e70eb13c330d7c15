// Converts PTX text to tokens (PTX ISA 4).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/base/diagnostics.h"

namespace texlate::sim::ptx {

enum class TokenKind : uint8_t {
  end,
  name,     // identifier, %register, label
  dotted,   // `.name`: directives, types, modifiers; the text excludes the dot
  integer,  // value in bits
  single,   // 0f........: bits of a float
  double_,  // 0d................ or a decimal with a point: bits of a double
  string,
  punct,
};

struct Token {
  TokenKind kind = TokenKind::end;
  bool spaced = false;  // preceded by whitespace
  uint32_t line = 1, column = 1;
  std::string_view text;
  uint64_t bits = 0;

  bool is(char c) const { return kind == TokenKind::punct && text[0] == c; }
  bool is_dotted(std::string_view name) const { return kind == TokenKind::dotted && text == name; }
  SourceLocation location() const {
    return SourceLocation::text(line, column, static_cast<uint32_t>(text.size()));
  }
};

/// All tokens; the last one is of kind `end`. Characters that PTX does not allow are reported and skipped.
std::vector<Token> tokenize(std::string_view text, Diagnostics& diagnostics);

}  // namespace texlate::sim::ptx
