// JSON from a user's file, read with nlohmann_json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "ir/base/diagnostics.h"

namespace texlate {

struct JsonError {
  SourceLocation location;
  std::string message;  // lower case, no full stop
};

/// Reads `text`, which may contain comments, into `json`. Returns no value on success. No object may have a
/// key twice, and lists and objects are nested at most 64 deep: code that walks the tree by recursion is
/// safe.
std::optional<JsonError> parse_json(std::string_view text, nlohmann::json& json);

}  // namespace texlate
