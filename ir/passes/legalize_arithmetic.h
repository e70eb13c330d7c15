// Closes, for every arithmetic operation, the gap between Direct3D's contract and the target's guarantee.
//
// before (udiv and ishl):
//   %3 = udiv.u32 %1, %2
//   %4 = shl %1, %2
// after, for a target whose division by 0 gives some value and whose counts are not taken modulo 32:
//   %5 = udiv.u32 %1, %2
//   %6 = ine %2, 0
//   %3 = select.b32 %6, %5, 0xffffffff
//   %7 = and %2, 31
//   %4 = shl %1, %7
//
// No operation changes its meaning. An operation stays as it is where contract and guarantee coincide, or
// where its result is not selected.
#pragma once

#include "ir/passes/arithmetic_guarantees.h"
#include "ir/passes/closed_gap.h"

namespace texlate::ir {

/// Rewrites the module, which is in SSA form; values keep their numbers. `closed`, when given, gets one entry
/// for each gap closed at an instruction whose result is below `source_values` (instructions that other
/// passes inserted are not counted). Nothing is inserted where operands are known to be harmless: constants,
/// masked counts, saturated floats. Linear in the module. Returns true when something changed.
bool legalize_arithmetic(Module& module, const ArithmeticTable& table,
                         std::pmr::vector<ClosedGap>* closed = nullptr, Value source_values = kNoValue);

}  // namespace texlate::ir
