// PTX as a target of the public library.
#pragma once

#include "backend/ptx/emit.h"

namespace texlate::ptx {

/// Rows for the library's list of targets.
std::span<const backend::Target> targets();

// backend::Host holds a launch::Launch after a translation.

}  // namespace texlate::ptx
