// Converts the reflection of a PTX kernel's parameter block to C structures.
#pragma once

#include <string>
#include <string_view>

namespace texlate::cli {

/// A header for C11 and C++11. It declares the block member by member with assertions of the offsets, and
/// enumerators for the values that a launch needs. `reflection` is the JSON of
/// docs/launch_reflection.schema.json.
std::string launch_header(std::string_view reflection);

}  // namespace texlate::cli
