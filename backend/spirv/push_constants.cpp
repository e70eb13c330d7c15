#include "backend/spirv/push_constants.h"

#include <fmt/format.h>

#include <algorithm>

namespace texlate::spirv {

void PushConstants::collect_ranges() {
  const auto add_word = [this](const Place& place) {
    if (place.offset_at == kNoOffset) return;
    for (const Range& known : ranges_) {
      if (known.buffer == kNoIndex && known.offset == place.offset_at) return;
    }
    ranges_.push_back({place.offset_at, 1, kNoIndex});
  };
  for (uint32_t i = 0; i < places_.constant_buffers.size(); ++i) {
    const Place& place = places_.constant_buffers[i];
    if (place.passing != Passing::push_constants) {
      add_word(place);
      continue;
    }
    const uint32_t words = place.size != 0 ? place.size / 4 : 4 * module_.constant_buffers[i].rows;
    ranges_.push_back({place.binding, words, i});
  }
  for (const Place& place : places_.resources) add_word(place);
  for (const Place& place : places_.samplers) add_word(place);
  for (size_t i = 0; i < places_.counters.size(); ++i) {
    if (module_.resources[i].has_counter) add_word(places_.counters[i]);
  }
  std::ranges::stable_sort(ranges_, {}, &Range::offset);
}

// Members of a block must not overlap (SPIR-V 2.16.2), and it would be unclear what the host writes.
void PushConstants::refuse_overlaps() {
  const auto name = [this](const Range& range) {
    if (range.buffer == kNoIndex) return std::string("an offset into descriptor arrays");
    return fmt::format("cb{}", module_.constant_buffers[range.buffer].id);
  };
  const Range* furthest = nullptr;
  for (const Range& range : ranges_) {
    if (furthest != nullptr && range.offset < furthest->end()) {
      diagnostics_.error(
          {}, "{} (bytes {} to {}) and {} (bytes {} to {}) overlap in the push constants on spirv",
          name(*furthest), furthest->offset, furthest->end() - 1, name(range), range.offset, range.end() - 1);
    }
    if (furthest == nullptr || range.end() > furthest->end()) furthest = &range;
  }
}

void PushConstants::declare() {
  if (variable_ != Id::none) return;
  collect_ranges();
  refuse_overlaps();
  std::pmr::vector<Id> members(module_.memory());
  for (const Range& range : ranges_) {
    if (range.buffer == kNoIndex) {
      members.push_back(builder_.uint_type());
      continue;
    }
    const Id array =
        builder_.own_type(spv::OpTypeArray, {builder_.uint_type(), constant(std::max(1u, range.words))});
    builder_.decorate(array, spv::DecorationArrayStride, 4);
    members.push_back(array);
  }
  const Id block = builder_.own_type(spv::OpTypeStruct, members);
  builder_.decorate(block, spv::DecorationBlock);
  uint32_t member = 0;
  for (const Range& range : ranges_) {
    builder_.decorate_member(block, member++, spv::DecorationOffset, range.offset);
    if (range.buffer == kNoIndex) continue;
    report_.add({DescriptorKind::push_constants, RegisterClass::constant_buffer, range.buffer, 0,
                 places_.constant_buffers[range.buffer]});
  }
  variable_ = builder_.variable(spv::StorageClassPushConstant, block);
  if (options_.names) builder_.name(variable_, "push_constants");
}

uint32_t PushConstants::member(uint32_t buffer, uint32_t offset) const {
  const auto* const range = std::ranges::find_if(ranges_, [&](const Range& one) {
    return one.buffer == buffer && (buffer != kNoIndex || one.offset == offset);
  });
  return static_cast<uint32_t>(range - ranges_.begin());
}

Id PushConstants::word(uint32_t offset) {
  declare();
  const Id index = constant(member(kNoIndex, offset));
  const Id pointer = access_chain(spv::StorageClassPushConstant, builder_.uint_type(), {variable_, index});
  return emit(spv::OpLoad, As::uint, {pointer});
}

Id PushConstants::index(DescriptorKind kind, const Place& place, Value at, bool non_uniform) {
  if (is_indexed(place, at)) {
    const bool texels =
        kind == DescriptorKind::uniform_texel_buffer || kind == DescriptorKind::storage_texel_buffer;
    if (non_uniform || texels) builder_.require_extension("SPV_EXT_descriptor_indexing");
    if (non_uniform) builder_.require(spv::CapabilityShaderNonUniformEXT);
    builder_.require(capability_of(non_uniform ? row_of(kind).other_index : row_of(kind).same_index));
  }
  const bool is_fixed = at == ir::kNoValue || module_.is_constant(at);
  const uint32_t first = place.array_size != 0 ? place.element : 0;
  const uint32_t fixed = first + (is_fixed && at != ir::kNoValue ? module_.constant_bits(at) : 0);
  Id index = is_fixed ? Id::none : as_uint(at);
  if (place.offset_at != kNoOffset) {
    const Id offset = word(place.offset_at);
    index = index == Id::none ? offset : emit(spv::OpIAdd, As::uint, {index, offset});
  }
  return index == Id::none ? constant(fixed) : add(index, fixed);
}

// All rows exist: legalize_push_constants() has ensured that.
void PushConstants::emit_load(const Instruction& instruction) {
  const Value first = instruction.first_result;
  const Kind kind = values_.kind(first);
  declare();
  const uint32_t index = member(instruction.payload, 0);
  if (ranges_[index].words == 0)
    return refuse(instruction, "a constant buffer of unknown size in push constants");
  const Value row = operand(instruction, 0);
  const bool is_constant = module_.is_constant(row);
  const Id array = constant(index);
  Id start = Id::none;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!is_used(first + i)) continue;
    if (!is_constant && start == Id::none)
      start = emit(spv::OpShiftLeftLogical, As::uint, {as_uint(row), constant(2)});
    const Id word = is_constant ? constant(4 * module_.constant_bits(row) + i) : add(start, i);
    const Id pointer =
        access_chain(spv::StorageClassPushConstant, builder_.uint_type(), {variable_, array, word});
    define(first + i, kind, convert(emit(spv::OpLoad, As::uint, {pointer}), Kind::uint, kind));
  }
}

}  // namespace texlate::spirv
