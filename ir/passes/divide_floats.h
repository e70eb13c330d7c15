// The quotient of two floats, for targets without a division. Both forms flush denormals on input and output
// and have no branch; infinities, zeros and NaNs give what IEEE 754 says.
//
//   %3 = fdiv.f32 %1, %2             ->   at most 10 operations; fewer if the divisor is known to be moderate
//   %3 = fdiv.f32 [precise] %1, %2   ->   about 20 operations
//
// The operations for the divisor alone come first and do not depend on the dividend, so that elimination of
// common subexpressions leaves one copy of them where several components are divided by one number.
#pragma once

#include "ir/builder.h"
#include "ir/passes/known_values.h"

namespace texlate::ir {

/// Appends a * (1 / b), corrected once by its remainder, and returns the result, which the last operation
/// appended gives. D3D11.3 allows a * (1 / b) with a reciprocal that is off by one unit in the last place.
/// This result is off by at most one unit, and nearly always the nearest float. Only for dividends below
/// 2^-102 and quotients below 2^-125 or above 2^127 it may be a * (1 / b) itself.
/// `divisor_range`: what is known about b.
Value emit_quotient(Builder& builder, Value dividend, Value divisor, const Known& divisor_range);

/// The same, correctly rounded if frcp is off by less than one unit in the last place.
Value emit_exact_quotient(Builder& builder, Value dividend, Value divisor);

}  // namespace texlate::ir
