#include "backend/maxwell/isa/operand_parser.h"

#include <bit>
#include <cmath>

#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/scalar_forms.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/words.h"
#include "ir/base/characters.h"
#include "ir/base/number_text.h"

namespace texlate::maxwell {
namespace {

using enum OperandResult;

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

/// -?0x1f or -?31; all of the text.
bool parse_integer(std::string_view text, int64_t& out) {
  const bool negative = take(text, "-");
  const int base = take(text, "0x") ? 16 : 10;
  uint32_t value = 0;
  if (!read_number(text, value, base)) return false;
  out = negative ? -int64_t{value} : int64_t{value};
  return true;
}

bool parse_index(std::string_view text, unsigned limit, uint8_t& out) {
  unsigned value = 0;
  if (!read_number(text, value) || value >= limit || (text.size() > 1 && text.front() == '0')) return false;
  out = static_cast<uint8_t>(value);
  return true;
}

bool parse_register(std::string_view text, uint8_t& out) {
  if (text == "RZ") {
    out = kRZ;
    return true;
  }
  return take(text, "R") && parse_index(text, 255, out);
}

bool parse_predicate(std::string_view text, uint8_t& out) {
  if (text == "PT") {
    out = kPT;
    return true;
  }
  return take(text, "P") && parse_index(text, 7, out);
}

/// Value of an offset, which the text may give as an unsigned number if there is no base register.
bool to_signed(int64_t value, unsigned bits, bool wrap, int32_t& out) {
  const int64_t half = int64_t{1} << (bits - 1);
  if (wrap && value >= half && value < 2 * half) value -= 2 * half;
  if (value < INT32_MIN || value > INT32_MAX) return false;
  out = static_cast<int32_t>(value);
  return true;
}

void parse_part(const Slot& slot, std::string_view& text, Operand& operand) {
  operand.part = 0;
  for (uint8_t part = 1; part < 4 && operand.part == 0; ++part) {
    const std::string_view suffix = part_text(slot.part, part);
    if (!suffix.empty() && take_suffix(text, suffix)) operand.part = part;
  }
}

/// [R1+0x10] without the brackets; `bits`: width of the offset.
bool parse_base_offset(std::string_view text, unsigned bits, Operand& operand) {
  const size_t plus = text.find('+');
  const std::string_view base = text.substr(0, plus);
  int64_t offset = 0;
  operand.value = 0;
  operand.reg = kRZ;
  if (plus == std::string_view::npos && parse_register(base, operand.reg)) return true;
  if (plus == std::string_view::npos) {
    return parse_integer(base, offset) && to_signed(offset, bits, true, operand.value);
  }
  return parse_register(base, operand.reg) && parse_integer(text.substr(plus + 1), offset) &&
         to_signed(offset, bits, false, operand.value);
}

/// c[0x0][0x8] or c[0x0] [0x8]
bool parse_constant(const Slot& slot, std::string_view text, Operand& operand) {
  if (!take(text, "c[")) return false;
  const size_t end = text.find(']');
  int64_t bank = 0;
  if (end == std::string_view::npos || !parse_integer(text.substr(0, end), bank) || bank < 0 || bank > 255)
    return false;
  text.remove_prefix(end + 1);
  text = trim(text);
  if (!take(text, "[") || !take_suffix(text, "]")) return false;
  operand.bank = static_cast<uint8_t>(bank);
  operand.reg = kRZ;
  operand.value = 0;
  if (slot.kind == SlotKind::constant_index) return parse_base_offset(text, 16, operand);
  int64_t offset = 0;
  if (!parse_integer(text, offset)) return false;
  return to_signed(offset, 32, false, operand.value);
}

OperandResult parse_register_like(const Slot& slot, std::string_view text, Instruction& instruction,
                                  Operand& operand) {
  operand.flags = 0;
  if (take_suffix(text, ".reuse")) {
    if (slot.reuse == 0) return mismatch;
    instruction.control.reuse |= static_cast<uint8_t>(1u << (slot.reuse - 1));
  }
  if (take(text, "-")) operand.flags |= kNegate;
  if (take(text, "~")) operand.flags |= kInvert;
  if (take(text, "|")) {
    if (!take_suffix(text, "|")) return mismatch;
    operand.flags |= kAbsolute;
  }
  if (take_suffix(text, ".CC")) operand.flags |= kWriteCC;
  parse_part(slot, text, operand);
  if (operand.kind == OperandKind::constant) return parse_constant(slot, text, operand) ? ok : mismatch;
  return parse_register(text, operand.reg) ? ok : mismatch;
}

/// Finds the f16 with this value whose bits are a multiple of `step`. Returns false if there is none.
bool to_half(double value, int32_t step, int32_t& out) {
  const int32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(value);
  for (int32_t bits = 0; bits < 0x7c00; bits += step) {
    if (float_value(SlotKind::half16, static_cast<uint32_t>(bits)) != magnitude) continue;
    out = sign | bits;
    return true;
  }
  return false;
}

/// Decimal, +INF, -QNAN, or 0x... for the bits (of a double: the upper 32).
bool parse_float(const Slot& slot, std::string_view text, int32_t& out, bool& exact) {
  exact = true;
  if (text.starts_with("0x")) {
    int64_t bits = 0;
    if (!parse_integer(text, bits)) return false;
    out = static_cast<int32_t>(static_cast<uint32_t>(bits));
    return true;
  }
  if (text == "+INF" || text == "-INF" || text == "+QNAN" || text == "-QNAN") {
    const FloatBits special = float_bits(slot.kind);
    const uint32_t sign = text.front() == '-' ? special.sign : 0;
    out = static_cast<int32_t>(sign | (text.ends_with("NAN") ? special.quiet : special.infinity));
    return true;
  }
  if (text.empty() || text.find_first_not_of("0123456789.e+-") != std::string_view::npos) return false;
  if (slot.kind == SlotKind::double20) {
    double value = 0;
    if (!read_number(text, value)) return false;
    const uint64_t bits = std::bit_cast<uint64_t>(value);
    exact = (bits & 0xffffffffu) == 0;
    out = static_cast<int32_t>(bits >> 32);
    return true;
  }
  if (slot.kind == SlotKind::half10 || slot.kind == SlotKind::half16) {
    double value = 0;
    if (!read_number(text, value)) return false;
    // Of 10 bits only the upper ones can be encoded.
    exact = to_half(value, slot.kind == SlotKind::half10 ? 64 : 1, out);
    return true;
  }
  float value = 0;
  if (!read_number(text, value)) return false;
  out = std::bit_cast<int32_t>(value);
  return true;
}

OperandResult parse_immediate(const Slot& slot, std::string_view text, Operand& operand) {
  operand.flags = 0;
  parse_part(slot, text, operand);
  if (take_suffix(text, ".INV")) operand.flags |= kInvert;
  if (take_suffix(text, ".ABS")) operand.flags |= kAbsolute;
  if (take_suffix(text, ".NEG")) operand.flags |= kNegate;
  text = trim(text);
  if (float_bits(slot.kind).quiet != 0) {
    bool exact = true;
    if (!parse_float(slot, text, operand.value, exact)) return mismatch;
    return exact ? ok : bad_number;
  }
  int64_t value = 0;
  if (!parse_integer(text, value)) return mismatch;
  const bool is_signed = slot.kind == SlotKind::signed_imm || slot.kind == SlotKind::imm20;
  if (is_signed ? value < INT32_MIN || value > INT32_MAX : value < 0) return bad_number;
  operand.value = static_cast<int32_t>(static_cast<uint32_t>(value));
  return ok;
}

OperandResult parse_target(const Slot& slot, std::string_view text, const OperandContext& context,
                           Operand& operand) {
  int64_t target = 0;
  if (!parse_integer(text, target)) {
    if (!context.labels || text.empty()) return mismatch;
    const char first = static_cast<char>(text.front() | 32);
    const bool letter = text.front() == '.' || text.front() == '_' || (first >= 'a' && first <= 'z');
    if (!letter || text.find_first_of(" []{}|,") != std::string_view::npos) return mismatch;
    target = context.labels(text);
    if (target < 0) return unknown_label;
  }
  if (slot.kind == SlotKind::absolute) {
    operand.value = static_cast<int32_t>(static_cast<uint32_t>(target));
    return target < 0 ? bad_number : ok;
  }
  const int64_t offset = target - static_cast<int64_t>(context.address) - 8;
  if (offset < -(1 << 23) || offset >= 1 << 23) return bad_number;
  operand.value = static_cast<int32_t>(offset);
  return ok;
}

/// The form whose suffix was parsed already: several forms share one; the dimension decides.
template <size_t count>
OperandResult parse_form_dim(const ScalarForm (&rows)[count], Modifier kind, std::string_view text,
                             Instruction& instruction) {
  const std::string_view suffix = modifier_text(kind, get_modifier(instruction, kind));
  for (const ScalarForm& row : rows) {
    if (modifier_text(kind, row.form) != suffix) continue;
    if (texture_dim_text(static_cast<uint32_t>(row.dim)) != text) continue;
    set_modifier(instruction, kind, row.form);
    return ok;
  }
  return mismatch;
}

/// The value in [0, limit) whose text is `text`.
template <typename TextOf>
OperandResult parse_named(std::string_view text, uint32_t limit, TextOf&& text_of, Operand& operand) {
  for (uint32_t value = 0; value < limit; ++value) {
    if (!text.empty() && text_of(value) == text) {
      operand.value = static_cast<int32_t>(value);
      return ok;
    }
  }
  return mismatch;
}

OperandResult parse_special_register(std::string_view text, Operand& operand) {
  if (parse_named(text, 256, special_register_text, operand) == ok) return ok;
  uint8_t index = 0;
  if (!take(text, "SR") || !parse_index(text, 256, index) || !special_register_text(index).empty())
    return mismatch;
  operand.value = index;
  return ok;
}

OperandResult parse_swizzle(std::string_view text, Operand& operand) {
  if (text.size() != 8) return mismatch;
  operand.value = 0;
  for (unsigned i = 0; i < 8; i += 2) {
    const std::string_view pair = text.substr(i, 2);
    const int code = pair == "PP" ? 0 : pair == "NP" ? 1 : pair == "PN" ? 2 : pair == "ZP" ? 3 : -1;
    if (code < 0) return mismatch;
    operand.value = operand.value << 2 | code;
  }
  return ok;
}

OperandResult parse_scoreboards(std::string_view text, Operand& operand) {
  if (!take(text, "{") || !take_suffix(text, "}")) return mismatch;
  operand.value = 0;
  while (!text.empty()) {
    const char digit = text.front();
    if (digit < '0' || digit > '5') return mismatch;
    operand.value |= 1 << (digit - '0');
    text.remove_prefix(1);
    if (!text.empty() && !take(text, ",")) return mismatch;
  }
  return operand.value == 0 ? mismatch : ok;
}

OperandResult parse_word(const Slot& slot, std::string_view text, Instruction& instruction, unsigned index) {
  Operand& operand = instruction.operands[index];
  switch (slot.kind) {
    case SlotKind::literal: return text == slot.text ? ok : mismatch;
    case SlotKind::texture_dim: return parse_named(text, 8, texture_dim_text, operand);
    case SlotKind::texture_query: return parse_named(text, 64, texture_query_text, operand);
    case SlotKind::texs_dim: return parse_form_dim(kTexs, Modifier::texs_form, text, instruction);
    case SlotKind::tlds_dim: return parse_form_dim(kTlds, Modifier::tlds_form, text, instruction);
    case SlotKind::scalar_mask: {
      const bool two = instruction.operands[0].reg != kRZ;
      return parse_named(
          text, 8, [two](uint32_t value) { return scalar_mask_text(value, two); }, operand);
    }
    case SlotKind::special_register: return parse_special_register(text, operand);
    case SlotKind::condition:
      if (!take(text, "CC.")) return mismatch;
      return parse_named(
          text, 32, [](uint32_t value) { return modifier_text(Modifier::condition, value & 31); }, operand);
    case SlotKind::swizzle: return parse_swizzle(text, operand);
    case SlotKind::scoreboard: {
      uint8_t board = 0;
      if (!take(text, "SB") || !parse_index(text, 6, board)) return mismatch;
      operand.value = board;
      return ok;
    }
    case SlotKind::scoreboard_set: return parse_scoreboards(text, operand);
    default: return mismatch;
  }
}

OperandResult parse_address(const Slot& slot, std::string_view text, Operand& operand) {
  if (slot.kind == SlotKind::register_offset) {
    const size_t space = text.find(' ');
    int64_t offset = 0;
    operand.value = 0;
    if (!parse_register(text.substr(0, space), operand.reg)) return mismatch;
    if (space == std::string_view::npos) return ok;
    if (!parse_integer(trim(text.substr(space)), offset)) return mismatch;
    return to_signed(offset, 32, false, operand.value) ? ok : bad_number;
  }
  const bool is_attribute = slot.kind == SlotKind::attribute || slot.kind == SlotKind::attribute_index;
  if (is_attribute && !take(text, "a")) return mismatch;
  if (!take(text, "[") || !take_suffix(text, "]")) return mismatch;
  const unsigned bits = is_attribute ? 32 : slot.width == 0 ? 32 : slot.width + slot.scale;
  return parse_base_offset(text, bits, operand) ? ok : mismatch;
}

}  // namespace

OperandResult parse_operand(const Slot& slot, std::string_view text, const OperandContext& context,
                            Instruction& instruction, unsigned index) {
  Operand& operand = instruction.operands[index];
  switch (operand.kind) {
    case OperandKind::none: return mismatch;
    case OperandKind::reg:
    case OperandKind::constant: return parse_register_like(slot, text, instruction, operand);
    case OperandKind::predicate:
      operand.flags = 0;
      if (slot.invert != 0 && take(text, "!")) operand.flags = kInvert;
      return parse_predicate(text, operand.reg) ? ok : mismatch;
    case OperandKind::immediate: return parse_immediate(slot, text, operand);
    case OperandKind::address: return parse_address(slot, text, operand);
    case OperandKind::target: return parse_target(slot, text, context, operand);
    case OperandKind::word: return parse_word(slot, text, instruction, index);
  }
  return mismatch;
}

}  // namespace texlate::maxwell
