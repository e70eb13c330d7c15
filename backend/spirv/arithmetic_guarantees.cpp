// SPIR-V 3.42 (the core instructions), GLSL.std.450, and the precision that Vulkan requires of both. What
// they leave undefined is not promised.

#include "backend/spirv/guarantees.h"

namespace texlate::spirv {

namespace {

using namespace ir;  // the ArithmeticPromise flags

constexpr ArithmeticRow kRows[] = {
    // By zero the behavior is undefined, not only the value.
    {Op::udiv, kNative, "SPIR-V 3.42.13 OpUDiv"},
    {Op::urem, kNative, "SPIR-V 3.42.13 OpUMod"},
    // From 32 on the value is undefined.
    {Op::shl, 0, "SPIR-V 3.42.14 OpShiftLeftLogical"},
    {Op::ishr, 0, "SPIR-V 3.42.14 OpShiftRightArithmetic"},
    {Op::ushr, 0, "SPIR-V 3.42.14 OpShiftRightLogical"},
    // Undefined if offset and count together are above 32.
    {Op::ubfe, 0, "SPIR-V 3.42.14 OpBitFieldUExtract"},
    {Op::ibfe, 0, "SPIR-V 3.42.14 OpBitFieldSExtract"},
    {Op::bfi, 0, "SPIR-V 3.42.14 OpBitFieldInsert"},
    // Both count from the low end; none is -1.
    {Op::firstbit_lo, kNative, "GLSL.std.450 FindILsb"},
    {Op::firstbit_hi, 0, "GLSL.std.450 FindUMsb"},
    {Op::firstbit_shi, 0, "GLSL.std.450 FindSMsb"},
    {Op::msad, 0, "SPIR-V 3.42.13 arithmetic instructions"},
    // The difference to the floor, which rounds to 1 just below an integer.
    {Op::ffrac, kNative, "GLSL.std.450 Fract"},
    // Values that do not fit are undefined behavior.
    {Op::ftoi, 0, "SPIR-V 3.42.11 OpConvertFToS"},
    {Op::ftou, 0, "SPIR-V 3.42.11 OpConvertFToU"},
    {Op::dtoi, 0, "SPIR-V 3.42.11 OpConvertFToS"},
    {Op::dtou, 0, "SPIR-V 3.42.11 OpConvertFToU"},
    {Op::f32tof16, 0, "GLSL.std.450 PackHalf2x16"},
    // Denormals are kept or flushed, as the implementation likes, unless the module says.
    {Op::f16tof32, 0, "GLSL.std.450 UnpackHalf2x16"},
    {Op::fmin, kNanOperand, "GLSL.std.450 NMin"},
    {Op::fmax, kNanOperand, "GLSL.std.450 NMax"},
    {Op::dmin, kNanOperand, "GLSL.std.450 NMin"},
    {Op::dmax, kNanOperand, "GLSL.std.450 NMax"},
    {Op::fdiv, kNative, "SPIR-V 3.42.13 OpFDiv"},
    // 2.5 units in the last place.
    {Op::ddiv, kNative, "Vulkan, Precision of Core SPIR-V Instructions, OpFDiv"},
    {Op::drcp, kNative, "Vulkan, Precision of Core SPIR-V Instructions, OpFDiv"},
    // A product and a sum, each rounded.
    {Op::dfma, 0, "Vulkan, Precision of GLSL.std.450 Instructions, Fma"},
    // Both are floating-point instructions: a denormal may become 0, and a NaN another NaN.
    {Op::fneg, 0, "SPIR-V 3.42.13 OpFNegate"},
    {Op::fabs, 0, "GLSL.std.450 FAbs"},
    {Op::dneg, 0, "SPIR-V 3.42.13 OpFNegate"},
    {Op::dabs, 0, "GLSL.std.450 FAbs"},
    // An absolute error of 2^-11 within [-pi, pi], and nothing outside.
    {Op::fsin, 0, "Vulkan, Precision of GLSL.std.450 Instructions, Sin"},
    {Op::fcos, 0, "Vulkan, Precision of GLSL.std.450 Instructions, Cos"},
};

constexpr ArithmeticRow kKeptHalves = {
    Op::f16tof32, kHalfDenormal, "SPIR-V 3.6 DenormPreserve: those that are unpacked from integers, too"};

constexpr ir::ArithmeticTable make_table(bool keeps_halves) {
  ir::ArithmeticTable table = ir::make_arithmetic_table(kRows);
  if (keeps_halves) table.set(kKeptHalves);
  table.pixels_are_on_screen = true;
  return table;
}

constinit const ir::ArithmeticTable kTables[] = {make_table(false), make_table(true)};

}  // namespace

const ir::ArithmeticTable& arithmetic_guarantees(bool keeps_halves) {
  return kTables[keeps_halves ? 1 : 0];
}

}  // namespace texlate::spirv
