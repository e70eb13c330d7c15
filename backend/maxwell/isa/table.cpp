#include "backend/maxwell/isa/table.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell {
namespace {

std::vector<Form> build_forms() {
  constexpr size_t kAbout = 512;
  table::Builder t;
  t.forms.reserve(kAbout);
  table::add_float(t);
  table::add_double(t);
  table::add_half(t);
  table::add_video(t);
  table::add_integer(t);
  table::add_logic(t);
  table::add_convert(t);
  table::add_move(t);
  table::add_memory(t);
  table::add_atomic(t);
  table::add_control(t);
  table::add_attribute(t);
  table::add_texture(t);
  table::add_surface(t);
  // Puts an opcode's forms next to each other; their relative order (variants, more special before more
  // general) stays.
  std::stable_sort(t.forms.begin(), t.forms.end(),
                   [](const Form& a, const Form& b) { return a.opcode < b.opcode; });
  return std::move(t.forms);
}

constexpr OperandKind kOperandKinds[] = {
#define SLOT(name, operand_kind, rule, text) OperandKind::operand_kind,
#include "backend/maxwell/isa/slot_kinds.inc"
#undef SLOT
};

/// The base of addresses and of indexed constants.
constexpr unsigned kBaseAt = 8;

class Compiler {
 public:
  explicit Compiler(const Form& form, FormId id, ModifierIndex& modifier_index)
      : form_(form), modifier_index_(modifier_index) {
    out_.prototype.form = id;
    modifier_index_.fill(-1);
    out_.value = form.value;
    out_.forbidden = form.forbidden;
    out_.modifier_count = form.modifier_count;
    if (form.guarded) {
      out_.prototype.guard = 0;
      byte(16, 4, offsetof(Instruction, guard));
    } else {
      out_.prototype.guard = kPT;
    }
    for (unsigned i = 0; i < form.modifier_count; ++i) modifier(i);
    for (unsigned i = 0; i < form.operand_count; ++i) {
      const unsigned first = out_.byte_count;
      slot(i);
      find_plain(i, first);
    }
    out_.fixed_mask = ~moved_bits();
  }
  const CompiledForm& result() const { return out_; }

 private:
  void byte(unsigned at, unsigned width, size_t target, unsigned shift = 0, unsigned flip = 0) {
    out_.bytes[out_.byte_count++] = {static_cast<uint8_t>(at), static_cast<uint8_t>((1u << width) - 1),
                                     static_cast<uint8_t>(target), static_cast<uint8_t>(shift),
                                     static_cast<uint8_t>(flip)};
  }

  /// The bits of the word that some field holds.
  uint64_t moved_bits() const {
    uint64_t bits = 0;
    for (const ByteMove& move : std::span(out_.bytes).first(out_.byte_count))
      bits |= uint64_t{move.mask} << move.at;
    for (const ValueMove& move : out_.values) bits |= move.field();
    return bits;
  }

  void modifier(unsigned index) {
    const ModifierField& field = form_.modifiers[index];
    out_.valid[index] = modifier_info(field.kind).valid;
    if (field.kind == Modifier::literal) return;
    // A narrower field holds only the lower values: the constant encodings of XMAD have no CBCC.
    const unsigned field_bits = field.width + (field.high != 0 ? 1u : 0u);
    if (field_bits < 5) out_.valid[index] &= (1u << (1u << field_bits)) - 1;
    modifier_index_[static_cast<size_t>(field.kind)] = static_cast<int8_t>(index);
    const size_t target = offsetof(Instruction, modifiers) + index;
    byte(field.at, field.width, target);
    if (field.high != 0) byte(field.high, 1, target, field.width);
  }

  void move(unsigned operand, const ValueMove& value) {
    out_.values[operand] = value;
    out_.valued |= static_cast<uint8_t>(1u << operand);
  }
  void value(unsigned operand, unsigned at, unsigned width, bool is_signed, uint8_t shift = 0) {
    move(operand, {.at = static_cast<uint8_t>(at),
                   .width = static_cast<uint8_t>(width),
                   .shift = shift,
                   .sign = is_signed ? uint64_t{1} << (width - 1) : 0});
  }
  /// The upper bit of the field is bit 56.
  void split_value(unsigned operand, uint8_t at, uint8_t width, uint64_t sign, uint8_t shift) {
    move(operand, {.at = at, .width = width, .high = 56, .has_high = 1, .shift = shift, .sign = sign});
  }

  /// What tells the printer that it need not look at the operand, whose moves start at `first`.
  void find_plain(unsigned index, unsigned first) {
    const Slot& slot = form_.operands[index];
    const bool is_plain_register = slot.kind == SlotKind::reg && slot.omit == Omit::never;
    const size_t number = offsetof(Instruction, operands) + index * sizeof(Operand) + offsetof(Operand, reg);
    out_.plain_fields[index] = out_.values[index].field();
    for (const ByteMove& move : std::span(out_.bytes).first(out_.byte_count).subspan(first)) {
      if (!is_plain_register || move.byte != number)
        out_.plain_fields[index] |= uint64_t{move.mask} << move.at;
    }
    const bool is_register = slot.kind == SlotKind::reg || slot.kind == SlotKind::same_as_rd;
    for (unsigned reuse = 0; is_register && slot.reuse != 0 && reuse < out_.reused.size(); ++reuse)
      out_.reused[reuse] |= static_cast<uint8_t>((reuse >> (slot.reuse - 1) & 1u) << index);
    if (is_plain_register) out_.registers |= static_cast<uint8_t>(1u << index);
    if (is_omissible(slot.omit)) out_.omissible |= static_cast<uint8_t>(1u << index);
  }

  void slot(unsigned index) {
    const Slot& slot = form_.operands[index];
    Operand& operand = out_.prototype.operands[index];
    operand.kind = kOperandKinds[static_cast<size_t>(slot.kind)];
    const size_t base = offsetof(Instruction, operands) + index * sizeof(Operand);
    const size_t flags = base + offsetof(Operand, flags);
    const size_t reg = base + offsetof(Operand, reg);
    const size_t bank = base + offsetof(Operand, bank);
    if (slot.negate != 0) byte(slot.negate, 1, flags, 0);
    if (slot.absolute != 0) byte(slot.absolute, 1, flags, 1);
    if (slot.invert != 0) byte(slot.invert, 1, flags, 2);
    if (slot.cc != 0) byte(slot.cc, 1, flags, 3);
    if (slot.part != PartKind::none) {
      byte(slot.part_at, slot.part == PartKind::h1 ? 1 : 2, base + offsetof(Operand, part));
      if (slot.part == PartKind::half || slot.part == PartKind::half_byte) out_.special = true;
    }
    switch (slot.kind) {
      case SlotKind::reg: byte(slot.at, 8, reg); break;
      case SlotKind::predicate: byte(slot.at, 3, reg); break;
      case SlotKind::predicate_inverted: byte(slot.at, 3, reg, 0, 7); break;
      case SlotKind::constant:
      case SlotKind::constant_index:
      case SlotKind::constant_target:
        if (slot.kind == SlotKind::constant_index) {
          byte(kBaseAt, 8, reg);
        } else {
          operand.reg = kRZ;
        }
        value(index, slot.at, slot.width, true, slot.kind == SlotKind::constant ? 2 : 0);
        byte(slot.at + slot.width, 5, bank);
        break;
      case SlotKind::signed_imm:
      case SlotKind::target: value(index, slot.at, slot.width, true); break;
      case SlotKind::imm20: split_value(index, 20, 19, uint64_t{1} << 19, 0); break;
      case SlotKind::unsigned_imm20: split_value(index, 20, 19, 0, 0); break;
      case SlotKind::float20:
      case SlotKind::double20: split_value(index, 20, 19, 0, 12); break;
      case SlotKind::half10:
        if (slot.at == 20) {
          value(index, 20, 10, false, 6);
        } else {
          split_value(index, 30, 9, 0, 6);
        }
        break;
      case SlotKind::address:
        byte(kBaseAt, 8, reg);
        if (slot.width != 0) value(index, slot.at, slot.width, true, slot.scale);
        break;
      case SlotKind::attribute:
        if (slot.scale != 0) {
          operand.reg = kRZ;
        } else {
          byte(kBaseAt, 8, reg);
        }
        value(index, slot.at, slot.width, false);
        break;
      case SlotKind::attribute_index: byte(kBaseAt, 8, reg); break;
      case SlotKind::register_offset:
        byte(kBaseAt, 8, reg);
        value(index, slot.at, slot.width, true);
        break;
      case SlotKind::texs_dim:
      case SlotKind::tlds_dim:
      case SlotKind::literal:
      case SlotKind::none: break;
      case SlotKind::pair_second:
      case SlotKind::same_as_rd: out_.special = true; break;
      case SlotKind::texture_query:
      case SlotKind::scalar_mask:
      case SlotKind::swizzle:
      case SlotKind::scoreboard:
        out_.special = true;
        value(index, slot.at, slot.width, false);
        break;
      case SlotKind::unsigned_imm:
      case SlotKind::float32:
      case SlotKind::half16:
      case SlotKind::absolute:
      case SlotKind::texture_dim:
      case SlotKind::special_register:
      case SlotKind::condition:
      case SlotKind::scoreboard_set:
        if (slot.width != 0) value(index, slot.at, slot.width, false);
        break;
    }
  }

  const Form& form_;
  ModifierIndex& modifier_index_;
  CompiledForm out_{};
};

FormFacts find_facts(const Form& form, const CompiledForm& compiled, const ModifierIndex& modifiers) {
  const std::span moves = std::span(compiled.bytes).first(compiled.byte_count);
  FormFacts out;
  out.opcode = form.opcode;
  out.latency_class = opcode_info(form.opcode).latency_class;
  out.times = latency(out.latency_class);
  out.operand_count = form.operand_count;
  out.is_guarded = form.guarded;
  out.may_read_carry = modifiers[static_cast<size_t>(Modifier::funnel_half)] >= 0;
  const int x = modifiers[static_cast<size_t>(Modifier::x)];
  if (x >= 0) out.carry_in = uint64_t{1} << form.modifiers[static_cast<size_t>(x)].at;
  for (unsigned i = 0; i < form.operand_count; ++i) {
    const Slot& slot = form.operands[i];
    const uint8_t bit = static_cast<uint8_t>(1u << i);
    const size_t reg = offsetof(Instruction, operands) + i * sizeof(Operand) + offsetof(Operand, reg);
    const auto field = std::ranges::find(moves, reg, &ByteMove::byte);
    if (field != moves.end()) {
      out.places |= bit;
      out.register_at[i] = field->at;
      if (field->flip != 0) out.inverted |= bit;
    }
    if (slot.kind == SlotKind::same_as_rd) out.places |= bit;
    if (slot.kind == SlotKind::literal && slot.text == "PR") {
      out.places |= bit;
      out.predicate_words |= bit;
    }
    if (slot.role != Role::destination) out.sources |= bit;
    if (slot.role != Role::source) out.destinations |= bit;
    if (slot.role != Role::source && slot.cc != 0) out.carry_out |= uint64_t{1} << slot.cc;
    if (slot.kind == SlotKind::predicate || slot.kind == SlotKind::predicate_inverted) out.predicates |= bit;
    if (slot.span == Span::one) out.scalars |= bit;
    if (slot.kind == SlotKind::reg && slot.reuse != 0 && slot.role == Role::source && slot.span == Span::one)
      out.port_at[slot.reuse - 1] = slot.at;
    if (slot.kind == SlotKind::pair_second) out.pair_seconds |= bit;
    if (slot.kind == SlotKind::same_as_rd) out.same_as_rd |= bit;
    if (slot.kind == SlotKind::target || slot.kind == SlotKind::absolute) out.has_target = true;
    out.may_read_carry |=
        slot.kind == SlotKind::condition || (slot.kind == SlotKind::literal && slot.text == "CC");
  }
  return out;
}

/// The prototype with RZ and PT for registers and predicates, and with all lanes.
Instruction neutral_instruction(const Form& form, const Instruction& prototype) {
  Instruction instruction = prototype;
  instruction.guard = kPT;
  for (unsigned i = 0; i < form.operand_count; ++i) {
    Operand& operand = instruction.operands[i];
    switch (operand.kind) {
      case OperandKind::reg:
      case OperandKind::address: operand.reg = kRZ; break;
      case OperandKind::predicate: operand.reg = kPT; break;
      default: break;
    }
    const Omit omit = form.operands[i].omit;
    if (is_omissible(omit) && !is_register(omit)) operand.value = omitted_number(omit);
  }
  return instruction;
}

void index_variants(CompiledTable& table) {
  size_t next = 0;
  for (size_t op = 0; op < static_cast<size_t>(Opcode::count_); ++op) {
    const size_t first = next;
    while (next < table.forms.size() && table.forms[next].opcode == static_cast<Opcode>(op)) ++next;
    for (size_t shape = 0; shape < 4; ++shape) {
      const size_t start = table.variants.size();
      table.first_variant[4 * op + shape] = static_cast<uint16_t>(start);
      // Variants are counted from 0; of equal numbers, the first counts.
      for (size_t i = first; i < next; ++i) {
        const Form& form = table.forms[i];
        if (form.shape == static_cast<Shape>(shape) && form.variant == table.variants.size() - start)
          table.variants.push_back(static_cast<FormId>(i));
      }
    }
  }
  table.first_variant.back() = static_cast<uint16_t>(table.variants.size());
}

CompiledTable build() {
  CompiledTable table;
  table.forms = build_forms();
  const size_t count = table.forms.size();
  table.compiled.reserve(count);
  table.facts.reserve(count);
  table.neutral.reserve(count);
  table.modifier_index.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const Form& form = table.forms[i];
    table.compiled.push_back(Compiler(form, static_cast<FormId>(i), table.modifier_index[i]).result());
    table.forms[i].known = ~table.compiled[i].fixed_mask;
    table.facts.push_back(find_facts(form, table.compiled[i], table.modifier_index[i]));
    table.neutral.push_back(neutral_instruction(form, table.compiled[i].prototype));
    table.compiled[i].neutral = encode_as(table.compiled[i], table.neutral.back());
    for (Slot& slot : table.forms[i].operands)
      slot.flags =
          static_cast<uint8_t>((slot.negate != 0 ? kNegate : 0) | (slot.absolute != 0 ? kAbsolute : 0) |
                               (slot.invert != 0 ? kInvert : 0) | (slot.cc != 0 ? kWriteCC : 0));
  }
  index_variants(table);
  return table;
}

constexpr uint32_t kTops = 1u << 13;  // values of a word's highest bits

/// Calls visit(top) for every value of the highest bits that a word of the form may have.
template <typename Visit>
void for_each_top(const CompiledForm& form, Visit visit) {
  const auto fixed = static_cast<uint32_t>((form.value & form.fixed_mask) >> 51);
  const uint32_t free = ~static_cast<uint32_t>(form.fixed_mask >> 51) & (kTops - 1);
  uint32_t bits = free;
  do {
    visit(fixed | bits);
    bits = (bits - 1) & free;
  } while (bits != free);
}

DecoderIndex build_decoder_index(const CompiledTable& table) {
  std::vector<uint16_t> next(kTops + 1, 0);
  for (const CompiledForm& form : table.compiled) for_each_top(form, [&](uint32_t top) { ++next[top + 1]; });
  DecoderIndex index;
  for (uint32_t top = 0; top < kTops; ++top) next[top + 1] = static_cast<uint16_t>(next[top + 1] + next[top]);
  std::ranges::copy(next, index.first.begin());
  index.candidates.resize(next[kTops]);
  for (size_t i = 0; i < table.compiled.size(); ++i) {
    for_each_top(table.compiled[i],
                 [&](uint32_t top) { index.candidates[next[top]++] = static_cast<uint16_t>(i); });
  }
  return index;
}

}  // namespace

constexpr std::array<OpcodeInfo, static_cast<size_t>(Opcode::count_)> kOpcodes{{
#define OPCODE(name, text, latency_class) {#name, text, std::string_view(text), LatencyClass::latency_class},
#include "backend/maxwell/isa/opcodes.inc"
#undef OPCODE
}};

const CompiledTable& compiled_table() {
  static const CompiledTable table = build();
  return table;
}

const DecoderIndex& decoder_index() {
  static const DecoderIndex index = build_decoder_index(compiled_table());
  return index;
}

std::span<const Form> forms() {
  return compiled_table().forms;
}
std::span<const FormFacts> form_facts() {
  return compiled_table().facts;
}
std::span<const ModifierIndex> modifier_indices() {
  return compiled_table().modifier_index;
}

std::span<const FormId> form_variants() {
  return compiled_table().variants;
}
std::span<const uint16_t> first_variants() {
  return compiled_table().first_variant;
}

Instruction make_instruction(Opcode opcode, Shape shape, uint8_t variant) {
  const FormId id = find_form(opcode, shape, variant);
  return id == kNoForm ? Instruction{} : compiled_table().neutral[id];
}

}  // namespace texlate::maxwell
