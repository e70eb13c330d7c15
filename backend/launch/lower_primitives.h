// Hull, domain and geometry shaders as kernels (docs/launch_abi.md): their inputs, patch constants and
// emitted vertices become loads and stores of memory, so that what remains is what a compute or vertex kernel
// has.
//
// before:                                      after:
//   %0 = input v0.x vertex(1)                    ... %7 is the number of words before this primitive
//   output o0.x, %0                              %8 = buf.load t0 structured_buffer coord(%7) byte_offset(4)
//   emit 0                                       buf.store u1 structured_buffer coord(%9) ... value(%8)
//                                                buf.store u2 structured_buffer coord(%9) ... value(4)
//                                                output o0.x, 1        the number of vertices
#pragma once

#include "backend/launch/launch_abi.h"

namespace texlate::launch {

constexpr bool reads_primitives(ir::Stage stage) {
  return stage == ir::Stage::hull || stage == ir::Stage::domain || stage == ir::Stage::geometry;
}

/// Vertices of the primitives that a stage reads, adjacent ones too; control points of a patch.
uint32_t vertices_per_primitive(const ir::Module& module);

/// How a hull shader's thread blocks are divided: `threads` of each patch along x, `patches` along y.
struct HullBlock {
  uint32_t threads = 1, patches = 1;
};
HullBlock hull_block(const ir::Module& module);

/// Takes a module that is legalized for a target with byte addresses, and leaves one in SSA form that is
/// optimized. The places of the head that it reads are added to its resources and to `layout`: structured
/// buffers of words of which only the address counts. A hull shader becomes a compute shader. Returns false,
/// with located errors, for a program beyond docs/limits.md. Linear in the program.
bool lower_primitives(ir::Module& module, Layout& layout, Diagnostics& diagnostics);

}  // namespace texlate::launch
