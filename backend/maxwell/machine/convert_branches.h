// Predicates instead of short branches: the instructions of both arms are guarded, and what the merge block
// takes as a parameter is one register that either arm writes.
//
//   branch p: then, else                @!p FMUL y, a, c
//   then:  FADD x, a, b ; jump m(x)  -> @p  FADD x, a, b (else y)
//   else:  FMUL y, a, c ; jump m(y)     ... x
//   m(z):  ... z
//
// A branch whose lanes diverge takes SSY, the branch, two SYNCs and 13 cycles for each of them
// (docs/reference/maxwell.md 6). Up to about as many issue slots, the guarded form is shorter.
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

void convert_branches(Function& function);

}  // namespace texlate::maxwell::machine
