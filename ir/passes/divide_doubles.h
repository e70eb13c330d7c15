// The quotient of two doubles, for targets without a division: correctly rounded, denormals kept.
//
//   %3 = fdiv.f64 %1, %2   ->   about 90 operations without a branch, the last of which gives %3's value
//
// The significands are divided by Newton's method on a reciprocal that starts as a float, the quotient is
// corrected by its exact remainder, and the exponent is restored in two steps; if the result is denormal the
// quotient is rounded to the denormals' grid first, with the remainder deciding what looks like a tie.
#pragma once

#include "ir/builder.h"

namespace texlate::ir {

/// Appends the division; `builder` keeps its location and loses its flags. The last operation appended gives
/// the result, a b64 value, which is returned.
Value emit_double_quotient(Builder& builder, Value dividend, Value divisor);

}  // namespace texlate::ir
