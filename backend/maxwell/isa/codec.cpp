#include "backend/maxwell/isa/codec.h"

#include <bit>

#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {
namespace {

constexpr std::string_view kRuleTexts[] = {
#define RULE(name, text) text,
#include "backend/maxwell/isa/rules.inc"
#undef RULE
};

bool part_exists(PartKind kind, uint8_t part) {
  return part == 0 || !part_text(kind, part).empty();
}

/// Fills in the operands without a field.
void fill_special(const Form& form, Instruction& out) {
  for (unsigned i = 0; i < form.operand_count; ++i) {
    uint8_t& reg = out.operands[i].reg;
    if (form.operands[i].kind == SlotKind::pair_second)
      reg = static_cast<uint8_t>(out.operands[i - 1].reg + cas_step(out));
    if (form.operands[i].kind == SlotKind::same_as_rd) reg = out.operands[0].reg;
  }
}

void fill_fields(const CompiledForm& form, uint64_t word, Instruction& out) {
  out = form.prototype;
  uint8_t* bytes = reinterpret_cast<uint8_t*>(&out);
  for (unsigned i = 0; i < form.byte_count; ++i) {
    const ByteMove& move = form.bytes[i];
    bytes[move.byte] |= static_cast<uint8_t>(((word >> move.at & move.mask) ^ move.flip) << move.shift);
  }
  for (unsigned rest = form.valued; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    out.operands[i].value = form.values[i].read(word);
  }
}

Rule value_rule(SlotKind kind, const ValueMove& move, int32_t value) {
  const Rule rule = slot_info(kind).rule;
  const bool is_multiple = value % (1 << move.shift) == 0;
  if (rule == Rule::constant_offset && !is_multiple) return Rule::constant_alignment;
  if (rule == Rule::address_range && !is_multiple) return Rule::address_scale;
  return rule;
}

Rule check_operand(const Form& form, const CompiledForm& compiled, const Instruction& instruction,
                   unsigned index) {
  const Slot& slot = form.operands[index];
  const Operand& operand = instruction.operands[index];
  if (operand.kind != compiled.prototype.operands[index].kind) return Rule::operand_kind;
  if ((operand.flags & ~slot.flags) != 0) return Rule::operand_flag;
  if (!part_exists(slot.part, operand.part)) return Rule::operand_part;
  switch (slot.kind) {
    case SlotKind::predicate:
    case SlotKind::predicate_inverted:
      if (operand.reg > kPT) return Rule::predicate_range;
      break;
    case SlotKind::constant:
    case SlotKind::constant_index:
    case SlotKind::constant_target:
      if (operand.bank > 31) return Rule::constant_bank;
      if (slot.kind != SlotKind::constant_index && operand.reg != kRZ) return Rule::operand_kind;
      break;
    case SlotKind::attribute:
      if (slot.scale != 0 && operand.reg != kRZ) return Rule::must_be_rz;
      break;
    case SlotKind::pair_second:
      if (instruction.operands[index - 1].reg + cas_step(instruction) >= kRZ) return Rule::vector_past_end;
      if (operand.reg != instruction.operands[index - 1].reg + cas_step(instruction))
        return Rule::pair_second;
      break;
    case SlotKind::same_as_rd:
      if (operand.reg != instruction.operands[0].reg) return Rule::same_register;
      break;
    case SlotKind::texture_query:
      if (texture_query_text(static_cast<uint32_t>(operand.value)).empty()) return Rule::word_value;
      break;
    case SlotKind::scalar_mask:
      if (scalar_mask_bits(static_cast<uint32_t>(operand.value), instruction.operands[0].reg != kRZ) == 0)
        return Rule::word_value;
      break;
    case SlotKind::scoreboard:
      if (operand.value > 5) return Rule::word_value;
      break;
    default: break;
  }
  if (operand.value == 0 || (compiled.valued >> index & 1) != 0) return Rule::none;
  return slot.kind == SlotKind::unsigned_imm ? Rule::texture_index_unused : slot_info(slot.kind).rule;
}

bool decode_as(const CompiledForm& form, uint64_t word, Instruction& out) {
  fill_fields(form, word, out);
  uint32_t valid = 1;
  for (unsigned i = 0; i < form.modifier_count; ++i) valid &= form.valid[i] >> out.modifiers[i];
  if ((valid & 1) == 0) return false;
  if (!form.special) return true;
  const Form& table_form = compiled_table().forms[out.form];
  fill_special(table_form, out);
  for (unsigned i = 0; i < table_form.operand_count; ++i) {
    if (check_operand(table_form, form, out, i) != Rule::none) return false;
  }
  return true;
}

}  // namespace

uint8_t cas_step(const Instruction& instruction) {
  return get_modifier(instruction, Modifier::cas_size) == static_cast<uint8_t>(CasSize::b64) ? 2 : 1;
}

std::string_view rule_text(Rule rule) {
  return kRuleTexts[static_cast<size_t>(rule)];
}

bool decode(uint64_t word, Instruction& out) {
  const CompiledTable& table = compiled_table();
  const DecoderIndex& index = decoder_index();
  const uint64_t top = word >> 51;
  for (unsigned i = index.first[top]; i < index.first[top + 1]; ++i) {
    const CompiledForm& form = table.compiled[index.candidates[i]];
    if (((word ^ form.value) & form.fixed_mask) != 0) continue;
    if (form.forbidden != 0 && (word & form.forbidden) == form.forbidden) continue;
    if (decode_as(form, word, out)) return true;
  }
  return false;
}

void decode(FormId form, uint64_t word, Instruction& out) {
  const CompiledForm& compiled = compiled_form(form);
  fill_fields(compiled, word, out);
  if (compiled.special) fill_special(maxwell::form(form), out);
}

Violation check_encodable(const Instruction& instruction) {
  const CompiledTable& table = compiled_table();
  if (instruction.form >= table.forms.size()) return {Rule::no_such_form, -1};
  const Form& form = table.forms[instruction.form];
  const CompiledForm& compiled = table.compiled[instruction.form];
  if (instruction.guard > 15 || (!form.guarded && instruction.guard != kPT)) return {Rule::no_guard, -1};
  for (unsigned i = 0; i < form.modifier_count; ++i) {
    if (instruction.modifiers[i] > 31 || (compiled.valid[i] >> instruction.modifiers[i] & 1) == 0) {
      return {Rule::modifier_value, -1};
    }
  }
  for (unsigned i = 0; i < form.operand_count; ++i) {
    const Rule rule = check_operand(form, compiled, instruction, i);
    if (rule != Rule::none) return {rule, static_cast<int8_t>(i)};
  }
  for (unsigned i = 0; i < form.operand_count; ++i) {
    const ValueMove& move = compiled.values[i];
    const int32_t value = instruction.operands[i].value;
    if ((compiled.valued >> i & 1) != 0 && !move.holds(value))
      return {value_rule(form.operands[i].kind, move, value), static_cast<int8_t>(i)};
  }
  if (form.forbidden != 0 && (encode_unchecked(instruction) & form.forbidden) == form.forbidden) {
    return {Rule::both_negated, 1};
  }
  return {};
}

uint64_t encode_as(const CompiledForm& form, const Instruction& instruction) {
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(&instruction);
  uint64_t word = form.value;
  for (unsigned i = 0; i < form.byte_count; ++i) {
    const ByteMove& move = form.bytes[i];
    word |= ((static_cast<uint64_t>(bytes[move.byte]) >> move.shift & move.mask) ^ move.flip) << move.at;
  }
  for (unsigned rest = form.valued; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    word |= form.values[i].write(instruction.operands[i].value);
  }
  return word;
}

uint64_t encode_unchecked(const Instruction& instruction) {
  return encode_as(compiled_form(instruction.form), instruction);
}

}  // namespace texlate::maxwell
