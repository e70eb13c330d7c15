// Where something stands in a JSON text: libraries that read JSON into trees forget it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ir/base/diagnostics.h"

namespace texlate {

/// The place of what `path` leads to: names of members, and numbers of elements as text ("bindings", "2",
/// "register"). Of a member the place is its name's. Where the path leads nowhere, the place of the last part
/// that is there; comments are skipped. The text need not be JSON: what cannot be read ends the search.
SourceLocation locate_in_json(std::string_view text, std::span<const std::string> path);

/// Line and column of a byte.
SourceLocation location_of_byte(std::string_view text, size_t at, size_t length = 1);

}  // namespace texlate
