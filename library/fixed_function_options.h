// Converts the fixed-function state from the C interface.
#pragma once

#include "library/fixed_function.h"
#include "texlate/texlate.h"

namespace texlate::library {

/// One number, or four (`count`). A place that no shader can read is an argument error that names `member`.
StateValue take_state_value(const texlate_state_value& given, uint32_t count, const std::string& member);

/// Numbers that Direct3D does not have are argument errors that name the member.
FixedFunction take_fixed_function(const texlate_fixed_function& given);

/// What the program contradicts is an argument error: values in a constant buffer that it declares itself.
void check_fixed_function(const FixedFunction& state, const sm4::Program& program);

}  // namespace texlate::library
