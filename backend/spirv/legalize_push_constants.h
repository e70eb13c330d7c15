// Constant buffers in push constants: the binding map defines which rows exist, and no robustness feature
// covers them.
//
// cb0 has 24 bytes: row 0, and x and y of row 1.
//
// before:
//   %0 = input v0.x
//   %1..%4 = cb.load cb0[%0]
//   output o0.x, %1
//   output o0.w, %4
// after:
//   %0 = input v0.x
//   %1 = ult.u32 %0, 2
//   %2 = umin.u32 %0, 1
//   %3..%6 = cb.load cb0[%2]
//   %7 = select.b32 %1, %3, 0
//   %8 = ult.u32 %0, 1
//   %9 = umin.u32 %0, 0
//   %10..%13 = cb.load cb0[%9]
//   %14 = select.b32 %8, %13, 0
//   output o0.x, %7
//   output o0.w, %14
#pragma once

#include "backend/spirv/binding_map.h"
#include "ir/passes/closed_gap.h"
#include "ir/passes/memory_guarantees.h"

namespace texlate::spirv {

/// Afterwards every load from such a buffer reads an existing row and uses only its existing components;
/// everything outside is 0 (D3D11.3 7.5). A buffer without a size is left to the emitter, which refuses
/// it.
void legalize_push_constants(ir::Module& module, const BindingMap& map, const ir::MemoryTable& table,
                             std::pmr::vector<ir::ClosedGap>* closed);

}  // namespace texlate::spirv
