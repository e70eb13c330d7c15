// The expression of each arithmetic operation. $0, $1 ... are the operands, always names or literals, in the
// type of their letter in ir/ops.inc: f float, i uint, p bool.
#pragma once

#include <array>
#include <string_view>

#include "ir/op.h"

namespace texlate::glsl {

struct OperationText {
  ir::Op op;
  std::string_view text;  // empty: the operation is refused
};

// NaN: `clamp`, `min` and `max` leave it undefined, and `!=` may be false (GLSL 4.50 4.7.1).
inline constexpr OperationText kOperationTexts[] = {
    {ir::Op::fadd, "$0 + $1"},
    {ir::Op::fmul, "$0 * $1"},
    {ir::Op::ffma, "fma($0, $1, $2)"},
    {ir::Op::fdiv, "$0 / $1"},
    {ir::Op::fmin, "min($0, $1)"},
    {ir::Op::fmax, "max($0, $1)"},
    {ir::Op::fneg, "-$0"},
    {ir::Op::fabs, "abs($0)"},
    {ir::Op::fsat, "$0 > 0.0 ? min($0, 1.0) : 0.0"},
    {ir::Op::fsqrt, "sqrt($0)"},
    {ir::Op::frsq, "inversesqrt($0)"},
    {ir::Op::frcp, "1.0 / $0"},
    {ir::Op::fexp2, "exp2($0)"},
    {ir::Op::flog2, "log2($0)"},
    {ir::Op::fsin, "sin($0)"},
    {ir::Op::fcos, "cos($0)"},
    {ir::Op::ffrac, "fract($0)"},
    {ir::Op::frint, "roundEven($0)"},
    {ir::Op::ffloor, "floor($0)"},
    {ir::Op::fceil, "ceil($0)"},
    {ir::Op::ftrunc, "trunc($0)"},
    {ir::Op::feq, "$0 == $1"},
    {ir::Op::fne, "!($0 == $1)"},
    {ir::Op::flt, "$0 < $1"},
    {ir::Op::fge, "$0 >= $1"},
    {ir::Op::ftoi, "uint(int($0))"},
    {ir::Op::ftou, "uint($0)"},
    {ir::Op::itof, "float(int($0))"},
    {ir::Op::utof, "float($0)"},
    {ir::Op::f32tof16, ""},  // always replaced by arithmetic: it rounds toward zero
    {ir::Op::f16tof32, "unpackHalf2x16($0).x"},
    {ir::Op::iadd, "$0 + $1"},
    {ir::Op::isub, "$0 - $1"},
    {ir::Op::ineg, "0u - $0"},
    {ir::Op::imul, "$0 * $1"},
    {ir::Op::imulhi, ""},  // imulExtended has two results, which no expression has
    {ir::Op::umulhi, ""},
    {ir::Op::imad, "$0 * $1 + $2"},
    {ir::Op::udiv, "$0 / $1"},
    {ir::Op::urem, "$0 % $1"},
    {ir::Op::imin, "uint(min(int($0), int($1)))"},
    {ir::Op::imax, "uint(max(int($0), int($1)))"},
    {ir::Op::umin, "min($0, $1)"},
    {ir::Op::umax, "max($0, $1)"},
    {ir::Op::and_, "$0 & $1"},
    {ir::Op::or_, "$0 | $1"},
    {ir::Op::xor_, "$0 ^ $1"},
    {ir::Op::not_, "~$0"},
    {ir::Op::shl, "$0 << $1"},
    {ir::Op::ishr, "uint(int($0) >> $1)"},
    {ir::Op::ushr, "$0 >> $1"},
    {ir::Op::ubfe, "bitfieldExtract($2, int($1), int($0))"},
    {ir::Op::ibfe, "uint(bitfieldExtract(int($2), int($1), int($0)))"},
    {ir::Op::bfi, "bitfieldInsert($3, $2, int($1), int($0))"},
    {ir::Op::bitrev, "bitfieldReverse($0)"},
    {ir::Op::popcount, "uint(bitCount($0))"},
    {ir::Op::firstbit_lo, "uint(findLSB($0))"},
    {ir::Op::firstbit_hi, ""},  // always replaced: it counts from the high end
    {ir::Op::firstbit_shi, ""},
    {ir::Op::msb_u32, "uint(findMSB($0))"},
    {ir::Op::msb_s32, "uint(findMSB(int($0)))"},
    {ir::Op::msad, ""},      // always replaced
    {ir::Op::mad_wide, ""},  // of addresses, which only kernels have
    {ir::Op::ieq, "$0 == $1"},
    {ir::Op::ine, "$0 != $1"},
    {ir::Op::ilt, "int($0) < int($1)"},
    {ir::Op::ige, "int($0) >= int($1)"},
    {ir::Op::ult, "$0 < $1"},
    {ir::Op::uge, "$0 >= $1"},
    {ir::Op::pand, "$0 && $1"},
    {ir::Op::por, "$0 || $1"},
    {ir::Op::pxor, "$0 != $1"},
    {ir::Op::pnot, "!$0"},
    {ir::Op::mask, "$0 ? 0xffffffffu : 0u"},
    {ir::Op::select, "$0 ? $1 : $2"},
    {ir::Op::ddx_coarse, "dFdxCoarse($0)"},
    {ir::Op::ddx_fine, "dFdxFine($0)"},
    {ir::Op::ddy_coarse, "dFdyCoarse($0)"},
    {ir::Op::ddy_fine, "dFdyFine($0)"},
};

/// By operation; empty: refused, as doubles are.
constexpr std::array<std::string_view, ir::kOpCount> kTextOf = [] {
  std::array<std::string_view, ir::kOpCount> texts;
  for (const OperationText& row : kOperationTexts) texts[static_cast<uint32_t>(row.op)] = row.text;
  return texts;
}();

/// Every arithmetic operation has a row, apart from doubles.
static_assert([] {
  for (uint32_t i = 0; i < ir::kOpCount; ++i) {
    const auto op = static_cast<ir::Op>(i);
    if (!ir::is_arithmetic(op) || ir::info(op).family == ir::Family::float64 || op == ir::Op::select64)
      continue;
    bool has_row = false;
    for (const OperationText& row : kOperationTexts) has_row |= row.op == op;
    if (!has_row) return false;
  }
  return true;
}());

}  // namespace texlate::glsl
