// eval_snapped and eval_centroid of pixel kernels. Planes hold the values of all four pixels of a quad at
// their centers (docs/launch_abi.md), so an input at another place in the pixel follows from the differences
// between them, and no lane waits for another. Where the pixel is covered, its center is: that is the
// centroid.
//
// before:                           after:
//   %0 = eval.snapped v1.x, 8, 4      %1 = input v1.x
//                                     %4 = input v1.x vertex(%3)     %3: 1 in left pixels, -1 in right ones
//                                     ...                            the same down, and a sum of products
#pragma once

#include "ir/module.h"

namespace texlate::launch {

bool has_evaluations(const ir::Module& module);

/// Takes a legalized module in SSA form, and leaves one that is optimized. Afterwards the operand of an input
/// with kVertexOperand is a distance: how many elements after the thread's own the one is that it reads.
/// Linear in the program.
void lower_evaluations(ir::Module& module);

}  // namespace texlate::launch
