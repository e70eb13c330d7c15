#include "sim/texture_unit/unordered_access.h"

#include <algorithm>
#include <cstring>

#include "sim/texture_unit/texel_codec.h"

namespace texlate::sim {

namespace {

struct UavTexel {
  uint32_t slice = 0, x = 0, y = 0, z = 0;
};

bool locate(const TextureView& view, const Word4& address, UavTexel& at) {
  const DimensionInfo& info = dimension_info(view.dimension);
  const Extent size = view.unordered_size();
  at.x = address[0];
  at.y = info.axes > 1 ? address[1] : 0;
  if (at.x >= size.width || at.y >= size.height) return false;
  if (info.axes == 3) {
    at.z = address[2] + view.first_slice;
    return address[2] < size.depth;
  }
  if (info.slice >= 0 || info.cube) {
    at.slice = address[info.cube ? 2 : info.slice];
    return at.slice < view.slice_count;
  }
  return true;
}

std::byte* texel_memory(const TextureView& view, const Word4& address, Access& access) {
  if (!view.bound()) return nullptr;
  if (dimension_info(view.dimension).multisampled) {  // shader model 5 has no multisampled unordered access
    access.flag(Undefined::wrong_dimension);
    return nullptr;
  }
  UavTexel at;
  if (!locate(view, address, at)) return nullptr;
  const uint32_t slice = view.dimension == Dimension::texture3d ? 0 : view.first_slice + at.slice;
  // Without a tile: a load reads the out-of-bounds value, stores are dropped (D3D11.3 5.9.4.2).
  if (!view.texture->is_mapped(view.first_mip, slice, at.x, at.y, at.z)) {
    access.mapped = false;
    return nullptr;
  }
  return view.texture->texel(view.first_mip, slice, at.x, at.y, at.z);
}

void store(const FormatInfo& info, const Word4& value, std::byte* memory, Access& access) {
  if (info.kind == Kind::shared_exponent) {
    access.flag(Undefined::wrong_format);  // R9G9B9E5 is not writable
    return;
  }
  encode_texel(info, value, memory);
}

uint32_t run_atomic(std::byte* word, AtomicOp op, uint32_t a, uint32_t b, bool returns, Access& access) {
  if (word == nullptr) {
    if (returns) access.flag(Undefined::atomic_out_of_bounds);
    return 0;
  }
  uint32_t before = 0;
  std::memcpy(&before, word, 4);
  const uint32_t after = apply_atomic(op, before, a, b);
  std::memcpy(word, &after, 4);
  return before;
}

bool has_counter(const BufferView& view, Access& access) {
  if (!view.bound()) return false;
  if (view.kind == BufferKind::structured && view.counter != nullptr) return true;
  access.flag(Undefined::wrong_dimension);
  return false;
}

}  // namespace

Word4 ld_uav_typed(const TextureView& view, const Word4& address, Access& access) {
  if (!view.bound()) return kUnbound;
  const std::byte* memory = texel_memory(view, address, access);
  return memory != nullptr ? decode_texel(format_info(view.format), memory)
                           : out_of_bounds_value(view.format);
}

void store_uav_typed(const TextureView& view, const Word4& address, const Word4& value, Access& access) {
  std::byte* memory = texel_memory(view, address, access);
  if (memory != nullptr) store(format_info(view.format), value, memory, access);
}

Word4 ld_uav_typed(const BufferView& view, uint32_t element, Access& access) {
  return ld_buffer(view, element, access);
}

void store_uav_typed(const BufferView& view, uint32_t element, const Word4& value, Access& access) {
  if (!view.bound() || view.kind != BufferKind::typed || element >= view.element_count) return;
  const FormatInfo& info = format_info(view.format);
  store(info, value, view.data + size_t{element} * info.bytes, access);
}

bool may_be_written(Format format) {
  const FormatInfo& info = format_info(format);
  const bool has_three_words = info.plain_words && info.bytes == 12;
  const bool is_depth = format == Format::d32_float || format == Format::d16_unorm;
  return info.bytes != 0 && !has_three_words && !is_depth && info.kind != Kind::shared_exponent &&
         info.name.find("_srgb") == std::string_view::npos &&
         info.name.find("typeless") == std::string_view::npos;
}

uint32_t apply_atomic(AtomicOp op, uint32_t memory, uint32_t a, uint32_t b) {
  const auto signed_memory = static_cast<int32_t>(memory), signed_a = static_cast<int32_t>(a);
  switch (op) {
    case AtomicOp::and_: return memory & a;
    case AtomicOp::or_: return memory | a;
    case AtomicOp::xor_: return memory ^ a;
    case AtomicOp::iadd: return memory + a;
    case AtomicOp::imax: return static_cast<uint32_t>(std::max(signed_memory, signed_a));
    case AtomicOp::imin: return static_cast<uint32_t>(std::min(signed_memory, signed_a));
    case AtomicOp::umax: return std::max(memory, a);
    case AtomicOp::umin: return std::min(memory, a);
    case AtomicOp::exch: return a;
    case AtomicOp::cmp_exch: return memory == a ? b : memory;
  }
  return memory;
}

uint32_t atomic(const TextureView& view, const Word4& address, AtomicOp op, uint32_t a, uint32_t b,
                bool returns, Access& access) {
  if (view.bound() && !takes_atomic(view.format, op)) {
    access.flag(Undefined::wrong_format);
    return 0;
  }
  return run_atomic(texel_memory(view, address, access), op, a, b, returns, access);
}

uint32_t atomic(const BufferView& view, uint32_t x, uint32_t y, AtomicOp op, uint32_t a, uint32_t b,
                bool returns, Access& access) {
  return run_atomic(atomic_word(view, x, y, op, access), op, a, b, returns, access);
}

uint32_t atomic_alloc(const BufferView& view, Access& access) {
  return has_counter(view, access) ? (*view.counter)++ : 0;
}

uint32_t atomic_consume(const BufferView& view, Access& access) {
  return has_counter(view, access) ? --(*view.counter) : 0;
}

}  // namespace texlate::sim
