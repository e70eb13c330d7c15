// Typed unordered access views, atomics on every kind of view, and the counters of structured ones
// (docs/reference/direct3d.md 1.3, 1.4 "Atomics", 3.3).
#pragma once

#include "sim/texture_unit/buffer.h"
#include "sim/texture_unit/texture.h"

namespace texlate::sim {

/// `ld_uav_typed` / `store_uav_typed` on a texture. Only mip 0 of the view is accessible. Cube views are 2D
/// arrays. z of a 3D texture is relative to the view's first W slice. Stores convert by the rules of
/// texel_codec.h.
Word4 ld_uav_typed(const TextureView& view, const Word4& address, Access& access);
void store_uav_typed(const TextureView& view, const Word4& address, const Word4& value, Access& access);
/// The same for a typed buffer.
Word4 ld_uav_typed(const BufferView& view, uint32_t element, Access& access);
void store_uav_typed(const BufferView& view, uint32_t element, const Word4& value, Access& access);

/// May a typed unordered access view have the format? (docs/reference/direct3d.md 3.3)
bool may_be_written(Format format);

/// The value that `op` leaves in memory. For cmp_exch, `a` is the value compared with, and `b` is the new
/// value.
uint32_t apply_atomic(AtomicOp op, uint32_t memory, uint32_t a, uint32_t b);

/// atomic_* and imm_atomic_*: returns the previous value. If out of range, nothing is written, the result is
/// 0, and the access is flagged if the instruction returns a value (`returns`).
uint32_t atomic(const TextureView& view, const Word4& address, AtomicOp op, uint32_t a, uint32_t b,
                bool returns, Access& access);
uint32_t atomic(const BufferView& view, uint32_t x, uint32_t y, AtomicOp op, uint32_t a, uint32_t b,
                bool returns, Access& access);

/// imm_atomic_alloc: the counter before the increment; imm_atomic_consume: after the decrement. Both wrap.
uint32_t atomic_alloc(const BufferView& view, Access& access);
uint32_t atomic_consume(const BufferView& view, Access& access);

}  // namespace texlate::sim
