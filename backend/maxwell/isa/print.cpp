#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <vector>

#include "backend/maxwell/isa/scalar_forms.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {
namespace {

/// What an instruction takes at most, without names and labels: eight operands and eight modifiers of less
/// than 64 characters each.
constexpr size_t kMostText = 64 * (kMaxOperands + kMaxModifiers + 1);

// These append to a text, and return its new end.

char* write(std::string_view text, char* at) {
  return std::copy(text.begin(), text.end(), at);
}

char* append_number(uint64_t value, int base, char* at) {
  return std::to_chars(at, at + 20, value, base).ptr;
}

char* append_hex(int64_t value, char* at) {
  if (value < 0) *at++ = '-';
  at = write("0x", at);
  return append_number(value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value), 16, at);
}

/// An operand whose register or predicate may have a name.
struct NamedOperand {
  const Instruction& instruction;
  unsigned index;
  std::string_view name;  // void: it has none

  const Operand& operand() const { return instruction.operands[index]; }
};

char* append_register(const NamedOperand& named, char* at) {
  if (!named.name.empty()) return write(named.name, at);
  const unsigned reg = named.operand().reg;
  *at++ = 'R';
  if (reg == kRZ) {
    *at++ = 'Z';
    return at;
  }
  if (reg >= 100) *at++ = static_cast<char>('0' + reg / 100);
  if (reg >= 10) *at++ = static_cast<char>('0' + reg / 10 % 10);
  *at++ = static_cast<char>('0' + reg % 10);
  return at;
}

char* append_predicate(unsigned predicate, bool inverted, std::string_view name, char* at) {
  if (inverted) *at++ = '!';
  if (!name.empty()) return write(name, at);
  *at++ = 'P';
  *at++ = predicate == kPT ? 'T' : static_cast<char>('0' + predicate);
  return at;
}

/// As in nvdisasm, including the trailing space: "%.20g" below 1e9, "%.20e" from there on. NaNs other than
/// the quiet one would lose their bits, so they are printed as bits.
char* append_float(double value, bool canonical_nan, uint64_t bits, char* at) {
  if (std::isnan(value)) {
    if (!canonical_nan) return append_hex(static_cast<int64_t>(bits), at);
    return write(std::signbit(value) ? "-QNAN " : "+QNAN ", at);
  }
  if (std::isinf(value)) return write(value < 0 ? "-INF " : "+INF ", at);
  constexpr size_t kMost = 64;
  const auto format = std::abs(value) < 1e9 ? std::chars_format::general : std::chars_format::scientific;
  return std::to_chars(at, at + kMost, value, format, 20).ptr;
}

double half_to_double(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::copysign(NAN, sign);
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

char* append_immediate(const Slot& slot, const Operand& operand, char* at) {
  const uint32_t bits = static_cast<uint32_t>(operand.value);
  switch (slot.kind) {
    case SlotKind::float20:
    case SlotKind::float32: {
      const uint32_t quiet = slot.kind == SlotKind::float20 ? 0x7ffff000u : 0x7fffffffu;
      at = append_float(std::bit_cast<float>(bits), (bits & 0x7fffffffu) == quiet, bits, at);
      break;
    }
    case SlotKind::double20:
      at = append_float(std::bit_cast<double>(static_cast<uint64_t>(bits) << 32),
                        (bits & 0x7fffffffu) == 0x7ffff000u, bits, at);
      break;
    case SlotKind::half10:
    case SlotKind::half16: {
      const uint32_t quiet = slot.kind == SlotKind::half10 ? 0x7fc0u : 0x7fffu;
      at = append_float(half_to_double(static_cast<uint16_t>(bits)), (bits & 0x7fffu) == quiet, bits, at);
      break;
    }
    case SlotKind::signed_imm:
    case SlotKind::imm20: at = append_hex(operand.value, at); break;
    default: at = append_hex(bits, at); break;
  }
  if ((operand.flags & kNegate) != 0) at = write(".NEG", at);
  if ((operand.flags & kAbsolute) != 0) at = write(".ABS", at);
  if ((operand.flags & kInvert) != 0) at = write(".INV", at);
  return at;
}

/// [R1+0x10], [R1+-0x8], [0x10], [RZ]; without a base, the offset is an unsigned number of `bits` bits.
char* append_address(const NamedOperand& named, unsigned bits, char* at) {
  const Operand& operand = named.operand();
  const uint64_t mask = bits >= 32 ? 0xffffffffu : (uint64_t{1} << bits) - 1;
  *at++ = '[';
  if (operand.reg == kRZ && operand.value != 0) {
    at = append_hex(static_cast<int64_t>(static_cast<uint32_t>(operand.value) & mask), at);
  } else {
    at = append_register(named, at);
    if (operand.value != 0) {
      *at++ = '+';
      at = append_hex(operand.value, at);
    }
  }
  *at++ = ']';
  return at;
}

char* append_constant(const Slot& slot, const NamedOperand& named, char* at) {
  const Operand& operand = named.operand();
  at = write("c[", at);
  at = append_hex(operand.bank, at);
  at = write(slot.spaced ? "] [" : "][", at);
  if (slot.kind == SlotKind::constant_index && operand.reg != kRZ) {
    at = append_register(named, at);
    if (operand.value != 0) {
      *at++ = '+';
      at = append_hex(operand.value, at);
    }
  } else {
    at = append_hex(operand.value, at);
  }
  *at++ = ']';
  return at;
}

/// Each pair of bits specifies how a lane's result is formed; the top pair is printed first.
char* append_swizzle(uint32_t value, char* at) {
  constexpr std::string_view kPairs[] = {"PP", "NP", "PN", "ZP"};
  for (int pair = 3; pair >= 0; --pair) at = write(kPairs[value >> (2 * pair) & 3], at);
  return at;
}

char* append_scoreboards(uint32_t set, char* at) {
  *at++ = '{';
  bool first = true;
  for (int bit = 5; bit >= 0; --bit) {
    if ((set >> bit & 1) == 0) continue;
    if (!first) *at++ = ',';
    *at++ = static_cast<char>('0' + bit);
    first = false;
  }
  *at++ = '}';
  return at;
}

char* append_special_register(uint32_t value, char* at) {
  const std::string_view name = special_register_text(value);
  return name.empty() ? append_number(value, 10, write("SR", at)) : write(name, at);
}

char* append_word(const Instruction& instruction, const Slot& slot, const Operand& operand, char* at) {
  const uint32_t value = static_cast<uint32_t>(operand.value);
  switch (slot.kind) {
    case SlotKind::literal: return write(slot.text, at);
    case SlotKind::texture_dim: return write(texture_dim_text(value), at);
    case SlotKind::texture_query: return write(texture_query_text(value), at);
    case SlotKind::texs_dim:
    case SlotKind::tlds_dim: {
      const bool is_texs = slot.kind == SlotKind::texs_dim;
      const ScalarForm* row = scalar_form(
          is_texs, get_modifier(instruction, is_texs ? Modifier::texs_form : Modifier::tlds_form));
      return row == nullptr ? at : write(texture_dim_text(static_cast<uint32_t>(row->dim)), at);
    }
    case SlotKind::scalar_mask: return write(scalar_mask_text(value, instruction.operands[0].reg != kRZ), at);
    case SlotKind::special_register: return append_special_register(value, at);
    case SlotKind::condition:
      return write(modifier_text(Modifier::condition, static_cast<uint8_t>(value)), write("CC.", at));
    case SlotKind::swizzle: return append_swizzle(value, at);
    case SlotKind::scoreboard: return append_number(value, 10, write("SB", at));
    case SlotKind::scoreboard_set: return append_scoreboards(value, at);
    default: return at;
  }
}

bool omitted(Omit omit, const Operand& operand) {
  if (omit == Omit::never || is_mask(omit)) return false;
  if (omit == Omit::pt && (operand.flags & kInvert) != 0) return false;
  return (is_register(omit) ? operand.reg : operand.value) == omitted_number(omit);
}

char* append_operand(const NamedOperand& named, const Slot& slot, char* at) {
  const Instruction& instruction = named.instruction;
  const Operand& operand = named.operand();
  const bool negated = (operand.flags & kNegate) != 0;
  const bool absolute = (operand.flags & kAbsolute) != 0;
  switch (operand.kind) {
    case OperandKind::none: break;
    case OperandKind::reg:
    case OperandKind::constant:
      if (negated) *at++ = '-';
      if ((operand.flags & kInvert) != 0) *at++ = '~';
      if (absolute) *at++ = '|';
      if (operand.kind == OperandKind::reg) {
        at = append_register(named, at);
      } else {
        at = append_constant(slot, named, at);
      }
      if (operand.part != 0) at = write(part_text(slot.part, operand.part), at);
      if ((operand.flags & kWriteCC) != 0) at = write(".CC", at);
      if (absolute) *at++ = '|';
      if (slot.reuse != 0 && (instruction.control.reuse >> (slot.reuse - 1) & 1) != 0)
        at = write(".reuse", at);
      break;
    case OperandKind::predicate:
      return append_predicate(operand.reg, (operand.flags & kInvert) != 0, named.name, at);
    case OperandKind::immediate:
      at = append_immediate(slot, operand, at);
      if (operand.part != 0) at = write(part_text(slot.part, operand.part), at);
      break;
    case OperandKind::address:
      if (slot.kind == SlotKind::register_offset) {
        at = append_register(named, at);
        if (operand.value != 0) {
          *at++ = ' ';
          at = append_hex(operand.value, at);
        }
        break;
      }
      if (slot.kind == SlotKind::attribute || slot.kind == SlotKind::attribute_index) *at++ = 'a';
      if (slot.kind == SlotKind::attribute && slot.scale == kOffsetOnly) {
        *at++ = '[';
        at = append_hex(operand.value, at);
        *at++ = ']';
        break;
      }
      at = append_address(named, slot.width + slot.scale, at);
      break;
    case OperandKind::target: break;  // printed by the caller, which has the address
    case OperandKind::word: at = append_word(instruction, slot, operand, at); break;
  }
  return at;
}

}  // namespace

int64_t branch_target(const Instruction& instruction, uint32_t address) {
  const Form& f = form(instruction);
  for (unsigned i = 0; i < f.operand_count; ++i) {
    if (f.operands[i].kind == SlotKind::target) {
      return static_cast<int64_t>(address) + 8 + instruction.operands[i].value;
    }
    if (f.operands[i].kind == SlotKind::absolute) return static_cast<uint32_t>(instruction.operands[i].value);
  }
  return -1;
}

void print(const Instruction& instruction, uint32_t address, std::string& out, std::string_view label,
           const RegisterNamer& namer) {
  const Form& f = form(instruction);
  std::vector<std::string> names(namer ? f.operand_count : 0u);
  size_t room = kMostText + label.size();
  for (unsigned i = 0; i < names.size(); ++i) {
    if (!namer(instruction, i, names[i])) names[i].clear();
    room += names[i].size();
  }
  std::array<char, kMostText> usual;
  std::string longer;
  if (room > usual.size()) longer.resize(room);
  char* const begin = longer.empty() ? usual.data() : longer.data();
  char* at = begin;
  if (f.guarded && instruction.guard != kPT) {
    *at++ = '@';
    at = append_predicate(instruction.guard & 7, (instruction.guard & 8) != 0, {}, at);
    *at++ = ' ';
  }
  const OpcodeInfo& info = opcode_info(f.opcode);
  at = write(info.text, at);
  for (unsigned i = 0; i < f.modifier_count; ++i) {
    const ModifierField& field = f.modifiers[i];
    const std::string_view text =
        field.kind == Modifier::literal ? field.text : modifier_text(field.kind, instruction.modifiers[i]);
    if (text.empty()) continue;
    *at++ = '.';
    at = write(text, at);
  }
  if (info.latency_class == LatencyClass::texture) {
    if (instruction.control.reuse == static_cast<uint8_t>(TexturePhase::t)) at = write(".T", at);
    if (instruction.control.reuse == static_cast<uint8_t>(TexturePhase::p)) at = write(".P", at);
  }
  bool first = true;
  for (unsigned i = 0; i < f.operand_count; ++i) {
    const Slot& slot = f.operands[i];
    const Operand& operand = instruction.operands[i];
    if (omitted(slot.omit, operand)) continue;
    if (!first) *at++ = ',';
    *at++ = ' ';
    first = false;
    if (operand.kind != OperandKind::target) {
      const auto name = names.empty() ? std::string_view() : names[i];
      at = append_operand({instruction, i, name}, slot, at);
    } else if (!label.empty()) {
      at = write(label, at);
    } else if (slot.kind == SlotKind::absolute) {
      at = append_hex(static_cast<uint32_t>(operand.value), at);
    } else {
      at = append_hex(static_cast<int64_t>(address) + 8 + operand.value, at);
    }
  }
  if (at[-1] == ' ') --at;
  assert(static_cast<size_t>(at - begin) <= room);
  out.append(begin, at);
}

}  // namespace texlate::maxwell
