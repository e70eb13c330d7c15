// Patch constants of hull and domain shaders.
#pragma once

#include <array>

#include "frontend/lower/lowering.h"

namespace texlate::lower {

/// The parts of a declared patch constant: a tessellation factor for each component of which only the
/// signature says so, by its first component, and the rest. Those that are not needed have no components.
std::array<ir::Parameter, 5> split_patch_constant(const Lowering& lowering, const ir::Parameter& parameter);

}  // namespace texlate::lower
