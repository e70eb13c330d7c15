// Derivatives of inputs and constants, where the pixels of a quad go different ways. Direct3D restricts only
// those of computed values there (D3D11.3 16.8.2): an input has a value in all four pixels, whichever way
// they go. They are taken in front of the construct, where all pixels are.
//
// before:                                      after:
//   if %1                                        %2 = input v0.x
//     %2 = input v0.x                            %3 = input v0.y
//     %3 = input v0.y                            %8 = ddx.coarse %2 ... %11 = ddy.coarse %3
//     %4..%7 = tex.sample ... coord(%2, %3)      if %1
//       implicit                                   %4..%7 = tex.sample ... coord(%2, %3)
//                                                    gradient(%8, %9, %10, %11)
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Does it use differences between the pixels of a quad: is it a derivative, or is its level found from some?
bool takes_derivatives(const Module& module, const Instruction& instruction);

/// Samples get derivatives as operands, scaled by the power of two of a bias; ddx, ddy and tex.lod move as
/// they are. Everything else of an access stays in its branch. Takes and leaves a module in SSA form, best
/// after propagate_copies. Returns true when something changed. Linear in the program, times the depth of its
/// constructs for what moves.
bool hoist_derivatives(Module& module);

}  // namespace texlate::ir
