#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/scalar_forms.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {
namespace {

// These append to a text, and return its new end.

char* append_number(uint64_t value, char* at) {
  return std::to_chars(at, at + 20, value).ptr;
}

/// If `condition` is 1, not 0.
char* append_if(uint64_t condition, char c, char* at) {
  *at = c;
  return at + condition;
}

/// An operand as the word has it.
struct OperandFields {
  uint64_t flags;     // the word (flag_bits)
  uint8_t reg = kRZ;  // or predicate
  int32_t value = 0;
  std::string_view name = {};  // of the register or predicate; void: it has none
};

constexpr auto kRegisterTexts = [] {
  std::array<TextOf<7>, 256> texts;
  for (unsigned reg = 0; reg < kRZ; ++reg) {
    texts[reg].append("R");
    for (const unsigned unit : {100u, 10u, 1u}) {
      const char digit = static_cast<char>('0' + reg / unit % 10);
      if (reg >= unit || unit == 1) texts[reg].append({&digit, 1});
    }
  }
  texts[kRZ].append("RZ");
  return texts;
}();

char* append_register(const OperandFields& operand, char* at) {
  return operand.name.empty() ? write(kRegisterTexts[operand.reg], at) : write(operand.name, at);
}

char* append_predicate(unsigned predicate, uint64_t inverted, std::string_view name, char* at) {
  at = append_if(inverted, '!', at);
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
  // Most are whole numbers.
  if (std::abs(value) < 1e9 && value == static_cast<int32_t>(value) && value != 0)
    return std::to_chars(at, at + kMost, static_cast<int32_t>(value)).ptr;
  const auto format = std::abs(value) < 1e9 ? std::chars_format::general : std::chars_format::scientific;
  return std::to_chars(at, at + kMost, value, format, 20).ptr;
}

char* append_immediate(const Slot& slot, const OperandFields& operand, char* at) {
  const uint32_t bits = static_cast<uint32_t>(operand.value);
  if (const FloatBits special = float_bits(slot.kind); special.quiet != 0) {
    at = append_float(float_value(slot.kind, bits), (bits & ~special.sign) == special.quiet, bits, at);
  } else {
    const bool is_signed = slot.kind == SlotKind::signed_imm || slot.kind == SlotKind::imm20;
    at = append_hex(is_signed ? int64_t{operand.value} : int64_t{bits}, at);
  }
  if ((operand.flags >> slot.negate & 1) != 0) at = write(".NEG", at);
  if ((operand.flags >> slot.absolute & 1) != 0) at = write(".ABS", at);
  if ((operand.flags >> slot.invert & 1) != 0) at = write(".INV", at);
  return at;
}

/// R1+0x10; nothing is added if the offset is 0.
char* append_sum(const OperandFields& operand, char separator, char* at) {
  at = append_register(operand, at);
  if (operand.value == 0) return at;
  *at++ = separator;
  return append_hex(operand.value, at);
}

/// [R1+0x10], [R1+-0x8], [0x10], [RZ]; without a base, the offset is an unsigned number of `bits` bits.
char* append_address(const OperandFields& operand, unsigned bits, char* at) {
  const uint64_t mask = bits >= 32 ? 0xffffffffu : (uint64_t{1} << bits) - 1;
  *at++ = '[';
  if (operand.reg == kRZ && operand.value != 0) {
    at = append_hex(static_cast<int64_t>(static_cast<uint32_t>(operand.value) & mask), at);
  } else {
    at = append_sum(operand, '+', at);
  }
  *at++ = ']';
  return at;
}

char* append_constant(const Slot& slot, const OperandFields& operand, char* at) {
  at = write("c[", at);
  at = append_hex(static_cast<int64_t>(operand.flags >> (slot.at + slot.width) & 31), at);
  at = write(slot.spaced ? "] [" : "][", at);
  if (slot.kind == SlotKind::constant_index && operand.reg != kRZ) {
    at = append_sum(operand, '+', at);
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
  return name.empty() ? append_number(value, write("SR", at)) : write(name, at);
}

/// The register or predicate of an operand; RZ where the form has none.
inline uint8_t register_of(const Code& code, const FormFacts& known, unsigned index) {
  const auto reg = static_cast<uint8_t>(code.word >> known.register_at[index]);
  if ((known.predicates >> index & 1) != 0) return (reg & 7) ^ ((known.inverted >> index & 1) != 0 ? 7 : 0);
  if ((known.places >> index & 1) != 0) return reg;
  if ((known.pair_seconds >> index & 1) == 0) return kRZ;
  return static_cast<uint8_t>((code.word >> known.register_at[index - 1]) + cas_step(code));
}

char* append_scalar_dim(const Code& code, bool is_texs, char* at) {
  const uint8_t number = get_modifier(code, is_texs ? Modifier::texs_form : Modifier::tlds_form);
  const ScalarForm* row = scalar_form(is_texs, number);
  return row == nullptr ? at : write(texture_dim_text(static_cast<uint32_t>(row->dim)), at);
}

char* append_part(const Slot& slot, uint64_t word, char* at) {
  return write(part_text(slot.part, word >> slot.part_at & (slot.part == PartKind::h1 ? 1 : 3)), at);
}

/// A register or a constant, with its modifiers.
template <bool is_constant>
char* append_source(const Code& code, const Slot& slot, const OperandFields& operand, char* at) {
  const uint64_t absolute = operand.flags >> slot.absolute & 1;
  at = append_if(operand.flags >> slot.negate & 1, '-', at);
  at = append_if(operand.flags >> slot.invert & 1, '~', at);
  at = append_if(absolute, '|', at);
  at = is_constant ? append_constant(slot, operand, at) : append_register(operand, at);
  if (slot.part != PartKind::none) at = append_part(slot, code.word, at);
  if ((operand.flags >> slot.cc & 1) != 0) at = write(".CC", at);
  at = append_if(absolute, '|', at);
  if (slot.reuse != 0 && (code.control.reuse >> (slot.reuse - 1) & 1) != 0) at = write(".reuse", at);
  return at;
}

/// Of any kind but a branch target, for which the caller has the address.
char* append_operand(const Code& code, const Slot& slot, const OperandFields& operand, char* at) {
  const uint32_t value = static_cast<uint32_t>(operand.value);
  switch (slot.kind) {
    case SlotKind::reg:
    case SlotKind::pair_second:
    case SlotKind::same_as_rd: return append_source<false>(code, slot, operand, at);
    case SlotKind::constant:
    case SlotKind::constant_index:
    case SlotKind::constant_target: return append_source<true>(code, slot, operand, at);
    case SlotKind::predicate:
    case SlotKind::predicate_inverted:
      return append_predicate(operand.reg, operand.flags >> slot.invert & 1, operand.name, at);
    case SlotKind::register_offset: return append_sum(operand, ' ', at);
    case SlotKind::attribute:
      *at++ = 'a';
      if (slot.scale == kOffsetOnly) return write("]", append_hex(operand.value, write("[", at)));
      return append_address(operand, slot.width + slot.scale, at);
    case SlotKind::attribute_index: *at++ = 'a'; [[fallthrough]];
    case SlotKind::address: return append_address(operand, slot.width + slot.scale, at);
    case SlotKind::literal: return write(slot.text, at);
    case SlotKind::texture_dim: return write(texture_dim_text(value), at);
    case SlotKind::texture_query: return write(texture_query_text(value), at);
    case SlotKind::texs_dim: return append_scalar_dim(code, true, at);
    case SlotKind::tlds_dim: return append_scalar_dim(code, false, at);
    case SlotKind::scalar_mask:
      return write(scalar_mask_text(value, register_of(code, facts(code), 0) != kRZ), at);
    case SlotKind::special_register: return append_special_register(value, at);
    case SlotKind::condition:
      return write(modifier_text(Modifier::condition, static_cast<uint8_t>(value)), write("CC.", at));
    case SlotKind::swizzle: return append_swizzle(value, at);
    case SlotKind::scoreboard: return append_number(value, write("SB", at));
    case SlotKind::scoreboard_set: return append_scoreboards(value, at);
    default:
      at = append_immediate(slot, operand, at);
      return slot.part != PartKind::none ? append_part(slot, code.word, at) : at;
  }
}

char* append_modifiers(const Code& code, const Form& f, char* at) {
  at = write(opcode_info(f.opcode).mnemonic, at);
  for (unsigned i = 0; i < f.modifier_count; ++i) {
    const ModifierField& field = f.modifiers[i];
    if (field.kind != Modifier::literal) {
      at = write(modifier_info(field.kind).suffixes[field.read(code.word)], at);
    } else {
      *at++ = '.';
      at = write(field.text, at);
    }
  }
  return at;
}

/// `last`: null where an instruction is printed alone.
char* append_mnemonic(const Code& code, const Form& f, const CompiledForm& compiled, LastMnemonics* last,
                      char* at) {
  if (f.guarded && code.guard() != kPT) {
    *at++ = '@';
    at = append_predicate(code.guard() & 7, code.guard() >> 3, {}, at);
    *at++ = ' ';
  }
  at = last != nullptr ? last->append(code, code.word & compiled.modifier_fields, at)
                       : append_modifiers(code, f, at);
  if (latency_class(code) == LatencyClass::texture) {
    if (code.control.reuse == static_cast<uint8_t>(TexturePhase::t)) at = write(".T", at);
    if (code.control.reuse == static_cast<uint8_t>(TexturePhase::p)) at = write(".P", at);
  }
  return at;
}

}  // namespace

double float_value(SlotKind kind, uint32_t bits) {
  if (kind == SlotKind::double20) return std::bit_cast<double>(static_cast<uint64_t>(bits) << 32);
  if (kind == SlotKind::float20 || kind == SlotKind::float32) return std::bit_cast<float>(bits);
  const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::copysign(NAN, sign);
  return sign * (exponent == 0 ? std::ldexp(fraction, -24)
                               : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25));
}

char* append_hex(int64_t value, char* at) {
  auto magnitude = static_cast<uint64_t>(value);
  if (value < 0) {
    *at++ = '-';
    magnitude = -magnitude;
  }
  *at++ = '0';
  *at++ = 'x';
  char* const end = at + (std::bit_width(magnitude | 1) + 3) / 4;
  for (char* digit = end; digit != at; magnitude >>= 4) *--digit = "0123456789abcdef"[magnitude & 15];
  return end;
}

int64_t branch_target(const Code& code, uint32_t address) {
  const Form& f = form(code);
  for (unsigned i = 0; i < f.operand_count; ++i) {
    const SlotKind kind = f.operands[i].kind;
    const int32_t value = compiled_form(code.form).values[i].read(code.word);
    if (kind == SlotKind::target) return static_cast<int64_t>(address) + 8 + value;
    if (kind == SlotKind::absolute) return static_cast<uint32_t>(value);
  }
  return -1;
}

char* LastMnemonics::make(const Code& code, uint64_t modifiers, Last& last, char* at) {
  char* const end = append_modifiers(code, form(code), at);
  const auto size = static_cast<size_t>(end - at);
  if (size > last.text.text.size()) return end;
  last.form = code.form;
  last.modifiers = modifiers;
  last.text.size = static_cast<uint8_t>(size);
  std::memcpy(last.text.text.data(), at, last.text.text.size());  // there is room for more text
  return end;
}

/// `names`: of each operand; null: they have none.
static char* print_named(const Code& code, uint32_t address, std::string_view label, LastMnemonics* last,
                         const std::string* names, char* at) {
  const Form& f = form(code);
  const FormFacts& known = facts(code);
  const CompiledForm& compiled = compiled_form(code.form);
  at = append_mnemonic(code, f, compiled, last, at);
  const unsigned reused = compiled.reused[code.control.reuse & 7];
  const unsigned registers = names == nullptr ? compiled.registers & ~reused : 0;
  for (unsigned i = 0; i < f.operand_count; ++i) {
    const Slot& slot = f.operands[i];
    const bool is_plain = ((code.word ^ compiled.neutral) & compiled.plain_fields[i]) == 0;
    if (is_plain && (compiled.omissible >> i & 1) != 0) continue;
    *at++ = ' ';
    if (is_plain && (registers >> i & 1) != 0) {
      at = write(kRegisterTexts[code.word >> slot.at & 255], at);
    } else if (slot.kind == SlotKind::target || slot.kind == SlotKind::absolute) {
      at = label.empty() ? append_hex(branch_target(code, address), at) : write(label, at);
    } else {
      OperandFields operand{flag_bits(code.word), register_of(code, known, i)};
      if ((compiled.valued >> i & 1) != 0) operand.value = compiled.values[i].read(code.word);
      if (names != nullptr) operand.name = names[i];
      at = append_operand(code, slot, operand, at);
    }
    *at++ = ',';
  }
  if (at[-1] == ',') --at;
  return at[-1] == ' ' ? at - 1 : at;
}

char* print(const Code& code, uint32_t address, std::string_view label, LastMnemonics& last, char* at) {
  return print_named(code, address, label, &last, nullptr, at);
}

void print(const Code& code, uint32_t address, std::string& out, std::string_view label,
           const RegisterNamer& namer) {
  std::array<std::string, kMaxOperands> names;
  size_t room = kMostText + label.size();
  for (unsigned i = 0; namer && i < facts(code).operand_count; ++i) {
    if (!namer(i, names[i])) names[i].clear();
    room += names[i].size();
  }
  const size_t begin = out.size();
  out.resize(begin + room);
  char* const end = print_named(code, address, label, nullptr, names.data(), out.data() + begin);
  out.resize(static_cast<size_t>(end - out.data()));
}

}  // namespace texlate::maxwell
