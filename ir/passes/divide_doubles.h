// The quotient of two doubles, for targets without a division or with one that is off by some units in the
// last place: correctly rounded, denormals kept.
//
//   %3 = fdiv.f64 %1, %2   ->   about 90 operations without a branch, the last of which gives %3's value;
//                               140 if the target has no fused multiplication and addition of doubles
//
// The significands are divided by Newton's method on a reciprocal that starts as a float. The quotient is
// corrected by its exact remainder, and the exponent is restored in two steps. If the result is denormal, the
// quotient is first rounded to the denormals' grid, and the remainder decides what looks like a tie.
#pragma once

#include "ir/builder.h"

namespace texlate::ir {

/// Appends the division and returns its result, a b64 value, which the last operation appended gives.
/// `fused`: the target rounds `dfma` once; otherwise only sums and products are used.
/// `builder` keeps its location and loses its flags.
Value emit_double_quotient(Builder& builder, Value dividend, Value divisor, bool fused);

}  // namespace texlate::ir
