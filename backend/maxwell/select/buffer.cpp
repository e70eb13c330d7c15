// Raw and structured buffers: global memory at the record's address, in accesses of 4, 8 or 16 bytes
// depending on the address's alignment. Counters of structured buffers.

#include <bit>

#include "backend/launch/buffer_alignment.h"
#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {

using ir::Op;
using ir::Slot;
using ir::Value;

constexpr uint32_t kWordBytes = 4;

}  // namespace

/// base + index * stride + offset, in 64 bits: Direct3D's reference does not wrap (docs/reference/direct3d.md
/// 1.3). The low two bits of offsets are cleared unless they are known to be zero.
Arg Selector::buffer_address(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module.resources[contract.resource];
  const Field record = resource_record(instruction);
  const Source low = load_word(record, launch::record::kHandle);
  const Source high = load_word(record, launch::record::kHandle + 4);
  const Value index = slot(instruction, Slot::coordinate0);
  const uint32_t reach = instruction.op == Op::buf_atomic ? kAtomicReach : kLoadReach;
  if (contract.dimension == ir::Dimension::raw_buffer)
    return global_address(low, high, word(index), 0, reach);
  const Source within = word(slot(instruction, Slot::byte_offset));
  return structure_address(low, high, index, resource.stride, within, reach);
}

/// base + offset + more, where `more` is less than `reach`. A constant offset that the instruction can reach
/// is part of it.
Arg Selector::global_address(const Source& low, const Source& high, const Source& offset, int32_t more,
                             uint32_t reach) {
  if (offset.is_immediate() && uint64_t{offset.bits} + static_cast<uint32_t>(more) < reach) {
    return Arg::address(std::array{assembler.reg(low), assembler.reg(high)},
                        static_cast<int32_t>(offset.bits) + more);
  }
  const Pair at = scaled_address(low, high, assembler.reg(offset), 0);
  return Arg::address(std::array{at.low, at.high}, more);
}

Arg Selector::structure_address(const Source& low, const Source& high, Value index, uint32_t stride,
                                const Source& within, uint32_t reach) {
  if (module.is_constant(index)) {
    const uint64_t start = uint64_t{module.constant_bits(index)} * stride;
    if (start < reach) return global_address(low, high, within, static_cast<int32_t>(start), reach);
  }
  Pair at;
  if (stride != 0 && (stride & (stride - 1)) == 0 && stride <= 2048) {
    unsigned shift = 0;
    while ((1u << shift) != stride) ++shift;
    at = scaled_address(low, high, reg(index), shift);
  } else {
    // index * stride in 64 bits: the stride has at most 12 bits (D3D11.3 7.14.4), so the upper word is the
    // carry of the upper half's product.
    const Source number = Source::of(reg(index));
    const Source factor = Source::immediate(stride);
    const Source zero = Source::immediate(0);
    const Source t = Source::of(assembler.emit_word({Opcode::xmad, {Arg(), number, factor, zero}}));
    const MachineValue product = assembler.emit_word(
        {Opcode::xmad, {Arg(), number.half(1), factor, t}, {{Modifier::psl, ProductShiftLeft::on}}});
    const Source carried = Source::of(assembler.emit_word(
        {Opcode::xmad, {Arg(), number.half(1), factor, t}, {{Modifier::xmad_mode, XmadMode::chi}}}));
    const Source upper = Source::of(assembler.emit_word(
        {Opcode::shr, {Arg(), carried, Source::immediate(16)}, {{Modifier::is_signed, IsSigned::u32}}}));
    Draft sum{Opcode::iadd, {Arg(), Source::of(product), low}};
    sum.args[0].flags = kWriteCC;
    at.low = assembler.emit_word(sum);
    at.high = assembler.emit_word({Opcode::iadd, {Arg(), upper, high}, {{Modifier::x, ExtendedCarry::on}}});
  }
  return global_address(Source::of(at.low), Source::of(at.high), within, 0, reach);
}

void Selector::select_buffer(const ir::Instruction& instruction) {
  if (instruction.op == Op::buf_size) return refuse(instruction, "a query that is not legalized");
  const Value guard_value = slot(instruction, Slot::guard);
  Predicate guard = guard_value == ir::kNoValue ? Predicate::constant(true) : predicate(guard_value);
  if (instruction.op == Op::counter) return select_counter(instruction, guard);
  if (instruction.op != Op::buf_load) guard = effective(guard);
  if (guard.is_false()) {
    if (instruction.op == Op::buf_load) define_fallbacks(instruction);
    if (instruction.op == Op::buf_atomic) define(instruction.first_result, Source::immediate(0));
    return;
  }
  const Arg at = buffer_address(instruction);
  if (instruction.op == Op::buf_atomic) return emit_global_atomic(instruction, at, guard);
  const uint32_t alignment = buffer_alignment(instruction);
  if (instruction.op == Op::buf_store) return store_words(instruction, at, alignment, guard);
  define_status(instruction);
  load_words(instruction, at, alignment, guard);
}

/// A certain divisor of the first word's address, in bytes. Buffers of deko3d guarantee no alignment
/// (docs/dksh.md).
uint32_t Selector::buffer_alignment(const ir::Instruction& instruction) const {
  const ir::ResourceAccess& contract = access(instruction);
  const Value offset = slot(instruction, Slot::byte_offset);
  if (is_graphics() || contract.dimension == ir::Dimension::raw_buffer || !module.is_constant(offset))
    return kWordBytes;
  const uint32_t structure = launch::buffer_alignment(module.resources[contract.resource]);
  return 1u << std::countr_zero(module.constant_bits(offset) | structure);
}

/// Loads the words of component_mask from `at` on, which has `alignment`; unused words only as part of a
/// wider access.
void Selector::load_words(const ir::Instruction& instruction, const Arg& at, uint32_t alignment,
                          Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module.resources[contract.resource];
  const LoadCache cache = !resource.is_uav             ? LoadCache::ci
                          : resource.globally_coherent ? LoadCache::cv
                                                       : LoadCache::none;
  // The same choice as in ptxas.
  const LoadSize widest = cache == LoadCache::cv ? LoadSize::b128 : LoadSize::u_b128;
  const auto words = static_cast<uint32_t>(std::bit_width(contract.component_mask));
  const uint32_t used = used_words(instruction, words);
  for (uint32_t i = 0, count = 0; i < words; i += count) {
    count = launch::loaded_words(alignment, kWordBytes * i, words - i, used >> i);
    if (count == 1 && ((used >> i) & 1) == 0) continue;
    const LoadedWords loaded = define_loaded(instruction, i, count, guard);
    const LoadSize size = count == 4 ? widest : count == 2 ? LoadSize::b64 : LoadSize::b32;
    Arg place = at;
    place.number += static_cast<int32_t>(kWordBytes * i);
    machine::Instruction& code =
        emit(Draft{Opcode::ldg,
                   {Arg::regs(std::span(loaded.results.data(), count)), place},
                   {{Modifier::e, Extended::on}, {Modifier::load_cache, cache}, {Modifier::load_size, size}}}
                 .under(guard));
    if (resource.is_uav) code.effect = machine::Effect::read;
    if (guard.value != kNone) leave_zeros(std::span(loaded.otherwise.data(), count));
  }
}

/// Stores the words of component_mask, which has no gaps, from `at` on.
void Selector::store_words(const ir::Instruction& instruction, const Arg& at, uint32_t alignment,
                           Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool coherent = module.resources[contract.resource].globally_coherent;
  const auto words = static_cast<uint32_t>(std::popcount(contract.component_mask));
  for (uint32_t i = 0, count = 0; i < words; i += count) {
    count = launch::stored_words(alignment, kWordBytes * i, words - i);
    std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
    for (uint32_t k = 0; k < count; ++k) values[k] = reg(slot(instruction, Slot::value0 + i + k));
    const MemorySize size = count == 4 ? MemorySize::b128 : count == 2 ? MemorySize::b64 : MemorySize::b32;
    Arg place = at;
    place.number += static_cast<int32_t>(kWordBytes * i);
    emit(Draft{Opcode::stg,
               {place, Arg::regs(std::span(values.data(), count))},
               {{Modifier::e, Extended::on},
                {Modifier::memory_size, size},
                {Modifier::store_cache, coherent ? StoreCache::wt : StoreCache::none}}}
             .under(guard))
        .effect = machine::Effect::write;
  }
}

// alloc returns the count before, consume the count after; both wrap (docs/reference/direct3d.md 1.4).
void Selector::select_counter(const ir::Instruction& instruction, Predicate guard) {
  const bool alloc = access(instruction).counter == ir::CounterOp::alloc;
  const Value result = instruction.first_result;
  guard = effective(guard);
  if (guard.is_false()) return define(result, Source::immediate(0));
  const Pair address = load_pair(counter_record(instruction), 0);
  if (!is_graphics()) {
    // If a view lacks the counter that the shader uses, Direct3D leaves the result undefined and memory
    // unchanged.
    const Predicate counts = is_not_zero(Source::of(address.low), Source::of(address.high));
    guard = guard.is_true() ? counts : both(guard, counts);
  }
  const Arg at = Arg::address(std::array{address.low, address.high}, 0);
  const MachineValue step = assembler.immediate(alloc ? 1 : 0xffffffff);
  if (!is_used(result)) {
    emit(Draft{Opcode::red, {at, Arg::reg(step)}, {{Modifier::e, Extended::on}}}.under(guard)).effect =
        machine::Effect::write;
    return;
  }
  const MachineValue otherwise = guard.value != kNone ? assembler.fresh_immediate(alloc ? 0 : 1) : kNone;
  const MachineValue before = assembler.general();
  emit(
      Draft{Opcode::atom, {Arg::reg(before), at, Arg::reg(step)}, {{Modifier::e, Extended::on}}}.under(guard))
      .effect = machine::Effect::write;
  if (guard.value != kNone) leave_zeros(std::array{otherwise});
  if (alloc) return define(result, before);
  define(result, emit_integer_sum(Source::of(before), Source::immediate(0xffffffff)));
}

}  // namespace texlate::maxwell::select
