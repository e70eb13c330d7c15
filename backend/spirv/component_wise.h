// Which SPIR-V instructions work component by component, with vectors in place of all scalars (SPIR-V 3.42,
// GLSL.std.450).
#pragma once

#include <spirv/unified1/GLSL.std.450.h>

#include <cstdint>
#include <spirv/unified1/spirv.hpp>

namespace texlate::spirv {

constexpr uint32_t kMostOperands = 3;  // that any of them has

constexpr bool is_component_wise(spv::Op op) {
  switch (op) {
    case spv::OpFNegate:
    case spv::OpSNegate:
    case spv::OpFAdd:
    case spv::OpIAdd:
    case spv::OpFSub:
    case spv::OpISub:
    case spv::OpFMul:
    case spv::OpIMul:
    case spv::OpFDiv:
    case spv::OpUDiv:
    case spv::OpUMod:
    case spv::OpShiftRightLogical:
    case spv::OpShiftRightArithmetic:
    case spv::OpShiftLeftLogical:
    case spv::OpBitwiseOr:
    case spv::OpBitwiseXor:
    case spv::OpBitwiseAnd:
    case spv::OpNot:
    case spv::OpBitReverse:
    case spv::OpBitCount:
    case spv::OpConvertFToU:
    case spv::OpConvertFToS:
    case spv::OpConvertSToF:
    case spv::OpConvertUToF:
    case spv::OpBitcast:
    case spv::OpSelect:
    case spv::OpLogicalEqual:
    case spv::OpLogicalNotEqual:
    case spv::OpLogicalOr:
    case spv::OpLogicalAnd:
    case spv::OpLogicalNot:
    case spv::OpIEqual:
    case spv::OpINotEqual:
    case spv::OpUGreaterThan:
    case spv::OpSGreaterThan:
    case spv::OpUGreaterThanEqual:
    case spv::OpSGreaterThanEqual:
    case spv::OpULessThan:
    case spv::OpSLessThan:
    case spv::OpULessThanEqual:
    case spv::OpSLessThanEqual:
    case spv::OpFOrdEqual:
    case spv::OpFUnordNotEqual:
    case spv::OpFOrdLessThan:
    case spv::OpFOrdGreaterThanEqual:
    case spv::OpDPdx:
    case spv::OpDPdy:
    case spv::OpDPdxFine:
    case spv::OpDPdyFine:
    case spv::OpDPdxCoarse:
    case spv::OpDPdyCoarse: return true;
    default: return false;
  }
}

constexpr bool is_component_wise(GLSLstd450 instruction) {
  switch (instruction) {
    case GLSLstd450RoundEven:
    case GLSLstd450Trunc:
    case GLSLstd450FAbs:
    case GLSLstd450SAbs:
    case GLSLstd450Floor:
    case GLSLstd450Ceil:
    case GLSLstd450Fract:
    case GLSLstd450Sin:
    case GLSLstd450Cos:
    case GLSLstd450Exp2:
    case GLSLstd450Log2:
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt:
    case GLSLstd450UMin:
    case GLSLstd450SMin:
    case GLSLstd450UMax:
    case GLSLstd450SMax:
    case GLSLstd450Fma:
    case GLSLstd450FindILsb:
    case GLSLstd450FindSMsb:
    case GLSLstd450FindUMsb:
    case GLSLstd450NMin:
    case GLSLstd450NMax:
    case GLSLstd450NClamp: return true;
    default: return false;
  }
}

}  // namespace texlate::spirv
