// Float arithmetic, comparisons, conversions, predicates (D3D11.3 3.1, 22.6, 22.10, 22.13; GLSL.std.450).

#include <spirv/unified1/GLSL.std.450.h>

#include <array>

#include "backend/spirv/families.h"

namespace texlate::spirv {

[[gnu::always_inline]] inline Id Arithmetic::emit_row(const Pack& pack, const OperationRow& row, Id type,
                                                      const std::array<Id, kMostOperands>& operands) {
  if (pack.row == row_of(Op::imad)) {
    const Id product = emit(row.core, type, {operands[0], operands[1]});
    return emit(spv::OpIAdd, type, {product, operands[2]});
  }
  return body_.operation(row, type, operands.data());
}

void Arithmetic::emit_vector(const Pack& pack, const OperationRow& row) {
  const Id type = builder_.vector_type(type_of(row.result), pack.size);
  Id id = row.core == spv::OpFMul ? emit_scaling(pack, row, type) : Id::none;
  if (id == Id::none) {
    std::array<Id, kMostOperands> operands;
    for (uint32_t o = 0; o < pack.operand_count; ++o)
      operands[o] = values_.vector(pack.operands[o], pack.size, row.as[o], pack.gathers[o]);
    id = emit_row(pack, row, type, operands);
  }
  if (pack.exact) builder_.decorate(id, spv::DecorationNoContraction);
  const uint32_t number = values_.add_vector(id, pack.size, row.result);
  for (uint32_t l = 0; l < pack.size; ++l) values_.define_lane(pack.results[l], number, l);
}

/// One member of a pack that is not a vector.
[[gnu::always_inline]] inline void Arithmetic::emit_member(const Pack& pack, const OperationRow& row,
                                                           uint32_t lane) {
  std::array<Id, kMostOperands> operands;
  for (uint32_t o = 0; o < pack.operand_count; ++o)
    operands[o] = values_.use(pack.operands[o].lanes[lane], row.as[o]);
  const Id id = emit_row(pack, row, type_of(row.result), operands);
  if (pack.exact) builder_.decorate(id, spv::DecorationNoContraction);
  values_.define(pack.results[lane], row.result, id);
}

void Arithmetic::emit_joined(const Pack& pack, const OperationRow& row) {
  if (pack.is_vector) {
    emit_vector(pack, row);
  } else {
    for (uint32_t l = 0; l < pack.size; ++l) emit_member(pack, row, l);
  }
  current_ += pack.neighbors - 1;
}

/// A vector times one scalar; none: the pack is not such a product.
Id Arithmetic::emit_scaling(const Pack& pack, const OperationRow& row, Id type) {
  for (uint32_t side = 0; side < 2; ++side) {
    if (pack.gathers[side].differ) continue;
    const uint32_t other = 1 - side;
    const Id others = values_.vector(pack.operands[other], pack.size, row.as[other], pack.gathers[other]);
    const Id factor = values_.use(pack.operands[side].lanes[0], row.as[side]);
    return emit(spv::OpVectorTimesScalar, type, {others, factor});
  }
  return Id::none;
}

/// Returns false if there is no dot product here.
bool Arithmetic::emit_dot() {
  Dot dot;
  if (!packs_.form_dot(current_, dot)) return false;
  const Id a = vector(std::span<const Value>(dot.factors[0]).first(dot.size), As::float_);
  const Id b = vector(std::span<const Value>(dot.factors[1]).first(dot.size), As::float_);
  current_ += dot.size - 1;
  define(code_[current_].first_result, Kind::float_, emit(spv::OpDot, As::float_, {a, b}));
  return true;
}

void Arithmetic::emit(const Instruction& instruction) {
  const Value result = instruction.first_result;
  if (!products_.by_instruction.empty() && products_.by_instruction[current_] != kNoIndex)
    return emit_product(products_.all[products_.by_instruction[current_]]);
  if (values_.is_defined(result)) return;
  if (packs_.may_start_dot(instruction) && (values_.needs().flags[result] & ValueNeeds::kExact) == 0 &&
      emit_dot())
    return;
  Pack pack;
  if (!packs_.form(current_, pack)) return emit_other(instruction);
  const OperationRow& row = operation_row(pack.row);
  if (row.takes_derivatives) builder_.require(spv::CapabilityDerivativeControl);
  if (pack.size != 1) return emit_joined(pack, row);
  emit_member(pack, row, 0);
}

/// Operations that are not a single instruction.
void Arithmetic::emit_other(const Instruction& instruction) {
  const Value result = instruction.first_result;
  switch (instruction.op) {
    case Op::f16tof32: {
      const Id halves = as_uint(operand(instruction, 0));
      const Id pair =
          extended(GLSLstd450UnpackHalf2x16, builder_.vector_type(builder_.float_type(), 2), {halves});
      return values_.define_lane(result, values_.add_vector(pair, 2, As::float_), 0);
    }
    case Op::pack64: {
      const Id pair = vector(module_.operands_of(instruction), As::uint);
      return values_.define(result, As::double_, bitcast(builder_.double_type(), pair));
    }
    case Op::unpack64: {
      const Id pair_type = builder_.vector_type(builder_.uint_type(), 2);
      return define_lanes(result, bitcast(pair_type, values_.use(operand(instruction, 0), As::double_)), 2,
                          As::uint);
    }
    case Op::imulhi:
    case Op::umulhi: {
      const Id type = builder_.uint_type();
      const spv::Op product = instruction.op == Op::imulhi ? spv::OpSMulExtended : spv::OpUMulExtended;
      const Id pair = emit(product, builder_.type(spv::OpTypeStruct, {type, type}),
                           {as_uint(operand(instruction, 0)), as_uint(operand(instruction, 1))});
      return define(result, Kind::uint, emit(spv::OpCompositeExtract, type, {pair, literal(1)}));
    }
    case Op::ubfe:
    case Op::ibfe:
    case Op::bfi: return emit_bit_field(instruction);
    default: return refuse(instruction, "this operation");  // replaced: see kWithoutRow (operation_rows.cpp)
  }
}

// SPIR-V has the base first, then offset and count.
void Arithmetic::emit_bit_field(const Instruction& instruction) {
  const Id width = as_uint(operand(instruction, 0)), offset = as_uint(operand(instruction, 1));
  const Id value = as_uint(operand(instruction, 2));
  Id field;
  if (instruction.op == Op::bfi) {
    field = emit(spv::OpBitFieldInsert, As::uint, {as_uint(operand(instruction, 3)), value, offset, width});
  } else {
    const bool is_signed = instruction.op == Op::ibfe;
    field =
        emit(is_signed ? spv::OpBitFieldSExtract : spv::OpBitFieldUExtract, As::uint, {value, offset, width});
  }
  define(instruction.first_result, Kind::uint, field);
}

// ---- products that share a factor ----

/// Emits a product, whose parts are all precise, at its last instruction.
void Arithmetic::emit_product(const Product& product) {
  if (current_ != product.last()) return;
  const Id type = builder_.vector_type(builder_.float_type(), product.count);
  const Id columns = emit_columns(product, type);
  Id sum = Id::none;
  for (uint32_t k = 0; k < product.length; ++k) {
    const Value factor = product.factors[k];
    const Id column = emit(spv::OpCompositeExtract, type, {columns, literal(k)});
    if (k == 0) {
      sum = emit(spv::OpVectorTimesScalar, type, {column, as_float(factor)});
    } else {
      const Lanes lanes{factor, factor, factor, factor};
      const Id factors = vector(std::span<const Value>(lanes).first(product.count), As::float_);
      sum = extended(GLSLstd450Fma, type, {column, factors, sum});
    }
    builder_.decorate(sum, spv::DecorationNoContraction);
  }
  const uint32_t number = values_.add_vector(sum, product.count, As::float_);
  for (uint32_t r = 0; r < product.count; ++r)
    values_.define_lane(code_[product.chains[r] + product.length - 1].first_result, number, r);
}

/// The rows as a matrix, transposed.
Id Arithmetic::emit_columns(const Product& product, Id column_type) {
  const Id row_type = builder_.vector_type(builder_.float_type(), product.width);
  std::array<Id, 4> rows{};
  Lanes lanes{};
  for (uint32_t r = 0; r < product.count; ++r) {
    for (uint32_t c = 0; c < product.width; ++c) lanes[c] = product.rows[r] + c;
    rows[r] = vector(std::span<const Value>(lanes).first(product.width), As::float_);
  }
  const Id matrix = emit(spv::OpCompositeConstruct, builder_.matrix_type(row_type, product.count),
                         std::span<const Id>(rows).first(product.count));
  return emit(spv::OpTranspose, builder_.matrix_type(column_type, product.width), {matrix});
}

}  // namespace texlate::spirv
