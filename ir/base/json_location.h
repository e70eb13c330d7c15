// Locations in a JSON text: libraries that read JSON into trees do not keep them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ir/base/diagnostics.h"

namespace texlate {

/// Returns the location that `path` leads to: names of members, and numbers of elements as text ("bindings",
/// "2", "register"). A member's location is that of its name. If the path leads nowhere: the location of the
/// last part that exists. Comments are skipped. The text need not be valid JSON: an error ends the search.
SourceLocation locate_in_json(std::string_view text, std::span<const std::string> path);

/// The location of a key of valid JSON: keys are numbered from 0 in the order of the text.
SourceLocation locate_key_in_json(std::string_view text, size_t number);

/// Line and column of the byte at `at`.
SourceLocation location_of_byte(std::string_view text, size_t at, size_t length = 1);

}  // namespace texlate
