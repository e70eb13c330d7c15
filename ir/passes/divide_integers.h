// Unsigned division by a constant, as a product.
#pragma once

#include <bit>

#include "ir/module.h"

namespace texlate::ir {

/// high >> shift is the quotient.
struct ConstantQuotient {
  Value high = kNoValue;
  uint32_t shift = 0;
};

/// The high half of the product with 2^(32+s) / d rounded up, shifted by s (T. Granlund, P. Montgomery,
/// "Division by Invariant Integers using Multiplication", 1994, section 4). It is exact if the multiplier
/// has 32 bits and is at most 2^s / d too large; with one bit more, half of the difference is added.
/// `emit(op, {a, b})` appends an operation. `divisor`: not 0.
template <typename Emit>
ConstantQuotient divide_by_constant(Module& module, Value dividend, uint32_t divisor, const Emit& emit) {
  constexpr uint32_t kAllOnes = UINT32_MAX;
  const auto word = [&](uint64_t bits) { return module.constant(static_cast<uint32_t>(bits)); };
  const auto bits = static_cast<uint32_t>(std::bit_width(divisor - 1));  // 2^bits >= divisor
  for (uint32_t shift = 0; shift < bits; ++shift) {
    const uint64_t power = uint64_t{1} << (32 + shift);
    const uint64_t multiplier = (power + divisor - 1) / divisor;
    if (multiplier > kAllOnes || multiplier * divisor - power > uint64_t{1} << shift) continue;
    return {emit(Op::umulhi, {dividend, word(multiplier)}), shift};
  }
  const uint64_t power = ((uint64_t{1} << bits) - divisor) << 32;
  const Value part = emit(Op::umulhi, {dividend, word(power / divisor + 1)});
  const Value half = emit(Op::ushr, {emit(Op::isub, {dividend, part}), word(bits == 0 ? 0 : 1)});
  return {emit(Op::iadd, {part, half}), bits == 0 ? 0 : bits - 1};
}

}  // namespace texlate::ir
