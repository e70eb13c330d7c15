// Raw and structured buffers: global memory at the record's address, in accesses of 4, 8 or 16 bytes
// depending on the address's alignment. Counters of structured buffers.

#include <bit>

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

namespace {

using ir::Op;
using ir::Slot;
using ir::Value;

constexpr uint32_t kWordBytes = 4;

}  // namespace

/// base + index * stride + offset, in 64 bits: Direct3D's reference does not wrap (docs/reference/direct3d.md
/// 1.3). The low two bits of offsets are cleared unless they are known to be zero.
Arg Buffers::address(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module_.resources[contract.resource];
  const Field record = host_.resource_record(instruction);
  const Source low = load_word(record, launch::record::kHandle);
  const Source high = load_word(record, launch::record::kHandle + 4);
  const Value index = slot(instruction, Slot::coordinate0);
  const uint32_t reach = instruction.op == Op::buf_atomic ? kAtomicReach : kLoadReach;
  if (contract.dimension == ir::Dimension::raw_buffer)
    return global_address(low, high, word(index), 0, reach);
  const Source within = word(slot(instruction, Slot::byte_offset));
  return structure_address(low, high, index, resource.stride, within, reach);
}

Arg Buffers::structure_address(const Source& low, const Source& high, Value index, uint32_t stride,
                               const Source& within, uint32_t reach) {
  if (module_.is_constant(index)) {
    const uint64_t start = uint64_t{module_.constant_bits(index)} * stride;
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
    const Source t = emit_source({Opcode::xmad, {Arg(), number, factor, zero}});
    const MachineValue product = emit_word({Opcode::xmad, {Arg(), number.half(1), factor, t}, {kShiftLeft}});
    const Source carried = emit_source(
        {Opcode::xmad, {Arg(), number.half(1), factor, t}, {{Modifier::xmad_mode, XmadMode::chi}}});
    const Source upper = emit_source({Opcode::shr, {Arg(), carried, Source::immediate(16)}, {kUnsigned}});
    Draft sum{Opcode::iadd, {Arg(), Source::of(product), low}};
    sum.args[0].flags = kWriteCC;
    at.low = emit_word(sum);
    at.high = emit_word({Opcode::iadd, {Arg(), upper, high}, {kCarried}});
  }
  return global_address(at, within, 0, reach);
}

void Buffers::select(const ir::Instruction& instruction) {
  if (instruction.op == Op::buf_size) return refuse(instruction, "a query that is not legalized");
  Predicate guard = guard_of(instruction);
  if (instruction.op == Op::counter) return select_counter(instruction, guard);
  if (instruction.op != Op::buf_load) guard = effective(guard);
  if (guard.is_false()) {
    if (instruction.op == Op::buf_load) define_fallbacks(instruction);
    if (instruction.op == Op::buf_atomic) define(instruction.first_result, Source::immediate(0));
    return;
  }
  const Arg at = address(instruction);
  if (instruction.op == Op::buf_atomic) return emit_global_atomic(instruction, at, guard);

  if (instruction.op == Op::buf_store) return store_words(instruction, at, alignment(instruction), guard);
  define_status(instruction);
  load_words(instruction, at, alignment(instruction), guard);
}

/// A certain divisor of the first word's address, in bytes.
uint32_t Buffers::alignment(const ir::Instruction& instruction) const {
  const ir::ResourceAccess& contract = access(instruction);
  const Value offset = slot(instruction, Slot::byte_offset);
  if (contract.dimension == ir::Dimension::raw_buffer || !module_.is_constant(offset)) return kWordBytes;
  const uint32_t structure = host_.structure_alignment(module_.resources[contract.resource]);
  return 1u << std::countr_zero(module_.constant_bits(offset) | structure);
}

// alloc returns the count before, consume the count after; both wrap (docs/reference/direct3d.md 1.4).
void Buffers::select_counter(const ir::Instruction& instruction, Predicate guard) {
  const bool alloc = access(instruction).counter == ir::CounterOp::alloc;
  const Value result = instruction.first_result;
  guard = effective(guard);
  if (guard.is_false()) return define(result, Source::immediate(0));
  const Pair address = load_pair(host_.counter_record(instruction), 0);
  if (host_.may_lack_counters()) {
    // If a view lacks the counter that the shader uses, Direct3D leaves the result undefined and memory
    // unchanged.
    const Predicate counts = is_not_zero(Source::of(address.low), Source::of(address.high));
    guard = guard.is_true() ? counts : both(guard, counts);
  }
  const Arg at = Arg::address(address, 0);
  const MachineValue step = assembler_.immediate(alloc ? 1 : 0xffffffff);
  if (!is_used(result))
    return emit_access({Opcode::red, {at, Arg::reg(step)}, {kExtended}}, guard, machine::Effect::write);
  const auto append = [&](MachineValue before) {
    emit_access({Opcode::atom, {Arg::reg(before), at, Arg::reg(step)}, {kExtended}}, guard,
                machine::Effect::write);
  };
  define_guarded(result, guard, append, alloc ? 0 : 1);
  if (!alloc) define(result, emit_integer_sum(word(result), Source::immediate(0xffffffff)));
}

}  // namespace texlate::maxwell::select
