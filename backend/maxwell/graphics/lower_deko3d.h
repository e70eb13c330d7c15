// The interface of a deko3d program in the IR, before instructions are selected (docs/dksh.md).
//
// before:                                   after:
//   input v1.xy linear                        input v9.xy linear
//   output o0.xy                              output o0.xy
//   output o2.x                               output o1.x
//   output depth.x sv(depth)                  output o2.y sv(depth)
//   %0 = input v1.x                           %0 = input v9.x
//   output o0.x, %0                           if %1
//   if %1                                     else yields(1, 0)
//     output o0.y, 1                          %2, %3 = endif yields(0, 2)
//   else                                      output o0.x, %0
//     output depth.x, 2                       output o0.y, %2
//   endif                                     output o1.x, 0
//   return                                    output o2.y, %3
//                                             return
//
// Component c of register n is the attribute at the address 16 n + 4 c; of a pixel's output, it is R(4 n +
// c). All components of a vertex's register are read together, and all outputs are written together, in the
// order of their addresses: where a program ends, before `emit`, and after a hull program's control points.
// The phases of a hull program are constructs, and its patch constants are values until they are written at
// the end. In domain programs, an input without a vertex is an attribute of the patch, and `vocp.input` reads
// what the tessellator left in the lane: the domain point.
//
// Facts are what the hardware has: the bytes of a storage buffer, of which the number of structures is a
// quotient, and one tex.size or tex.samples for all facts of a texture. tex.size gives the faces of an array
// of cubes.
#pragma once

#include "backend/maxwell/graphics/layout.h"

namespace texlate::maxwell::graphics {

/// The name of this lowering for observers of passes.
inline constexpr std::string_view kLowerDeko3d = "lower_deko3d";

/// Takes a legalized module in SSA form, and leaves one that is folded and shared. Returns false, with
/// located errors, for what a program cannot express and beyond docs/limits.md. Linear in the program.
bool lower_deko3d(ir::Module& module, const Layout& layout, Diagnostics& diagnostics);

}  // namespace texlate::maxwell::graphics
