// Buffers: typed, raw and structured views for reading (t#), unordered access (u#) and group-shared memory
// (g#). For out-of-range, misaligned and unbound accesses see docs/reference/direct3d.md 1.3.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/texture_unit/access.h"
#include "sim/texture_unit/format.h"

namespace texlate::sim {

enum class BufferKind : uint8_t { typed, raw, structured };

/// What is bound to a buffer slot. `data` points at the view's first element. A default-constructed view is
/// an empty slot.
struct BufferView {
  std::byte* data = nullptr;
  BufferKind kind = BufferKind::raw;
  Format format = Format::unknown;  // typed
  uint32_t element_count = 0;       // typed: elements; structured: structures; raw: bytes
  uint32_t stride = 0;              // structured: bytes, a multiple of 4
  uint32_t* counter = nullptr;      // structured unordered access views with COUNTER or APPEND
  bool group_shared = false;        // g#: accesses that give zero or are dropped elsewhere are undefined here

  bool bound() const { return data != nullptr; }
};

/// `ld` on a typed buffer: reads element x; the bound is the view's element count.
Word4 ld_buffer(const BufferView& view, uint32_t element, Access& access);

/// `ld_raw`: the four words from `byte_offset` on. `words` is the mask of words that the swizzle and mask
/// select (bit i: word i). The others are neither read nor checked and return 0. Bounds are checked per
/// word.
Word4 ld_raw(const BufferView& view, uint32_t byte_offset, uint32_t words, Access& access);
Word4 ld_structured(const BufferView& view, uint32_t index, uint32_t byte_offset, uint32_t words,
                    Access& access);

/// `store_raw`, `store_structured`: store the first `count` components to `count` consecutive words.
void store_raw(const BufferView& view, uint32_t byte_offset, const Word4& value, uint32_t count,
               Access& access);
void store_structured(const BufferView& view, uint32_t index, uint32_t byte_offset, const Word4& value,
                      uint32_t count, Access& access);

enum class AtomicOp : uint8_t { and_, or_, xor_, iadd, imax, imin, umax, umin, exch, cmp_exch };

/// May the operation be on a typed view of this format? R32_UINT and R32_SINT; exchange of R32_FLOAT, too
/// (docs/reference/direct3d.md 1.4, Atomics).
constexpr bool takes_atomic(Format format, AtomicOp op) {
  return format == Format::r32_uint || format == Format::r32_sint ||
         (format == Format::r32_float && op == AtomicOp::exch);
}

/// The word that an atomic operates on, or null (out of range, misaligned, unbound). `y` is the byte offset
/// inside a structure.
std::byte* atomic_word(const BufferView& view, uint32_t x, uint32_t y, AtomicOp op, Access& access);

}  // namespace texlate::sim
