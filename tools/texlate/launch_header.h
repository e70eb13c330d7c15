// The parameter block of a PTX kernel as structures of C, from its reflection.
#pragma once

#include <string>
#include <string_view>

namespace texlate::cli {

/// A header for C11 and C++11: the block, member by member, with its offsets asserted, and what a launch must
/// know as enumerators. `reflection`: the JSON of docs/launch_reflection.schema.json.
std::string launch_header(std::string_view reflection);

}  // namespace texlate::cli
