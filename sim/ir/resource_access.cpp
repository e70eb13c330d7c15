#include "sim/ir/resource_access.h"

#include <algorithm>

#include "sim/ir/memory.h"
#include "sim/texture_unit/unordered_access.h"

namespace texlate::sim {

using ir::Op;
using ir::Slot;

namespace {

/// Does the access take the differences of its coordinates over the quad?
bool has_differences(Op op, ir::LodRule lod) {
  return op == Op::tex_lod ||
         (op == Op::tex_sample && (lod == ir::LodRule::implicit || lod == ir::LodRule::bias));
}

bool is_inside(const TextureView& view, const Word4& address) {
  const DimensionInfo& info = dimension_info(view.dimension);
  const Extent size = view.unordered_size();
  for (int axis = 0; axis < info.axes; ++axis) {
    if (address[static_cast<size_t>(axis)] >= size[axis]) return false;
  }
  return info.slice < 0 || address[static_cast<size_t>(info.slice)] < view.slice_count;
}

/// A unique number for a texel (16384 x 16384 texels of 2048 slices) or for an element of a buffer.
uint64_t place_of(const Word4& address) {
  return (uint64_t{address[2]} << 46) ^ (uint64_t{address[1]} << 32) ^ address[0];
}

}  // namespace

void ResourceAccesses::run(const Step& step) {
  LaneAccess at(lanes_, step);
  if (has_differences(step.op, at.contract.lod)) lanes_.mix_quads();
  std::vector<TexelRead> texels;
  lanes_.for_active([&](uint32_t lane) {
    at.lane = lane;
    at.access = {};
    if (lane == lanes_.traced) at.access.texels = &texels;
    access_lane(at);
    if (lane == lanes_.traced) trace_access(at, texels);
    lanes_.undefined[lane] |= at.access.undefined;
    if (at.contract.feedback)
      at.put(at.instruction.result_count - 1u, at.access.mapped ? ir::kAllMapped : ir::kNotAllMapped);
  });
}

void ResourceAccesses::access_lane(LaneAccess& at) {
  const Op op = at.instruction.op;
  const uint32_t results = at.instruction.result_count - (at.contract.feedback ? 1u : 0u);
  const bool allowed = at.is_allowed();
  const bool changes = is_store(op) || is_read_write(op);
  if (!allowed || (changes && !lanes_.live.test(at.lane))) {
    for (uint32_t i = 0; i < results; ++i) {
      const Slot fallback = Slot::fallback0 + i;
      at.put(i, i < 4 && !allowed && at.has(fallback) ? at.slot(fallback) : 0);
    }
    return;
  }
  const BoundResource& resource = at.resource();
  if (!resource.bound()) {
    at.report_unguarded("an unbound slot");
    const uint32_t value = lanes_.options.promise_nothing ? kForeign : 0;
    for (uint32_t i = 0; i < results; ++i) at.put(i, value);
    return;
  }
  switch (op) {
    case Op::tex_fetch: return fetch(at, resource);
    case Op::tex_sample: return sample_texture(at, resource);
    case Op::tex_gather: return gather(at, resource);
    case Op::surf_load:
    case Op::surf_store:
    case Op::surf_atomic: return access_surface(at, resource);
    case Op::buf_load:
    case Op::buf_store:
    case Op::buf_atomic: return access_buffer(at, resource);
    case Op::counter: return count(at, resource);
    case Op::tex_lod:
    case Op::tex_size:
    case Op::tex_samples:
    case Op::sample_position:
    case Op::buf_size: return query(at, resource);
    case Op::mapped:  // needs only a value
#define IR_COVERED_texture
#define IR_COVERED_surface
#define IR_COVERED_buffer
#include "ir/op_cases.inc"
      return;
  }
}

void ResourceAccesses::store_texel(LaneAccess& at, const BoundResource& resource, const Word4& address,
                                   bool inside) {
  const bool typed_buffer = resource.buffer.bound();
  const FormatInfo& format = format_info(typed_buffer ? resource.buffer.format : resource.texture.format);
  Word4 value = {at.slot(Slot::value0), at.slot(Slot::value1), at.slot(Slot::value2), at.slot(Slot::value3)};
  const auto load = [&] {
    Access ignored;
    return typed_buffer ? ld_uav_typed(resource.buffer, address[0], ignored)
                        : ld_uav_typed(resource.texture, address, ignored);
  };
  const bool is_read = order_.is_read(at);
  const Word4 before = is_read ? load() : Word4{};
  if (typed_buffer) {
    store_uav_typed(resource.buffer, address[0], value, at.access);
  } else {
    store_uav_typed(resource.texture, address, value, at.access);
  }
  if (!inside) return;
  for (int c = 0; c < 4; ++c) {
    if (!format.has(c)) value[static_cast<size_t>(c)] = 0;  // it goes nowhere
  }
  order_.note_write(at, place_of(address), MemoryWrite::store(value), is_read && load() != before);
}

void ResourceAccesses::access_surface(LaneAccess& at, const BoundResource& resource) {
  // Views of the interpreter have no pitches.
  if (at.has(Slot::address)) return at.report_unguarded("a texel by its address");
  const bool typed_buffer = resource.buffer.bound();
  const uint32_t element = at.slot(Slot::coordinate0);
  const Word4 address = typed_buffer ? Word4{element, 0, 0, 0} : at.texel_address(resource.texture);
  const bool inside =
      typed_buffer ? element < resource.buffer.element_count : is_inside(resource.texture, address);
  if (!inside) at.report_unguarded("a texel outside the view");
  switch (at.instruction.op) {
    case Op::surf_load: {
      if (inside) order_.note_read(at, place_of(address));
      const Format format = typed_buffer ? resource.buffer.format : resource.texture.format;
      const Word4 texel = typed_buffer ? ld_uav_typed(resource.buffer, element, at.access)
                                       : ld_uav_typed(resource.texture, address, at.access);
      // Missing components: the only guarantee that targets give for surfaces, because they unpack texels in
      // code.
      return at.put_texel(texel, format, true);
    }
    case Op::surf_store: return store_texel(at, resource, address, inside);
    case Op::surf_atomic: {
      const bool exchange = at.contract.atomic == ir::AtomicOp::compare_exchange;
      const uint32_t value = at.slot(Slot::value0);
      const uint32_t first = exchange ? at.slot(Slot::compare) : value;
      const AtomicOp op = unit_atomic(at.contract.atomic);
      const bool returns = at.step.result_used;
      if (inside) order_.note_atomic(at, place_of(address), op, first, value);
      uint32_t before = 0;
      if (typed_buffer) {
        before = atomic(resource.buffer, element, 0, op, first, value, returns, at.access);
      } else {
        before = atomic(resource.texture, address, op, first, value, returns, at.access);
      }
      return at.put(0, before);
    }
#define IR_COVERED_surface
#include "ir/op_cases.inc"
      return;  // of another family
  }
}

ResourceAccesses::BufferWord ResourceAccesses::first_word(const LaneAccess& at, const BufferView& view) {
  const bool structured = at.contract.dimension == ir::Dimension::structured_buffer;
  if (!at.has(Slot::address))
    return {at.slot(Slot::coordinate0), structured ? at.slot(Slot::byte_offset) : 0};
  const uint64_t bytes = (at.address() & ((uint64_t{1} << kViewBits) - 1)) +
                         (at.has(Slot::byte_offset) ? at.slot(Slot::byte_offset) : 0);
  const uint32_t stride = structured ? std::max(view.stride, 1u) : 1;
  return {static_cast<uint32_t>(std::min<uint64_t>(bytes / stride, UINT32_MAX)),
          static_cast<uint32_t>(bytes % stride)};
}

void ResourceAccesses::access_buffer(LaneAccess& at, const BoundResource& resource) {
  if (at.has(Slot::address) && (at.address() & kCounterPlace) != 0) return count(at, resource);
  const BufferView& view = resource.buffer;
  const bool structured = at.contract.dimension == ir::Dimension::structured_buffer;
  const auto [x, offset] = first_word(at, view);
  const bool inside = x < view.element_count && (!structured || offset < view.stride);
  if (!inside && lanes_.options.promise_nothing) {
    at.report_unguarded("a word outside the buffer");
    for (uint32_t i = 0; i < at.instruction.result_count; ++i) at.put(i, kForeign);
    return;
  }
  // Raw offsets are in bytes; structures have at most 2048 bytes.
  const uint64_t place = structured ? (uint64_t{x} << 12) + offset : x;
  switch (at.instruction.op) {
    case Op::buf_load: {
      const uint32_t mask = at.contract.component_mask;
      for (uint32_t left = inside ? mask : 0; left != 0; left &= left - 1)
        order_.note_read(at, place + 4 * static_cast<uint32_t>(std::countr_zero(left)));
      const Word4 words =
          structured ? ld_structured(view, x, offset, mask, at.access) : ld_raw(view, x, mask, at.access);
      return at.put_texel(words, Format::unknown);
    }
    case Op::buf_store: return store_words(at, view, {x, offset}, place, inside);
    case Op::buf_atomic: {
      const bool exchange = at.contract.atomic == ir::AtomicOp::compare_exchange;
      const uint32_t value = at.slot(Slot::value0);
      const uint32_t first = exchange ? at.slot(Slot::compare) : value;
      const AtomicOp op = unit_atomic(at.contract.atomic);
      if (inside) order_.note_atomic(at, place, op, first, value);
      return at.put(0, atomic(view, x, offset, op, first, value, at.step.result_used, at.access));
    }
    case Op::buf_size:
    case Op::counter:  // query(), count()
#define IR_COVERED_buffer
#include "ir/op_cases.inc"
      return;
  }
}

void ResourceAccesses::store_words(LaneAccess& at, const BufferView& view, BufferWord first, uint64_t place,
                                   bool inside) {
  const bool structured = at.contract.dimension == ir::Dimension::structured_buffer;
  const auto words = static_cast<uint32_t>(std::popcount(at.contract.component_mask));
  const uint32_t first_words = (1u << words) - 1;
  Access ignored;
  const bool is_read = order_.is_read(at);
  const Word4 before = !is_read     ? Word4{}
                       : structured ? ld_structured(view, first.x, first.offset, first_words, ignored)
                                    : ld_raw(view, first.x, first_words, ignored);
  Word4 value{};
  for (uint32_t i = 0; i < words; ++i) {
    value[i] = at.slot(Slot::value0 + i);
    if (inside)
      order_.note_write(at, place + 4 * i, MemoryWrite::store({value[i], 0, 0, 0}),
                        is_read && before[i] != value[i]);
  }
  if (structured) return store_structured(view, first.x, first.offset, value, words, at.access);
  store_raw(view, first.x, value, words, at.access);
}

// The counter is a place of its own.
void ResourceAccesses::count(LaneAccess& at, const BoundResource& resource) {
  constexpr uint64_t kCounter = ~uint64_t{0};
  const bool is_sum = at.instruction.op == Op::buf_atomic;  // which returns the count before
  const bool alloc = is_sum ? at.slot(Slot::value0) == 1 : at.contract.counter == ir::CounterOp::alloc;
  order_.note_atomic(at, kCounter, AtomicOp::iadd, alloc ? 1 : 0xffffffffu, 0);
  if (alloc) return at.put(0, atomic_alloc(resource.buffer, at.access));
  at.put(0, atomic_consume(resource.buffer, at.access) + (is_sum ? 1 : 0));
}

}  // namespace texlate::sim
