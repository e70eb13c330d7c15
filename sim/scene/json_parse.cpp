#include "sim/scene/json_parse.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "ir/base/json_location.h"

namespace texlate {

namespace {

using Json = nlohmann::json;

constexpr size_t kMaxDepth = 64;

/// The first bracket that is deeper than `limit`, or npos. Brackets in strings and comments do not count.
size_t first_deeper_than(size_t limit, std::string_view text) {
  size_t depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
    } else if (text.substr(at).starts_with("//")) {
      at = std::min(text.find_first_of(std::string_view("\n\r\0", 3), at), text.size());
    } else if (text.substr(at).starts_with("/*")) {
      const size_t end = text.find("*/", at + 2);
      at = end == text.npos ? text.size() : end + 1;
    } else if (c == '[' || c == '{') {
      if (++depth > limit) return at;
    } else if ((c == ']' || c == '}') && depth != 0) {
      --depth;
    }
  }
  return text.npos;
}

/// Builds the tree as the parser meets values. The parser's own builder throws at an error, which WebAssembly
/// cannot, and keeps the last of two values of one key in silence.
class TreeMaker : public nlohmann::json_sax<Json> {
 public:
  TreeMaker(std::string_view text, Json& root) : text_(text), root_(root) {}

  bool null() override { return put(nullptr) != nullptr; }
  bool boolean(bool value) override { return put(value) != nullptr; }
  bool number_integer(number_integer_t value) override { return put(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return put(value) != nullptr; }
  bool number_float(number_float_t value, const string_t&) override { return put(value) != nullptr; }
  bool string(string_t& value) override { return put(std::move(value)) != nullptr; }
  bool binary(binary_t&) override { return false; }  // not in text
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    key_ = std::move(name);
    if (!error_ && open_.back()->contains(key_))
      error_ = JsonError{locate_key_in_json(text_, keys_), "'" + key_ + "' is given twice"};
    ++keys_;
    return true;
  }
  bool parse_error(std::size_t at, const std::string& token,
                   const nlohmann::detail::exception& problem) override {
    constexpr int kNumberOverflow = 406;  // nlohmann_json's json.exception.out_of_range.406
    if (problem.id == kNumberOverflow && at >= token.size()) {
      error_ = JsonError{location_of_byte(text_, at - token.size(), token.size()), "a number is too large"};
    } else {
      error_ = JsonError{location_of_byte(text_, at == 0 ? 0 : at - 1), "this is not valid JSON"};
    }
    return false;
  }
  const std::optional<JsonError>& error() const { return error_; }

 private:
  Json* put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& around = *open_.back();
    if (around.is_object()) return &(around[key_] = std::move(value));
    around.push_back(std::move(value));
    return &around.back();
  }
  bool open(Json value) {
    open_.push_back(put(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  Json& root_;
  std::vector<Json*> open_;  // the lists and objects around
  std::string key_;
  size_t keys_ = 0;
  std::optional<JsonError> error_;
};

}  // namespace

std::optional<JsonError> parse_json(std::string_view text, Json& json) {
  if (const size_t at = first_deeper_than(kMaxDepth, text); at != text.npos) {
    return JsonError{location_of_byte(text, at),
                     "lists and objects are nested more than " + std::to_string(kMaxDepth) + " deep"};
  }
  TreeMaker maker(text, json);
  Json::sax_parse(text, &maker, Json::input_format_t::json, true, true);
  if (maker.error()) return maker.error();
  // To the parser a NUL byte is the end of the text.
  if (const size_t at = text.find('\0'); at != text.npos)
    return JsonError{location_of_byte(text, at), "this is not valid JSON: a NUL byte"};
  return std::nullopt;
}

}  // namespace texlate
