// Conversions between 32-bit floats, integers and halves. The machine's F2I saturates and converts NaN to 0,
// as Direct3D does (docs/reference/direct3d.md 4.1).

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

/// If a field that is only converted is a byte or half: what it is cut from; otherwise the value itself.
Arithmetic::Part Arithmetic::find_part(Value value) const {
  const Part whole{word(value)};
  if (module_.is_constant(value) || !has_one_use(value)) return whole;
  const ir::Instruction& field = *definition(value);
  const auto number = [&](uint32_t i) { return module_.constant_bits(operand(field, i)); };
  const auto is_known = [&](uint32_t i) { return module_.is_constant(operand(field, i)); };
  uint32_t width = 32, start = 0;
  Value from = value;
  switch (field.op) {
    case Op::ubfe:
    case Op::ibfe:
      if (!is_known(0) || !is_known(1)) return whole;
      width = number(0) & 31u;
      start = number(1) & 31u;
      from = operand(field, 2);
      break;
    case Op::ushr:
    case Op::ishr:
      if (!is_known(1)) return whole;
      start = number(1) & 31u;
      width = 32 - start;
      from = operand(field, 0);
      break;
    case Op::and_: {
      const uint32_t mask = is_known(1) ? 1 : 0;
      if (!is_known(mask)) return whole;
      from = operand(field, 1 - mask);
      width = number(mask) == 0xff ? 8 : number(mask) == 0xffff ? 16 : 32;
      if (const auto shift = constant_shift(definition(from), Op::ushr)) {
        start = shift->count;
        from = shift->of;
      }
      break;
    }
    default: return whole;
  }
  if ((width != 8 && width != 16) || start % width != 0 || start + width > 32) return whole;
  const Part part{word(from), width, start / 8, field.op == Op::ibfe || field.op == Op::ishr};
  return part.source.is_value() && part.source.flags == 0 ? part : whole;
}

void Arithmetic::select_to_float(const ir::Instruction& instruction, bool is_signed) {
  const Value value = operand(instruction, 0);
  Part part = find_part(value);
  // An unsigned field is the same number when read as signed.
  if (part.is_signed && !is_signed) part = Part{word(value)};
  const bool negative = part.bits == 32 ? is_signed : part.is_signed;
  const Modifier sign = part.bits == 8    ? Modifier::source_sign_8
                        : part.bits == 16 ? Modifier::source_sign_16
                                          : Modifier::source_sign_32;
  emit_to(instruction.first_result, {Opcode::i2f,
                                     {Arg(), part.source.half(static_cast<uint8_t>(part.first_byte))},
                                     {{Modifier::float_type, FloatType::f32}, {sign, negative ? 1 : 0}}});
}

/// Of a value that is read as a half, only the lower 16 bits matter.
Source Arithmetic::half_source(Value value) const {
  const Part part = find_part(value);
  return part.bits == 16 ? part.source.half(part.first_byte != 0 ? kUpperHalf : 0) : word(value);
}

void Arithmetic::select_conversion(const ir::Instruction& instruction) {
  const auto to_integer = [&](F2iType type) {
    emit_to(instruction.first_result,
            Draft{Opcode::f2i,
                  {Arg(), float_source(operand(instruction, 0))},
                  {kFtz, {Modifier::f2i_type, type}, {Modifier::f2i_rounding, F2iRounding::trunc}}}
                .spelled("F32"));
  };
  switch (instruction.op) {
    case Op::ftoi: return to_integer(F2iType::s32);
    case Op::ftou: return to_integer(F2iType::u32);
    case Op::itof: return select_to_float(instruction, true);
    case Op::utof: return select_to_float(instruction, false);
    // Toward zero, so that a finite overflow gives 0x7bff (D3D11.3 22.13.2).
    case Op::f32tof16:
      return emit_to(instruction.first_result, Draft{Opcode::f2f,
                                                     {Arg(), float_source(operand(instruction, 0))},
                                                     {kFtz, {Modifier::rounding, Rounding::rz}}}
                                                   .spelled("F16", "F32"));
    case Op::f16tof32:
      return emit_to(instruction.first_result,
                     Draft{Opcode::f2f, {Arg(), half_source(operand(instruction, 0))}}.spelled("F32", "F16"));
#define IR_COVERED_conversion
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

}  // namespace texlate::maxwell::select
