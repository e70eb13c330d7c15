// Joins scalar operations of a function into operations on vectors.
//
// The IR is scalar, so the emitter writes a source instruction such as
//   mad r0.xyz, v1.xyz, cb0[0].xyz, r2.w
// as three times three instructions. Here what came apart goes together again:
//   %x = OpFMul %float %a0 %b0
//   %y = OpFMul %float %a1 %b1       ->   %xy = OpFMul %v2float %a %b      (a0, a1 are components 0, 1 of %a)
// Instructions of one block with the same operation, type and decorations become a **pack** of two to four
// lanes at the place of its first one; nothing else moves. Only operations without side effects that work
// component by component take part, so every lane computes what it computed before.
#pragma once

#include <memory_resource>

#include "backend/spirv/module_builder.h"

namespace texlate::spirv {

/// Replaces the words of a function's blocks (without OpFunction, its parameters and OpFunctionEnd, the first
/// label left out) by fewer that mean the same. Scalars that are needed on their own keep their ids. Linear
/// in the words.
void vectorize(ModuleBuilder& builder, Words& code, std::pmr::memory_resource* memory);

}  // namespace texlate::spirv
