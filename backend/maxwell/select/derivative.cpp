// Derivatives: SHFL.BFLY reads the neighbor's value within the quad, FSWZADD gives the difference. Its
// swizzle determines for each of the four lanes which of its operands is negated.

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

namespace {

// Segments of four lanes: all bits of the lane except two are kept, and the last lane is 3
// (docs/reference/maxwell.md 6).
constexpr int32_t kQuad = 0x1c03;
// PNNPPNNP: right minus left; PNPNNPNP: lower minus upper.
constexpr int32_t kAcross = 0x99;
constexpr int32_t kDown = 0xa5;

}  // namespace

void Arithmetic::select_derivative(const ir::Instruction& instruction) {
  if (module_.stage != ir::Stage::pixel) return refuse(instruction, "a derivative outside a pixel shader");
  const ir::Value value = operand(instruction, 0);
  const bool across = instruction.op == Op::ddx_coarse || instruction.op == Op::ddx_fine;
  const MachineValue mine = reg(value);
  const MachineValue other = assembler_.general();
  emit({Opcode::shfl,
        {Arg(), Arg::reg(other), Arg::reg(mine), Source::immediate(across ? 1 : 2), Source::immediate(kQuad)},
        {{Modifier::shuffle, Shuffle::bfly}}})
      .effect = machine::Effect::none;
  emit_to(instruction.first_result,
          {Opcode::fswzadd,
           {Arg(), Source::of(other), Source::of(mine), Arg::word(across ? kAcross : kDown)},
           {kFtz}});
}

}  // namespace texlate::maxwell::select
