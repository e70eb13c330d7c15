// Resource accesses: guards, bindings, unordered access, buffers and counters. Textures: texture_access.cpp.

#include <algorithm>
#include <cstring>

#include "sim/ir/machine.h"
#include "sim/texture_unit/query.h"
#include "sim/texture_unit/sample.h"
#include "sim/texture_unit/unordered_access.h"

namespace texlate::sim {

using ir::Op;
using ir::Slot;

namespace {

const BoundResource kNothing;
const Sampler kDefaultSampler;
constexpr size_t kKeptReports = 16;

bool is_store(Op op) {
  return op == Op::surf_store || op == Op::buf_store;
}
bool is_read_write(Op op) {
  return op == Op::surf_atomic || op == Op::buf_atomic || op == Op::counter;
}

/// Does the access take the differences of its coordinates over the quad?
bool has_differences(Op op, ir::LodRule lod) {
  return op == Op::tex_lod ||
         (op == Op::tex_sample && (lod == ir::LodRule::implicit || lod == ir::LodRule::bias));
}

}  // namespace

void Machine::run_access(const Step& step) {
  LaneAccess at{step, module_.code[step.source], module_.accesses[step.payload], 0, {}};
  if (has_differences(step.op, at.contract.lod)) mix_quads();
  std::vector<TexelRead> texels;
  for_active([&](uint32_t lane) {
    at.lane = lane;
    at.access = {};
    if (lane == traced_lane_) at.access.texels = &texels;
    access_lane(at);
    if (lane == traced_lane_) trace_access(at, texels);
    undefined_[lane] |= at.access.undefined;
    if (at.contract.feedback) put(at, at.instruction.result_count - 1u, at.access.mapped ? 1 : 0);
  });
}

uint32_t Machine::slot(const LaneAccess& at, Slot which) const {
  const ir::Value value = module_.operands[at.instruction.first_operand + at.contract.position(which)];
  return row(program_.row_of[value])[at.lane];
}

float Machine::float_slot(const LaneAccess& at, Slot which) const {
  return has(at, which) ? std::bit_cast<float>(slot(at, which)) : 0.0f;
}

void Machine::put(LaneAccess& at, uint32_t result, uint32_t value) const {
  const_cast<Machine*>(this)->row(at.step.result)[result * lanes_ + at.lane] = value;
}

// A texel of a format. Until legalization adds code that fills in missing components, a target that promises
// nothing leaves them undefined.
void Machine::put_texel(LaneAccess& at, Word4 texel, Format format, bool keep_all) {
  if (options_.promise_nothing && !keep_all && format != Format::unknown) {
    for (int c = 0; c < 4; ++c) {
      if (!format_info(format).has(c)) texel[static_cast<size_t>(c)] = kForeign;
    }
  }
  for (uint32_t c = 0; c < 4; ++c) put(at, c, texel[c]);
}

void Machine::unguarded(LaneAccess& at, const char* what) {
  if (!options_.promise_nothing) return;
  ++report_.unguarded_count;
  if (report_.unguarded.size() < kKeptReports) {
    report_.unguarded.push_back({at.step.source, module_.location_of(at.instruction), what});
  }
}

uint64_t Machine::address_of(const LaneAccess& at) const {
  const ir::Value value =
      module_.operands[at.instruction.first_operand + at.contract.position(Slot::address)];
  uint64_t address = 0;
  std::memcpy(&address, row(program_.row_of[value]) + 2 * at.lane, sizeof address);
  return address;
}

/// The register in the range of the access's slot.
uint32_t Machine::register_of(const LaneAccess& at) const {
  if (has(at, Slot::address)) return (address_of(at) >> kViewBits) & ((1u << kRegisterBits) - 1);
  return has(at, Slot::resource_index) ? slot(at, Slot::resource_index) : 0;
}

const BoundResource& Machine::resource_of(LaneAccess& at) {
  // An unbound slot's address is 0, to which an access may have added.
  if (has(at, Slot::address) && address_of(at) < view_address(at.contract.resource, 0)) return kNothing;
  const auto& resources = bindings_.resources(at.contract.resource);
  const uint32_t index = register_of(at);
  if (index < resources.size()) return resources[index];
  at.access.flag(Undefined::descriptor_index);
  return kNothing;
}

const Sampler& Machine::sampler_of(LaneAccess& at) {
  if (at.contract.sampler == ir::ResourceAccess::kNoSampler) return kDefaultSampler;
  const auto& samplers = bindings_.samplers(at.contract.sampler);
  const uint32_t index = has(at, Slot::sampler_index) ? slot(at, Slot::sampler_index) : 0;
  if (index < samplers.size()) return samplers[index];
  at.access.flag(Undefined::descriptor_index);
  return kDefaultSampler;
}

void Machine::access_lane(LaneAccess& at) {
  const Op op = at.instruction.op;
  const uint32_t results = at.instruction.result_count - (at.contract.feedback ? 1u : 0u);
  const bool allowed = !has(at, Slot::guard) || slot(at, Slot::guard) != 0;
  const bool changes = is_store(op) || is_read_write(op);
  if (!allowed || (changes && !is_live(at.lane))) {
    for (uint32_t i = 0; i < results; ++i) {
      const Slot fallback = Slot::fallback0 + i;
      put(at, i, i < 4 && !allowed && has(at, fallback) ? slot(at, fallback) : 0);
    }
    return;
  }
  const BoundResource& resource = resource_of(at);
  if (!resource.bound()) {
    unguarded(at, "an unbound slot");
    const uint32_t value = options_.promise_nothing ? kForeign : 0;
    for (uint32_t i = 0; i < results; ++i) put(at, i, value);
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

namespace {

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

// Only for a u# that the shader writes.
void Machine::find_uav_uses() {
  uav_uses_.resize(module_.resources.size());
  for (const Step& step : program_.steps) {
    if (step.pure != nullptr || !ir::info(step.op).has(ir::kResource)) continue;
    UavUse& use = uav_uses_[module_.accesses[step.payload].resource];
    use.is_written |= is_store(step.op) || is_read_write(step.op);
    use.is_read |=
        step.op == Op::surf_load || step.op == Op::buf_load || (is_read_write(step.op) && step.result_used);
  }
  for (uint32_t i = 0; i < uav_uses_.size(); ++i) {
    if (uav_uses_[i].is_written)
      uav_uses_[i].order.assign(bindings_.resources(i).size(),
                                AccessOrder(module_.stage != ir::Stage::compute));
  }
}

AccessOrder* Machine::order_of(const LaneAccess& at) {
  std::vector<AccessOrder>& registers = uav_uses_[at.contract.resource].order;
  const uint32_t index = register_of(at);
  return index < registers.size() ? &registers[index] : nullptr;
}

void Machine::note_read(LaneAccess& at, uint64_t place) {
  AccessOrder* const order = order_of(at);
  if (order != nullptr && order->read(place, moment_of(at.lane))) at.access.flag(Undefined::race);
}

// What the thread itself computes does not depend on the order of its writes.
void Machine::note_write(LaneAccess& at, uint64_t place, const MemoryWrite& write, bool changes) {
  AccessOrder* const order = order_of(at);
  if (order == nullptr || !order->write(place, moment_of(at.lane), write, changes, disturbed_)) return;
  report_.undefined |= static_cast<uint32_t>(Undefined::race);
  for (const uint32_t element : disturbed_) flag_element(element, Undefined::race);
  disturbed_.clear();
}

void Machine::flag_element(uint32_t element, Undefined reason) {
  if (stream_ == nullptr) return;  // no results of its own
  const bool is_mixed = mixed_quads_[element / 4] != 0;
  const uint32_t first = is_mixed ? element & ~3u : element;
  const uint32_t end = is_mixed ? first + 4 : first + 1;
  for (uint32_t i = first; i < end; ++i) {
    if (i - first_element_ < lanes_) {
      flag(i - first_element_, reason);
    } else if (!stream_->undefined.empty()) {
      stream_->undefined[i] |= static_cast<uint32_t>(reason);
    }
  }
}

void Machine::note_atomic(LaneAccess& at, uint64_t place, AtomicOp op, uint32_t a, uint32_t b) {
  if (at.step.result_used) note_read(at, place);
  const MemoryWrite write = MemoryWrite::atomic(op, a, b);
  note_write(at, place, write, write.can_change());
}

void Machine::store_texel(LaneAccess& at, const BoundResource& resource, const Word4& address, bool inside) {
  const bool typed_buffer = resource.buffer.bound();
  const FormatInfo& format = format_info(typed_buffer ? resource.buffer.format : resource.texture.format);
  Word4 value = {slot(at, Slot::value0), slot(at, Slot::value1), slot(at, Slot::value2),
                 slot(at, Slot::value3)};
  const auto load = [&] {
    Access ignored;
    return typed_buffer ? ld_uav_typed(resource.buffer, address[0], ignored)
                        : ld_uav_typed(resource.texture, address, ignored);
  };
  const bool is_read = uav_uses_[at.contract.resource].is_read;
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
  note_write(at, place_of(address), MemoryWrite::store(value), is_read && load() != before);
}

void Machine::access_surface(LaneAccess& at, const BoundResource& resource) {
  // Views of the interpreter have no pitches.
  if (has(at, Slot::address)) return unguarded(at, "a texel by its address");
  const bool typed_buffer = resource.buffer.bound();
  const uint32_t element = slot(at, Slot::coordinate0);
  const Word4 address = typed_buffer ? Word4{element, 0, 0, 0} : texel_address(at, resource.texture);
  const bool inside =
      typed_buffer ? element < resource.buffer.element_count : is_inside(resource.texture, address);
  if (!inside) unguarded(at, "a texel outside the view");
  switch (at.instruction.op) {
    case Op::surf_load: {
      if (inside) note_read(at, place_of(address));
      const Format format = typed_buffer ? resource.buffer.format : resource.texture.format;
      const Word4 texel = typed_buffer ? ld_uav_typed(resource.buffer, element, at.access)
                                       : ld_uav_typed(resource.texture, address, at.access);
      // Missing components: the only guarantee that targets give for surfaces, because they unpack texels in
      // code.
      return put_texel(at, texel, format, true);
    }
    case Op::surf_store: return store_texel(at, resource, address, inside);
    case Op::surf_atomic: {
      const bool exchange = at.contract.atomic == ir::AtomicOp::compare_exchange;
      const uint32_t value = slot(at, Slot::value0);
      const uint32_t first = exchange ? slot(at, Slot::compare) : value;
      const AtomicOp op = unit_atomic(at.contract.atomic);
      const bool returns = at.step.result_used;
      if (inside) note_atomic(at, place_of(address), op, first, value);
      uint32_t before = 0;
      if (typed_buffer) {
        before = atomic(resource.buffer, element, 0, op, first, value, returns, at.access);
      } else {
        before = atomic(resource.texture, address, op, first, value, returns, at.access);
      }
      return put(at, 0, before);
    }
#define IR_COVERED_surface
#include "ir/op_cases.inc"
      return;  // of another family
  }
}

Machine::BufferWord Machine::first_word(const LaneAccess& at, const BufferView& view) const {
  const bool structured = at.contract.dimension == ir::Dimension::structured_buffer;
  if (!has(at, Slot::address))
    return {slot(at, Slot::coordinate0), structured ? slot(at, Slot::byte_offset) : 0};
  const uint64_t bytes = (address_of(at) & ((uint64_t{1} << kViewBits) - 1)) +
                         (has(at, Slot::byte_offset) ? slot(at, Slot::byte_offset) : 0);
  const uint32_t stride = structured ? std::max(view.stride, 1u) : 1;
  return {static_cast<uint32_t>(std::min<uint64_t>(bytes / stride, UINT32_MAX)),
          static_cast<uint32_t>(bytes % stride)};
}

void Machine::access_buffer(LaneAccess& at, const BoundResource& resource) {
  if (has(at, Slot::address) && (address_of(at) & kCounterPlace) != 0) return count(at, resource);
  const BufferView& view = resource.buffer;
  const bool structured = at.contract.dimension == ir::Dimension::structured_buffer;
  const auto [x, offset] = first_word(at, view);
  const bool inside = x < view.element_count && (!structured || offset < view.stride);
  if (!inside && options_.promise_nothing) {
    unguarded(at, "a word outside the buffer");
    for (uint32_t i = 0; i < at.instruction.result_count; ++i) put(at, i, kForeign);
    return;
  }
  // Raw offsets are in bytes; structures have at most 2048 bytes.
  const uint64_t place = structured ? (uint64_t{x} << 12) + offset : x;
  switch (at.instruction.op) {
    case Op::buf_load: {
      const uint32_t mask = at.contract.component_mask;
      for (uint32_t left = inside ? mask : 0; left != 0; left &= left - 1)
        note_read(at, place + 4 * static_cast<uint32_t>(std::countr_zero(left)));
      const Word4 words =
          structured ? ld_structured(view, x, offset, mask, at.access) : ld_raw(view, x, mask, at.access);
      return put_texel(at, words, Format::unknown);
    }
    case Op::buf_store: return store_words(at, view, {x, offset}, place, inside);
    case Op::buf_atomic: {
      const bool exchange = at.contract.atomic == ir::AtomicOp::compare_exchange;
      const uint32_t value = slot(at, Slot::value0);
      const uint32_t first = exchange ? slot(at, Slot::compare) : value;
      const AtomicOp op = unit_atomic(at.contract.atomic);
      if (inside) note_atomic(at, place, op, first, value);
      return put(at, 0, atomic(view, x, offset, op, first, value, at.step.result_used, at.access));
    }
    case Op::buf_size:
    case Op::counter:  // query(), count()
#define IR_COVERED_buffer
#include "ir/op_cases.inc"
      return;
  }
}

void Machine::store_words(LaneAccess& at, const BufferView& view, BufferWord first, uint64_t place,
                          bool inside) {
  const bool structured = at.contract.dimension == ir::Dimension::structured_buffer;
  const auto words = static_cast<uint32_t>(std::popcount(at.contract.component_mask));
  const uint32_t first_words = (1u << words) - 1;
  Access ignored;
  const bool is_read = uav_uses_[at.contract.resource].is_read;
  const Word4 before = !is_read     ? Word4{}
                       : structured ? ld_structured(view, first.x, first.offset, first_words, ignored)
                                    : ld_raw(view, first.x, first_words, ignored);
  Word4 value{};
  for (uint32_t i = 0; i < words; ++i) {
    value[i] = slot(at, Slot::value0 + i);
    if (inside)
      note_write(at, place + 4 * i, MemoryWrite::store({value[i], 0, 0, 0}),
                 is_read && before[i] != value[i]);
  }
  if (structured) return store_structured(view, first.x, first.offset, value, words, at.access);
  store_raw(view, first.x, value, words, at.access);
}

// The counter is a place of its own.
void Machine::count(LaneAccess& at, const BoundResource& resource) {
  constexpr uint64_t kCounter = ~uint64_t{0};
  const bool is_sum = at.instruction.op == Op::buf_atomic;  // which returns the count before
  const bool alloc = is_sum ? slot(at, Slot::value0) == 1 : at.contract.counter == ir::CounterOp::alloc;
  note_atomic(at, kCounter, AtomicOp::iadd, alloc ? 1 : 0xffffffffu, 0);
  if (alloc) return put(at, 0, atomic_alloc(resource.buffer, at.access));
  put(at, 0, atomic_consume(resource.buffer, at.access) + (is_sum ? 1 : 0));
}

void Machine::query(LaneAccess& at, const BoundResource& resource) {
  const bool is_uav = module_.resources[at.contract.resource].is_uav;
  switch (at.instruction.op) {
    case Op::tex_size: {
      const Word4 sizes = resinfo(resource.texture, slot(at, Slot::lod), ResinfoType::uint, is_uav);
      return put_texel(at, sizes, Format::unknown);
    }
    case Op::tex_samples: return put(at, 0, resource.texture.texture->desc().samples);
    case Op::sample_position: {
      const Word4 position = samplepos(resource.texture.texture->desc().samples, slot(at, Slot::sample));
      put(at, 0, position[0]);
      return put(at, 1, position[1]);
    }
    case Op::tex_lod: {
      const Word4 levels = lod(resource.texture, sampler_of(at), coordinate_of(at, resource.texture),
                               derivatives_of(at), at.access);
      put(at, 0, levels[0]);
      return put(at, 1, levels[1]);
    }
    case Op::buf_size: return put(at, 0, bufinfo(resource.buffer)[0]);
    case Op::tex_fetch:
    case Op::tex_sample:
    case Op::tex_gather:
    case Op::mapped:
    case Op::buf_load:
    case Op::buf_store:
    case Op::buf_atomic:
    case Op::counter:  // no queries
#define IR_COVERED_texture
#define IR_COVERED_buffer
#include "ir/op_cases.inc"
      return;
  }
}

}  // namespace texlate::sim
