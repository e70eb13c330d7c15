// PTX ISA 9.0, sections 9.7.1 (integer), 9.7.3 (float), 9.7.8 (logic and shift), 9.7.9 (conversion). What
// they leave unspecified is not promised, whatever today's hardware does.

#include "backend/ptx/guarantees.h"

namespace texlate::ptx {

namespace {

using namespace ir;  // the ArithmeticPromise flags

constexpr ArithmeticRow kRows[] = {
    // By zero: a machine-dependent value.
    {Op::udiv, kNative | kZeroHarmless, "PTX ISA 9.7.1.8 div"},
    {Op::urem, kNative | kZeroHarmless, "PTX ISA 9.7.1.9 rem"},
    // Counts above 31 are clamped to 32.
    {Op::shl, 0, "PTX ISA 9.7.8.8 shl"},
    {Op::ishr, 0, "PTX ISA 9.7.8.9 shr"},
    {Op::ushr, 0, "PTX ISA 9.7.8.9 shr"},
    // Position and length are the low eight bits; a field that reaches past the top ends there.
    {Op::ubfe, kFieldEnd, "PTX ISA 9.7.1.19 bfe"},
    {Op::ibfe, kFieldEnd, "PTX ISA 9.7.1.19 bfe"},
    {Op::bfi, kFieldEnd, "PTX ISA 9.7.1.20 bfi"},
    // bfind finds the highest bit; with .shiftamt it counts from bit 31; none is 0xffffffff.
    {Op::firstbit_lo, 0, "PTX ISA 9.7.1.16 bfind"},
    {Op::firstbit_hi, kNative, "PTX ISA 9.7.1.16 bfind"},
    {Op::firstbit_shi, kNative, "PTX ISA 9.7.1.16 bfind"},
    {Op::msad, 0, "PTX ISA 9.7.1 integer instructions"},
    {Op::ffrac, 0, "PTX ISA 9.7.3 floating-point instructions"},
    // Clamped to the integer's range; a NaN from .f32 is 0; nothing is specified for .f64.
    {Op::ftoi, kSaturation | kNanToZero, "PTX ISA 9.7.9.21 cvt"},
    {Op::ftou, kSaturation | kNanToZero, "PTX ISA 9.7.9.21 cvt"},
    {Op::dtoi, kSaturation | kOutsideHarmless, "PTX ISA 9.7.9.21 cvt"},
    {Op::dtou, kSaturation | kOutsideHarmless, "PTX ISA 9.7.9.21 cvt"},
    {Op::f32tof16, kTowardZero, "PTX ISA 9.7.9.21 cvt.rz"},
    {Op::f16tof32, kHalfDenormal, "PTX ISA 9.7.9.21 cvt"},
    {Op::fmin, kNanOperand, "PTX ISA 9.7.3.11 min"},
    {Op::fmax, kNanOperand, "PTX ISA 9.7.3.12 max"},
    {Op::dmin, kNanOperand, "PTX ISA 9.7.3.11 min"},
    {Op::dmax, kNanOperand, "PTX ISA 9.7.3.12 max"},
    // Which NaN an operation with a NaN returns is unspecified.
    {Op::fdiv, kNative, "PTX ISA 9.7.3.8 div"},
    {Op::ddiv, kNative | kOneRounding, "PTX ISA 9.7.3.8 div.rn"},
    {Op::drcp, kNative | kOneRounding, "PTX ISA 9.7.3.13 rcp.rn"},
    {Op::dfma, kOneRounding, "PTX ISA 9.7.3.6 fma.rn"},
    {Op::fneg, 0, "PTX ISA 9.7.3.10 neg"},
    {Op::fabs, 0, "PTX ISA 9.7.3.9 abs"},
    {Op::dneg, 0, "PTX ISA 9.7.3.10 neg"},
    {Op::dabs, 0, "PTX ISA 9.7.3.9 abs"},
    // An absolute error of 2^-14.7 up to 100 pi.
    {Op::fsin, kAngleRange, "PTX ISA 9.7.3.18 sin"},
    {Op::fcos, kAngleRange, "PTX ISA 9.7.3.19 cos"},
};

}  // namespace

constinit const ir::ArithmeticTable kArithmeticGuarantees = ir::make_arithmetic_table(kRows);

}  // namespace texlate::ptx
