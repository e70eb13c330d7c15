// Parses the parts of declarations and instructions in the text form: numbers, constants, names. Every
// function that reads something returns false after reporting an error.
#pragma once

#include <bit>
#include <unordered_map>

#include "ir/base/number_text.h"
#include "ir/module.h"
#include "ir/spelling.h"
#include "ir/text_cursor.h"
#include "ir/text_form.h"

namespace texlate::ir {

class StatementParser {
 protected:
  StatementParser(std::string_view text, Module& module, Diagnostics& diagnostics)
      : cursor_(text), module_(module), diagnostics_(diagnostics), scratch_(module.memory()) {}

  template <typename... Args>
  bool fail_at(SourceLocation location, fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error(location, format, std::forward<Args>(args)...);
    return false;
  }
  template <typename... Args>
  bool fail(fmt::format_string<Args...> format, Args&&... args) {
    return fail_at(cursor_.here(), format, std::forward<Args>(args)...);
  }

  bool expect(char wanted) {
    if (cursor_.accept(wanted)) return true;
    return fail("expected '{}'", wanted);
  }

  template <typename Integer>
  bool integer(Integer& number) {
    const std::string_view text = cursor_.number();
    if (parse_decimal(text, number)) return true;
    return fail_at(cursor_.place_of(text), "expected an unsigned number of {} bits", sizeof(Integer) * 8);
  }
  template <typename Integer>
  bool in_parentheses(Integer& number) {
    return expect('(') && integer(number) && expect(')');
  }

  template <typename Enum>
  bool enumerator(Enum& value, std::string_view what) {
    const std::string_view text = cursor_.word();
    if (const auto parsed = parse_spelling<Enum>(text)) {
      value = *parsed;
      return true;
    }
    return fail_at(cursor_.place_of(text), "'{}' is not a {}", text, what);
  }

  bool string(std::pmr::string& out) {
    const auto quoted = cursor_.quoted();
    if (!quoted) return fail("expected a string in quotes");
    for (size_t i = 0; i < quoted->size(); ++i) {
      char c = (*quoted)[i];
      if (c == '\\') {
        uint8_t byte = 0;
        const std::string_view digits = quoted->substr(i).substr(0, 4);
        const bool good = digits.size() == 4 && digits[1] == 'x' &&
                          std::from_chars(&digits[2], &digits[2] + 2, byte, 16).ptr == &digits[2] + 2;
        if (!good || byte == 0) return fail_at(cursor_.place_of(digits), "expected \\xNN, not \\x00");
        c = static_cast<char>(byte);
        i += 3;
      } else if (c == '\0') {
        return fail_at(cursor_.place_of(quoted->substr(i, 1)), "a name cannot contain a byte of value 0");
      }
      out += c;
    }
    return true;
  }

  bool constant(ValueInfo& value) {
    const std::string_view text = cursor_.number();
    if (!parse_constant(text, value)) {
      return fail_at(cursor_.place_of(text), "expected a value: %number or a constant");
    }
    return true;
  }
  bool word_constant(uint32_t& bits) {
    ValueInfo value;
    const SourceLocation place = cursor_.here();
    if (!constant(value)) return false;
    if (value.type != Type::b32) return fail_at(place, "expected a 32-bit constant");
    bits = static_cast<uint32_t>(value.bits);
    return true;
  }

  static bool parse_constant(std::string_view text, ValueInfo& value) {
    value = {0, Type::b32, true};
    if (text == "true" || text == "false") {
      value = {text == "true" ? 1u : 0u, Type::b1, true};
      return true;
    }
    if (text.starts_with("0x")) {
      if (text.ends_with('l')) {
        value.type = Type::b64;
        text.remove_suffix(1);
      }
      text.remove_prefix(2);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value.bits, 16);
      if (error != std::errc() || end != text.data() + text.size()) return false;
      return value.type == Type::b64 || value.bits <= UINT32_MAX;
    }
    if (text.empty() || !(text[0] == '-' || (text[0] >= '0' && text[0] <= '9'))) return false;
    const std::string_view digits = text.substr(0, text.size() - 1);
    if (text.ends_with('f')) {
      float number = 0;
      if (!read_number(digits, number)) return false;
      value.bits = std::bit_cast<uint32_t>(number);
      return true;
    }
    if (text.ends_with('d')) {
      double number = 0;
      if (!read_number(digits, number)) return false;
      value = {std::bit_cast<uint64_t>(number), Type::b64, true};
      return true;
    }
    int64_t number = 0;
    if (text.ends_with('l')) {
      if (!read_number(digits, number)) return false;
      value = {static_cast<uint64_t>(number), Type::b64, true};
      return true;
    }
    if (!read_number(text, number) || number < INT32_MIN || number > int64_t{UINT32_MAX}) return false;
    value.bits = static_cast<uint32_t>(number);
    return true;
  }

  // ---- names of declared objects ----

  enum class Kind : uint8_t { resource, uav, sampler, constant_buffer, constant_buffer_rows };
  static uint64_t key(Kind kind, uint32_t id) { return (static_cast<uint64_t>(kind) << 32) | id; }

  bool declare(Kind kind, uint32_t id, size_t index, std::string_view word) {
    if (index >= UINT16_MAX) return fail_at(cursor_.place_of(word), "too many declarations of one kind");
    if (symbols_.emplace(key(kind, id), static_cast<uint16_t>(index)).second) return true;
    return fail_at(cursor_.place_of(word), "{} is declared twice", word);
  }

  /// `<prefix>number`
  static bool split(std::string_view word, std::string_view prefix, uint32_t& number) {
    return word.starts_with(prefix) && parse_decimal(word.substr(prefix.size()), number);
  }
  bool name(std::string_view prefix, uint32_t& number, std::string_view& word) {
    word = cursor_.word();
    if (split(word, prefix, number)) return true;
    return fail_at(cursor_.place_of(word), "expected {} and a number", prefix);
  }
  bool find(Kind kind, uint32_t id, std::string_view word, uint16_t& index) {
    const auto found = symbols_.find(key(kind, id));
    if (found == symbols_.end()) return fail_at(cursor_.place_of(word), "{} is not declared", word);
    index = found->second;
    return true;
  }
  bool resource_name(uint16_t& index) {
    const std::string_view word = cursor_.word();
    uint32_t id = 0;
    if (split(word, "t", id)) return find(Kind::resource, id, word, index);
    if (split(word, "u", id)) return find(Kind::uav, id, word, index);
    if (split(word, "cb", id)) return find(Kind::constant_buffer_rows, id, word, index);
    return fail_at(cursor_.place_of(word), "expected a resource (t#, u# or cb#)");
  }

  bool unknown_attribute(std::string_view word) {
    return fail_at(cursor_.place_of(word), "unknown attribute '{}'", word);
  }

  // ---- registers ----

  /// `v3`, or the name of a special register; the number times 4 plus a component is a payload.
  bool register_number(std::string_view prefix, uint32_t& reg) {
    const std::string_view word = cursor_.word();
    if (split(word, prefix, reg)) {
      if (reg < kRegisterLimit) return true;
      return fail_at(cursor_.place_of(word), "the highest register number is {}", kRegisterLimit - 1);
    }
    const auto special = parse_spelling<SystemValue>(word);
    if (!special)
      return fail_at(cursor_.place_of(word), "expected {} and a number, or a system value", prefix);
    reg = kSpecialRegister + static_cast<uint32_t>(*special);
    return true;
  }

  bool system_value(uint32_t& value) {
    const std::string_view word = cursor_.word();
    if (const auto named = parse_spelling<SystemValue>(word)) {
      value = static_cast<uint32_t>(*named);
      return true;
    }
    if (parse_decimal(word, value) && value < kRegisterLimit) return true;
    return fail_at(cursor_.place_of(word), "'{}' is not a system value", word);
  }

  TextCursor cursor_;
  Module& module_;
  Diagnostics& diagnostics_;
  std::pmr::monotonic_buffer_resource scratch_;

 private:
  static constexpr uint32_t kRegisterLimit = 0x10000;

  std::pmr::unordered_map<uint64_t, uint16_t> symbols_{&scratch_};
};

}  // namespace texlate::ir
