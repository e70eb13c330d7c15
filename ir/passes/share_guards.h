// Tests the guards of neighboring fetches together: if all are true, nothing else is tested or masked.
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
// Most pixels read texels in bounds, in formats that have all components: for them only one branch is added.
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Does one resource have enough fetches, with enough masks, that some may form a group? A quick check of a
/// module that was just legalized, where each mask has a query of its own.
bool may_share_guards(const Module& module);

/// Forms groups of three or more fetches from one resource in straight-line code, where at least eight
/// components are masked. Takes and leaves a legalized module in SSA form, best after
/// eliminate_common_subexpressions. Returns true when something changed. Linear in the program.
bool share_guards(Module& module);

}  // namespace texlate::ir
