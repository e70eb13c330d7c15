#include "backend/spirv/operation_rows.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <algorithm>

namespace texlate::spirv {

namespace {

/// The instruction: a core one, or one of GLSL.std.450.
struct OperationCode {
  ir::Op op;
  spv::Op core = spv::OpNop;
  uint32_t glsl = 0;
};

// min and max: NMin and NMax return the operand that is not NaN; FMin and FMax need not. `ne` must be true
// with NaN.
constexpr OperationCode kCodes[] = {
    {ir::Op::fadd, spv::OpFAdd},
    {ir::Op::fmul, spv::OpFMul},
    {ir::Op::ffma, spv::OpNop, GLSLstd450Fma},
    {ir::Op::fdiv, spv::OpFDiv},
    {ir::Op::fsat, spv::OpNop, GLSLstd450NClamp},
    {ir::Op::fmin, spv::OpNop, GLSLstd450NMin},
    {ir::Op::fmax, spv::OpNop, GLSLstd450NMax},
    {ir::Op::fneg, spv::OpFNegate},
    {ir::Op::fabs, spv::OpNop, GLSLstd450FAbs},
    {ir::Op::fsqrt, spv::OpNop, GLSLstd450Sqrt},
    {ir::Op::frsq, spv::OpNop, GLSLstd450InverseSqrt},
    {ir::Op::fexp2, spv::OpNop, GLSLstd450Exp2},
    {ir::Op::flog2, spv::OpNop, GLSLstd450Log2},
    {ir::Op::fsin, spv::OpNop, GLSLstd450Sin},
    {ir::Op::fcos, spv::OpNop, GLSLstd450Cos},
    {ir::Op::ffrac, spv::OpNop, GLSLstd450Fract},
    {ir::Op::frint, spv::OpNop, GLSLstd450RoundEven},
    {ir::Op::ffloor, spv::OpNop, GLSLstd450Floor},
    {ir::Op::fceil, spv::OpNop, GLSLstd450Ceil},
    {ir::Op::ftrunc, spv::OpNop, GLSLstd450Trunc},
    {ir::Op::feq, spv::OpFOrdEqual},
    {ir::Op::fne, spv::OpFUnordNotEqual},
    {ir::Op::flt, spv::OpFOrdLessThan},
    {ir::Op::fge, spv::OpFOrdGreaterThanEqual},
    {ir::Op::ftoi, spv::OpConvertFToS},
    {ir::Op::ftou, spv::OpConvertFToU},
    {ir::Op::itof, spv::OpConvertSToF},
    {ir::Op::utof, spv::OpConvertUToF},
    {ir::Op::iadd, spv::OpIAdd},
    {ir::Op::isub, spv::OpISub},
    {ir::Op::ineg, spv::OpSNegate},
    {ir::Op::imul, spv::OpIMul},
    {ir::Op::imad, spv::OpIMul},  // and OpIAdd
    {ir::Op::udiv, spv::OpUDiv},
    {ir::Op::urem, spv::OpUMod},
    {ir::Op::shl, spv::OpShiftLeftLogical},
    {ir::Op::ishr, spv::OpShiftRightArithmetic},
    {ir::Op::ushr, spv::OpShiftRightLogical},
    {ir::Op::imin, spv::OpNop, GLSLstd450SMin},
    {ir::Op::imax, spv::OpNop, GLSLstd450SMax},
    {ir::Op::umin, spv::OpNop, GLSLstd450UMin},
    {ir::Op::umax, spv::OpNop, GLSLstd450UMax},
    {ir::Op::and_, spv::OpBitwiseAnd},
    {ir::Op::or_, spv::OpBitwiseOr},
    {ir::Op::xor_, spv::OpBitwiseXor},
    {ir::Op::not_, spv::OpNot},
    {ir::Op::bitrev, spv::OpBitReverse},
    {ir::Op::popcount, spv::OpBitCount},
    {ir::Op::firstbit_lo, spv::OpNop, GLSLstd450FindILsb},
    {ir::Op::msb_u32, spv::OpNop, GLSLstd450FindUMsb},
    {ir::Op::msb_s32, spv::OpNop, GLSLstd450FindSMsb},
    {ir::Op::ieq, spv::OpIEqual},
    {ir::Op::ine, spv::OpINotEqual},
    {ir::Op::ilt, spv::OpSLessThan},
    {ir::Op::ige, spv::OpSGreaterThanEqual},
    {ir::Op::ult, spv::OpULessThan},
    {ir::Op::uge, spv::OpUGreaterThanEqual},
    {ir::Op::select, spv::OpSelect},
    {ir::Op::select64, spv::OpSelect},
    {ir::Op::pand, spv::OpLogicalAnd},
    {ir::Op::por, spv::OpLogicalOr},
    {ir::Op::pxor, spv::OpLogicalNotEqual},
    {ir::Op::pnot, spv::OpLogicalNot},
    {ir::Op::dadd, spv::OpFAdd},
    {ir::Op::dmul, spv::OpFMul},
    {ir::Op::dsat, spv::OpNop, GLSLstd450NClamp},
    {ir::Op::dmin, spv::OpNop, GLSLstd450NMin},
    {ir::Op::dmax, spv::OpNop, GLSLstd450NMax},
    {ir::Op::dneg, spv::OpFNegate},
    {ir::Op::dabs, spv::OpNop, GLSLstd450FAbs},
    {ir::Op::deq, spv::OpFOrdEqual},
    {ir::Op::dne, spv::OpFUnordNotEqual},
    {ir::Op::dlt, spv::OpFOrdLessThan},
    {ir::Op::dge, spv::OpFOrdGreaterThanEqual},
    {ir::Op::dtof, spv::OpFConvert},
    {ir::Op::ftod, spv::OpFConvert},
    {ir::Op::dtoi, spv::OpConvertFToS},
    {ir::Op::dtou, spv::OpConvertFToU},
    {ir::Op::itod, spv::OpConvertSToF},
    {ir::Op::utod, spv::OpConvertUToF},
    {ir::Op::ddx_coarse, spv::OpDPdxCoarse},
    {ir::Op::ddx_fine, spv::OpDPdxFine},
    {ir::Op::ddy_coarse, spv::OpDPdyCoarse},
    {ir::Op::ddy_fine, spv::OpDPdyFine},
};

/// Arithmetic without a row: in other rows' instructions (frcp, mask: PackFormer), by hand
/// (Arithmetic::emit_other), or replaced by legalization.
constexpr ir::Op kWithoutRow[] = {
    ir::Op::frcp,     ir::Op::drcp,     ir::Op::mask,        ir::Op::f16tof32,     ir::Op::imulhi,
    ir::Op::umulhi,   ir::Op::ubfe,     ir::Op::ibfe,        ir::Op::bfi,          ir::Op::pack64,
    ir::Op::unpack64, ir::Op::f32tof16, ir::Op::firstbit_hi, ir::Op::firstbit_shi, ir::Op::msad,
    ir::Op::mad_wide, ir::Op::dfma,     ir::Op::ddiv};

constexpr As as_of_letter(char letter, Kind kind) {
  if (letter == 'p') return As::boolean;
  if (letter == 'd') return As::double_;
  return as_of(kind);
}

/// Adds what follows from the operation's letters.
constexpr OperationRow complete(const OperationCode& instruction) {
  const ir::OpInfo& info = ir::info(instruction.op);
  const OpKinds& kinds = kinds_of(instruction.op);
  OperationRow row;
  row.core = instruction.core == spv::OpNop ? spv::OpExtInst : instruction.core;
  row.glsl = static_cast<uint16_t>(instruction.glsl);
  row.operands = static_cast<uint8_t>(info.operands.size());
  switch (instruction.op) {
    case ir::Op::fadd:
    case ir::Op::fmin:
    case ir::Op::dmin:
    case ir::Op::fsat:
    case ir::Op::dsat:
    case ir::Op::select: break;
    default: row.is_plain = true; break;
  }
  // The factors of a sum of a product and an addend, too; the table of operations does not show that.
  row.is_commutative = info.has(ir::kCommutative) || instruction.glsl == GLSLstd450Fma;
  row.takes_derivatives = info.family == ir::Family::derivative;
  row.result = as_of_letter(info.results[0], kinds.result);
  for (uint32_t i = 0; i < row.operands; ++i) row.as[i] = as_of_letter(info.operands[i], kinds.operand(i));
  return row;
}

}  // namespace

constexpr std::array<OperationRow, kRowCount> kOperationRows = [] {
  std::array<OperationRow, kRowCount> rows{};
  for (const OperationCode& instruction : kCodes) rows[row_of(instruction.op)] = complete(instruction);
  OperationRow& select = rows[row_of(ir::Op::select)];
  select.result = select.as[1] = select.as[2] = As::uint;
  rows[kFloatSelect] = select;
  rows[kFloatSelect].result = rows[kFloatSelect].as[1] = rows[kFloatSelect].as[2] = As::float_;
  rows[kDifference] = rows[row_of(ir::Op::fadd)];
  rows[kDifference].core = spv::OpFSub;
  rows[kDifference].is_commutative = false;
  // Clamps between the second and the third operand.
  for (const ir::Op clamp : {ir::Op::fsat, ir::Op::dsat}) {
    OperationRow& row = rows[row_of(clamp)];
    row.operands = 3;
    row.as[1] = row.as[2] = row.as[0];
  }
  return rows;
}();

static_assert(
    [] {
      for (uint32_t i = 0; i < ir::kOpCount; ++i) {
        const auto op = static_cast<ir::Op>(i);
        const bool has_row = kOperationRows[row_of(op)].core != spv::OpNop;
        if (ir::is_arithmetic(op) && has_row == (std::ranges::count(kWithoutRow, op) != 0)) return false;
      }
      return true;
    }(),
    "an arithmetic operation has no row and is not in kWithoutRow");

}  // namespace texlate::spirv
