// Geometry shaders: emit and cut, of a given stream or of the only one (D3D11.3 22.6).

#include "frontend/lower/families.h"

namespace texlate::lower {

void lower_emit(Lowering& lowering, const sm4::Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  const bool names_stream =
      opcode == Opcode::emit_stream || opcode == Opcode::cut_stream || opcode == Opcode::emit_then_cut_stream;
  const uint32_t stream = names_stream ? lowering.operand(instruction, 0).index[0].immediate : 0;
  const bool emits = opcode != Opcode::cut && opcode != Opcode::cut_stream;
  const bool cuts = opcode != Opcode::emit && opcode != Opcode::emit_stream;
  if (emits) lowering.emit(Op::emit, {}, stream);
  if (cuts) lowering.emit(Op::cut, {}, stream);
}

}  // namespace texlate::lower
