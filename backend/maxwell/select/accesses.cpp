#include "backend/maxwell/select/accesses.h"

#include <bit>

#include "backend/launch/buffer_alignment.h"
#include "backend/launch/lower_addresses.h"

namespace texlate::maxwell::select {

namespace {
constexpr uint32_t kWordBytes = 4;
static_assert(launch::kLoadReach + 4 * kWordBytes <= kReach);
}  // namespace

AtomicForm atomic_form(ir::AtomicOp op) {
  switch (op) {
    case ir::AtomicOp::add: return {Atomic::add, false};
    case ir::AtomicOp::and_: return {Atomic::and_, false};
    case ir::AtomicOp::or_: return {Atomic::or_, false};
    case ir::AtomicOp::xor_: return {Atomic::xor_, false};
    case ir::AtomicOp::imin: return {Atomic::min, true};
    case ir::AtomicOp::imax: return {Atomic::max, true};
    case ir::AtomicOp::umin: return {Atomic::min, false};
    case ir::AtomicOp::umax: return {Atomic::max, false};
    case ir::AtomicOp::exchange: return {Atomic::exch, false};
    case ir::AtomicOp::compare_exchange: break;  // a separate instruction
  }
  return {Atomic::add, false};
}

Predicate Accesses::guard_of(const ir::Instruction& instruction) const {
  const Value guard = module_.guard_of(instruction);
  return guard == ir::kNoValue ? kAlways : predicate(guard);
}

MachineValue Accesses::otherwise_of(const ir::Instruction& instruction, uint32_t result, Predicate guard) {
  if (guard.value == kNone) return kNone;
  const bool has_fallbacks = ir::info(instruction.op).family != ir::Family::memory;
  const Value fallback = has_fallbacks ? slot(instruction, ir::Slot::fallback0 + result) : ir::kNoValue;
  return fallback == ir::kNoValue ? assembler_.fresh_immediate(0) : reg(fallback);
}

Accesses::LoadedWords Accesses::define_loaded(const ir::Instruction& instruction, uint32_t first,
                                              uint32_t count, Predicate guard) {
  LoadedWords words;
  for (uint32_t i = 0; i < count; ++i) {
    const Value value = instruction.first_result + first + i;
    if (!is_used(value)) continue;
    words.otherwise[i] = otherwise_of(instruction, first + i, guard);
    words.results[i] = assembler_.general();
    define(value, words.results[i]);
  }
  return words;
}

uint32_t Accesses::used_words(const ir::Instruction& instruction, uint32_t count) const {
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; ++i) used |= (is_used(instruction.first_result + i) ? 1u : 0u) << i;
  return used;
}

void Accesses::define_zeros(const ir::Instruction& instruction) const {
  for (uint32_t c = 0; c < 4; ++c) define(instruction.first_result + c, Source::immediate(0));
}

void Accesses::define_fallbacks(const ir::Instruction& instruction) const {
  for (uint32_t c = 0; c < 4; ++c) {
    const Value fallback = slot(instruction, Slot::fallback0 + c);
    define(instruction.first_result + c, fallback == ir::kNoValue ? Source::immediate(0) : word(fallback));
  }
  define_status(instruction);
}

bool Accesses::wants_status(const ir::Instruction& instruction) const {
  return access(instruction).feedback && is_used(instruction.first_result + kStatusResult);
}

/// The status of an access that is not performed, or of one to linear memory: nothing is missing.
void Accesses::define_status(const ir::Instruction& instruction) const {
  if (access(instruction).feedback)
    define(instruction.first_result + kStatusResult, Source::immediate(ir::kAllMapped));
}

/// A row of a bank, indexed at run time by the first operand.
void Accesses::load_constants(const ir::Instruction& instruction, uint8_t bank, uint32_t base,
                              Predicate guard) {
  const Value first = instruction.first_result;
  if (guard.is_false()) return define_zeros(instruction);
  const MachineValue offset =
      emit_word({Opcode::shl, {Arg(), word(operand(instruction, 0)), Source::immediate(4)}});
  // Two words at once where both are used.
  for (uint32_t c = 0, count = 0; c < 4; c += count) {
    const bool is_both = c % 2 == 0 && is_used(first + c) && is_used(first + c + 1);
    count = is_both ? 2 : 1;
    if (!is_used(first + c)) continue;
    const LoadedWords words = define_loaded(instruction, c, count, guard);
    std::array<MachineValue, 3> registers{words.results[0], words.results[1], offset};
    if (!is_both) registers[1] = offset;
    load_constant(bank, base + 4 * c, std::span(registers.data(), count + 1), guard);
    if (guard.value != kNone) leave_zeros(std::span(words.otherwise.data(), count));
  }
}

Arg Accesses::memory_place(const ir::Instruction& instruction) const {
  const Value offset = slot(instruction, Slot::byte_offset);
  return Arg::address(pair(slot(instruction, Slot::address)),
                      offset == ir::kNoValue ? 0 : static_cast<int32_t>(module_.constant_bits(offset)));
}

/// Unused words only as part of a wider access.
void Accesses::load_words(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module_.resources[contract.resource];
  const LoadCache cache = !resource.is_uav             ? LoadCache::ci
                          : resource.globally_coherent ? LoadCache::cv
                                                       : LoadCache::none;
  const Arg at = memory_place(instruction);
  const auto start = static_cast<uint32_t>(at.number);
  const auto words = static_cast<uint32_t>(std::bit_width(contract.component_mask));
  const uint32_t used = used_words(instruction, words);
  for (uint32_t i = 0, count = 0; i < words; i += count) {
    count = launch::loaded_words(contract.alignment, start + kWordBytes * i, words - i, used >> i);
    if (count == 1 && ((used >> i) & 1) == 0) continue;
    const LoadedWords loaded = define_loaded(instruction, i, count, guard);
    auto size = memory_size<LoadSize>(contract.alignment, count);
    // The same choice as in ptxas.
    if (count == 4 && cache != LoadCache::cv) size = LoadSize::u_b128;
    Arg place = at;
    place.number += static_cast<int32_t>(kWordBytes * i);
    machine::Instruction& code =
        emit(Draft{Opcode::ldg,
                   {Arg::regs(std::span(loaded.results.data(), count)), place},
                   {kExtended, {Modifier::load_cache, cache}, {Modifier::load_size, size}}}
                 .under(guard));
    if (cache != LoadCache::ci) code.effect = machine::Effect::read;
    if (guard.value != kNone) leave_zeros(std::span(loaded.otherwise.data(), count));
  }
}

/// Stores the words of component_mask, which has no gaps.
void Accesses::store_words(const ir::Instruction& instruction, Predicate guard) {
  if (guard.is_false()) return;
  const Arg at = memory_place(instruction);
  const ir::ResourceAccess& contract = access(instruction);
  const bool coherent = module_.resources[contract.resource].globally_coherent;
  const auto start = static_cast<uint32_t>(at.number);
  const auto words = static_cast<uint32_t>(std::popcount(contract.component_mask));
  for (uint32_t i = 0, count = 0; i < words; i += count) {
    count = launch::stored_words(contract.alignment, start + kWordBytes * i, words - i);
    std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
    for (uint32_t k = 0; k < count; ++k) values[k] = reg(slot(instruction, Slot::value0 + i + k));
    const auto size = memory_size<MemorySize>(contract.alignment, count);
    Arg place = at;
    place.number += static_cast<int32_t>(kWordBytes * i);
    emit_access({Opcode::stg,
                 {place, Arg::regs(std::span(values.data(), count))},
                 {kExtended,
                  {Modifier::memory_size, size},
                  {Modifier::store_cache, coherent ? StoreCache::wt : StoreCache::none}}},
                guard, machine::Effect::write);
  }
}

// ---- global memory

/// An atomic at a 64-bit address; RED if the old value is not used and RED has the operation.
void Accesses::emit_global_atomic(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  const Value wanted = instruction.first_result;
  const Value fallback = slot(instruction, Slot::fallback0);
  const uint32_t otherwise = fallback == ir::kNoValue ? 0 : module_.constant_bits(fallback);
  if (guard.is_false()) return define(wanted, Source::immediate(otherwise));
  const Arg at = memory_place(instruction);
  const AtomicForm form = atomic_form(contract.atomic);
  const MachineValue value = reg(slot(instruction, Slot::value0));
  const bool compares = contract.atomic == ir::AtomicOp::compare_exchange;
  if (!is_used(wanted) && contract.atomic != ir::AtomicOp::exchange && !compares) {
    const ReductionType type = form.is_signed ? ReductionType::s32 : ReductionType::u32;
    return emit_access({Opcode::red,
                        {at, Arg::reg(value)},
                        {kExtended, {Modifier::reduction, form.operation}, {Modifier::reduction_type, type}}},
                       guard, machine::Effect::write);
  }
  define_guarded(
      wanted, guard,
      [&](MachineValue result) {
        if (compares) {
          const Arg values = Arg::regs({reg(slot(instruction, Slot::compare)), value});
          return emit_access({Opcode::atom_cas, {Arg::reg(result), at, values, Arg()}, {kExtended}}, guard,
                             machine::Effect::write);
        }
        const AtomicType type = form.is_signed ? AtomicType::s32 : AtomicType::u32;
        emit_access({Opcode::atom,
                     {Arg::reg(result), at, Arg::reg(value)},
                     {kExtended, {Modifier::global_atomic, form.operation}, {Modifier::atomic_type, type}}},
                    guard, machine::Effect::write);
      },
      otherwise);
}

}  // namespace texlate::maxwell::select
