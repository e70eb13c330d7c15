// Raw and structured buffers: storage buffers of words, or texel buffers where the binding map says so;
// counters: a storage buffer of one word each.

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

using ir::Dimension;

// Index of the first word. 32-bit arithmetic, as the hardware of most vendors does it
// (docs/reference/direct3d.md 1.3).
Id Emitter::word_index(const Instruction& instruction) {
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
  const bool no_offset =
      offset == ir::kNoValue || (module_.is_constant(offset) && module_.constant_bits(offset) < 4);
  if (module_.is_constant(coordinate0)) {
    const uint32_t start = module_.constant_bits(coordinate0) * stride;
    if (no_offset) return constant(start);
    if (module_.is_constant(offset)) return constant(start + module_.constant_bits(offset) / 4);
    return add(words(offset), start);
  }
  const Id index = as_uint(coordinate0);
  const Id start = stride == 1 ? index : emit(spv::OpIMul, uint, {index, constant(stride)});
  if (no_offset) return start;
  if (module_.is_constant(offset)) return add(start, module_.constant_bits(offset) / 4);
  return emit(spv::OpIAdd, uint, {start, words(offset)});
}

/// Pointer to a word of the buffer.
Id Emitter::buffer_element(const Instruction& instruction, Id index, Kind kind) {
  const ir::ResourceAccess& contract = access(instruction);
  const Binding& binding = resources_[contract.resource];
  const Id type = builder_.pointer_type(spv::StorageClassStorageBuffer, type_of(kind));
  if (!is_element(binding.place, module_.resources[contract.resource])) {
    return emit(spv::OpAccessChain, type, {binding.variable, constant(0), index});
  }
  const Value at = slot(instruction, Slot::resource_index);
  const bool constant_index = !is_indexed(binding.place, at);
  if (!constant_index) require_indexing(contract.resource, contract.non_uniform);
  const Id pointer = emit(spv::OpAccessChain, type,
                          {binding.variable, descriptor_index(binding.place, at), constant(0), index});
  if (!constant_index && contract.non_uniform) builder_.decorate(pointer, spv::DecorationNonUniformEXT);
  return pointer;
}

Id Emitter::load_word(const Instruction& instruction, Id index, Kind kind) {
  const ir::ResourceAccess& contract = access(instruction);
  if (is_block(contract.resource))
    return emit(spv::OpLoad, scalar_of(kind), {buffer_element(instruction, index, kind)});
  const spv::Op op = module_.resources[contract.resource].is_uav ? spv::OpImageRead : spv::OpImageFetch;
  const Id words = builder_.vector_type(builder_.uint_type(), 4);
  const Id texel = emit(op, words, {image(instruction), index});
  return convert(emit(spv::OpCompositeExtract, Scalar::uint, {texel, 0}), Kind::uint, kind);
}

void Emitter::store_word(const Instruction& instruction, Id index, Id value, Kind kind) {
  if (is_block(access(instruction).resource))
    return effect(spv::OpStore, {buffer_element(instruction, index, kind), value});
  const Id word = convert(value, kind, Kind::uint);
  const Id texel = emit(spv::OpCompositeConstruct, builder_.vector_type(builder_.uint_type(), 4),
                        {word, word, word, word});
  effect(spv::OpImageWrite, {image(instruction), index, texel});
}

void Emitter::emit_buffer(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  declare_resource(contract.resource);
  const Kind kind = buffer_kind_[contract.resource];
  const Id type = type_of(kind);
  const Value guard = slot(instruction, Slot::guard);
  const Value first = instruction.first_result;
  if (instruction.op == Op::buf_atomic) {
    guard_begin(guard);
    const Id index = word_index(instruction);
    const Id pointer = is_block(contract.resource) ? buffer_element(instruction, index, Kind::uint)
                                                   : texel_pointer(instruction, builder_.uint_type(), index);
    const Value compare = slot(instruction, Slot::compare);
    const Id value = as_uint(slot(instruction, Slot::value0));
    Id before = atomic(contract.atomic, type, pointer, spv::ScopeDevice, value,
                       compare == ir::kNoValue ? 0 : as_uint(compare));
    if (guard != ir::kNoValue) before = guard_end(type, before, constant(0));
    return define(first, Kind::uint, before);
  }
  if (instruction.op == Op::buf_store) {
    guard_begin(guard);
    const Id start = word_index(instruction);
    for (uint32_t i = 0; i < 4; ++i) {
      const Value value = slot(instruction, Slot::value0 + i);
      if (value == ir::kNoValue || ((contract.component_mask >> i) & 1) == 0) continue;
      const Id place = add(start, i);
      store_word(instruction, place, use(value, kind), kind);
    }
    if (guard != ir::kNoValue) guard_end(0, 0, 0);
    return;
  }
  // A storage buffer says nothing of residency: what is bound counts as mapped.
  if (contract.feedback) define(first + 4, Kind::uint, constant(0xffffffffu));
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    if (is_used(first + i) && ((contract.component_mask >> i) & 1) != 0) wanted |= 1u << i;
  }
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
  guard_begin(guard);
  const Id start = word_index(instruction);
  for (uint32_t i = 0; i < 4; ++i) {
    if (((wanted >> i) & 1) == 0) continue;
    Id value = load_word(instruction, add(start, i), kind);
    if (guard != ir::kNoValue) value = guard_end(type, value, fallback);
    define(first + i, kind, value);
  }
}

// bufinfo: elements, bytes or structures.
void Emitter::emit_buffer_size(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool raw = contract.dimension == Dimension::raw_buffer;
  const Id size = query(contract.resource, slot(instruction, Slot::resource_index),
                        raw ? ir::BindingFact::bytes : ir::BindingFact::width);
  if (size == 0) return refuse(instruction, "the size of a buffer of a descriptor array");
  define(instruction.first_result, Kind::uint, size);
}

/// A counter is a storage buffer of one word, or the first texel of a texel buffer; those of a range of views
/// are an array of these.
Id Emitter::counter_pointer(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module_.resources[contract.resource];
  Binding& binding = resources_[contract.resource];
  const Id uint = builder_.uint_type();
  const Place place = options_.bindings.find(RegisterClass::counter, resource.space, resource.lower_bound);
  const bool texels = place.passing == Passing::texel_buffer;
  const spv::StorageClass storage =
      texels ? spv::StorageClassUniformConstant : spv::StorageClassStorageBuffer;
  if (counter_type_[texels ? 1 : 0] == 0) {
    Id& type = counter_type_[texels ? 1 : 0];
    if (texels) {
      builder_.require(spv::CapabilityImageBuffer);
      type = builder_.type(spv::OpTypeImage, {uint, spv::DimBuffer, 0u, 0u, 0u, 2u, spv::ImageFormatR32ui});
    } else {
      type = builder_.own_type(spv::OpTypeStruct, {uint});
      builder_.decorate(type, spv::DecorationBlock);
      builder_.decorate_member(type, 0, spv::DecorationOffset, 0);
    }
  }
  Id pointee = counter_type_[texels ? 1 : 0];
  if (binding.counter == 0) {
    const Id type = array_of(pointee, resource.lower_bound, resource.upper_bound, place, pointee);
    binding.counter = builder_.variable(storage, type);
    describe(binding.counter, texels ? DescriptorKind::storage_texel_buffer : DescriptorKind::storage_buffer,
             RegisterClass::counter, contract.resource);
  }
  Id counter = binding.counter;
  if (is_element(place, resource)) {
    const Value at = slot(instruction, Slot::resource_index);
    const bool non_uniform = is_non_uniform(instruction, Slot::resource_index);
    if (is_indexed(place, at)) {
      if (non_uniform) builder_.require(spv::CapabilityShaderNonUniformEXT);
      if (non_uniform || texels) builder_.require_extension("SPV_EXT_descriptor_indexing");
      builder_.require(texels ? non_uniform ? spv::CapabilityStorageTexelBufferArrayNonUniformIndexingEXT
                                            : spv::CapabilityStorageTexelBufferArrayDynamicIndexingEXT
                       : non_uniform ? spv::CapabilityStorageBufferArrayNonUniformIndexingEXT
                                     : spv::CapabilityStorageBufferArrayDynamicIndexing);
    }
    const Id index = descriptor_index(place, at);
    counter = texels ? access_chain(storage, pointee, {counter, index})
                     : access_chain(storage, uint, {counter, index, constant(0)});
    if (non_uniform) builder_.decorate(counter, spv::DecorationNonUniformEXT);
  } else if (!texels) {
    counter = access_chain(storage, uint, {counter, constant(0)});
  }
  if (!texels) return counter;
  const Id pointer = builder_.pointer_type(spv::StorageClassImage, uint);
  return emit(spv::OpImageTexelPointer, pointer, {counter, constant(0), constant(0)});
}

// alloc gives the count before, consume the count after (docs/reference/direct3d.md 1.4).
void Emitter::emit_counter(const Instruction& instruction) {
  const Id uint = builder_.uint_type();
  const Value guard = slot(instruction, Slot::guard);
  guard_begin(guard);
  const Id pointer = counter_pointer(instruction);
  const bool alloc = access(instruction).counter == ir::CounterOp::alloc;
  Id value = emit(alloc ? spv::OpAtomicIAdd : spv::OpAtomicISub, uint,
                  {pointer, constant(spv::ScopeDevice), constant(0), constant(1)});
  if (!alloc) value = emit(spv::OpISub, uint, {value, constant(1)});
  if (guard != ir::kNoValue) value = guard_end(uint, value, constant(0));
  define(instruction.first_result, Kind::uint, value);
}

}  // namespace texlate::spirv
