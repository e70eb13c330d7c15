// JSON from a user's file, read with nlohmann_json, whose types the caller includes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/base/json_location.h"

namespace texlate {

struct JsonError {
  SourceLocation location;
  std::string message;  // lower case, no full stop
};

/// Reads `text`, which may contain comments, into `json` (an nlohmann::json). Returns no value on success.
template <typename Json>
std::optional<JsonError> parse_json(std::string_view text, Json& json) {
  try {
    json = Json::parse(text, nullptr, true, true);
    return std::nullopt;
  } catch (const typename Json::parse_error& error) {
    return JsonError{location_of_byte(text, error.byte == 0 ? 0 : error.byte - 1), "this is not valid JSON"};
  } catch (const typename Json::out_of_range& error) {
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
