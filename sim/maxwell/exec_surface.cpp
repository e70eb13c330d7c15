// SULD, SUST, SURED, SUATOM: access mip 0 of a header's view.
#include <algorithm>

#include "sim/maxwell/atomic.h"
#include "sim/maxwell/warp.h"
#include "sim/texture_unit/texel_codec.h"

namespace texlate::sim::maxwell {

namespace {

struct SurfaceShape {
  uint8_t axes;
  bool array;
};
// 1D, 1D_BUFFER, 1D_ARRAY, 2D, 2D_ARRAY, 3D. The layer is the last coordinate.
constexpr SurfaceShape kShapes[8] = {{1, false}, {1, false}, {1, true},  {2, false},
                                     {2, true},  {3, false}, {0, false}, {0, false}};
enum class Outside : uint8_t { ignore, clamp, trap };
constexpr uint8_t kRawBytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};

bool is_atomic(const Instruction& i) {
  return i.opcode == Opcode::suatom || i.opcode == Opcode::suatom_cas;
}
bool is_bound(const Instruction& i) {
  return is_atomic(i) ? !i.bit(54) : i.bit(51);
}
uint32_t handle_of(Warp& w, const Instruction& i, int lane) {
  return is_bound(i) ? w.constant(w.options().texture_bank, int64_t{i.field(36, 13)} * 4)
                     : w.reg(i.rc())[lane];
}

struct Place {
  std::byte* memory = nullptr;         // null: nothing is read or written
  const FormatInfo* format = nullptr;  // null: there is no such surface
  Format name = Format::unknown;
};

// `size` is the number of bytes accessed. x is in bytes with .BA, otherwise in texels.
Place find_place(Warp& w, const Instruction& i, int lane, uint32_t size, bool in_bytes) {
  w.check_declared(i, lane, i.opcode != Opcode::suld);
  const TextureHeader* header = w.machine().find_texture(handle_of(w, i, lane));
  if (header == nullptr || !header->view.bound()) {
    w.fault(FaultKind::texture, i, lane, "the handle does not refer to a surface");
    return {};
  }
  const TextureView& view = header->view;
  const SurfaceShape& shape = kShapes[i.field(33, 3)];
  const DimensionInfo& dimension = dimension_info(view.dimension);
  if (shape.axes != dimension.axes || shape.array != (dimension.slice >= 0 || dimension.cube)) {
    w.fault(FaultKind::texture, i, lane, "the instruction's dimension is not the surface's");
    return {};
  }
  const FormatInfo& format = format_info(view.format);
  if (size == 0) size = format.bytes;
  const auto outside = static_cast<Outside>(std::min(2u, i.field(49, 2)));
  const Extent extent = view.unordered_size();
  std::array<int64_t, 3> at{};
  bool missed = false;
  for (uint8_t axis = 0; axis < shape.axes; ++axis) {
    at[axis] = static_cast<int32_t>(w.reg(static_cast<uint8_t>(i.ra() + axis))[lane]);
    if (axis == 0 && in_bytes && at[0] % size != 0) {
      w.fault(FaultKind::misaligned, i, lane, "x is not a multiple of the access size");
      return {};
    }
    const int64_t limit =
        axis == 0 && in_bytes ? int64_t{extent.width} * format.bytes - size : int64_t{extent[axis]} - 1;
    if (at[axis] >= 0 && at[axis] <= limit) continue;
    missed = true;
    at[axis] = std::clamp<int64_t>(at[axis], 0, std::max<int64_t>(limit, 0));
  }
  uint32_t layer = shape.array ? w.reg(static_cast<uint8_t>(i.ra() + shape.axes))[lane] : 0;
  if (shape.array && layer >= view.slice_count) {
    missed = true;
    layer = view.slice_count - 1;
  }
  if (missed && outside == Outside::trap)
    w.fault(FaultKind::surface_trap, i, lane, "a surface access out of range");
  if (missed && outside != Outside::clamp) return {nullptr, &format, view.format};
  const bool volume = view.dimension == Dimension::texture3d;
  std::byte* row = view.texture->texel(view.first_mip, volume ? 0 : view.first_slice + layer, 0,
                                       static_cast<uint32_t>(at[1]),
                                       static_cast<uint32_t>(at[2]) + (volume ? view.first_slice : 0));
  return {row + (in_bytes ? at[0] : at[0] * format.bytes), &format, view.format};
}

void run_raw_load(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t size = kRawBytes[i.field(20, 3)];
  std::array<std::array<uint32_t, 4>, kLanes> values{};
  for_each_lane(active, [&](int lane) {
    const Place place = find_place(w, i, lane, size, i.bit(23));
    if (place.memory != nullptr) std::memcpy(values[static_cast<size_t>(lane)].data(), place.memory, size);
  });
  const bool is_signed = i.field(20, 3) == 1 || i.field(20, 3) == 3;
  for_each_lane(active, [&](int lane) {
    auto& words = values[static_cast<size_t>(lane)];
    if (is_signed)
      words[0] = static_cast<uint32_t>(static_cast<int32_t>(words[0] << (32 - 8 * size)) >> (32 - 8 * size));
    for (uint32_t k = 0; k < std::max(1u, size / 4) && i.rd() != kZeroRegister; ++k)
      w.reg(static_cast<uint8_t>(i.rd() + k))[lane] = words[k];
  });
}

void run_raw_store(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t size = kRawBytes[i.field(20, 3)];
  for_each_lane(active, [&](int lane) {
    const Place place = find_place(w, i, lane, size, i.bit(23));
    if (place.memory == nullptr) return;
    std::array<uint32_t, 4> words{};
    for (uint32_t k = 0; k < std::max(1u, size / 4) && i.rd() != kZeroRegister; ++k)
      words[k] = w.reg(static_cast<uint8_t>(i.rd() + k))[lane];
    std::memcpy(place.memory, words.data(), size);
  });
}

// .P: converted by the surface's format. The components of the mask are in consecutive registers.
void run_formatted_load(Warp& w, const Instruction& i, uint32_t active) {
  std::array<Word4, kLanes> values{};
  for_each_lane(active, [&](int lane) {
    const Place place = find_place(w, i, lane, 0, false);
    if (place.format == nullptr) return;
    // Out of range: a texel of zeros, extended by the format (docs/reference/maxwell.md 5).
    values[static_cast<size_t>(lane)] =
        place.memory != nullptr ? decode_texel(*place.format, place.memory) : out_of_bounds_value(place.name);
  });
  for_each_lane(active, [&](int lane) {
    uint8_t to = i.rd();
    for (size_t c = 0; c < 4; ++c) {
      if (!i.bit(20 + static_cast<int>(c))) continue;
      w.target(to == kZeroRegister ? to : to++)[lane] = values[static_cast<size_t>(lane)][c];
    }
  });
}

void run_formatted_store(Warp& w, const Instruction& i, uint32_t active) {
  for_each_lane(active, [&](int lane) {
    const Place place = find_place(w, i, lane, 0, false);
    if (place.memory == nullptr) return;
    Word4 value{};
    uint8_t from = i.rd();
    for (size_t c = 0; c < 4; ++c) {
      const bool given = i.bit(20 + static_cast<int>(c));
      if (given) value[c] = w.reg(from == kZeroRegister ? from : from++)[lane];
      if (!given && place.format->has(static_cast<int>(c)))
        w.fault(FaultKind::texture, i, lane, "the format has components that the source lacks");
    }
    encode_texel(*place.format, value, place.memory);
  });
}

constexpr AtomicType kTypes[8] = {AtomicType::u32,  AtomicType::s32, AtomicType::u64,  AtomicType::f32,
                                  AtomicType::none, AtomicType::s64, AtomicType::none, AtomicType::none};

struct Atomic {
  AtomicOp op;
  AtomicType type;
  uint8_t data;
  bool in_bytes;
};
Atomic atomic_of(const Instruction& i) {
  if (i.opcode == Opcode::sured) {
    const uint32_t op = i.field(24, 3);
    return {static_cast<AtomicOp>(op), kTypes[i.field(20, 3)], i.rd(), i.bit(23)};
  }
  const uint32_t op = i.field(29, 4);
  return {i.opcode == Opcode::suatom_cas ? AtomicOp::compare_exchange
          : op <= 8                      ? static_cast<AtomicOp>(op)
                                         : AtomicOp::none,
          kTypes[is_bound(i) ? i.field(51, 3) : i.field(36, 3)], i.rb(), i.bit(28)};
}

void run_surface_atomic(Warp& w, const Instruction& i, uint32_t active) {
  const Atomic atomic = atomic_of(i);
  const uint32_t bytes = atomic_bytes(atomic.type);
  const auto second = static_cast<uint8_t>(atomic.data + bytes / 4);
  std::array<uint64_t, kLanes> before{};
  for_each_lane(active, [&](int lane) {
    const Place place = find_place(w, i, lane, bytes, atomic.in_bytes);
    if (place.memory == nullptr) return;
    uint64_t& old = before[static_cast<size_t>(lane)];
    std::memcpy(&old, place.memory, bytes);
    const auto operand = [&](uint8_t r) { return bytes == 8 ? w.wide(r, lane) : w.reg(r)[lane]; };
    const uint64_t other = atomic.op == AtomicOp::compare_exchange ? operand(second) : 0;
    const uint64_t after = apply_atomic(atomic.op, atomic.type, old, operand(atomic.data), other, true);
    std::memcpy(place.memory, &after, bytes);
  });
  if (!is_atomic(i)) return;
  for_each_lane(active, [&](int lane) {
    const uint64_t old = before[static_cast<size_t>(lane)];
    if (bytes == 8) {
      w.set_wide(i.rd(), lane, old);
    } else {
      w.target(i.rd())[lane] = static_cast<uint32_t>(old);
    }
  });
}

}  // namespace

Handler select_surface(Instruction& i) {
  switch (i.opcode) {
    case Opcode::suld:
    case Opcode::sust:
      if (i.bit(52) && kRawBytes[i.field(20, 3)] == 0) {
        i.why = "the size of a raw surface access";
        return nullptr;
      }
      if (i.opcode == Opcode::suld) return i.bit(52) ? run_raw_load : run_formatted_load;
      return i.bit(52) ? run_raw_store : run_formatted_store;
    case Opcode::sured:
    case Opcode::suatom:
    case Opcode::suatom_cas:
      if (atomic_of(i).op == AtomicOp::none || atomic_of(i).type == AtomicType::none) {
        i.why = "a surface atomic that the machine does not have";
        return nullptr;
      }
      return run_surface_atomic;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
