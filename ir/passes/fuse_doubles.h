// A product of two doubles plus a third, rounded once, for targets whose own operation may round twice.
//
//   %4 = ffma.f64 %1, %2, %3   ->   about 125 operations without a branch, the last of which gives %4's value
//
// The numbers are scaled so that the product is about 1. The sum of the exact product, two doubles, and the
// addend is then found with sums that are rounded correctly and whose errors are exact: Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions
// on Computers 57(4), 2008.
#pragma once

#include "ir/builder.h"

namespace texlate::ir {

/// Appends a * b + c and returns it, a b64 value, which the last operation appended gives. `builder` keeps
/// its location and loses its flags.
Value emit_fused_doubles(Builder& builder, Value a, Value b, Value c);

}  // namespace texlate::ir
