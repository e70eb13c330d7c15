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
  Value subtract(Value a, Value b) { return emit(Op::dadd, {a, emit(Op::dneg, {b})}); }

  /// x * y - product, exactly (Dekker), where `product` is that of both, rounded. Numbers below 2 are split
  /// at 2^-25 by a sum with 1.5 * 2^27: the products of parts are exact if x and y are multiples of 2^-53,
  /// and one of them of 2^-52.
  Value product_error(Value x, Value y, Value product) {
    const Value x_high = upper_part(x), y_high = upper_part(y);
    const Value x_low = subtract(x, x_high), y_low = subtract(y, y_high);
    Value error = subtract(emit(Op::dmul, {x_high, y_high}), product);
    error = emit(Op::dadd, {error, emit(Op::dmul, {x_high, y_low})});
    error = emit(Op::dadd, {error, emit(Op::dmul, {x_low, y_high})});
    return emit(Op::dadd, {error, emit(Op::dmul, {x_low, y_low})});
  }

 private:
  Value upper_part(Value x) { return emit(Op::dadd, {emit(Op::dadd, {x, real(0x1.8p27)}), real(-0x1.8p27)}); }

  Builder& builder_;
};

}  // namespace texlate::ir
