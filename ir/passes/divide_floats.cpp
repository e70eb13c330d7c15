#include "ir/passes/divide_floats.h"

#include <bit>
#include <cmath>

namespace texlate::ir {

namespace {

// The reciprocal of 2^126 is the least normal number: if it is off by one unit, it is flushed.
constexpr float kGreatestDivisor = 0x1p125f;
constexpr uint32_t kInfinity = 0x7f800000u;

class FloatDivision {
 public:
  explicit FloatDivision(Builder& builder) : builder_(builder) { builder_.set_flags(kPrecise); }

  Value divide(Value a, Value b, const Known& range) {
    const bool moderate =
        range.number && range.least_float >= -kGreatestDivisor && range.greatest_float <= kGreatestDivisor;
    if (!moderate) {
      const Value scale = scale_of(b);
      b = emit(Op::fmul, {b, scale});
      a = emit(Op::fmul, {a, scale});
    }
    const Value inverse = reciprocal(b);
    const Value near = emit(Op::fmul, {a, inverse});
    return number_of(corrected(near, a, b, inverse), near);
  }

  // The significand of a, in [1, 2), is divided by b: this quotient and all steps towards it are normal
  // numbers. It is the nearest float if it is within one unit and the reciprocal is the nearest one (P.
  // Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990). The last
  // product, with the power of two of a, is exact, overflows or is flushed. That power is 0 for zeros and
  // denormals, and INF or NaN for these.
  Value divide_exactly(Value a, Value b) {
    const Value scale = scale_of(b);
    const Value divisor = emit(Op::fmul, {b, scale});
    const Value estimate = emit(Op::frcp, {divisor});
    const Value inverse = corrected(estimate, real(1.0f), divisor, estimate);
    const Value dividend = significand(a);
    const Value near = emit(Op::fmul, {dividend, inverse});
    const Value limit = emit(Op::fmul, {dividend, estimate});
    const Value quotient = number_of(corrected(near, dividend, divisor, inverse), limit);
    return emit(Op::fmul, {quotient, emit(Op::fmul, {power(a), scale})});
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

  /// `value`, or `limit` if it is a NaN or 0: the correction of a zero loses its sign, and that of an
  /// infinity is NaN.
  Value number_of(Value value, Value limit) {
    return emit(Op::select, {emit(Op::flt, {real(0.0f), emit(Op::fabs, {value})}), value, limit});
  }

  /// A divisor above 2^125 is made a quarter of itself, and so is the dividend.
  Value scale_of(Value b) {
    const Value is_moderate = emit(Op::fge, {real(kGreatestDivisor), emit(Op::fabs, {b})});
    const Value one = emit(Op::select, {is_moderate, real(1.0f), real(0.0f)});
    return emit(Op::fmax, {one, real(0.25f)});
  }

  /// The number with the exponent of 1.
  Value significand(Value x) { return emit(Op::bfi, {word(8), word(23), word(127), x}); }
  /// 2 to the exponent of x; 0, INF or NaN if x is one, without its sign.
  Value power(Value x) {
    const Value size = emit(Op::fabs, {x});
    const Value is_finite = emit(Op::flt, {size, word(kInfinity)});
    return emit(Op::select, {is_finite, emit(Op::and_, {x, word(kInfinity)}), size});
  }

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
