// Integer operations whose corner cases SPIR-V leaves undefined (facts/d3d.md 6.1).

#include <spirv/unified1/GLSL.std.450.h>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

Id Emitter::minimum(Id a, uint32_t b) {
  return extended(GLSLstd450UMin, Scalar::uint, {a, constant(b)});
}

// Counts are taken modulo 32; SPIR-V's shifts are undefined from 32 on.
Id Emitter::shift_count(Value count) {
  if (module_.is_constant(count)) return constant(module_.constant_bits(count) & 31);
  return emit(spv::OpBitwiseAnd, Scalar::uint, {as_uint(count), constant(31)});
}

// Fields that reach past the top end there: SPIR-V leaves offset + width > 32 undefined.
void Emitter::emit_bit_field(const Instruction& instruction) {
  const Id type = builder_.uint_type();
  const Value width = operand(instruction, 0);
  const Value offset = operand(instruction, 1);
  const Id first = shift_count(offset);
  Id count;
  if (module_.is_constant(width) && module_.is_constant(offset)) {
    count = constant(std::min(module_.constant_bits(width) & 31, 32 - (module_.constant_bits(offset) & 31)));
  } else {
    const Id room = emit(spv::OpISub, type, {constant(32), first});
    count = extended(GLSLstd450UMin, type, {shift_count(width), room});
  }
  const Id value = as_uint(operand(instruction, 2));
  if (instruction.op == Op::bfi) {
    return define(instruction.first_result, Kind::uint,
                  emit(spv::OpBitFieldInsert, type, {as_uint(operand(instruction, 3)), value, first, count}));
  }
  define(instruction.first_result, Kind::uint,
         emit(instruction.op == Op::ubfe ? spv::OpBitFieldUExtract : spv::OpBitFieldSExtract, type,
              {value, first, count}));
}

// By zero gives 0xffffffff, quotient and remainder; SPIR-V's behaviour is undefined, so no lane may divide by
// 0.
void Emitter::emit_division(const Instruction& instruction) {
  const Id type = builder_.uint_type();
  const spv::Op op = instruction.op == Op::udiv ? spv::OpUDiv : spv::OpUMod;
  const Id dividend = as_uint(operand(instruction, 0));
  const Value divisor = operand(instruction, 1);
  if (module_.is_constant(divisor) && module_.constant_bits(divisor) != 0) {
    return define(instruction.first_result, Kind::uint, emit(op, type, {dividend, as_uint(divisor)}));
  }
  const Id by = as_uint(divisor);
  const Id zero = emit(spv::OpIEqual, Scalar::boolean, {by, constant(0)});
  const Id safe = extended(GLSLstd450UMax, type, {by, constant(1)});
  const Id quotient = emit(op, type, {dividend, safe});
  define(instruction.first_result, Kind::uint, select(type, {zero, constant(0xffffffffu), quotient}));
}

// From the high end; SPIR-V counts from the low end and says -1 for none, as Direct3D does.
void Emitter::emit_first_bit(const Instruction& instruction) {
  const Id type = builder_.uint_type();
  const uint32_t find = instruction.op == Op::firstbit_hi ? GLSLstd450FindUMsb : GLSLstd450FindSMsb;
  const Id bit = extended(find, type, {as_uint(operand(instruction, 0))});
  const Id none = emit(spv::OpIEqual, Scalar::boolean, {bit, constant(0xffffffffu)});
  const Id from_top = emit(spv::OpISub, type, {constant(31), bit});
  define(instruction.first_result, Kind::uint, select(type, {none, bit, from_top}));
}

// Sum of absolute differences over four bytes; a byte of the reference that is 0 does not count
// (D3D11.3 22.13.11).
void Emitter::emit_msad(const Instruction& instruction) {
  const Id type = builder_.uint_type();
  Id sum = as_uint(operand(instruction, 2));
  for (uint32_t byte = 0; byte < 4; ++byte) {
    const Id reference = emit(spv::OpBitFieldUExtract, type,
                              {as_uint(operand(instruction, 0)), constant(8 * byte), constant(8)});
    const Id source = emit(spv::OpBitFieldUExtract, type,
                           {as_uint(operand(instruction, 1)), constant(8 * byte), constant(8)});
    const Id difference = extended(GLSLstd450SAbs, type, {emit(spv::OpISub, type, {reference, source})});
    const Id masked = emit(spv::OpIEqual, Scalar::boolean, {reference, constant(0)});
    sum = emit(spv::OpIAdd, type, {sum, select(type, {masked, constant(0), difference})});
  }
  define(instruction.first_result, Kind::uint, sum);
}

void Emitter::emit_integer(const Instruction& instruction) {
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
    case Op::shl:
    case Op::ishr:
    case Op::ushr: {
      const spv::Op op = instruction.op == Op::shl    ? spv::OpShiftLeftLogical
                         : instruction.op == Op::ishr ? spv::OpShiftRightArithmetic
                                                      : spv::OpShiftRightLogical;
      const Id value = in(0);
      return define(result, Kind::uint, emit(op, type, {value, shift_count(operand(instruction, 1))}));
    }
    case Op::udiv:
    case Op::urem: return emit_division(instruction);
    case Op::ubfe:
    case Op::ibfe:
    case Op::bfi: return emit_bit_field(instruction);
    case Op::firstbit_hi:
    case Op::firstbit_shi: return emit_first_bit(instruction);
    case Op::msad: return emit_msad(instruction);
    default: return refuse(instruction, "this operation");
  }
}

}  // namespace texlate::spirv
