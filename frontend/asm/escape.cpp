#include "frontend/asm/escape.h"

namespace texlate::assembly {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

constexpr bool is_graphic(char c) {
  return c > ' ' && c < 0x7f;
}

void append_code(char c, std::pmr::string& out) {
  const auto byte = static_cast<unsigned char>(c);
  out += "\\x";
  out += kHexDigits[byte >> 4];
  out += kHexDigits[byte & 0xf];
}

void append_byte(char c, bool keeps_blanks, std::pmr::string& out) {
  if (c == '\\') {
    out += "\\\\";
  } else if (is_graphic(c) || (c == ' ' && keeps_blanks)) {
    out += c;
  } else {
    append_code(c, out);
  }
}

bool looks_like_another_column(std::string_view name) {
  const bool is_stream =
      name.size() > 2 && name[0] == 'm' && name[1] >= '0' && name[1] <= '3' && name[2] == ':';
  return name.starts_with('-') || is_stream;
}

/// Value of a hexadecimal digit; 16 if it is not one.
constexpr size_t digit(char c) {
  const size_t value = kHexDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c);
  return value == std::string_view::npos ? 16 : value;
}

}  // namespace

void append_escaped(std::string_view name, std::pmr::string& out) {
  if (name.empty()) {
    out += '\\';
    return;
  }
  if (looks_like_another_column(name)) {
    append_code(name[0], out);
    name.remove_prefix(1);
  }
  for (const char c : name) append_byte(c, false, out);
}

namespace {

void append_unescaped_part(std::string_view word, std::pmr::string& out) {
  for (size_t i = 0; i < word.size(); ++i) {
    const std::string_view rest = word.substr(i);
    if (rest.starts_with("\\\\")) {
      out += '\\';
      i += 1;
    } else if (rest.size() >= 4 && rest.starts_with("\\x") && digit(rest[2]) < 16 && digit(rest[3]) < 16) {
      out += static_cast<char>(digit(rest[2]) * 16 + digit(rest[3]));
      i += 3;
    } else {
      out += word[i];
    }
  }
}

}  // namespace

void append_unescaped(std::string_view word, std::pmr::string& out) {
  if (word != "\\") append_unescaped_part(word, out);
}

void append_quoted(std::string_view text, std::pmr::string& out) {
  for (const char c : text) {
    if (c == '"' || c == '\n') {
      out += c == '"' ? "\\\"" : "\\n";
    } else {
      append_byte(c, true, out);
    }
  }
}

void append_unquoted(std::string_view text, std::pmr::string& out) {
  size_t plain = 0;  // where the part begins that holds none of the two escapes of a message
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '\\') continue;
    if (text[i + 1] == '"' || text[i + 1] == 'n') {
      append_unescaped_part(text.substr(plain, i - plain), out);
      out += text[i + 1] == 'n' ? '\n' : '"';
      plain = i + 2;
    }
    ++i;
  }
  append_unescaped_part(text.substr(plain), out);
}

void append_escaped_comment(std::string_view name, std::pmr::string& out) {
  for (const char c : name) append_byte(c, true, out);
}

}  // namespace texlate::assembly
