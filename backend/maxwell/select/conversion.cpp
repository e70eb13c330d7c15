// Conversions between 32-bit floats, integers and halves. The machine's F2I saturates and takes NaN to 0, as
// Direct3D does (docs/reference/direct3d.md 4.1).

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {
using ir::Op;
}

void Selector::select_conversion(const ir::Instruction& instruction) {
  const ModifierSetting ftz{Modifier::ftz, Ftz::on};
  const auto to_integer = [&](F2iType type) {
    emit_to(instruction.first_result,
            Draft{Opcode::f2i,
                  {Arg(), float_source(operand(instruction, 0))},
                  {ftz, {Modifier::f2i_type, type}, {Modifier::f2i_rounding, F2iRounding::trunc}}}
                .spelled("F32"));
  };
  const auto to_float = [&](SourceSign32 sign) {
    emit_to(instruction.first_result,
            Draft{Opcode::i2f,
                  {Arg(), word(operand(instruction, 0))},
                  {{Modifier::float_type, FloatType::f32}, {Modifier::source_sign_32, sign}}}
                .requiring(Modifier::source_sign_32));
  };
  switch (instruction.op) {
    case Op::ftoi: return to_integer(F2iType::s32);
    case Op::ftou: return to_integer(F2iType::u32);
    case Op::itof: return to_float(SourceSign32::s32);
    case Op::utof: return to_float(SourceSign32::u32);
    // Toward zero, so that a finite overflow gives 0x7bff (D3D11.3 22.12.1).
    case Op::f32tof16:
      return emit_to(instruction.first_result, Draft{Opcode::f2f,
                                                     {Arg(), float_source(operand(instruction, 0))},
                                                     {ftz, {Modifier::rounding, Rounding::rz}}}
                                                   .spelled("F16", "F32"));
    case Op::f16tof32:
      return emit_to(instruction.first_result,
                     Draft{Opcode::f2f, {Arg(), word(operand(instruction, 0))}}.spelled("F32", "F16"));
#define IR_COVERED_conversion
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

}  // namespace texlate::maxwell::select
