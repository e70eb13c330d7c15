#include "ir/base/json_writer.h"

#include <charconv>

namespace texlate {

namespace {

constexpr uint32_t kIndent = 2;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

uint8_t byte_at(std::string_view text, size_t i) {
  return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
}

/// A well-formed sequence of UTF-8 by its first byte (Unicode 15.0, table 3-7).
struct Sequence {
  uint8_t first_low, first_high;    // first byte
  uint8_t second_low, second_high;  // second byte; the others are 80..bf
  uint8_t length;
};
constexpr Sequence kSequences[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/// The bytes at `at`: how many they are, and whether they are a character.
struct Character {
  size_t length;
  bool good;
};
Character character_at(std::string_view text, size_t at) {
  const uint8_t first = byte_at(text, at);
  if (first < 0x80) return {1, true};
  for (const Sequence& sequence : kSequences) {
    if (first < sequence.first_low || first > sequence.first_high) continue;
    const uint8_t second = byte_at(text, at + 1);
    if (second < sequence.second_low || second > sequence.second_high) return {1, false};
    for (size_t i = 2; i < sequence.length; ++i) {
      if ((byte_at(text, at + i) & 0xc0) != 0x80) return {i, false};
    }
    return {sequence.length, true};
  }
  return {1, false};
}

void append_control(char c, std::pmr::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  switch (c) {
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  out += "\\u00";
  out += kDigits[static_cast<uint8_t>(c) >> 4];
  out += kDigits[static_cast<uint8_t>(c) & 0xf];
}

}  // namespace

void JsonWriter::new_line() {
  out_ += '\n';
  out_.append(size_t{depth_} * kIndent, ' ');
}

void JsonWriter::begin_value() {
  if (has_name_) {
    has_name_ = false;
    return;
  }
  if (depth_ == 0) return;
  if (!is_first_) out_ += ',';
  is_first_ = false;
  new_line();
}

void JsonWriter::begin_member(std::string_view name) {
  begin_value();
  quote(name);
  out_ += ": ";
  has_name_ = true;
}

void JsonWriter::open(std::string_view name, char bracket) {
  if (!name.empty()) begin_member(name);
  begin_value();
  out_ += bracket;
  ++depth_;
  is_first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!is_first_) new_line();
  out_ += bracket;
  is_first_ = false;
  if (depth_ == 0) out_ += '\n';
}

void JsonWriter::quote(std::string_view text) {
  out_ += '"';
  for (size_t i = 0; i < text.size();) {
    const auto [length, good] = character_at(text, i);
    const char c = text[i];
    if (!good) {
      out_ += kReplacement;
    } else if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (static_cast<uint8_t>(c) < 0x20 || c == 0x7f) {
      append_control(c, out_);
    } else {
      out_ += text.substr(i, length);
    }
    i += length;
  }
  out_ += '"';
}

void JsonWriter::value(std::string_view text) {
  begin_value();
  quote(text);
}

void JsonWriter::value(bool truth) {
  begin_value();
  out_ += truth ? "true" : "false";
}

void JsonWriter::null() {
  begin_value();
  out_ += "null";
}

void JsonWriter::value_signed(int64_t number) {
  begin_value();
  char text[24];
  const auto [end, status] = std::to_chars(text, text + sizeof text, number);
  out_.append(text, static_cast<size_t>(end - text));
}

void JsonWriter::value_unsigned(uint64_t number) {
  begin_value();
  char text[24];
  const auto [end, status] = std::to_chars(text, text + sizeof text, number);
  out_.append(text, static_cast<size_t>(end - text));
}

void JsonWriter::register_field(std::string_view name, std::string_view file, uint32_t number) {
  begin_member(name);
  begin_value();
  out_ += '"';
  out_ += file;
  char text[16];
  const auto [end, status] = std::to_chars(text, text + sizeof text, number);
  out_.append(text, static_cast<size_t>(end - text));
  out_ += '"';
}

}  // namespace texlate
