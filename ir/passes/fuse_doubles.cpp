#include "ir/passes/fuse_doubles.h"

#include "ir/passes/double_words.h"

namespace texlate::ir {

namespace {

constexpr int32_t kSpecialField = 2047;  // the exponent of infinity and NaN

class DoubleFusion : DoubleExpansion {
 public:
  explicit DoubleFusion(Builder& builder) : DoubleExpansion(builder) {}

  Value run(Value a, Value b, Value c) {
    const Factor x = factor(a), y = factor(b);
    const DoubleWords c_bits = split(c);
    const Value c_field = field(c_bits.high);
    const Value c_exponent = emit(Op::imax, {c_field, number(1)});
    // The sum is 2^exponent * (x * y + addend), where |x * y| < 4. An addend from 2^60 on is the result,
    // which no such product changes, however small: a lower bound of the exponent keeps addends below 2^61.
    const Value product_exponent =
        emit(Op::iadd, {emit(Op::iadd, {x.exponent, y.exponent}), number(2 * (1 - kDoubleBias))});
    const Value exponent =
        emit(Op::imax, {product_exponent, emit(Op::isub, {c_exponent, number(kDoubleBias + 60)})});
    const Value addend = scale_addend(c_bits, c_field, emit(Op::isub, {c_exponent, exponent}));
    const Value product = emit(Op::dmul, {x.value, y.value});

    const Sum first = add(addend, product_error(x.value, y.value, product));
    const Sum second = add(product, first.value);
    const Sum rest = add(first.error, second.error);
    const Value regular = round({second.value, rest}, exponent);
    // 0, infinity and NaN: the product of the scaled factors is of the same kind as that of a and b.
    const Value zero = emit(Op::deq, {product, real(0)});
    const Value greatest = emit(Op::umax, {emit(Op::umax, {x.field, y.field}), c_field});
    const Value no_number = emit(Op::ieq, {greatest, number(kSpecialField)});
    const Value special = emit(Op::dadd, {product, c});
    return emit(Op::select64, {emit(Op::por, {zero, no_number}), special, regular});
  }

 private:
  struct Factor {
    Value value;     // in [1, 2), of a denormal in [2^-52, 1); 0, infinity and NaN as they are
    Value exponent;  // at least 0: x = value * 2^(exponent + 1 - bias)
    Value field;     // of the exponent, in x
  };
  struct Sum {
    Value value, error;  // value + error is the exact sum; value is the double nearest to it
  };
  /// The exact sum of three doubles: rest.value is at most about a unit in the last place of `value`, unless
  /// most of it canceled and rest.error is 0.
  struct Exact {
    Value value;
    Sum rest;
  };

  Factor factor(Value x) {
    const DoubleWords bits = split(x);
    const Value x_field = field(bits.high);
    const Value exponent = emit(Op::isub, {x_field, number(1)});
    const Value normal = emit(Op::ult, {exponent, number(kSpecialField - 1)});
    const Value value = join({bits.low, with_field(bits.high, number(kDoubleBias))});
    const Value raised = emit(Op::dmul, {x, real(0x1p1022)});
    return {emit(Op::select64, {normal, value, raised}), emit(Op::imax, {exponent, number(0)}), x_field};
  }

  /// The addend with another exponent (biased). Below 2^-200 it only decides which side of a tie the sum is
  /// on, and any smaller exponent has the same effect: the product is a multiple of 2^-104.
  Value scale_addend(const DoubleWords& c, Value c_field, Value exponent) {
    const Value new_field = emit(Op::imax, {exponent, number(kDoubleBias - 200)});
    const Value high = with_field(c.high, new_field);
    // A denormal has no leading 1.
    const Value power = emit(Op::and_, {high, word(~kDoubleFraction)});
    const Value denormal = emit(Op::ieq, {c_field, number(0)});
    const Value excess = join({word(0), emit(Op::select, {denormal, power, word(0)})});
    return subtract(join({c.low, high}), excess);
  }

  /// 2^exponent * sum, rounded once: to the grid of denormals if the result is one.
  Value round(const Exact& sum, Value exponent) {
    // To round to the grid of denormals, which is scaled a multiple of 2^(-1074 - exponent), a power of two
    // with this unit in the last place is added, the scaled least normal number. Where that would be no
    // double, only 0 is below it anyway: other sums are above 2^-300.
    const Value low = emit(Op::imin, {exponent, number(-300)});
    const Value limit = emit(Op::shl, {emit(Op::isub, {number(1), low}), word(20)});
    const Value high = split(emit(Op::dadd, {sum.value, sum.rest.value})).high;
    const Value denormal = emit(Op::ult, {emit(Op::and_, {high, word(~kDoubleSign)}), limit});
    const Value grid = emit(Op::select, {denormal, with_sign_of(high, limit), word(0)});
    const Sum top = add_smaller(join({word(0), grid}), sum.value);
    const Sum rest = add_smaller(top.error, sum.rest.value);
    const Value error = emit(Op::dadd, {rest.error, sum.rest.error});
    const Value rounded = emit(Op::dadd, {top.value, leave_tie(rest.value, error)});
    // The bits of a denormal are its multiple of the grid: the fraction of `rounded`.
    const Value change = emit(Op::select, {denormal, emit(Op::isub, {low, number(1)}), exponent});
    return change_exponent(rounded, change);
  }

  /// `rest`, or the next double in the direction of its error if it may look like half of a unit: then it has
  /// few bits, all in its upper word.
  Value leave_tie(Value rest, Value error) {
    const DoubleWords bits = split(rest);
    const Value opposite = emit(Op::ishr, {emit(Op::xor_, {bits.high, split(error).high}), word(31)});
    const Value next = join({emit(Op::or_, {opposite, word(1)}), emit(Op::iadd, {bits.high, opposite})});
    const Value may_be_tie = emit(Op::ieq, {bits.low, word(0)});
    const Value inexact = emit(Op::dne, {error, real(0)});
    return emit(Op::select64, {emit(Op::pand, {may_be_tie, inexact}), next, rest});
  }

  /// Adds to the exponent, which does not fall below 0; infinity if it is too large.
  Value change_exponent(Value x, Value change) {
    const DoubleWords bits = split(x);
    const Value high = emit(Op::iadd, {bits.high, emit(Op::shl, {change, word(20)})});
    const Value too_large =
        emit(Op::ige, {emit(Op::iadd, {field(bits.high), change}), number(kSpecialField)});
    const Value infinity = with_sign_of(bits.high, word(kDoubleExponent));
    return emit(Op::select64, {too_large, join({word(0), infinity}), join({bits.low, high})});
  }

  /// Knuth's TwoSum, with the negative of what the sum has of b: one negation serves twice.
  Sum add(Value a, Value b) {
    const Value sum = emit(Op::dadd, {a, b});
    const Value minus_b = subtract(a, sum);
    const Value a_error = subtract(a, emit(Op::dadd, {sum, minus_b}));
    return {sum, emit(Op::dadd, {a_error, emit(Op::dadd, {b, minus_b})})};
  }
  /// Dekker's Fast2Sum: `large` is 0, or a multiple of the unit in the last place of `small`.
  Sum add_smaller(Value large, Value small) {
    const Value sum = emit(Op::dadd, {large, small});
    return {sum, emit(Op::dadd, {small, subtract(large, sum)})};
  }

  Value field(Value high) { return emit(Op::ubfe, {word(11), word(20), high}); }
  Value with_field(Value high, Value exponent) { return emit(Op::bfi, {word(11), word(20), exponent, high}); }
  Value with_sign_of(Value high, Value magnitude) {
    return emit(Op::bfi, {word(31), word(0), magnitude, high});
  }
};

}  // namespace

Value emit_fused_doubles(Builder& builder, Value a, Value b, Value c) {
  return DoubleFusion(builder).run(a, b, c);
}

}  // namespace texlate::ir
