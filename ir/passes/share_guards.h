// Tests the guards of neighbouring fetches together: if all are true, nothing else is tested or masked.
//
// before:
//   %5..%8 = tex.fetch t0 ... coord(%0, %1) guard(%3) ...
//   %9 = and.u32 %5, %keep0
//   %10..%13 = tex.fetch t0 ... coord(%2, %1) guard(%4) ...
//   %14 = and.u32 %10, %keep0
// after:
//   %20 = ieq %keep0, 0xffffffff
//   %21 = pand %20, pand %3, %4
//   if %21
//     %22..%25 = tex.fetch t0 ... coord(%0, %1) ...
//     %26..%29 = tex.fetch t0 ... coord(%2, %1) ...
//   else yields(%22, %26)
//     (as before)
//   %30, %31 = endif yields(%9, %14)
//
// Most pixels read texels in bounds, in formats that have all components: they cost one branch.
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Are there so many fetches from one resource, with so many masks, that some may form a group? A quick look
/// at a module that comes from legalisation, where each mask asks for its fact.
bool may_share_guards(const Module& module);

/// Groups of three and more fetches from one resource in straight-line code, where eight components or more
/// are masked. Takes and leaves a legalised module in SSA form, best after eliminate_common_subexpressions.
/// True when something changed. Linear in the program.
bool share_guards(Module& module);

}  // namespace texlate::ir
