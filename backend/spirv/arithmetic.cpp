// Float arithmetic, comparisons, conversions, predicates (D3D11.3 3.1, 22.10; GLSL.std.450).

#include <spirv/unified1/GLSL.std.450.h>
#include <array>
#include <bit>

#include "backend/spirv/families.h"

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

using As = Arithmetic::As;

constexpr As as_of(char letter, Kind kind) {
  if (letter == 'p') return As::boolean;
  if (letter == 'd') return As::double_;
  return kind == Kind::float_ ? As::float_ : As::uint;
}

/// A row, with what follows from the operation's letters.
struct OpRow {
  spv::Op core = spv::OpNop;  // OpNop: the operation is no single instruction
  uint32_t glsl = 0;
  As result = As::uint;
  std::array<As, 3> operands{};
};

constexpr OpRow complete(const Row& row) {
  const ir::OpInfo& info = ir::info(row.op);
  const OpKinds& kinds = kinds_of(row.op);
  OpRow complete{
      row.core == spv::OpNop ? spv::OpExtInst : row.core, row.glsl, as_of(info.results[0], kinds.result), {}};
  for (uint32_t i = 0; i < info.operands.size(); ++i)
    complete.operands[i] = as_of(info.operands[i], kinds.operand(i));
  return complete;
}

constexpr std::array<OpRow, ir::kOpCount> kByOp = [] {
  std::array<OpRow, ir::kOpCount> rows{};
  for (const Row& row : kRows) rows[static_cast<uint32_t>(row.op)] = complete(row);
  return rows;
}();

}  // namespace

Id Arithmetic::type_as(As as) {
  switch (as) {
    case As::float_: return builder_.float_type();
    case As::uint: return builder_.uint_type();
    case As::boolean: return builder_.bool_type();
    case As::double_: return builder_.double_type();
  }
  return 0;
}

Id Arithmetic::use_as(Value value, As as) {
  switch (as) {
    case As::float_: return as_float(value);
    case As::uint: return as_uint(value);
    case As::boolean: return as_bool(value);
    case As::double_: return as_double(value);
  }
  return 0;
}

bool Arithmetic::emit_table_row(const Instruction& instruction) {
  const OpRow& row = kByOp[static_cast<uint32_t>(instruction.op)];
  if (row.core == spv::OpNop) return false;
  const Value result = instruction.first_result;
  const Id type = type_as(row.result);
  std::array<uint32_t, 5> words{};
  uint32_t count = 0;
  if (row.core == spv::OpExtInst) {
    words[count++] = builder_.glsl();
    words[count++] = row.glsl;
  }
  if (instruction.op == Op::fneg && !is_used(result)) return true;  // sums took it up as differences
  for (uint32_t i = 0; i < instruction.operand_count; ++i)
    words[count++] = use_as(operand(instruction, i), row.operands[i]);
  if (ir::info(instruction.op).family == ir::Family::derivative)
    builder_.require(spv::CapabilityDerivativeControl);
  const Id id = emit(row.core, type, std::span<const uint32_t>(words.data(), count));
  forbid_contraction(instruction, id);
  switch (row.result) {
    case As::float_: define(result, Kind::float_, id); break;
    case As::uint: define(result, Kind::uint, id); break;
    case As::boolean: define_bool(result, id); break;
    case As::double_: define_double(result, id); break;
  }
  return true;
}

bool Arithmetic::emit_clamp(const Instruction& instruction) {
  if ((instruction.op == Op::fmax || instruction.op == Op::dmax) && !is_used(instruction.first_result))
    return true;  // a clamp took it up
  const Instruction* const maximum = values_.needs().clamped_maximum(module_, instruction);
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

void Arithmetic::emit_sum(const Instruction& instruction) {
  const ValueNeeds::Addends sum = values_.needs().addends(module_.operands_of(instruction));
  const Id id = emit(sum.subtracts ? spv::OpFSub : spv::OpFAdd, Scalar::float_,
                     {as_float(sum.values[0]), as_float(sum.values[1])});
  forbid_contraction(instruction, id);
  define(instruction.first_result, Kind::float_, id);
}

// Only sums and products are contracted or reassociated (SPIR-V 3.20, NoContraction), and only with what
// other arithmetic gives them. Without refactoringAllowed the whole program is precise (D3D11.3 22.3.1): it
// is enough then to decorate those, for whoever uses a product is decorated too.
bool Arithmetic::forbids_contraction(const Instruction& instruction) {
  const Op op = instruction.op;
  const bool combines = ir::info(op).has(ir::kContractible);
  if (module_.refactoring_allowed) return combines && instruction.has(ir::kPrecise);
  const bool passes_on = op == Op::fneg || op == Op::dneg;
  if (!combines && !passes_on && op != Op::fdiv && op != Op::ddiv) return false;
  bool combinable = false;
  const auto look = [&](Value value) {
    combinable |= (values_.needs().flags[value] & ValueNeeds::kCombinable) != 0;
  };
  if (op == Op::fadd) {
    for (const Value value : values_.needs().addends(module_.operands_of(instruction)).values) look(value);
  } else {
    for (const Value value : module_.operands_of(instruction)) look(value);
  }
  if (!passes_on || combinable) values_.needs().flags[instruction.first_result] |= ValueNeeds::kCombinable;
  return combinable && combines;
}

void Arithmetic::forbid_contraction(const Instruction& instruction, Id id) {
  if (forbids_contraction(instruction)) builder_.decorate(id, spv::DecorationNoContraction);
}

void Arithmetic::emit(const Instruction& instruction) {
  if (!products_.by_instruction.empty() && products_.by_instruction[current_] != kNoIndex)
    return emit_product(products_.all[products_.by_instruction[current_]]);
  if (instruction.op == Op::fadd) return emit_sum(instruction);
  const bool is_extreme = instruction.op == Op::fmin || instruction.op == Op::fmax ||
                          instruction.op == Op::dmin || instruction.op == Op::dmax;
  if (is_extreme && emit_clamp(instruction)) return;
  if (emit_table_row(instruction)) return;
  const Value result = instruction.first_result;
  switch (instruction.op) {
    case Op::fsat:
      return define(
          result, Kind::float_,
          extended(GLSLstd450NClamp, Scalar::float_, {as_float(operand(instruction, 0)), real(0), real(1)}));
    case Op::frcp:
      values_.needs().flags[result] |= ValueNeeds::kCombinable;
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
      const Kind kind = values_.kind(result);
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

// ---- integers: what is more than one instruction, or has its operands in another order ----

// SPIR-V has the base first, then offset and count.
void Arithmetic::emit_bit_field(const Instruction& instruction) {
  const Id width = as_uint(operand(instruction, 0)), offset = as_uint(operand(instruction, 1));
  const Id value = as_uint(operand(instruction, 2));
  Id field;
  if (instruction.op == Op::bfi) {
    field =
        emit(spv::OpBitFieldInsert, Scalar::uint, {as_uint(operand(instruction, 3)), value, offset, width});
  } else {
    const bool is_signed = instruction.op == Op::ibfe;
    field = emit(is_signed ? spv::OpBitFieldSExtract : spv::OpBitFieldUExtract, Scalar::uint,
                 {value, offset, width});
  }
  define(instruction.first_result, Kind::uint, field);
}

void Arithmetic::emit_integer(const Instruction& instruction) {
  const Id type = builder_.uint_type();
  const Value result = instruction.first_result;
  auto in = [&](uint32_t i) { return as_uint(operand(instruction, i)); };
  switch (instruction.op) {
    case Op::imulhi:
    case Op::umulhi: {
      const Id pair = builder_.type(spv::OpTypeStruct, {type, type});
      const Id product = emit(instruction.op == Op::imulhi ? spv::OpSMulExtended : spv::OpUMulExtended, pair,
                              {in(0), in(1)});
      return define(result, Kind::uint, emit(spv::OpCompositeExtract, type, {product, 1}));
    }
    case Op::imad: {
      const Id product = emit(spv::OpIMul, type, {in(0), in(1)});
      return define(result, Kind::uint, emit(spv::OpIAdd, type, {product, in(2)}));
    }
    case Op::ubfe:
    case Op::ibfe:
    case Op::bfi: return emit_bit_field(instruction);
    default: return refuse(instruction, "this operation");
  }
}

// Double precision: the parts that one instruction does not do.
void Arithmetic::emit_double(const Instruction& instruction) {
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

// ---- products that share a factor ----

/// The last instruction of a product makes it.
void Arithmetic::emit_product(const Product& product) {
  if (current_ != product.last()) return;
  const Id type = builder_.vector_type(builder_.float_type(), product.count);
  const Id columns = emit_columns(product, type);
  Id sum = 0;
  for (uint32_t k = 0; k < product.length; ++k) {
    uint32_t precise = 0;
    for (uint32_t r = 0; r < product.count; ++r)
      precise += forbids_contraction(module_.code[product.chains[r] + k]) ? 1 : 0;
    const Id factor = as_float(product.factors[k]);
    if (k == 0 && precise != 0 && precise != product.count) {
      sum = emit_first_products(product, type);
      continue;
    }
    const Id column = emit(spv::OpCompositeExtract, type, {columns, k});
    if (k == 0) {
      sum = emit(spv::OpVectorTimesScalar, type, {column, factor});
    } else {
      const std::array<Id, 4> lanes{factor, factor, factor, factor};
      const Id factors =
          emit(spv::OpCompositeConstruct, type, std::span<const Id>(lanes).first(product.count));
      sum = extended(GLSLstd450Fma, type, {column, factors, sum});
    }
    if (precise != 0) builder_.decorate(sum, spv::DecorationNoContraction);
  }
  for (uint32_t r = 0; r < product.count; ++r) {
    const Value result = module_.code[product.chains[r] + product.length - 1].first_result;
    define(result, Kind::float_, emit(spv::OpCompositeExtract, Scalar::float_, {sum, r}));
  }
}

/// The rows as a matrix, turned.
Id Arithmetic::emit_columns(const Product& product, Id column_type) {
  const Id row_type = builder_.vector_type(builder_.float_type(), product.width);
  std::array<Id, 4> rows{}, lanes{};
  for (uint32_t r = 0; r < product.count; ++r) {
    for (uint32_t c = 0; c < product.width; ++c) lanes[c] = as_float(product.rows[r] + c);
    rows[r] = emit(spv::OpCompositeConstruct, row_type, std::span<const Id>(lanes).first(product.width));
  }
  const Id matrix = emit(spv::OpCompositeConstruct, builder_.matrix_type(row_type, product.count),
                         std::span<const Id>(rows).first(product.count));
  return emit(spv::OpTranspose, builder_.matrix_type(column_type, product.width), {matrix});
}

/// The first product of each row by itself: of some rows it must not be contracted, of others it may.
Id Arithmetic::emit_first_products(const Product& product, Id type) {
  std::array<Id, 4> lanes{};
  const Id factor = as_float(product.factors[0]);
  for (uint32_t r = 0; r < product.count; ++r) {
    lanes[r] = emit(spv::OpFMul, Scalar::float_, {as_float(product.rows[r]), factor});
    forbid_contraction(module_.code[product.chains[r]], lanes[r]);
  }
  return emit(spv::OpCompositeConstruct, type, std::span<const Id>(lanes).first(product.count));
}

}  // namespace texlate::spirv
