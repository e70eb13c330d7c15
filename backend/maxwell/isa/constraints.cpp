#include "backend/maxwell/isa/constraints.h"

#include <algorithm>

#include <bit>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/texture_operands.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {
namespace {

/// The number of registers of the size or the type in the mnemonic; each form has one of these modifiers at
/// most.
unsigned sized_registers(const Instruction& instruction) {
  using enum Modifier;
  for (const Modifier kind :
       {memory_size, load_size, explicit_size, constant_size, atomic_type, reduction_type, shared_type,
        surface_atomic_type, cas_size, float_type, f2i_type}) {
    if (modifier_index(instruction.form, kind) < 0) continue;
    const std::string_view text = modifier_text(kind, get_modifier(instruction, kind));
    if (text.ends_with("128")) return 4;
    return text.find("64") != std::string_view::npos ? 2 : 1;
  }
  return 1;
}

unsigned surface_axes(const Instruction& instruction) {
  constexpr uint8_t kCount[] = {1, 1, 2, 2, 3, 3};  // 1D, 1D_BUFFER, 1D_ARRAY, 2D, 2D_ARRAY, 3D
  const uint8_t dim = get_modifier(instruction, Modifier::surface_dim);
  return dim < 6 ? kCount[dim] : 1;
}

unsigned surface_registers(const Instruction& instruction) {
  if (modifier_index(instruction.form, Modifier::surface_mask) < 0) return sized_registers(instruction);
  return static_cast<unsigned>(std::popcount(get_modifier(instruction, Modifier::surface_mask)));
}

unsigned texture_registers(const Instruction& instruction, Span span) {
  TextureOperands operands;
  if (!texture_operands(instruction, operands)) return 1;
  switch (span) {
    case Span::texture_coordinates:
    case Span::scalar_first: return operands.a_count;
    case Span::texture_extra:
    case Span::scalar_second: return operands.b_count;
    case Span::texture_result:
    case Span::scalar_result_low: return operands.low_count;
    case Span::scalar_result_high: return operands.high_count;
    default: return 1;
  }
}

bool is_texture_source(Span span) {
  return span == Span::texture_coordinates || span == Span::texture_extra || span == Span::scalar_first ||
         span == Span::scalar_second;
}

Rule check_vector(uint8_t first, unsigned count) {
  if (first == kRZ || count <= 1) return Rule::none;
  if (first % vector_alignment(count) != 0) return Rule::vector_alignment;
  return first + count > kRZ ? Rule::vector_past_end : Rule::none;
}

Rule check_operand(const Instruction& instruction, unsigned index) {
  const Slot& slot = form(instruction).operands[index];
  const Operand& operand = instruction.operands[index];
  if (operand.kind != OperandKind::reg && operand.kind != OperandKind::address) return Rule::none;
  if (slot.kind == SlotKind::pair_second) return Rule::none;
  const unsigned count = register_count(instruction, index);
  // "Rb must be RZ if it carries nothing; Ra and Rb must not be RZ if used": section 2.5.
  if (is_texture_source(slot.span)) {
    if (count == 0 && operand.reg != kRZ) return Rule::must_be_rz;
    // TXQ's only operand may be zero: uam and ptxas write RZ there.
    const Opcode op = form(instruction).opcode;
    if (count > 0 && operand.reg == kRZ && op != Opcode::txq) return Rule::needs_register;
  }
  return check_vector(operand.reg, count);
}

}  // namespace

unsigned register_count(const Instruction& instruction, unsigned index) {
  const Form& f = form(instruction);
  if (index >= f.operand_count) return 0;
  const Operand& operand = instruction.operands[index];
  if (operand.kind != OperandKind::reg && operand.kind != OperandKind::address) return 0;
  const Span span = f.operands[index].span;
  switch (span) {
    case Span::one: return 1;
    case Span::two: return 2;
    case Span::by_address: return get_modifier(instruction, Modifier::e) != 0 ? 2 : 1;
    case Span::by_memory_size:
    case Span::by_result_type:
    case Span::by_atomic_type: return sized_registers(instruction);
    case Span::cas_pair: return 2 * sized_registers(instruction);
    case Span::by_attribute_size: return get_modifier(instruction, Modifier::attribute_size) + 1u;
    case Span::surface_coordinates: return surface_axes(instruction);
    case Span::surface_data: return surface_registers(instruction);
    default: return texture_registers(instruction, span);
  }
}

Violation check_target(const Instruction& instruction, uint32_t sm) {
  constexpr uint32_t kFirstWithHalves = 53;
  if (sm >= kFirstWithHalves) return {};
  TextureOperands operands;
  if (texture_operands(instruction, operands)) return {operands.f16 ? Rule::half_precision : Rule::none};
  switch (form(instruction).opcode) {
    case Opcode::hadd2:
    case Opcode::hmul2:
    case Opcode::hfma2:
    case Opcode::hmul2_32i:
    case Opcode::hfma2_32i:
    case Opcode::hset2:
    case Opcode::hsetp2: return {Rule::half_precision};
    default: return {};
  }
}

uint32_t registers_of(const Instruction& instruction) {
  const Form& f = form(instruction);
  uint32_t result = 0;
  for (unsigned i = 0; i < f.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    const bool is_register = operand.kind == OperandKind::reg || operand.kind == OperandKind::address;
    if (is_register && operand.reg != kRZ)
      result = std::max(result, operand.reg + std::max(1u, register_count(instruction, i)));
  }
  return result;
}

Violation check_constraints(const Instruction& instruction) {
  const Form& f = form(instruction);
  for (unsigned i = 0; i < f.operand_count; ++i) {
    if ((facts(instruction).scalars >> i & 1) != 0) continue;  // one register may be any
    const Rule rule = check_operand(instruction, i);
    if (rule != Rule::none) return {rule, static_cast<int8_t>(i)};
  }
  // A scalar mask code of 0 does not exist; a long form may select no component.
  if (latency_class(instruction) != LatencyClass::texture) return {};
  for (unsigned i = 0; i < f.operand_count; ++i) {
    if (f.operands[i].kind == SlotKind::texture_dim &&
        instruction.operands[i].value == static_cast<int32_t>(TextureDim::array_3d))
      return {Rule::reserved_dimension, static_cast<int8_t>(i)};
  }
  TextureOperands operands;
  if (texture_operands(instruction, operands) && operands.mask == 0) {
    return {Rule::mask_empty, static_cast<int8_t>(f.operand_count - 1)};
  }
  return {};
}

}  // namespace texlate::maxwell
