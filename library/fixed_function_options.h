// Converts the fixed-function state from the C interface.
#pragma once

#include "library/fixed_function.h"
#include "texlate/texlate.h"

namespace texlate::library {

/// Numbers that Direct3D does not have are argument errors that name the member.
FixedFunction take_fixed_function(const texlate_fixed_function& given);

}  // namespace texlate::library
