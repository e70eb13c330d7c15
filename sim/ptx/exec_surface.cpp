// suld, sust, sured, suq (PTX ISA 9.7.11).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/ptx/opcode.h"
#include "sim/ptx/query.h"
#include "sim/ptx/texture_geometry.h"
#include "sim/ptx/warp.h"
#include "sim/texture_unit/texel_codec.h"

namespace texlate::sim::ptx {

namespace {

enum class Where : uint8_t { inside, dropped, undefined, trapped };

struct SurfaceAddress {
  Where where = Where::undefined;
  std::byte* memory = nullptr;
};

// `.b` forms measure x in bytes, `.p` forms in texels; all other axes are in texels. Out of range: .zero
// reads zero and drops stores, .clamp uses the nearest element, .trap ends the program. For layers the ISA
// guarantees nothing.
SurfaceAddress surface_address(Warp& w, const Instruction& i, const TexOperands& operands, int lane,
                               uint32_t size) {
  const SurfaceObject* object = w.machine().find_surface(w.reg(operands.handle)[lane]);
  if (object == nullptr || !object->view.bound()) return {};
  const TextureView& view = object->view;
  const GeometryInfo& info = geometry_info(geometry_of(i));
  const DimensionInfo& dimension = dimension_info(view.dimension);
  const uint32_t texel_bytes = format_info(view.format).bytes;
  // Cube surfaces are arrays of faces; a plain 2D surface is not an array.
  const bool array = dimension.slice >= 0 || dimension.cube;
  if (info.axes != dimension.axes || info.array != array || dimension.multisampled) return {};

  const bool texels = i.has(Mod::p);
  int at = 0;
  const uint32_t layer = info.array ? static_cast<uint32_t>(w.reg(operands.coordinate[at++])[lane]) : 0;
  if (info.array && layer >= view.slice_count) return {};
  const Extent extent = view.unordered_size();
  std::array<int64_t, 3> c{};
  bool outside = false;
  for (int axis = 0; axis < info.axes; ++axis) {
    c[axis] = static_cast<int32_t>(w.reg(operands.coordinate[at++])[lane]);
    if (axis == 0 && !texels && c[0] % size != 0) return {};  // 9.7.11.1: unaligned addresses are undefined
    const int64_t limit =
        axis == 0 && !texels ? int64_t{extent[0]} * texel_bytes - size : int64_t{extent[axis]} - 1;
    if (c[axis] >= 0 && c[axis] <= limit) continue;
    outside = true;
    c[axis] = std::clamp<int64_t>(c[axis], 0, std::max<int64_t>(limit, 0));
  }
  if (outside && i.has(Mod::trap)) return {Where::trapped, nullptr};
  if (outside && i.has(Mod::zero)) return {Where::dropped, nullptr};
  const int64_t x_bytes = texels ? c[0] * texel_bytes : c[0];
  if (x_bytes + size > int64_t{extent[0]} * texel_bytes) return {};  // wider than a row
  const uint32_t slice = view.dimension == Dimension::texture3d ? 0 : view.first_slice + layer;
  const auto z =
      static_cast<uint32_t>(c[2]) + (view.dimension == Dimension::texture3d ? view.first_slice : 0);
  return {Where::inside,
          view.texture->texel(view.first_mip, slice, 0, static_cast<uint32_t>(c[1]), z) + x_bytes};
}

uint32_t lanes_with_surface(Warp& w, const Instruction& i, const TexOperands& operands, uint32_t active) {
  active = w.refuse_poison(FaultKind::poison_texture, i, operands.handle, active, "the surface handle");
  const GeometryInfo& info = geometry_info(geometry_of(i));
  for (int c = 0; c < info.axes + (info.array ? 1 : 0); ++c) {
    active =
        w.refuse_poison(FaultKind::poison_texture, i, operands.coordinate[c], active, "a surface coordinate");
  }
  return active;
}

void report_trap(Warp& w, const Instruction& i, int lane) {
  w.fault(FaultKind::surface_trap, i, lane, "surface access out of range");
}

void run_suld(Warp& w, const Instruction& i, uint32_t active) {
  const TexOperands& operands = w.machine().module().tex_operands[i.target];
  const uint32_t usable = lanes_with_surface(w, i, operands, active);
  const auto size = static_cast<uint32_t>(size_of(i.type));
  uint32_t poison = active & ~usable;
  std::array<std::array<uint64_t, kLanes>, 4> values{};
  for_each_lane(usable, [&](int lane) {
    const SurfaceAddress at = surface_address(w, i, operands, lane, size * i.vector);
    if (at.where == Where::trapped) report_trap(w, i, lane);
    if (at.where == Where::trapped || at.where == Where::undefined) poison |= 1u << lane;
    if (at.where != Where::inside) return;
    if (!w.machine().coherence().surface_is_readable(at.memory)) poison |= 1u << lane;
    for (int v = 0; v < i.vector; ++v) std::memcpy(&values[v][lane], at.memory + size * v, size);
  });
  for (int v = 0; v < i.vector; ++v) {
    uint64_t* d = w.reg(i.dst[v]);
    for_each_lane(active, [&](int lane) { d[lane] = values[v][lane]; });
    w.set_poison(i.dst[v], active, poison);
  }
}

// A store with an undefined address may write anywhere: an error, like an address out of range.
std::byte* store_target(Warp& w, const Instruction& i, const TexOperands& operands, int lane, uint32_t size) {
  const SurfaceAddress at = surface_address(w, i, operands, lane, size);
  if (at.where == Where::trapped) report_trap(w, i, lane);
  if (at.where == Where::undefined) w.fault(FaultKind::out_of_range, i, lane, "undefined surface store");
  if (at.memory != nullptr) w.machine().coherence().surface_written(at.memory);
  return at.memory;
}

void run_sust_bytes(Warp& w, const Instruction& i, uint32_t active) {
  const TexOperands& operands = w.machine().module().tex_operands[i.target];
  active = lanes_with_surface(w, i, operands, active);
  for (int v = 0; v < i.vector; ++v)
    active = w.refuse_poison(FaultKind::poison_store, i, i.src[v], active, "the value stored");
  const auto size = static_cast<uint32_t>(size_of(i.type));
  for_each_lane(active, [&](int lane) {
    std::byte* memory = store_target(w, i, operands, lane, size * i.vector);
    for (int v = 0; v < i.vector && memory != nullptr; ++v)
      std::memcpy(memory + size * v, &w.reg(i.src[v])[lane], size);
  });
}

// 9.7.11.2: converts to the surface's format; components that the source lacks become unpredictable.
void run_sust_formatted(Warp& w, const Instruction& i, uint32_t active) {
  const TexOperands& operands = w.machine().module().tex_operands[i.target];
  active = lanes_with_surface(w, i, operands, active);
  for (int v = 0; v < i.vector; ++v)
    active = w.refuse_poison(FaultKind::poison_store, i, i.src[v], active, "the value stored");
  for_each_lane(active, [&](int lane) {
    const SurfaceObject* object = w.machine().find_surface(w.reg(operands.handle)[lane]);
    const FormatInfo& info = format_info(object != nullptr ? object->view.format : Format::unknown);
    std::byte* memory = store_target(w, i, operands, lane, std::max<uint32_t>(info.bytes, 1));
    if (memory == nullptr) return;
    Word4 value = decode_texel(info, memory);
    for (int v = 0; v < i.vector; ++v) value[v] = static_cast<uint32_t>(w.reg(i.src[v])[lane]);
    encode_texel(info, value, memory);
    for (int v = i.vector; v < 4; ++v) {
      if (!info.has(v)) continue;
      w.fault(FaultKind::poison_store, i, lane,
              fmt::format("component {} becomes unpredictable, because the source lacks it", "rgba"[v]));
      return;
    }
  });
}

template <typename T>
T reduce(const Instruction& i, T memory, T value) {
  if (i.has(Mod::min)) return std::min(memory, value);
  if (i.has(Mod::max)) return std::max(memory, value);
  if (i.has(Mod::and_)) return memory & value;
  if (i.has(Mod::or_)) return memory | value;
  return static_cast<T>(static_cast<uint64_t>(memory) + static_cast<uint64_t>(value));
}

template <typename T>
void run_sured(Warp& w, const Instruction& i, uint32_t active) {
  const TexOperands& operands = w.machine().module().tex_operands[i.target];
  active = lanes_with_surface(w, i, operands, active);
  active = w.refuse_poison(FaultKind::poison_store, i, i.src[0], active, "the value stored");
  for_each_lane(active, [&](int lane) {
    std::byte* memory = store_target(w, i, operands, lane, sizeof(T));
    if (memory == nullptr) return;
    T value;
    std::memcpy(&value, memory, sizeof(T));
    value = reduce<T>(i, value, from_bits<T>(w.reg(i.src[0])[lane]));
    std::memcpy(memory, &value, sizeof(T));
  });
}

// sured.p: the type is .b32 or, for min and max, .b64; the operation uses the type of the surface's format.
void run_sured_wide(Warp& w, const Instruction& i, uint32_t active) {
  const TexOperands& operands = w.machine().module().tex_operands[i.target];
  for_each_lane(active, [&](int lane) {
    // No format here has 64-bit components. The ISA does not define the operation for other formats.
    const SurfaceObject* object = w.machine().find_surface(w.reg(operands.handle)[lane]);
    w.fault(FaultKind::out_of_range, i, lane,
            object == nullptr ? "undefined surface reduction" : "the surface has no 64-bit components");
  });
}

void run_sured_formatted(Warp& w, const Instruction& i, uint32_t active) {
  const TexOperands& operands = w.machine().module().tex_operands[i.target];
  uint32_t of_signed = 0;
  for_each_lane(active, [&](int lane) {
    const SurfaceObject* object = w.machine().find_surface(w.reg(operands.handle)[lane]);
    if (object != nullptr && object->view.format == Format::r32_sint) of_signed |= 1u << lane;
  });
  if ((active & of_signed) != 0) run_sured<int32_t>(w, i, active & of_signed);
  if ((active & ~of_signed) != 0) run_sured<uint32_t>(w, i, active & ~of_signed);
}

void run_suq(Warp& w, const Instruction& i, uint32_t active) {
  const TexOperands& operands = w.machine().module().tex_operands[i.target];
  const uint32_t usable =
      w.refuse_poison(FaultKind::poison_texture, i, operands.handle, active, "the surface handle");
  uint32_t poison = active & ~usable;
  for_each_lane(usable, [&](int lane) {
    const SurfaceObject* object = w.machine().find_surface(w.reg(operands.handle)[lane]);
    const bool known = object != nullptr && object->view.bound();
    const std::optional<uint32_t> answer =
        known ? answer_query(i, object->view, 0, w.machine().module().independent) : std::nullopt;
    if (!answer) poison |= 1u << lane;
    w.reg(i.dst[0])[lane] = answer.value_or(0);
  });
  w.set_poison(i.dst[0], active, poison);
}

// docs/reference/ptx.md 1.6: which operations and types ptxas assembles.
Handler select_sured(const Instruction& i) {
  const int operations =
      i.has(Mod::add) + i.has(Mod::min) + i.has(Mod::max) + i.has(Mod::and_) + i.has(Mod::or_);
  if (operations != 1 || i.has(Mod::b) == i.has(Mod::p)) return nullptr;
  const Geometry geometry = geometry_of(i);
  if (geometry == Geometry::a1d || geometry == Geometry::a2d) return nullptr;
  const bool extreme = i.has(Mod::min) || i.has(Mod::max);
  if (i.has(Mod::p) && i.type == Type::b64) return extreme ? run_sured_wide : nullptr;
  if (i.has(Mod::p)) return i.type == Type::b32 ? run_sured_formatted : nullptr;
  const bool logic = i.has(Mod::and_) || i.has(Mod::or_);
  switch (i.type) {
    case Type::b32: return logic ? run_sured<uint32_t> : nullptr;
    case Type::u32: return logic ? nullptr : run_sured<uint32_t>;
    case Type::s32: return logic ? nullptr : run_sured<int32_t>;
    case Type::u64: return logic ? nullptr : run_sured<uint64_t>;
    case Type::s64: return logic || i.has(Mod::add) ? nullptr : run_sured<int64_t>;
    default: return nullptr;
  }
}

}  // namespace

Handler select_surface(const Instruction& i) {
  const bool bits = i.type >= Type::b8 && i.type <= Type::b64;
  switch (i.opcode) {
    case Opcode::suq: return i.type == Type::b32 ? run_suq : nullptr;
    case Opcode::suld: return i.has(Mod::b) && bits && size_of(i.type) * i.vector <= 16 ? run_suld : nullptr;
    case Opcode::sured: return select_sured(i);
    default: break;
  }
  if (i.has(Mod::b) == i.has(Mod::p) || !bits || size_of(i.type) * i.vector > 16) return nullptr;
  if (i.has(Mod::b)) return run_sust_bytes;
  return i.type == Type::b32 ? run_sust_formatted : nullptr;
}

}  // namespace texlate::sim::ptx
