#include "backend/maxwell/isa/table.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
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
  std::vector<FormId> order(t.forms.size());
  std::iota(order.begin(), order.end(), FormId{0});
  std::ranges::stable_sort(order, {}, [&](FormId id) { return t.forms[id].opcode; });
  std::vector<Form> forms;
  forms.reserve(order.size());
  for (const FormId id : order) forms.push_back(t.forms[id]);
  return forms;
}

/// The base of addresses and of indexed constants.
constexpr unsigned kBaseAt = 8;

class Compiler {
 public:
  Compiler(const Form& form, FormId id, ModifierIndex& modifier_index, CompiledForm& out)
      : form_(form), modifier_index_(modifier_index), out_(out) {
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
    for (const ValueMove& move : std::span(out_.values).first(form_.operand_count)) bits |= move.field();
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
    out_.modifier_fields |= ((uint64_t{1} << field.width) - 1) << field.at;
    if (field.high == 0) return;
    byte(field.high, 1, target, field.width);
    out_.modifier_fields |= uint64_t{1} << field.high;
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
    if (is_register && slot.reuse != 0) out_.shown_reuse |= static_cast<uint8_t>(1u << (slot.reuse - 1));
    for (unsigned reuse = 0; is_register && slot.reuse != 0 && reuse < out_.reused.size(); ++reuse)
      out_.reused[reuse] |= static_cast<uint8_t>((reuse >> (slot.reuse - 1) & 1u) << index);
    if (is_plain_register) out_.registers |= static_cast<uint8_t>(1u << index);
    if (is_omissible(slot.omit)) out_.omissible |= static_cast<uint8_t>(1u << index);
  }

  void slot(unsigned index) {
    const Slot& slot = form_.operands[index];
    const SlotInfo& info = slot_info(slot.kind);
    Operand& operand = out_.prototype.operands[index];
    operand.kind = info.operand;
    const size_t base = offsetof(Instruction, operands) + index * sizeof(Operand);
    const uint8_t flag_bits[] = {slot.negate, slot.absolute, slot.invert, slot.cc};  // by OperandFlag
    for (unsigned flag = 0; flag < std::size(flag_bits); ++flag)
      if (flag_bits[flag] != 0) byte(flag_bits[flag], 1, base + offsetof(Operand, flags), flag);
    if (slot.part != PartKind::none)
      byte(slot.part_at, slot.part == PartKind::h1 ? 1 : 2, base + offsetof(Operand, part));
    number(slot, info, base + offsetof(Operand, reg), operand);
    if (info.operand == OperandKind::constant) byte(slot.at + slot.width, 5, base + offsetof(Operand, bank));
    if (info.extension != Extension::none && slot.width != 0) value(index, slot, info);
    // What not every value of the fields gives a meaning to.
    const bool has_gaps = slot.part == PartKind::half || slot.part == PartKind::half_byte ||
                          slot.kind == SlotKind::texture_query || slot.kind == SlotKind::scalar_mask ||
                          slot.kind == SlotKind::scoreboard;
    const bool has_no_field = slot.kind == SlotKind::pair_second || slot.kind == SlotKind::same_as_rd;
    out_.special |= has_gaps || has_no_field;
  }

  void number(const Slot& slot, const SlotInfo& info, size_t reg, Operand& operand) {
    NumberAt place = info.number;
    if (slot.kind == SlotKind::attribute && slot.scale != 0) place = NumberAt::rz;
    switch (place) {
      case NumberAt::none: break;
      case NumberAt::rz: operand.reg = kRZ; break;
      case NumberAt::own:
        byte(slot.at, slot.width, reg, 0, slot.kind == SlotKind::predicate_inverted ? 7 : 0);
        break;
      case NumberAt::base: byte(kBaseAt, 8, reg); break;
    }
  }

  void value(unsigned index, const Slot& slot, const SlotInfo& info) {
    const uint8_t has_high = slot.high != 0 ? 1 : 0;
    const uint64_t top = uint64_t{1} << (slot.width + has_high - 1);
    out_.values[index] = {.at = slot.at,
                          .width = slot.width,
                          .high = slot.high,
                          .has_high = has_high,
                          .shift = slot.kind == SlotKind::address ? slot.scale : info.shift,
                          .sign = info.extension == Extension::signed_ ? top : 0};
    out_.valued |= static_cast<uint8_t>(1u << index);
  }

  const Form& form_;
  ModifierIndex& modifier_index_;
  CompiledForm& out_;
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
  const unsigned registers =
      out.places & out.scalars & ~unsigned{out.predicates} & ~unsigned{out.predicate_words};
  out.source_registers = static_cast<uint8_t>(registers & out.sources);
  out.destination_registers = static_cast<uint8_t>(registers & out.destinations);
  out.has_plain_places =
      (out.places & ~unsigned{out.predicates}) == registers && out.is_guarded && !out.may_read_carry;
  return out;
}

/// The prototype with RZ and PT for registers and predicates, and with what the text may omit.
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
    operand.value = omitted_value(form.operands[i].omit);
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
      for (size_t i = first; i < next; ++i) {
        Form& form = table.forms[i];
        if (form.shape != static_cast<Shape>(shape)) continue;
        form.variant = static_cast<uint8_t>(table.variants.size() - start);
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
    Compiler(form, static_cast<FormId>(i), table.modifier_index[i], table.compiled.emplace_back());
    table.facts.push_back(find_facts(form, table.compiled[i], table.modifier_index[i]));
    table.neutral.push_back(neutral_instruction(form, table.compiled[i].prototype));
    table.compiled[i].neutral = encode_as(table.compiled[i], table.neutral.back());
    for (Slot& slot : std::span(table.forms[i].operands).first(form.operand_count))
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
#define OPCODE(name, text, latency_class) {text, std::string_view(text), LatencyClass::latency_class},
#include "backend/maxwell/isa/opcodes.inc"
#undef OPCODE
}};

const CompiledTable& compiled_table() {
  static const CompiledTable& known = *[] {
    static const CompiledTable table = build();
    tables = {table.forms.data(),          table.facts.data(),    table.compiled.data(),
              table.modifier_index.data(), table.variants.data(), table.first_variant.data()};
    are_tables_built.store(true, std::memory_order_release);
    return &table;
  }();
  return known;
}

const DecoderIndex& decoder_index() {
  static const DecoderIndex index = build_decoder_index(compiled_table());
  return index;
}

std::span<const Form> forms() {
  return compiled_table().forms;
}
Instruction make_instruction(Opcode opcode, Shape shape, uint8_t variant) {
  const FormId id = find_form(opcode, shape, variant);
  return id == kNoForm ? Instruction{} : compiled_table().neutral[id];
}

}  // namespace texlate::maxwell
