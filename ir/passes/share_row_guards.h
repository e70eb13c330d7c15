// Tests the rows of constant buffers that are read near each other together: if the last one of each buffer
// exists, all do, and nothing else is tested.
//
// before:
//   %1 = cb.rows cb0
//   %2 = ult.u32 4, %1
//   %3..%6 = cb.load cb0 4 guard(%2)
//   %7 = fmul.f32 %0, %3
//   %8 = cb.rows cb0
//   %9 = ult.u32 5, %8
//   %10..%13 = cb.load cb0 5 guard(%9)
//   %14 = ffma.f32 %0, %10, %7
// after:
//   %20 = cb.rows cb0
//   %21 = ult.u32 5, %20
//   if %21
//     %22..%25 = cb.load cb0 4
//     %26..%29 = cb.load cb0 5
//   else yields(%22, %26)
//     (guarded, as before)
//   %30, %31 = endif yields(%3, %10)
//   %7 = fmul.f32 %0, %30
//   %14 = ffma.f32 %0, %31, %7
//
// Hosts nearly always bind all rows. A guarded load of a row needs a comparison, and a zero for each
// component where the guard fails.
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Forms groups of loads of rows with constant numbers in straight-line code, each group before its first
/// load. Takes a module in SSA form that legalize_memory() has left. Returns true when something changed.
/// Linear in the program.
bool share_row_guards(Module& module);

}  // namespace texlate::ir
