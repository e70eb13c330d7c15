// Predicates instead of short branches.
//
//   branch p: then, else                FADD x, a, b
//   then:  FADD x, a, b ; jump m(x)     @p  ...                       where both ways are short: each
//   instruction is else:  FMUL y, a, c ; jump m(y)  -> @!p FMUL y, a, c (else x)     guarded, and what the
//   merge block takes as a m(z):  ... z                        ... y                         parameter is one
//   register written by either
//
// A branch whose lanes part costs SSY, the branch, SYNC twice and 13 cycles at each
// (docs/reference/maxwell.md 6); up to about that many issue slots the guarded form is the shorter one.
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

void convert_branches(Function& function);

}  // namespace texlate::maxwell::machine
