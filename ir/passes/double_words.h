// What expansions of operations on doubles have in common: a double as two words, and constants.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

#include "ir/builder.h"

namespace texlate::ir {

struct DoubleWords {
  Value low, high;
};

inline constexpr uint32_t kDoubleSign = 0x80000000u, kDoubleExponent = 0x7ff00000u;  // of the upper word
inline constexpr uint32_t kDoubleFraction = 0x000fffffu;
inline constexpr int32_t kDoubleBias = 1023;

/// The base of a class that appends an expansion. All it appends is precise: no product is fused with a sum.
class DoubleExpansion {
 protected:
  explicit DoubleExpansion(Builder& builder) : builder_(builder) { builder_.set_flags(kPrecise); }

  DoubleWords split(Value x) {
    const Value low = emit(Op::unpack64, {x});
    return {low, low + 1};
  }
  Value join(const DoubleWords& words) { return emit(Op::pack64, {words.low, words.high}); }
  Value word(uint32_t bits) { return builder_.constant(bits); }
  Value number(int32_t value) { return builder_.constant(static_cast<uint32_t>(value)); }
  Value real(double value) { return builder_.module().constant64(std::bit_cast<uint64_t>(value)); }
  Value emit(Op op, std::initializer_list<Value> operands) { return builder_.emit(op, operands); }

 private:
  Builder& builder_;
};

}  // namespace texlate::ir
