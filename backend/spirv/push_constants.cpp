// Constant buffers that the caller passes as push constants, and the numbers there that move registers in
// arrays of descriptors. There is one block an entry point (Vulkan 1.1, 14.6.1), with a member for each such
// range; of words, since the same bytes may be read as floats and as integers, and start at any word.

#include <fmt/format.h>

#include <algorithm>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

/// Bytes of the push constants: of a constant buffer, or one word.
struct Emitter::PushRange {
  uint32_t offset, words;
  uint32_t buffer;  // kNoIndex: an offset into arrays of descriptors
  uint32_t end() const { return offset + 4 * words; }
};

void Emitter::collect_push_ranges(ArenaBuffer<PushRange>& ranges) const {
  const auto add_word = [&](const Place& place) {
    if (place.offset_at == kNoOffset) return;
    for (const PushRange& known : ranges) {
      if (known.buffer == kNoIndex && known.offset == place.offset_at) return;
    }
    ranges.push_back({place.offset_at, 1, kNoIndex});
  };
  for (uint32_t i = 0; i < constant_buffers_.size(); ++i) {
    const Place& place = constant_buffers_[i].place;
    if (place.passing != Passing::push_constants) {
      add_word(place);
      continue;
    }
    const uint32_t words = place.size != 0 ? place.size / 4 : 4 * module_.constant_buffers[i].rows;
    ranges.push_back({place.binding, words, i});
  }
  for (const Binding& binding : resources_) add_word(binding.place);
  for (const Binding& binding : samplers_) add_word(binding.place);
  for (const ir::Resource& resource : module_.resources) {
    if (resource.has_counter)
      add_word(options_.bindings.find(RegisterClass::counter, resource.space, resource.lower_bound));
  }
  std::ranges::stable_sort(ranges, {}, &PushRange::offset);
}

/// Two things in the same bytes: members of a block do not overlap (SPIR-V 2.16.2), and what would the host
/// write?
void Emitter::refuse_overlaps(const ArenaBuffer<PushRange>& ranges) {
  const auto name = [&](const PushRange& range) {
    if (range.buffer == kNoIndex) return std::string("an offset into descriptor arrays");
    return fmt::format("cb{}", module_.constant_buffers[range.buffer].id);
  };
  const PushRange* furthest = nullptr;
  for (const PushRange& range : ranges) {
    if (furthest != nullptr && range.offset < furthest->end()) {
      diagnostics_.error({}, "{} (bytes {} to {}) and {} (bytes {} to {}) overlap in push constants on spirv",
                         name(*furthest), furthest->offset, furthest->end() - 1, name(range), range.offset,
                         range.end() - 1);
    }
    if (furthest == nullptr || range.end() > furthest->end()) furthest = &range;
  }
}

void Emitter::declare_push_constants() {
  ArenaBuffer<PushRange> ranges(&arena_);
  collect_push_ranges(ranges);
  refuse_overlaps(ranges);
  std::pmr::vector<uint32_t> members(module_.memory());
  for (const PushRange& range : ranges) {
    if (range.buffer == kNoIndex) {
      push_words_.push_back({range.offset, static_cast<uint32_t>(members.size())});
      members.push_back(builder_.uint_type());
      continue;
    }
    constant_buffers_[range.buffer].push_member = static_cast<uint32_t>(members.size());
    constant_buffers_[range.buffer].push_words = range.words;
    const Id array =
        builder_.own_type(spv::OpTypeArray, {builder_.uint_type(), constant(std::max(1u, range.words))});
    builder_.decorate(array, spv::DecorationArrayStride, 4);
    members.push_back(array);
  }
  const Id block = builder_.own_type(spv::OpTypeStruct, members);
  builder_.decorate(block, spv::DecorationBlock);
  uint32_t member = 0;
  for (const PushRange& range : ranges) {
    builder_.decorate_member(block, member++, spv::DecorationOffset, range.offset);
    if (range.buffer == kNoIndex) continue;
    report({DescriptorKind::push_constants, RegisterClass::constant_buffer, range.buffer, 0,
            constant_buffers_[range.buffer].place});
  }
  push_constants_ = builder_.variable(spv::StorageClassPushConstant, block);
  if (options_.names) builder_.name(push_constants_, "push_constants");
}

/// The word of an offset into arrays of descriptors.
Id Emitter::push_constant_word(uint32_t offset) {
  if (push_constants_ == 0) declare_push_constants();
  const auto* const word = std::ranges::find(push_words_, offset, &PushWord::offset);
  const Id pointer = access_chain(spv::StorageClassPushConstant, builder_.uint_type(),
                                  {push_constants_, constant(word->member)});
  return emit(spv::OpLoad, Scalar::uint, {pointer});
}

// No driver answers for bounds here, so a word outside is always replaced by zero.
void Emitter::emit_push_constant(const Instruction& instruction) {
  const uint32_t index = instruction.payload;
  const Value first = instruction.first_result;
  const Kind kind = kind_[first];
  if (push_constants_ == 0) declare_push_constants();
  const uint32_t words = constant_buffers_[index].push_words;
  if (words == 0) return refuse(instruction, "a constant buffer of unknown size in push constants");
  const Value row = operand(instruction, 0);
  const bool is_constant = module_.is_constant(row);
  const Id zero = builder_.constant(type_of(kind), 0);
  const Id member = constant(constant_buffers_[index].push_member);
  uint32_t limit = 0;  // rows that have the component
  Id inside = 0, start = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!is_used(first + i)) continue;
    const uint32_t rows = (words + 3 - i) / 4;
    if (rows == 0 || (is_constant && module_.constant_bits(row) >= rows)) {
      define(first + i, kind, zero);
      continue;
    }
    if (!is_constant && rows != limit) {
      limit = rows;
      inside = emit(spv::OpULessThan, Scalar::boolean, {as_uint(row), constant(rows)});
      start = select(Scalar::uint, {inside, as_uint(row), constant(0)});
      start = emit(spv::OpShiftLeftLogical, Scalar::uint, {start, constant(2)});
    }
    const Id word = is_constant ? constant(4 * module_.constant_bits(row) + i) : add(start, i);
    const Id pointer =
        access_chain(spv::StorageClassPushConstant, builder_.uint_type(), {push_constants_, member, word});
    const Id value = convert(emit(spv::OpLoad, Scalar::uint, {pointer}), Kind::uint, kind);
    define(first + i, kind, is_constant ? value : select(scalar_of(kind), {inside, value, zero}));
  }
}

}  // namespace texlate::spirv
