#include "backend/maxwell/select/assembler.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/word_writer.h"

namespace texlate::maxwell::select {

namespace {

bool holds(uint8_t offered, uint8_t wanted) {
  return (wanted & ~offered) == 0;
}

/// Do the immediate's bits fit into the slot?
bool holds_immediate(const maxwell::Slot& slot, uint32_t bits) {
  const int32_t number = static_cast<int32_t>(bits);
  const auto fits_signed = [number](unsigned width) {
    return width >= 32 || (number >= -(1 << (width - 1)) && number < (1 << (width - 1)));
  };
  switch (slot.kind) {
    case SlotKind::imm20: return fits_signed(20);
    // Bit 19 is the sign, whatever the text shows.
    case SlotKind::unsigned_imm20: return bits < (1u << 19);
    case SlotKind::float20: return (bits & 0xfff) == 0;
    case SlotKind::float32: return true;
    case SlotKind::signed_imm: return fits_signed(slot.width);
    case SlotKind::unsigned_imm: return slot.width >= 32 || bits < (1u << slot.width);
    default: return false;
  }
}

/// Number of registers to fill for a 32-bit operand in this slot.
unsigned source_cost(const Source& source, const maxwell::Slot& slot) {
  switch (slot.kind) {
    case SlotKind::reg:
      if (source.is_value()) {
        const bool held =
            holds(slot.flags, source.flags) && (source.part == 0 || slot.part != PartKind::none);
        if (held) return 0;
        return source.part != 0 ? kImpossible : source.plain != kNone ? 0 : 1;
      }
      if (source.part != 0 && slot.part == PartKind::none) return kImpossible;
      // A constant of a bank with modifiers: either the slot has them, or the constant comes from the
      // register to which they have been applied.
      if (source.flags != 0 && !holds(slot.flags, source.flags))
        return source.plain != kNone ? 0 : kImpossible;
      return source.is_immediate(0) ? 0 : 1;
    case SlotKind::constant:
      if (source.kind != Source::Kind::constant || !holds(slot.flags, source.flags)) return kImpossible;
      return source.part != 0 && slot.part == PartKind::none ? kImpossible : 0;
    case SlotKind::imm20:
    case SlotKind::unsigned_imm20:
    case SlotKind::float20:
    case SlotKind::float32:
    case SlotKind::signed_imm:
    case SlotKind::unsigned_imm:
      return source.is_immediate() && source.part == 0 && holds_immediate(slot, source.bits) ? 0
                                                                                             : kImpossible;
    case SlotKind::same_as_rd: return source.is_value() && holds(slot.flags, source.flags) ? 0 : 1;
    default: return kImpossible;
  }
}

unsigned arg_cost(const Arg& arg, const maxwell::Slot& slot) {
  if (slot.kind == SlotKind::reg && arg.is_plain_register()) return 0;  // most are
  switch (arg.kind) {
    case Arg::Kind::source: return source_cost(arg.source, slot);
    case Arg::Kind::registers:
      return (slot.kind == SlotKind::reg || slot.kind == SlotKind::same_as_rd) && holds(slot.flags, arg.flags)
                 ? 0
                 : kImpossible;
    case Arg::Kind::double_:
      return slot.kind == SlotKind::double20 && (arg.number & 0xfff) == 0 ? 0 : kImpossible;
    case Arg::Kind::predicate:
      if (slot.kind != SlotKind::predicate && slot.kind != SlotKind::predicate_inverted) return kImpossible;
      return arg.condition.negated && slot.invert == 0 ? kImpossible : 0;
    case Arg::Kind::address:
      if (slot.kind == SlotKind::attribute) return slot.scale == 0 ? 0 : kImpossible;
      return slot.kind == SlotKind::address || slot.kind == SlotKind::attribute_index ? 0 : kImpossible;
    case Arg::Kind::none: return holds(slot.flags, arg.flags) ? 0 : kImpossible;
    case Arg::Kind::number: return 0;
  }
  return kImpossible;
}

/// Are these, in this order, the fixed words of the form's text?
bool is_spelled(const Form& form, const std::array<std::string_view, 2>& literals) {
  unsigned next = 0;
  for (unsigned i = 0; i < form.modifier_count; ++i) {
    if (form.modifiers[i].kind != Modifier::literal) continue;
    if (next == literals.size() || form.modifiers[i].text != literals[next++]) return false;
  }
  return next == literals.size() || literals[next].empty();
}

/// The form as the fit of the draft; the cost is at least `most` if it is none, or no cheaper.
Fit fit_of(const Draft& draft, FormId id, const Form& f, unsigned most) {
  Fit fit{id, 0};
  // First, because these distinguish most forms.
  const unsigned count = std::min<unsigned>(draft.arg_count, f.operand_count);
  for (unsigned i = 0; i < count; ++i) {
    fit.cost += arg_cost(draft.args[i], f.operands[i]);
    if (fit.cost >= most) return fit;
  }
  bool fits = draft.guard.value == kNone || f.guarded;
  for (unsigned i = 0; i < draft.modifier_count; ++i) {
    const ModifierSetting& setting = draft.modifiers[i];
    fits &= setting.modifier == Modifier::literal ||
            add_modifier(id, setting.modifier, setting.value, fit.modifiers);
  }
  // XMAD's form with a signed immediate is a different product, which is never needed.
  if (draft.opcode == Opcode::xmad) fits &= modifier_index(id, Modifier::xmad_sign_s16) < 0;
  if (!fits || (!draft.literals[0].empty() && !is_spelled(f, draft.literals))) fit.cost = kImpossible;
  return fit;
}

/// Writes a 32-bit operand; returns whether it is a register with a value.
bool write_source(const Source& source, unsigned operand, WordWriter& code) {
  const maxwell::Slot& slot = code.slot(operand);
  if (slot.kind == SlotKind::reg || slot.kind == SlotKind::same_as_rd) {
    if (slot.kind == SlotKind::reg && source.is_immediate(0)) return false;  // RZ
    code.set_register(operand, machine::kVirtual);
    if (holds(slot.flags, source.flags)) code.set_flags(operand, source.flags);
    code.set_part(operand, source.part);
    return true;
  }
  if (slot.kind == SlotKind::constant) {
    code.set_value(operand, constant_offset(source.offset()));
    code.set_bank(operand, source.bank);
    code.set_flags(operand, source.flags);
    code.set_part(operand, source.part);
  } else {
    code.set_value(operand, static_cast<int32_t>(source.bits));
  }
  return false;
}

/// Number of instructions over which an immediate or a constant keeps a register; beyond that, making it
/// again is cheaper than the register.
constexpr uint32_t kReuseReach = 100;

}  // namespace

Assembler::Assembler(machine::Function& function)
    : function_(function),
      builder_(function),
      known_(function.memory()),
      heads_(64, kNoEntry, function.memory()),
      marks_(function.memory()) {}

const Fit& Assembler::find_fit(const Draft& draft) {
  if (draft.fit) return *draft.fit;
  Fit best;
  for (const FormId id : find_forms(draft.opcode)) {
    const Form& f = form(id);
    if (((draft.shapes >> static_cast<unsigned>(f.shape)) & 1) == 0) continue;
    const Fit fit = fit_of(draft, id, f, best.cost);
    if (fit.cost < best.cost) best = fit;
    if (fit.cost == 0) break;
  }
  return draft.fit.emplace(best);
}

unsigned Assembler::cost(const Draft& draft) {
  return find_fit(draft).cost;
}

const Draft& Assembler::cheaper(const Draft& first, const Draft& second) {
  const unsigned limit = cost(first);
  return limit != 0 && cost(second) < limit ? second : first;
}

Draft Assembler::commuted(const Draft& draft, unsigned first) {
  const unsigned limit = cost(draft);
  if (limit == 0) return draft;
  Draft other = draft;
  std::swap(other.args[first], other.args[first + 1]);
  other.fit.reset();
  return cost(other) < limit ? other : draft;
}

machine::Instruction& Assembler::emit(const Draft& draft, unsigned at, MachineValue result) {
  const Fit& fit = find_fit(draft);
  if (fit.cost >= kImpossible) {
    is_stuck_ = true;
    return append(make_instruction(Opcode::nop), {});
  }
  WordWriter code(fit.form);
  code.set_modifiers(fit.modifiers);
  std::array<MachineValue, 4 * kMaxOperands> values;
  unsigned count = 0, results = 0, counts = 0;
  const unsigned arg_count = std::min<unsigned>(draft.arg_count, code.facts().operand_count);
  const unsigned destinations = code.facts().destinations;  // before all sources
  for (unsigned i = 0; i < arg_count; ++i) {
    const Arg& arg = draft.args[i];
    const unsigned first = count;
    switch (arg.kind) {
      case Arg::Kind::none:
        if (i != at) continue;
        values[count++] = result;
        code.set_register(i, machine::kVirtual);
        code.set_flags(i, arg.flags);
        break;
      case Arg::Kind::number:
      case Arg::Kind::double_: code.set_value(i, arg.number); continue;
      case Arg::Kind::predicate:
        code.set_predicate(i, arg.condition.value != kNone ? machine::kVirtual : kPT, arg.condition.negated);
        if (arg.condition.value != kNone) values[count++] = arg.condition.value;
        break;
      case Arg::Kind::address: code.set_value(i, arg.number); [[fallthrough]];
      case Arg::Kind::registers:
        code.set_flags(i, arg.flags);
        if (!arg.has_register()) continue;  // RZ
        code.set_register(i, machine::kVirtual);
        for (unsigned k = 0; k < arg.count; ++k) values[count++] = arg.values[k];
        break;
      case Arg::Kind::source:
        if (write_source(arg.source, i, code)) values[count++] = reg(arg.source, code.slot(i).flags);
        break;
    }
    counts |= (count - first) << (4 * i);
    if ((destinations >> i & 1) != 0) results = count;
  }
  machine::Instruction out;
  out.code = code.code();
  out.counts = counts;
  out.value_count = static_cast<uint8_t>(count);
  out.result_count = static_cast<uint8_t>(results);
  out.origin = origin_;
  out.guard = draft.guard.value;
  if (out.guard != kNone) out.code.set_guard(make_guard(machine::kVirtual, draft.guard.negated));
  return builder_.append(out, std::span(values.data(), count));
}

machine::Instruction& Assembler::append(const maxwell::Instruction& code,
                                        std::span<const MachineValue> values, Predicate guard) {
  assert(!guard.is_false() && "an instruction that never executes");
  machine::Instruction& out = builder_.append(code, values, guard.value, guard.negated);
  out.origin = origin_;
  return out;
}

uint32_t Assembler::find_known(SharedKey key) const {
  uint32_t i = heads_[bucket(key)];
  while (i != kNoEntry && known_[i].key != key) i = known_[i].before;
  return i;
}

MachineValue Assembler::known_nearby(SharedKey key) const {
  const uint32_t at = find_known(key);
  if (at == kNoEntry) return kNone;
  // Values from an outer region are not made again: this region may be a loop.
  return at < region_start() || position() - known_[at].position <= kReuseReach ? known_[at].value : kNone;
}

MachineValue Assembler::recall(SharedKey key) const {
  const uint32_t at = find_known(key);
  return at == kNoEntry ? kNone : known_[at].value;
}

void Assembler::remember(SharedKey key, MachineValue value) {
  if (known_.size() == heads_.size()) grow_buckets();
  uint32_t& head = heads_[bucket(key)];
  known_.push_back({key, value, head, position()});
  head = static_cast<uint32_t>(known_.size() - 1);
}

void Assembler::grow_buckets() {
  heads_.assign(2 * heads_.size(), kNoEntry);
  for (uint32_t i = 0; i < known_.size(); ++i) {
    uint32_t& head = heads_[bucket(known_[i].key)];
    known_[i].before = head;
    head = i;
  }
}

void Assembler::leave_region() {
  while (known_.size() > marks_.back()) {
    heads_[bucket(known_.back().key)] = known_.back().before;
    known_.pop_back();
  }
  marks_.pop_back();
}

MachineValue Assembler::fresh_immediate(uint32_t bits) {
  const MachineValue result = general();
  if (bits == 0) {
    emit({Opcode::mov, {Arg::reg(result), Source::immediate(0), Arg::word(15)}});
  } else {
    emit({Opcode::mov32i, {Arg::reg(result), Source::immediate(bits), Arg::word(15)}});
  }
  return result;
}

MachineValue Assembler::immediate(uint32_t bits) {
  return once_nearby({Shared::immediate, bits}, [&] { return fresh_immediate(bits); });
}

MachineValue Assembler::constant(uint8_t bank, int32_t offset) {
  return once_nearby({Shared::constant, static_cast<uint32_t>(offset), bank}, [&] {
    const MachineValue result = general();
    emit({Opcode::mov,
          {Arg::reg(result), Source::constant(bank, static_cast<uint32_t>(offset)), Arg::word(15)}});
    return result;
  });
}

MachineValue Assembler::fill(const Source& source, uint8_t held) {
  const bool applied = !holds(held, source.flags);
  if (applied && source.plain != kNone) return source.plain;
  is_stuck_ |= applied;  // modifiers that no register holds
  switch (source.kind) {
    case Source::Kind::value: return source.value;
    case Source::Kind::constant: return constant(source.bank, source.offset());
    case Source::Kind::immediate: return immediate(source.bits);
  }
  return kNone;
}

MachineValue Assembler::predicate_value(Predicate condition) {
  if (condition.value != kNone && !condition.negated) return condition.value;
  return fresh_predicate(condition);
}

MachineValue Assembler::fresh_predicate(Predicate condition) {
  const MachineValue result = predicate();
  emit({Opcode::psetp,
        {Predicate{result, false}, Arg(), condition, Predicate::constant(true), Predicate::constant(true)}});
  return result;
}

}  // namespace texlate::maxwell::select
