// What Maxwell's arithmetic does, as docs/reference/maxwell.md collects it and as ptxas relies on it: if PTX
// promises an operation and ptxas translates it to one instruction, that instruction promises it.

#include "backend/maxwell/guarantees.h"

namespace texlate::maxwell {

namespace {

using namespace ir;  // the ArithmeticPromise flags

constexpr std::string_view kShifts = "docs/reference/maxwell.md 6, SHL and SHR: .W takes the count modulo 32";
constexpr std::string_view kFields =
    "docs/reference/maxwell.md 6, BFE and BFI; ptxas compiles PTX ISA 9.7.1.19 bfe and 9.7.1.20 bfi to them";
constexpr std::string_view kLeading =
    "docs/reference/maxwell.md 6, FLO; ptxas compiles PTX ISA 9.7.1.16 bfind to it";
constexpr std::string_view kToInteger = "docs/reference/maxwell.md 6, F2I: saturates, NaN gives 0";
constexpr std::string_view kToIntegerDouble = "PTX ISA 9.7.9.21 cvt: saturates, does not define a 64-bit NaN";
constexpr std::string_view kMinmax =
    "PTX ISA 9.7.3.11 min, 9.7.3.12 max; ptxas compiles them to FMNMX and DMNMX";
constexpr std::string_view kSign = "docs/reference/maxwell.md 6, LOP32I; modifiers of operands in arithmetic";
constexpr std::string_view kAngles = "PTX ISA 9.7.3.18 sin, 9.7.3.19 cos: RRO.SINCOS and MUFU";
constexpr std::string_view kNone = "docs/reference/maxwell.md 6 has no such instruction";

constexpr ArithmeticRow kRows[] = {
    {Op::udiv, 0, kNone},
    {Op::urem, 0, kNone},
    {Op::shl, kCountRange, kShifts},
    {Op::ishr, kCountRange, kShifts},
    {Op::ushr, kCountRange, kShifts},
    {Op::ubfe, kFieldEnd, kFields},
    {Op::ibfe, kFieldEnd, kFields},
    {Op::bfi, kFieldEnd, kFields},
    {Op::firstbit_lo, kNative, kLeading},
    {Op::firstbit_hi, kNative, kLeading},
    {Op::firstbit_shi, kNative, kLeading},
    {Op::msad, 0, kNone},
    {Op::ffrac, 0, kNone},
    {Op::ftoi, kSaturation | kNanToZero, kToInteger},
    {Op::ftou, kSaturation | kNanToZero, kToInteger},
    {Op::dtoi, kSaturation | kOutsideHarmless, kToIntegerDouble},
    {Op::dtou, kSaturation | kOutsideHarmless, kToIntegerDouble},
    {Op::f32tof16, kTowardZero, "PTX ISA 9.7.9.21 cvt.rz; ptxas compiles it to F2F.F16.F32.RZ"},
    {Op::f16tof32, kHalfDenormal, "PTX ISA 9.7.9.21 cvt; ptxas compiles it to F2F.F32.F16"},
    {Op::fmin, kNanOperand, kMinmax},
    {Op::fmax, kNanOperand, kMinmax},
    {Op::dmin, kNanOperand, kMinmax},
    {Op::dmax, kNanOperand, kMinmax},
    {Op::fdiv, 0, kNone},
    {Op::ddiv, 0, kNone},
    {Op::drcp, 0, kNone},
    {Op::dfma, kOneRounding, "PTX ISA 9.7.3.6 fma.rn; ptxas compiles it to DFMA"},
    {Op::fneg, kSignBit, kSign},
    {Op::fabs, kSignBit, kSign},
    {Op::dneg, kSignBit, kSign},
    {Op::dabs, kSignBit, kSign},
    {Op::fsin, kAngleRange, kAngles},
    {Op::fcos, kAngleRange, kAngles},
};

}  // namespace

constinit const ir::ArithmeticTable kArithmeticGuarantees = ir::make_arithmetic_table(kRows);

}  // namespace texlate::maxwell
