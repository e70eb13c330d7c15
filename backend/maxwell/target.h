// Maxwell as targets of the public library: one code generator, three forms of its output.
#pragma once

#include "backend/launch/launch.h"
#include "backend/maxwell/kernel.h"
#include "backend/target.h"

namespace texlate::maxwell {

/// Rows for the library's list of targets. backend::Host holds a launch::Launch after a translation.
std::span<const backend::Target> targets();

}  // namespace texlate::maxwell
