#include "ir/passes/divide_floats.h"

#include <bit>
#include <cmath>

namespace texlate::ir {

namespace {

// The reciprocal of 2^126 is the least normal number: if it is off by one unit, it is flushed.
constexpr float kGreatestDivisor = 0x1p125f;
constexpr uint32_t kOne = 0x3f800000u;

class FloatDivision {
 public:
  explicit FloatDivision(Builder& builder) : builder_(builder) { builder_.set_flags(kPrecise); }

  // A divisor above 2^125 is made a quarter of itself, and so is the dividend.
  Value divide(Value a, Value b, const Known& range) {
    const bool moderate =
        range.number && range.least_float >= -kGreatestDivisor && range.greatest_float <= kGreatestDivisor;
    if (!moderate) {
      const Value is_moderate = emit(Op::fge, {real(kGreatestDivisor), emit(Op::fabs, {b})});
      const Value one = emit(Op::select, {is_moderate, real(1.0f), real(0.0f)});
      const Value scale = emit(Op::fmax, {one, real(0.25f)});
      b = emit(Op::fmul, {b, scale});
      a = emit(Op::fmul, {a, scale});
    }
    const Value inverse = reciprocal(b);
    const Value near = emit(Op::fmul, {a, inverse});
    const Value better = corrected(near, a, b, inverse);
    // The correction of a zero loses its sign, and that of an infinity is NaN.
    const Value is_number = emit(Op::flt, {real(0.0f), emit(Op::fabs, {better})});
    return emit(Op::select, {is_number, better, near});
  }

  // The significands, in [1, 2), are divided: their quotient, in (1/2, 2), is the nearest float if it is
  // within one unit and the reciprocal is the nearest one (P. Markstein, "Computation of elementary functions
  // on the IBM RISC System/6000 processor", 1990). Then come two powers of two whose product is
  // 2^(exponent of a - exponent of b): the first product is exact, the second is the only one that overflows
  // or is flushed. If an exponent is 0 (zero, denormal) or 255 (INF, NaN): a times 1 / b, where 1 over its
  // significand stands for the reciprocal of a normal b.
  Value divide_exactly(Value a, Value b) {
    const Value eb = exponent(b), mb = significand(b);
    const Value b_is_special = is_special(eb);
    const Value estimate = emit(Op::frcp, {mb});
    const Value inverse = corrected(estimate, real(1.0f), mb, estimate);
    const Value known_inverse = emit(Op::select, {b_is_special, emit(Op::frcp, {b}), inverse});
    const Value ea = exponent(a), ma = significand(a);
    const Value near = emit(Op::fmul, {ma, inverse});
    const Value quotient = corrected(near, ma, mb, inverse);
    const Value total = emit(Op::isub, {ea, eb});
    const Value first = emit(Op::ishr, {total, word(1)});
    const Value once = emit(Op::fmul, {quotient, power(first)});
    const Value finite = emit(Op::fmul, {once, power(emit(Op::isub, {total, first}))});
    const Value limit = emit(Op::fmul, {a, known_inverse});
    const Value special = emit(Op::por, {is_special(ea), b_is_special});
    return emit(Op::select, {special, limit, finite});
  }

 private:
  Value reciprocal(Value b) {
    if (!module().is_constant(b)) return emit(Op::frcp, {b});
    const float value = 1.0f / std::bit_cast<float>(module().constant_bits(b));
    return std::isnormal(value) ? real(value) : emit(Op::frcp, {b});
  }

  /// q + (a - b * q) / b
  Value corrected(Value q, Value a, Value b, Value inverse) {
    const Value rest = emit(Op::ffma, {emit(Op::fneg, {b}), q, a});
    return emit(Op::ffma, {rest, inverse, q});
  }

  /// The number with the exponent of 1.
  Value significand(Value x) { return emit(Op::bfi, {word(8), word(23), word(127), x}); }
  Value exponent(Value x) { return emit(Op::ubfe, {word(8), word(23), x}); }
  Value is_special(Value exponent) {
    return emit(Op::uge, {emit(Op::iadd, {exponent, word(0xffffffffu)}), word(254)});
  }
  /// 2^n; 0 for n = -127.
  Value power(Value n) { return emit(Op::iadd, {emit(Op::shl, {n, word(23)}), word(kOne)}); }

  Module& module() { return builder_.module(); }
  Value word(uint32_t bits) { return builder_.constant(bits); }
  Value real(float value) { return module().constant_float(value); }
  Value emit(Op op, std::initializer_list<Value> operands) { return builder_.emit(op, operands); }

  Builder& builder_;
};

}  // namespace

Value emit_quotient(Builder& builder, Value dividend, Value divisor, const Known& divisor_range) {
  return FloatDivision(builder).divide(dividend, divisor, divisor_range);
}

Value emit_exact_quotient(Builder& builder, Value dividend, Value divisor) {
  return FloatDivision(builder).divide_exactly(dividend, divisor);
}

}  // namespace texlate::ir
