// Module -> text, see docs/ir.md.
//
//   module pixel 5.0 "main"
//   resource t0 texture2d float
//   input v0.xy linear
//   output o0.xyzw
//   code {
//     %0 = input v0.x                                          ; line 6
//     %1 = input v0.y
//     %2 = ftoi.s32 %0
//     %3 = ftoi.s32 %1
//     %4..%7 = tex.fetch t0 texture2d float coord(%2, %3) level(0) offset(-1, 0)
//     output o0.x, %4
//   }
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Appends the module's text to `out`. Values are numbered in the order of their definition. Locations are
/// printed where the line changes; columns and lengths are not printed. Any module can be printed, even one
/// that the verifier refuses (that text may not parse).
void print(const Module& module, std::pmr::string& out);

/// Appends one value as an operand's spelling if it is a constant: `1`, `-4`, `0x80000001`, `1.5f`, `true`,
/// `7l`.
void print_constant(const ValueInfo& value, std::pmr::string& out);

}  // namespace texlate::ir
