#include "backend/spirv/families.h"

namespace texlate::spirv {

// Index of the first word, in 32-bit arithmetic, as in the hardware of most vendors
// (docs/reference/direct3d.md 1.3).
Id Buffers::word_index(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const Id uint = builder_.uint_type();
  auto words = [&](Value bytes) {
    if (module_.is_constant(bytes)) return constant(module_.constant_bits(bytes) / 4);
    return emit(spv::OpShiftRightLogical, uint, {as_uint(bytes), constant(2)});
  };
  const Value coordinate0 = slot(instruction, Slot::coordinate0);
  if (contract.dimension == Dimension::raw_buffer) return words(coordinate0);
  const uint32_t stride = module_.resources[contract.resource].stride / 4;
  const Value offset = slot(instruction, Slot::byte_offset);
  const bool is_known = offset == ir::kNoValue || module_.is_constant(offset);
  const uint32_t known = is_known && offset != ir::kNoValue ? module_.constant_bits(offset) / 4 : 0;
  if (module_.is_constant(coordinate0)) {
    const uint32_t start = module_.constant_bits(coordinate0) * stride;
    return is_known ? constant(start + known) : add(words(offset), start);
  }
  const Id index = as_uint(coordinate0);
  const Id start = stride == 1 ? index : emit(spv::OpIMul, uint, {index, constant(stride)});
  return is_known ? add(start, known) : emit(spv::OpIAdd, uint, {start, words(offset)});
}

Id Buffers::load_word(const Instruction& instruction, Id index, Kind kind) {
  const ir::ResourceAccess& contract = access(instruction);
  if (bindings_.is_block(contract.resource))
    return emit(spv::OpLoad, as_of(kind), {bindings_.word_pointer(instruction, index, kind)});
  const spv::Op op = module_.resources[contract.resource].is_uav ? spv::OpImageRead : spv::OpImageFetch;
  const Id words = builder_.vector_type(builder_.uint_type(), 4);
  const Id texel = emit(op, words, {bindings_.image(instruction), index});
  return convert(emit(spv::OpCompositeExtract, As::uint, {texel, literal(0)}), Kind::uint, kind);
}

void Buffers::store_word(const Instruction& instruction, Id index, Id value, Kind kind) {
  if (bindings_.is_block(access(instruction).resource))
    return effect(spv::OpStore, {bindings_.word_pointer(instruction, index, kind), value});
  const Id word = convert(value, kind, Kind::uint);
  const Id texel = emit(spv::OpCompositeConstruct, builder_.vector_type(builder_.uint_type(), 4),
                        {word, word, word, word});
  effect(spv::OpImageWrite, {bindings_.image(instruction), index, texel});
}

void Buffers::emit_atomic(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  bindings_.declare(contract.resource);
  const Id type = type_of(values_.types().buffers[contract.resource]);
  const Value guard = slot(instruction, Slot::guard);
  begin_guard(guard);
  const Id index = word_index(instruction);
  const Id pointer = bindings_.is_block(contract.resource)
                         ? bindings_.word_pointer(instruction, index, Kind::uint)
                         : bindings_.texel_pointer(instruction, builder_.uint_type(), index);
  const Value compare = slot(instruction, Slot::compare);
  const Id value = as_uint(slot(instruction, Slot::value0));
  Id before = spirv::emit_atomic(body_, builder_, contract.atomic, type, pointer, spv::ScopeDevice, value,
                                 compare == ir::kNoValue ? Id::none : as_uint(compare));
  if (guard != ir::kNoValue) before = end_guard(type, before, constant(0));
  define(instruction.first_result, Kind::uint, before);
}

void Buffers::emit_store(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  bindings_.declare(contract.resource);
  const Kind kind = values_.types().buffers[contract.resource];
  const Value guard = slot(instruction, Slot::guard);
  begin_guard(guard);
  const Id start = word_index(instruction);
  for (uint32_t i = 0; i < 4; ++i) {
    const Value value = slot(instruction, Slot::value0 + i);
    if (value == ir::kNoValue || ((contract.component_mask >> i) & 1) == 0) continue;
    const Id place = add(start, i);
    store_word(instruction, place, use(value, kind), kind);
  }
  if (guard != ir::kNoValue) end_guard();
}

void Buffers::emit_load(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  bindings_.declare(contract.resource);
  const Kind kind = values_.types().buffers[contract.resource];
  const Id type = type_of(kind);
  const Value guard = slot(instruction, Slot::guard);
  const Value first = instruction.first_result;
  // A storage buffer does not report residency: what is bound counts as mapped.
  if (contract.feedback) define(first + 4, Kind::uint, constant(ir::kAllMapped));
  const uint32_t wanted = used_lanes(first) & contract.component_mask;
  const Id zero = builder_.constant(type, 0);
  for (uint32_t i = 0; i < 4; ++i) {
    if (is_used(first + i) && ((wanted >> i) & 1) == 0) define(first + i, kind, zero);
  }
  if (wanted == 0) return;
  if (guard != ir::kNoValue && std::popcount(wanted) != 1)
    return refuse(instruction, "a guarded access of several words");
  Id fallback = zero;
  if (const Value other = slot(instruction, Slot::fallback0);
      guard != ir::kNoValue && other != ir::kNoValue) {
    fallback = use(other, kind);
  }
  begin_guard(guard);
  const Id start = word_index(instruction);
  for (uint32_t i = 0; i < 4; ++i) {
    if (((wanted >> i) & 1) == 0) continue;
    Id value = load_word(instruction, add(start, i), kind);
    if (guard != ir::kNoValue) value = end_guard(type, value, fallback);
    define(first + i, kind, value);
  }
}

// alloc gives the count before, consume the count after (docs/reference/direct3d.md 1.4).
void Buffers::emit_counter(const Instruction& instruction) {
  const Id uint = builder_.uint_type();
  const Value guard = slot(instruction, Slot::guard);
  begin_guard(guard);
  const Id pointer = bindings_.counter_pointer(instruction);
  const bool alloc = access(instruction).counter == ir::CounterOp::alloc;
  Id value = emit(alloc ? spv::OpAtomicIAdd : spv::OpAtomicISub, uint,
                  {pointer, constant(spv::ScopeDevice), constant(0), constant(1)});
  if (!alloc) value = emit(spv::OpISub, uint, {value, constant(1)});
  if (guard != ir::kNoValue) value = end_guard(uint, value, constant(0));
  define(instruction.first_result, Kind::uint, value);
}

}  // namespace texlate::spirv
