#include "frontend/sm4/early_depth.h"

#include <algorithm>

#include "frontend/sm4/declaration.h"
#include "frontend/sm4/opcode.h"

namespace texlate::sm4 {

namespace {

/// Does the instruction decide the result of the test, or is it seen where the test fails?
bool is_late(const Program& program, const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  const auto operands = program.operands_of(instruction);
  if (!opcode.has(kDeclaration)) {
    if (instruction.opcode == Opcode::discard) return true;
    for (size_t i = 0; i < operands.size() && i < kMaxOperands; ++i) {
      if (operands[i].file != RegisterFile::unordered_access_view) continue;
      const OperandShape shape = opcode.shapes[i];
      if (shape == OperandShape::uav_store || shape == OperandShape::memory_store ||
          shape == OperandShape::atomic_target || shape == OperandShape::counter)
        return true;
    }
    return false;
  }
  return std::ranges::any_of(operands, [](const Operand& operand) {
    return operand.file == RegisterFile::output_depth ||
           operand.file == RegisterFile::output_depth_greater_equal ||
           operand.file == RegisterFile::output_depth_less_equal ||
           operand.file == RegisterFile::output_stencil_ref ||
           operand.file == RegisterFile::output_coverage_mask;
  });
}

bool is_forced(const Instruction& instruction) {
  return instruction.opcode == Opcode::dcl_global_flags &&
         (instruction.controls & kForceEarlyDepthStencil) != 0;
}

}  // namespace

EarlyDepth early_depth(const Program& program) {
  if (program.version.stage != Stage::pixel) return EarlyDepth::late;
  if (std::ranges::any_of(program.instructions, is_forced)) return EarlyDepth::forced;
  const auto late = [&](const Instruction& instruction) { return is_late(program, instruction); };
  return std::ranges::any_of(program.instructions, late) ? EarlyDepth::late : EarlyDepth::allowed;
}

std::string_view spelling(EarlyDepth when) {
  switch (when) {
    case EarlyDepth::late: return "late";
    case EarlyDepth::allowed: return "allowed";
    case EarlyDepth::forced: return "forced";
  }
  return {};
}

}  // namespace texlate::sm4
