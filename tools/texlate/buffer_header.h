// `--emit-header`: the constant buffers of a container as C structures.
#pragma once

#include <string>
#include <string_view>

#include "texlate/texlate.hpp"

namespace texlate::cli {

/// A header for C and C++ with a structure for each constant buffer and for the elements of each structured
/// buffer. Members lie where the container says, which the compiler checks. `entry` begins the names of
/// buffers that HLSL names itself ($Globals). Empty if there are no such buffers.
std::string buffer_header(const api::Definitions& definitions, std::string_view entry);

}  // namespace texlate::cli
