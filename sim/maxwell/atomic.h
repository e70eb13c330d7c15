// The value that an atomic operation leaves in memory. The same for global, shared and surface atomics.
#pragma once

#include <cstdint>

namespace texlate::sim::maxwell {

/// Numbered as in the operation field. Compare-and-swap is a separate instruction.
enum class AtomicOp : uint8_t {
  add,
  minimum,
  maximum,
  increment,
  decrement,
  and_,
  or_,
  xor_,
  exchange,
  compare_exchange,
  none
};
enum class AtomicType : uint8_t { u32, s32, u64, s64, f32, f64, none };

uint32_t atomic_bytes(AtomicType type);
/// `other`: the new value of compare_exchange. `flushes`: float sums flush subnormals (global memory).
uint64_t apply_atomic(AtomicOp op, AtomicType type, uint64_t memory, uint64_t value, uint64_t other,
                      bool flushes);

}  // namespace texlate::sim::maxwell
