// The standard multisample patterns of Direct3D.
#pragma once

#include <array>

#include "ir/builder.h"

namespace texlate::ir {

/// (x, y) of sample `index` of `count`, relative to the pixel center, as floats: a load from a constant table
/// that is added to the module on first use. (0, 0) where Direct3D has no such sample.
std::array<Value, 2> standard_sample_position(Builder& builder, Value count, Value index);

}  // namespace texlate::ir
