#include "sim/scene/json_parse.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
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

/// Finds a key that an object has twice: nlohmann_json keeps the last and drops the others in silence. A
/// callback of its parser.
class RepeatedKey {
 public:
  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start: open_.emplace_back(); break;
      case Json::parse_event_t::object_end: open_.pop_back(); break;
      case Json::parse_event_t::key:
        if (!is_found_ && !open_.back().insert(parsed.get<std::string>()).second) {
          is_found_ = true;
          key_ = parsed.get<std::string>();
        }
        number_ += is_found_ ? 0 : 1;
        break;
      default: break;
    }
    return true;
  }
  std::optional<JsonError> error(std::string_view text) const {
    if (!is_found_) return std::nullopt;
    return JsonError{locate_key_in_json(text, number_), "'" + key_ + "' is given twice"};
  }

 private:
  std::vector<std::set<std::string>> open_;  // the keys of the objects around
  size_t number_ = 0;                        // of the key
  std::string key_;
  bool is_found_ = false;
};

}  // namespace

std::optional<JsonError> parse_json(std::string_view text, Json& json) {
  if (const size_t at = first_deeper_than(kMaxDepth, text); at != text.npos) {
    return JsonError{location_of_byte(text, at),
                     "lists and objects are nested more than " + std::to_string(kMaxDepth) + " deep"};
  }
  try {
    RepeatedKey repeated;
    json = Json::parse(text, std::ref(repeated), true, true);
    return repeated.error(text);
  } catch (const Json::parse_error& error) {
    return JsonError{location_of_byte(text, error.byte == 0 ? 0 : error.byte - 1), "this is not valid JSON"};
  } catch (const Json::out_of_range& error) {
    // "... number overflow parsing '1e999'": the library gives no location, but it quotes the number.
    const std::string_view what = error.what();
    const size_t end = what.rfind('\''), begin = end == 0 ? end : what.rfind('\'', end - 1);
    if (end == what.npos || begin == what.npos) return JsonError{{}, "this is not valid JSON"};
    const std::string_view number = what.substr(begin + 1, end - begin - 1);
    const size_t at = text.find(number);
    return JsonError{at == text.npos ? SourceLocation() : location_of_byte(text, at, number.size()),
                     "a number is too large"};
  }
}

}  // namespace texlate
