#include "sim/texture_unit/buffer.h"

#include <cstring>

#include "sim/texture_unit/texel_codec.h"

namespace texlate::sim {

namespace {

bool is_kind(const BufferView& view, BufferKind kind, Access& access) {
  if (view.kind == kind) return true;
  access.flag(Undefined::wrong_dimension);
  return false;
}

bool is_aligned(uint32_t byte_offset, Access& access) {
  if (byte_offset % 4 == 0) return true;
  access.flag(Undefined::misaligned);
  return false;
}

// 64-bit arithmetic without wrapping: the reference for both native behaviors near 2^32
// (docs/reference/direct3d.md 1.3, "Raw").
std::byte* raw_word(const BufferView& view, uint64_t byte, Access& access) {
  if (byte + 4 <= view.element_count) return view.data + byte;
  if (view.group_shared) access.flag(Undefined::group_shared_bounds);
  return nullptr;
}

// An offset past the stride is undefined for every index. An index past the last structure gives 0 or is
// dropped (docs/reference/direct3d.md 1.3, "Structured").
std::byte* structure_word(const BufferView& view, uint32_t index, uint64_t byte, Access& access) {
  if (byte + 4 > view.stride) {
    access.flag(view.group_shared ? Undefined::group_shared_bounds : Undefined::structure_offset);
    return nullptr;
  }
  if (index < view.element_count) return view.data + static_cast<uint64_t>(index) * view.stride + byte;
  if (view.group_shared) access.flag(Undefined::group_shared_bounds);
  return nullptr;
}

}  // namespace

Word4 ld_buffer(const BufferView& view, uint32_t element, Access& access) {
  if (!view.bound() || !is_kind(view, BufferKind::typed, access)) return kUnbound;
  if (element >= view.element_count) return out_of_bounds_value(view.format);
  const FormatInfo& info = format_info(view.format);
  return decode_texel(info, view.data + static_cast<size_t>(element) * info.bytes);
}

Word4 ld_raw(const BufferView& view, uint32_t byte_offset, uint32_t words, Access& access) {
  Word4 result{};
  if (!view.bound() || !is_kind(view, BufferKind::raw, access) || !is_aligned(byte_offset, access))
    return result;
  for (uint32_t i = 0; i < 4; ++i) {
    if ((words >> i & 1) == 0) continue;
    const std::byte* word = raw_word(view, uint64_t{byte_offset} + 4 * i, access);
    if (word != nullptr) std::memcpy(&result[i], word, 4);
  }
  return result;
}

Word4 ld_structured(const BufferView& view, uint32_t index, uint32_t byte_offset, uint32_t words,
                    Access& access) {
  Word4 result{};
  if (!view.bound() || !is_kind(view, BufferKind::structured, access) || !is_aligned(byte_offset, access))
    return result;
  for (uint32_t i = 0; i < 4; ++i) {
    if ((words >> i & 1) == 0) continue;
    const std::byte* word = structure_word(view, index, uint64_t{byte_offset} + 4 * i, access);
    if (access.has(Undefined::structure_offset)) return kUnbound;  // undefined for all components
    if (word != nullptr) std::memcpy(&result[i], word, 4);
  }
  return result;
}

void store_raw(const BufferView& view, uint32_t byte_offset, const Word4& value, uint32_t count,
               Access& access) {
  if (!view.bound() || !is_kind(view, BufferKind::raw, access) || !is_aligned(byte_offset, access)) return;
  for (uint32_t i = 0; i < count; ++i) {
    std::byte* word = raw_word(view, uint64_t{byte_offset} + 4 * i, access);
    if (word != nullptr) std::memcpy(word, &value[i], 4);
  }
}

void store_structured(const BufferView& view, uint32_t index, uint32_t byte_offset, const Word4& value,
                      uint32_t count, Access& access) {
  if (!view.bound() || !is_kind(view, BufferKind::structured, access) || !is_aligned(byte_offset, access))
    return;
  for (uint32_t i = 0; i < count; ++i) {
    std::byte* word = structure_word(view, index, uint64_t{byte_offset} + 4 * i, access);
    if (word != nullptr) std::memcpy(word, &value[i], 4);
  }
}

std::byte* atomic_word(const BufferView& view, uint32_t x, uint32_t y, AtomicOp op, Access& access) {
  if (!view.bound()) return nullptr;
  switch (view.kind) {
    case BufferKind::raw: return is_aligned(x, access) ? raw_word(view, x, access) : nullptr;
    case BufferKind::structured: return is_aligned(y, access) ? structure_word(view, x, y, access) : nullptr;
    case BufferKind::typed: break;
  }
  if (!takes_atomic(view.format, op)) {
    access.flag(Undefined::wrong_format);
    return nullptr;
  }
  return x < view.element_count ? view.data + size_t{x} * 4 : nullptr;
}

}  // namespace texlate::sim
