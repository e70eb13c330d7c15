// Integer operations that are more than one SPIR-V instruction, or have their operands in another order.

#include <spirv/unified1/GLSL.std.450.h>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

Id Emitter::minimum(Id a, uint32_t b) {
  return extended(GLSLstd450UMin, Scalar::uint, {a, constant(b)});
}

// SPIR-V has the base first, then offset and count.
void Emitter::emit_bit_field(const Instruction& instruction) {
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
    case Op::ubfe:
    case Op::ibfe:
    case Op::bfi: return emit_bit_field(instruction);
    default: return refuse(instruction, "this operation");
  }
}

}  // namespace texlate::spirv
