#include <bit>
#include <charconv>
#include <cmath>

#include "backend/maxwell/isa/scalar_forms.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {
namespace {

void append_number(uint64_t value, int base, std::string& out) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value, base).ptr;
  out.append(buffer, end);
}

void append_hex(int64_t value, std::string& out) {
  if (value < 0) out += '-';
  out += "0x";
  append_number(value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value), 16, out);
}

void append_register(uint8_t reg, std::string& out) {
  if (reg == kRZ) {
    out += "RZ";
  } else {
    out += 'R';
    append_number(reg, 10, out);
  }
}

void append_predicate(uint8_t predicate, bool inverted, std::string& out) {
  if (inverted) out += '!';
  out += 'P';
  out += predicate == kPT ? 'T' : static_cast<char>('0' + predicate);
}

/// An operand whose register or predicate may have a name.
struct NamedOperand {
  const Instruction& instruction;
  unsigned index;
  const RegisterNamer* namer;

  const Operand& operand() const { return instruction.operands[index]; }
  bool append_name(std::string& out) const {
    return namer != nullptr && namer->append(instruction, index, out);
  }
};

void append_register(const NamedOperand& named, std::string& out) {
  if (!named.append_name(out)) append_register(named.operand().reg, out);
}

void append_predicate(const NamedOperand& named, std::string& out) {
  const bool inverted = (named.operand().flags & kInvert) != 0;
  if (named.namer != nullptr && inverted) out += '!';
  if (named.append_name(out)) return;
  append_predicate(named.operand().reg, named.namer == nullptr && inverted, out);
}

/// As in nvdisasm, including the trailing space: "%.20g" below 1e9, "%.20e" from there on. NaNs other than
/// the quiet one would lose their bits, so they are printed as bits.
void append_float(double value, bool canonical_nan, uint64_t bits, std::string& out) {
  if (std::isnan(value)) {
    if (canonical_nan) {
      out += std::signbit(value) ? "-QNAN " : "+QNAN ";
    } else {
      append_hex(static_cast<int64_t>(bits), out);
    }
  } else if (std::isinf(value)) {
    out += value < 0 ? "-INF " : "+INF ";
  } else {
    char buffer[64];
    const auto format = std::abs(value) < 1e9 ? std::chars_format::general : std::chars_format::scientific;
    const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value, format, 20).ptr;
    out.append(buffer, end);
  }
}

double half_to_double(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::copysign(NAN, sign);
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

void append_immediate(const Slot& slot, const Operand& operand, std::string& out) {
  const uint32_t bits = static_cast<uint32_t>(operand.value);
  switch (slot.kind) {
    case SlotKind::float20:
    case SlotKind::float32: {
      const uint32_t quiet = slot.kind == SlotKind::float20 ? 0x7ffff000u : 0x7fffffffu;
      append_float(std::bit_cast<float>(bits), (bits & 0x7fffffffu) == quiet, bits, out);
      break;
    }
    case SlotKind::double20:
      append_float(std::bit_cast<double>(static_cast<uint64_t>(bits) << 32),
                   (bits & 0x7fffffffu) == 0x7ffff000u, bits, out);
      break;
    case SlotKind::half10:
    case SlotKind::half16: {
      const uint32_t quiet = slot.kind == SlotKind::half10 ? 0x7fc0u : 0x7fffu;
      append_float(half_to_double(static_cast<uint16_t>(bits)), (bits & 0x7fffu) == quiet, bits, out);
      break;
    }
    case SlotKind::signed_imm:
    case SlotKind::imm20: append_hex(operand.value, out); break;
    default: append_hex(bits, out); break;
  }
  if ((operand.flags & kNegate) != 0) out += ".NEG";
  if ((operand.flags & kAbsolute) != 0) out += ".ABS";
  if ((operand.flags & kInvert) != 0) out += ".INV";
}

void append_part(PartKind kind, uint8_t part, std::string& out) {
  if (part == 0) return;
  switch (kind) {
    case PartKind::none: break;
    case PartKind::h1:
    case PartKind::half_byte: out += ".H1"; break;
    case PartKind::half: out += part == 1 ? ".H0" : ".H1"; break;
    case PartKind::byte_:
      out += ".B";
      out += static_cast<char>('0' + part);
      break;
    case PartKind::pair_: out += part == 1 ? ".F32" : part == 2 ? ".H0_H0" : ".H1_H1"; break;
  }
}

/// [R1+0x10], [R1+-0x8], [0x10], [RZ]; without a base, the offset is an unsigned number of `bits` bits.
void append_address(const NamedOperand& named, unsigned bits, std::string& out) {
  const Operand& operand = named.operand();
  const uint64_t mask = bits >= 32 ? 0xffffffffu : (uint64_t{1} << bits) - 1;
  out += '[';
  if (operand.reg == kRZ && operand.value != 0) {
    append_hex(static_cast<int64_t>(static_cast<uint32_t>(operand.value) & mask), out);
  } else {
    append_register(named, out);
    if (operand.value != 0) {
      out += '+';
      append_hex(operand.value, out);
    }
  }
  out += ']';
}

void append_constant(const Slot& slot, const NamedOperand& named, std::string& out) {
  const Operand& operand = named.operand();
  out += "c[";
  append_hex(operand.bank, out);
  out += slot.spaced ? "] [" : "][";
  if (slot.kind == SlotKind::constant_index && operand.reg != kRZ) {
    append_register(named, out);
    if (operand.value != 0) {
      out += '+';
      append_hex(operand.value, out);
    }
  } else {
    append_hex(operand.value, out);
  }
  out += ']';
}

/// Each pair of bits specifies how a lane's result is formed; the top pair is printed first.
void append_swizzle(uint32_t value, std::string& out) {
  constexpr std::string_view kPairs[] = {"PP", "NP", "PN", "ZP"};
  for (int pair = 3; pair >= 0; --pair) out += kPairs[value >> (2 * pair) & 3];
}

void append_scoreboards(uint32_t set, std::string& out) {
  out += '{';
  bool first = true;
  for (int bit = 5; bit >= 0; --bit) {
    if ((set >> bit & 1) == 0) continue;
    if (!first) out += ',';
    out += static_cast<char>('0' + bit);
    first = false;
  }
  out += '}';
}

void append_special_register(uint32_t value, std::string& out) {
  const std::string_view name = special_register_text(value);
  if (!name.empty()) {
    out += name;
  } else {
    out += "SR";
    append_number(value, 10, out);
  }
}

void append_word(const Instruction& instruction, const Slot& slot, const Operand& operand, std::string& out) {
  const uint32_t value = static_cast<uint32_t>(operand.value);
  switch (slot.kind) {
    case SlotKind::literal: out += slot.text; break;
    case SlotKind::texture_dim: out += texture_dim_text(value); break;
    case SlotKind::texture_query: out += texture_query_text(value); break;
    case SlotKind::texs_dim: {
      const ScalarForm* row = texs_form(get_modifier(instruction, Modifier::texs_form));
      out += texture_dim_text(row == nullptr ? 8 : static_cast<uint32_t>(row->dim));
      break;
    }
    case SlotKind::tlds_dim: {
      const ScalarForm* row = tlds_form(get_modifier(instruction, Modifier::tlds_form));
      out += texture_dim_text(row == nullptr ? 8 : static_cast<uint32_t>(row->dim));
      break;
    }
    case SlotKind::scalar_mask: out += scalar_mask_text(value, instruction.operands[0].reg != kRZ); break;
    case SlotKind::special_register: append_special_register(value, out); break;
    case SlotKind::condition:
      out += "CC.";
      out += modifier_text(Modifier::condition, static_cast<uint8_t>(value));
      break;
    case SlotKind::swizzle: append_swizzle(value, out); break;
    case SlotKind::scoreboard:
      out += "SB";
      append_number(value, 10, out);
      break;
    case SlotKind::scoreboard_set: append_scoreboards(value, out); break;
    default: break;
  }
}

bool omitted(Omit omit, const Operand& operand) {
  switch (omit) {
    case Omit::never: return false;
    case Omit::rz: return operand.reg == kRZ;
    case Omit::pt: return operand.reg == kPT && (operand.flags & kInvert) == 0;
    case Omit::zero:
    case Omit::empty_set: return operand.value == 0;
    case Omit::all_lanes:
    case Omit::always_true: return operand.value == 15;
    case Omit::low_16_bits: return operand.value == 0xffff;
    case Omit::all_components:
    case Omit::rgba: return false;
  }
  return false;
}

void append_operand(const NamedOperand& named, const Slot& slot, std::string& out) {
  const Instruction& instruction = named.instruction;
  const Operand& operand = named.operand();
  const bool negated = (operand.flags & kNegate) != 0;
  const bool absolute = (operand.flags & kAbsolute) != 0;
  switch (operand.kind) {
    case OperandKind::none: break;
    case OperandKind::reg:
    case OperandKind::constant:
      if (negated) out += '-';
      if ((operand.flags & kInvert) != 0) out += '~';
      if (absolute) out += '|';
      if (operand.kind == OperandKind::reg) {
        append_register(named, out);
      } else {
        append_constant(slot, named, out);
      }
      append_part(slot.part, operand.part, out);
      if ((operand.flags & kWriteCC) != 0) out += ".CC";
      if (absolute) out += '|';
      if (slot.reuse != 0 && (instruction.control.reuse >> (slot.reuse - 1) & 1) != 0) out += ".reuse";
      break;
    case OperandKind::predicate: append_predicate(named, out); break;
    case OperandKind::immediate:
      append_immediate(slot, operand, out);
      append_part(slot.part, operand.part, out);
      break;
    case OperandKind::address:
      if (slot.kind == SlotKind::register_offset) {
        append_register(named, out);
        if (operand.value != 0) {
          out += ' ';
          append_hex(operand.value, out);
        }
        break;
      }
      if (slot.kind == SlotKind::attribute || slot.kind == SlotKind::attribute_index) out += 'a';
      if (slot.kind == SlotKind::attribute && slot.scale == kOffsetOnly) {
        out += '[';
        append_hex(operand.value, out);
        out += ']';
        break;
      }
      append_address(named, slot.width + slot.scale, out);
      break;
    case OperandKind::target: break;  // printed by the caller, which has the address
    case OperandKind::word: append_word(instruction, slot, operand, out); break;
  }
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
           const RegisterNamer* namer) {
  const Form& f = form(instruction);
  if (f.guarded && instruction.guard != kPT) {
    out += '@';
    append_predicate(instruction.guard & 7, (instruction.guard & 8) != 0, out);
    out += ' ';
  }
  const OpcodeInfo& info = opcode_info(f.opcode);
  out += info.text;
  for (unsigned i = 0; i < f.modifier_count; ++i) {
    const ModifierField& field = f.modifiers[i];
    const std::string_view text =
        field.kind == Modifier::literal ? field.text : modifier_text(field.kind, instruction.modifiers[i]);
    if (text.empty()) continue;
    out += '.';
    out += text;
  }
  if (info.latency_class == LatencyClass::texture) {
    if (instruction.control.reuse == static_cast<uint8_t>(TexturePhase::t)) out += ".T";
    if (instruction.control.reuse == static_cast<uint8_t>(TexturePhase::p)) out += ".P";
  }
  bool first = true;
  for (unsigned i = 0; i < f.operand_count; ++i) {
    const Slot& slot = f.operands[i];
    const Operand& operand = instruction.operands[i];
    if (omitted(slot.omit, operand)) continue;
    out += first ? " " : ", ";
    first = false;
    if (operand.kind != OperandKind::target) {
      append_operand({instruction, i, namer}, slot, out);
    } else if (!label.empty()) {
      out += label;
    } else if (slot.kind == SlotKind::absolute) {
      append_hex(static_cast<uint32_t>(operand.value), out);
    } else {
      append_hex(static_cast<int64_t>(address) + 8 + operand.value, out);
    }
  }
  if (out.back() == ' ') out.pop_back();
}

}  // namespace texlate::maxwell
