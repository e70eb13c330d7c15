// A streaming JSON writer into a string with the caller's allocator. It builds no tree and accepts any
// bytes.
//
//   JsonWriter json(out);
//   json.begin_object();
//   json.field("name", "t0");
//   json.begin_array("registers");
//   json.value(3);
//   json.end_array();
//   json.end_object();
//
// writes what `python3 -m json.tool --indent 2` would: one member or element a line, `[]` and `{}` for empty
// ones.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <string>
#include <string_view>

namespace texlate {

class JsonWriter {
 public:
  explicit JsonWriter(std::pmr::string& out) : out_(out) {}

  /// Opens a member of the open object; without a name, an element of the open array or the whole value.
  void begin_object(std::string_view name = {}) { open(name, '{'); }
  void end_object() { close('}'); }
  void begin_array(std::string_view name = {}) { open(name, '['); }
  void end_array() { close(']'); }

  /// Text of any bytes: invalid UTF-8 is written as U+FFFD, one per sequence (Unicode 15.0, 3.9).
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool truth);
  void value(std::integral auto number) {
    if constexpr (std::signed_integral<decltype(number)>) {
      value_signed(number);
    } else {
      value_unsigned(number);
    }
  }
  void null();

  template <typename Value>
  void field(std::string_view name, const Value& member) {
    begin_member(name);
    value(member);
  }
  void null_field(std::string_view name) {
    begin_member(name);
    null();
  }
  /// An array of values.
  template <typename Range, typename Spell = std::identity>
  void array(std::string_view name, const Range& values, Spell spell = {}) {
    begin_array(name);
    for (const auto& each : values) value(std::invoke(spell, each));
    end_array();
  }
  /// `"name": "cb3"`.
  void register_field(std::string_view name, std::string_view file, uint32_t number);

 private:
  void begin_member(std::string_view name);
  void begin_value();
  void open(std::string_view name, char bracket);
  void close(char bracket);
  void new_line();
  void quote(std::string_view text);
  void value_signed(int64_t number);
  void value_unsigned(uint64_t number);

  std::pmr::string& out_;
  uint32_t depth_ = 0;
  bool is_first_ = true;   // the open object or array is still empty
  bool has_name_ = false;  // a member's name has been written, but not its value
};

}  // namespace texlate
