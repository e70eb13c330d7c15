// The inputs and outputs of vertex, pixel, domain and geometry kernels (docs/launch_abi.md), as loads and
// stores of planes. Also eval_snapped: planes hold the values of all four pixels of a quad at their centers,
// so an input at another place in the pixel follows from the differences between them, and no lane waits for
// another.
//
// before:                  after:
//   %0 = input v0.y          %2 = sysval thread_id.x             the thread's element
//   output o0.x, %0          %3 = binding u1.width               how many there are: a plane's words
//   return                   %4 = address t0
//                            %5 = mad.wide.u32 %2, 4, %4         where its word in plane 0 is
//                            %6 = mad.wide.u32 %3, 4, %5         in plane 1
//                            %7..%10 = buf.load t0 address(%6)
//                            ...
//                            buf.store u2 address(%12) value(%7)
//                            return
//
// Outputs are stored where the program ends. One that returns from inside a construct has the stores before
// each return, with addresses that are computed once.
#pragma once

#include "backend/launch/launch_abi.h"

namespace texlate::launch {

/// Takes a legalized module in SSA form, in which memory has addresses (lower_addresses.h). The places of the
/// head that it accesses are added to its resources and to `layout`. What remains of the stage: threads have
/// an element, and a store has no effect in helpers and in threads without an element. Returns false, with
/// located errors, for a program beyond docs/limits.md. Linear in the program.
bool lower_streams(ir::Module& module, Layout& layout, Diagnostics& diagnostics);

}  // namespace texlate::launch
