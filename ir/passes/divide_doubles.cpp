#include "ir/passes/divide_doubles.h"

#include "ir/passes/double_words.h"

namespace texlate::ir {

namespace {

constexpr uint32_t kOneHigh = 0x3ff00000u;  // upper word of 1.0

class DoubleDivision : DoubleExpansion {
 public:
  DoubleDivision(Builder& builder, bool fused) : DoubleExpansion(builder), fused_(fused) {}

  Value run(Value dividend, Value divisor) {
    const DoubleWords a = split(dividend), b = split(divisor);
    const Value sign = emit(Op::and_, {emit(Op::xor_, {a.high, b.high}), word(kDoubleSign)});
    const Significand x = significand(dividend), y = significand(divisor);
    const Value quotient = divide(x.value, y.value);
    const Value rest = remainder(x.value, y.value, quotient);
    // Beyond these bounds the result is infinite, or 0.
    const Value exponent = clamp(emit(Op::isub, {x.exponent, y.exponent}), -1100, 1200);
    const Value rounded = round_denormal(quotient, rest, exponent);
    const Value first = emit(Op::ishr, {exponent, word(1)});
    const Value once = emit(Op::dmul, {rounded, power(first)});
    const Value scaled = emit(Op::dmul, {once, power(emit(Op::isub, {exponent, first}))});
    const DoubleWords magnitude = split(scaled);
    const Value regular = join({magnitude.low, emit(Op::or_, {magnitude.high, sign})});
    const Value special = emit(Op::dmul, {stand_in(a, dividend, false), stand_in(b, divisor, true)});
    const Value is_special = emit(Op::por, {is_special_value(a), is_special_value(b)});
    return emit(Op::select64, {is_special, special, regular});
  }

 private:
  struct Significand {
    Value value;     // in [1, 2)
    Value exponent;  // an integer, biased
  };

  /// |x| = value * 2^(exponent - bias); for 0, infinity and NaN some harmless value.
  Significand significand(Value x) {
    const Value tiny = emit(Op::ieq, {emit(Op::and_, {split(x).high, word(kDoubleExponent)}), word(0)});
    const Value raised = emit(Op::dmul, {x, real(0x1p54)});
    const DoubleWords bits = split(emit(Op::select64, {tiny, raised, x}));
    const Value field = emit(Op::ubfe, {word(11), word(20), bits.high});
    const Value fraction = emit(Op::and_, {bits.high, word(kDoubleFraction)});
    return {join({bits.low, emit(Op::or_, {fraction, word(kOneHigh)})}),
            emit(Op::select, {tiny, emit(Op::isub, {field, word(54)}), field})};
  }

  /// a - quotient * b, exactly if the quotient is within a unit in the last place.
  Value remainder(Value a, Value b, Value quotient) {
    if (fused_) return emit(Op::dfma, {emit(Op::dneg, {b}), quotient, a});
    const Value product = emit(Op::dmul, {quotient, b});
    const Value rest = subtract(a, product);
    return subtract(rest, product_error(quotient, b, product));
  }
  /// a * b + c, where an error of the product does not matter.
  Value multiply_add(Value a, Value b, Value c) {
    return fused_ ? emit(Op::dfma, {a, b, c}) : emit(Op::dadd, {emit(Op::dmul, {a, b}), c});
  }

  /// a / b, correctly rounded; both in [1, 2).
  Value divide(Value a, Value b) {
    const Value one = real(1.0);
    Value inverse = emit(Op::ftod, {emit(Op::frcp, {emit(Op::dtof, {b})})});  // to 22 bits
    for (int step = 0; step < 2; ++step) {
      const Value rest = multiply_add(emit(Op::dneg, {b}), inverse, one);
      inverse = multiply_add(inverse, rest, inverse);
    }
    Value quotient = emit(Op::dmul, {a, inverse});
    quotient = multiply_add(remainder(a, b, quotient), inverse, quotient);
    // Now within one unit in the last place; the exact remainder shows whether the neighbor is nearer.
    // Quotients are never half-way between two doubles.
    const Value rest = remainder(a, b, quotient);
    const Value below_one = emit(Op::dlt, {quotient, one});
    const Value half_unit = emit(Op::select64, {below_one, real(0x1p-54), real(0x1p-53)});
    const Value too_far = emit(Op::dlt, {emit(Op::dmul, {b, half_unit}), emit(Op::dabs, {rest})});
    const Value unit = emit(Op::select64, {below_one, real(0x1p-53), real(0x1p-52)});
    return emit(Op::select64, {too_far, emit(Op::dadd, {quotient, with_sign(unit, rest)}), quotient});
  }

  /// The quotient on the grid of the result: unchanged if the result is a normal number, which is the case if
  /// the quotient is not below 2^(-1022 - exponent). The grid of denormals has steps of 2^-1074; these are
  /// 2^(-1074 - exponent) before the exponent is restored.
  Value round_denormal(Value quotient, Value rest, Value exponent) {
    const Value low = clamp(exponent, -1100, -1021);
    // Below this limit quotients become denormal: 2^52 steps, so a sum with it cannot hold less than one.
    const Value limit = join({word(0), shifted_field(1, low)});
    const Value stepped = emit(Op::dadd, {emit(Op::dadd, {quotient, limit}), emit(Op::dneg, {limit})});
    // A quotient that was rounded already may look like a tie that it was not.
    const Value lost = emit(Op::dadd, {quotient, emit(Op::dneg, {stepped})});
    const Value half_step = join({word(0), shifted_field(-52, low)});
    const Value tie = emit(Op::deq, {emit(Op::dabs, {lost}), half_step});
    const Value same_side = emit(Op::dlt, {real(0), emit(Op::dmul, {lost, rest})});
    const Value other = emit(Op::dadd, {stepped, emit(Op::dadd, {lost, lost})});
    const Value settled = emit(Op::select64, {emit(Op::pand, {tie, same_side}), other, stepped});
    return emit(Op::select64, {emit(Op::dlt, {quotient, limit}), settled, quotient});
  }

  /// Upper word of 2^(from - bias - exponent).
  Value shifted_field(int32_t from, Value exponent) {
    return emit(Op::shl, {emit(Op::isub, {number(from), exponent}), word(20)});
  }
  /// 2^exponent.
  Value power(Value exponent) {
    return join({word(0), emit(Op::shl, {emit(Op::iadd, {exponent, number(kDoubleBias)}), word(20)})});
  }
  Value clamp(Value x, int32_t least, int32_t greatest) {
    return emit(Op::imin, {emit(Op::imax, {x, number(least)}), number(greatest)});
  }

  /// 0, infinity or NaN?
  Value is_special_value(const DoubleWords& x) {
    const Value magnitude = emit(Op::and_, {x.high, word(~kDoubleSign)});
    const Value zero = emit(Op::ieq, {emit(Op::or_, {magnitude, x.low}), word(0)});
    return emit(Op::por, {zero, emit(Op::uge, {magnitude, word(kDoubleExponent)})});
  }

  /// For quotients with a special operand, by a product: the operand itself, or 1 with its sign; `inverted`:
  /// infinity for 0, and 0 for infinity.
  Value stand_in(const DoubleWords& x, Value value, bool inverted) {
    const Value one =
        join({word(0), emit(Op::or_, {emit(Op::and_, {x.high, word(kDoubleSign)}), word(kOneHigh)})});
    Value itself = value;
    if (inverted) {
      const Value flipped = join({word(0), emit(Op::xor_, {x.high, word(kDoubleExponent)})});
      itself = emit(Op::select64, {emit(Op::deq, {value, value}), flipped, value});
    }
    return emit(Op::select64, {is_special_value(x), itself, one});
  }

  Value with_sign(Value magnitude, Value of) {
    const DoubleWords bits = split(magnitude);
    return join({bits.low, emit(Op::or_, {bits.high, emit(Op::and_, {split(of).high, word(kDoubleSign)})})});
  }

  bool fused_;  // dfma rounds once
};

}  // namespace

Value emit_double_quotient(Builder& builder, Value dividend, Value divisor, bool fused) {
  return DoubleDivision(builder, fused).run(dividend, divisor);
}

}  // namespace texlate::ir
