// Float arithmetic, comparisons, conversions, predicates (D3D11.3 3.1, 22.10; GLSL.std.450).

#include <spirv/unified1/GLSL.std.450.h>
#include <array>
#include <bit>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

namespace {

/// One SPIR-V instruction that is the IR's operation: of the core, or of GLSL.std.450.
struct Row {
  Op op;
  spv::Op core = spv::OpNop;
  uint32_t glsl = 0;
};

// min and max: NMin and NMax return the operand that is no NaN; FMin and FMax need not. `ne` must hold with
// NaN.
constexpr Row kRows[] = {
    {Op::fmul, spv::OpFMul},
    {Op::ffma, spv::OpNop, GLSLstd450Fma},
    {Op::fdiv, spv::OpFDiv},
    {Op::fmin, spv::OpNop, GLSLstd450NMin},
    {Op::fmax, spv::OpNop, GLSLstd450NMax},
    {Op::fneg, spv::OpFNegate},
    {Op::fabs, spv::OpNop, GLSLstd450FAbs},
    {Op::fsqrt, spv::OpNop, GLSLstd450Sqrt},
    {Op::frsq, spv::OpNop, GLSLstd450InverseSqrt},
    {Op::fexp2, spv::OpNop, GLSLstd450Exp2},
    {Op::flog2, spv::OpNop, GLSLstd450Log2},
    {Op::fsin, spv::OpNop, GLSLstd450Sin},
    {Op::fcos, spv::OpNop, GLSLstd450Cos},
    {Op::ffrac, spv::OpNop, GLSLstd450Fract},
    {Op::frint, spv::OpNop, GLSLstd450RoundEven},
    {Op::ffloor, spv::OpNop, GLSLstd450Floor},
    {Op::fceil, spv::OpNop, GLSLstd450Ceil},
    {Op::ftrunc, spv::OpNop, GLSLstd450Trunc},
    {Op::feq, spv::OpFOrdEqual},
    {Op::fne, spv::OpFUnordNotEqual},
    {Op::flt, spv::OpFOrdLessThan},
    {Op::fge, spv::OpFOrdGreaterThanEqual},
    {Op::ftoi, spv::OpConvertFToS},
    {Op::ftou, spv::OpConvertFToU},
    {Op::itof, spv::OpConvertSToF},
    {Op::utof, spv::OpConvertUToF},
    {Op::iadd, spv::OpIAdd},
    {Op::isub, spv::OpISub},
    {Op::ineg, spv::OpSNegate},
    {Op::imul, spv::OpIMul},
    {Op::udiv, spv::OpUDiv},
    {Op::urem, spv::OpUMod},
    {Op::shl, spv::OpShiftLeftLogical},
    {Op::ishr, spv::OpShiftRightArithmetic},
    {Op::ushr, spv::OpShiftRightLogical},
    {Op::imin, spv::OpNop, GLSLstd450SMin},
    {Op::imax, spv::OpNop, GLSLstd450SMax},
    {Op::umin, spv::OpNop, GLSLstd450UMin},
    {Op::umax, spv::OpNop, GLSLstd450UMax},
    {Op::and_, spv::OpBitwiseAnd},
    {Op::or_, spv::OpBitwiseOr},
    {Op::xor_, spv::OpBitwiseXor},
    {Op::not_, spv::OpNot},
    {Op::bitrev, spv::OpBitReverse},
    {Op::popcount, spv::OpBitCount},
    {Op::firstbit_lo, spv::OpNop, GLSLstd450FindILsb},
    {Op::msb_u32, spv::OpNop, GLSLstd450FindUMsb},
    {Op::msb_s32, spv::OpNop, GLSLstd450FindSMsb},
    {Op::ieq, spv::OpIEqual},
    {Op::ine, spv::OpINotEqual},
    {Op::ilt, spv::OpSLessThan},
    {Op::ige, spv::OpSGreaterThanEqual},
    {Op::ult, spv::OpULessThan},
    {Op::uge, spv::OpUGreaterThanEqual},
    {Op::pand, spv::OpLogicalAnd},
    {Op::por, spv::OpLogicalOr},
    {Op::pxor, spv::OpLogicalNotEqual},
    {Op::pnot, spv::OpLogicalNot},
    {Op::dadd, spv::OpFAdd},
    {Op::dmul, spv::OpFMul},
    {Op::dfma, spv::OpNop, GLSLstd450Fma},
    {Op::ddiv, spv::OpFDiv},
    {Op::dmin, spv::OpNop, GLSLstd450NMin},
    {Op::dmax, spv::OpNop, GLSLstd450NMax},
    {Op::dneg, spv::OpFNegate},
    {Op::dabs, spv::OpNop, GLSLstd450FAbs},
    {Op::deq, spv::OpFOrdEqual},
    {Op::dne, spv::OpFUnordNotEqual},
    {Op::dlt, spv::OpFOrdLessThan},
    {Op::dge, spv::OpFOrdGreaterThanEqual},
    {Op::dtof, spv::OpFConvert},
    {Op::ftod, spv::OpFConvert},
    {Op::dtoi, spv::OpConvertFToS},
    {Op::dtou, spv::OpConvertFToU},
    {Op::itod, spv::OpConvertSToF},
    {Op::utod, spv::OpConvertUToF},
    {Op::ddx_coarse, spv::OpDPdxCoarse},
    {Op::ddx_fine, spv::OpDPdxFine},
    {Op::ddy_coarse, spv::OpDPdyCoarse},
    {Op::ddy_fine, spv::OpDPdyFine},
};

constexpr std::array<Row, ir::kOpCount> make_rows() {
  std::array<Row, ir::kOpCount> rows{};
  for (const Row& row : kRows) rows[static_cast<uint32_t>(row.op)] = row;
  return rows;
}
constexpr std::array<Row, ir::kOpCount> kByOp = make_rows();

}  // namespace

bool Emitter::emit_table_row(const Instruction& instruction) {
  const Row& row = kByOp[static_cast<uint32_t>(instruction.op)];
  if (row.core == spv::OpNop && row.glsl == 0) return false;
  const ir::OpInfo& info = ir::info(instruction.op);
  const OpKinds& kinds = kinds_of(instruction.op);
  const char letter = info.results[0];
  const Value result = instruction.first_result;
  const Id type = letter == 'p'   ? builder_.bool_type()
                  : letter == 'd' ? builder_.double_type()
                                  : type_of(kinds.result);
  std::array<uint32_t, 5> words{};
  uint32_t count = 0;
  if (row.core == spv::OpNop) {
    words[count++] = builder_.glsl();
    words[count++] = row.glsl;
  }
  if (instruction.op == Op::fneg && !is_used(result)) return true;  // sums took it up as differences
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Value value = operand(instruction, i);
    const char in = info.operands[i];
    words[count++] = in == 'p' ? as_bool(value) : in == 'd' ? as_double(value) : use(value, kinds.operand(i));
  }
  if (info.family == ir::Family::derivative) builder_.require(spv::CapabilityDerivativeControl);
  const Id id = emit(row.core == spv::OpNop ? spv::OpExtInst : row.core, type,
                     std::span<const uint32_t>(words.data(), count));
  forbid_contraction(instruction, id);
  if (letter == 'p') {
    define_bool(result, id);
  } else if (letter == 'd') {
    define_double(result, id);
  } else {
    define(result, kinds.result, id);
  }
  return true;
}

const Instruction* Emitter::clamped_maximum(const Instruction& minimum) const {
  if (minimum.op != Op::fmin && minimum.op != Op::dmin) return nullptr;
  const uint32_t at = maximum_[operand(minimum, 0)];
  if (at == 0 || !module_.is_constant(operand(minimum, 1))) return nullptr;
  const Instruction& maximum = module_.code[at - 1];
  const uint64_t least = module_.values[operand(maximum, 1)].bits;
  const uint64_t greatest = module_.values[operand(minimum, 1)].bits;
  const bool in_order = minimum.op == Op::dmin
                            ? std::bit_cast<double>(least) <= std::bit_cast<double>(greatest)
                            : std::bit_cast<float>(static_cast<uint32_t>(least)) <=
                                  std::bit_cast<float>(static_cast<uint32_t>(greatest));
  return in_order ? &maximum : nullptr;
}

bool Emitter::emit_clamp(const Instruction& instruction) {
  if ((instruction.op == Op::fmax || instruction.op == Op::dmax) && !is_used(instruction.first_result))
    return true;  // a clamp took it up
  const Instruction* const maximum = clamped_maximum(instruction);
  if (maximum == nullptr) return false;
  const Value value = operand(*maximum, 0), least = operand(*maximum, 1), greatest = operand(instruction, 1);
  if (instruction.op == Op::dmin) {
    define_double(instruction.first_result,
                  extended(GLSLstd450NClamp, builder_.double_type(),
                           {as_double(value), as_double(least), as_double(greatest)}));
  } else {
    define(
        instruction.first_result, Kind::float_,
        extended(GLSLstd450NClamp, Scalar::float_, {as_float(value), as_float(least), as_float(greatest)}));
  }
  return true;
}

void Emitter::emit_sum(const Instruction& instruction) {
  const Addends sum = addends(instruction);
  const Id id = emit(sum.subtracts ? spv::OpFSub : spv::OpFAdd, Scalar::float_,
                     {as_float(sum.values[0]), as_float(sum.values[1])});
  forbid_contraction(instruction, id);
  define(instruction.first_result, Kind::float_, id);
}

// Only sums and products are contracted or reassociated (SPIR-V 3.20, NoContraction), and only with what
// other arithmetic gives them. Without refactoringAllowed the whole program is precise (D3D11.3 22.3.1): it
// is enough then to decorate those, for whoever uses a product is decorated too.
bool Emitter::forbids_contraction(const Instruction& instruction) {
  const Op op = instruction.op;
  const bool combines = ir::info(op).has(ir::kContractible);
  const bool passes_on = op == Op::fneg || op == Op::dneg;
  if (!combines && !passes_on && op != Op::fdiv && op != Op::ddiv) return false;
  bool combinable = false;
  const auto look = [&](Value value) { combinable |= (need_[value] & kCombinable) != 0; };
  if (op == Op::fadd) {
    for (const Value value : addends(instruction).values) look(value);
  } else {
    for (const Value value : module_.operands_of(instruction)) look(value);
  }
  if (!passes_on || combinable) need_[instruction.first_result] |= kCombinable;
  const bool precise = module_.refactoring_allowed ? instruction.has(ir::kPrecise) : combinable;
  return precise && combines;
}

void Emitter::forbid_contraction(const Instruction& instruction, Id id) {
  if (forbids_contraction(instruction)) builder_.decorate(id, spv::DecorationNoContraction);
}

void Emitter::emit_arithmetic(const Instruction& instruction) {
  if (instruction.op == Op::fadd) return emit_sum(instruction);
  if (emit_clamp(instruction) || emit_table_row(instruction)) return;
  const Value result = instruction.first_result;
  switch (instruction.op) {
    case Op::fsat:
      return define(
          result, Kind::float_,
          extended(GLSLstd450NClamp, Scalar::float_, {as_float(operand(instruction, 0)), real(0), real(1)}));
    case Op::frcp:
      need_[result] |= kCombinable;
      return define(result, Kind::float_,
                    emit(spv::OpFDiv, Scalar::float_, {real(1), as_float(operand(instruction, 0))}));
    case Op::f16tof32: {
      const Id halves = as_uint(operand(instruction, 0));
      const Id pair =
          extended(GLSLstd450UnpackHalf2x16, builder_.vector_type(builder_.float_type(), 2), {halves});
      return define(result, Kind::float_, emit(spv::OpCompositeExtract, Scalar::float_, {pair, 0}));
    }
    case Op::mask:
      return define(
          result, Kind::uint,
          select(Scalar::uint, {as_bool(operand(instruction, 0)), constant(0xffffffffu), constant(0)}));
    case Op::select: {
      const Kind kind = kind_[result];
      return define(
          result, kind,
          select(scalar_of(kind), {as_bool(operand(instruction, 0)), use(operand(instruction, 1), kind),
                                   use(operand(instruction, 2), kind)}));
    }
    case Op::select64:
    case Op::pack64:
    case Op::unpack64:
    case Op::drcp:
    case Op::dsat: return emit_double(instruction);
    default: return emit_integer(instruction);
  }
}

// Double precision: the parts that one instruction does not do.
void Emitter::emit_double(const Instruction& instruction) {
  const Value result = instruction.first_result;
  const Id type = builder_.double_type();
  auto number = [&](double value) { return builder_.constant_double(std::bit_cast<uint64_t>(value)); };
  const Id pair_type = builder_.vector_type(builder_.uint_type(), 2);
  switch (instruction.op) {
    case Op::select64:
      return define_double(result,
                           select(type, {as_bool(operand(instruction, 0)), as_double(operand(instruction, 1)),
                                         as_double(operand(instruction, 2))}));
    case Op::pack64: {
      const Id pair = emit(spv::OpCompositeConstruct, pair_type,
                           {as_uint(operand(instruction, 0)), as_uint(operand(instruction, 1))});
      return define_double(result, bitcast(type, pair));
    }
    case Op::unpack64: {
      const Id pair = bitcast(pair_type, as_double(operand(instruction, 0)));
      for (uint32_t i = 0; i < 2; ++i) {
        if (is_used(result + i))
          define(result + i, Kind::uint, emit(spv::OpCompositeExtract, Scalar::uint, {pair, i}));
      }
      return;
    }
    case Op::drcp:
      return define_double(result, emit(spv::OpFDiv, type, {number(1), as_double(operand(instruction, 0))}));
    default:  // dsat
      return define_double(result, extended(GLSLstd450NClamp, type,
                                            {as_double(operand(instruction, 0)), number(0), number(1)}));
  }
}

}  // namespace texlate::spirv
