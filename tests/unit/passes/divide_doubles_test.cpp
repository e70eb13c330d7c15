// The expansions of fdiv.f64 and frcp.f64, with and without an ffma.f64 that rounds once: the bits of the
// host's quotient, for numbers at the limits in all combinations and for random ones whose quotients are
// almost half-way between two doubles, or denormal, or too large.
#include "ir/passes/divide_doubles.h"

#include <algorithm>
#include <random>

#include "tests/unit/passes/double_expansion.h"

namespace texlate::ir {
namespace {

/// The parameter: does the target have ffma.f64?
class DivideDoubles : public DoubleExpansionTest, public testing::WithParamInterface<bool> {
 protected:
  void expand_one(Op op, std::string_view text) {
    ArithmeticTable table;
    table.gaps[static_cast<uint32_t>(op)] = kOneRounding;
    if (GetParam()) {
      table.rows[static_cast<uint32_t>(Op::dfma)].promises = kOneRounding;
      expand(text, table, {"fdiv.f64", "frcp.f64"});
    } else {
      expand(text, table, {"fdiv.f64", "frcp.f64", "ffma.f64"});
    }
  }
  void check() {
    DoubleExpansionTest::check([](const DoubleOperands& of) { return of[0] / of[1]; });
  }
};

TEST_P(DivideDoubles, NumbersAtTheLimits) {
  expand_one(Op::ddiv, "fdiv.f64 %6, %7");
  const std::vector<double> numbers = numbers_at_the_limits();
  for (const double a : numbers) {
    for (const double b : numbers) add({a, b, 0});
  }
  check();
}

TEST_P(DivideDoubles, ReciprocalsOfNumbersAtTheLimits) {
  expand_one(Op::drcp, "frcp.f64 %7");
  for (const double x : numbers_at_the_limits()) add({1, x, 0});
  std::mt19937_64 random(1);
  for (uint32_t n = 0; n < 20000; ++n) add({1, std::bit_cast<double>(uint64_t{random()}), 0});
  check();
}

class RandomQuotients {
 public:
  DoubleOperands next() {
    const double divisor = make(below(2047));
    switch (below(4)) {
      case 0: return {make(below(2047)), divisor, 0};
      // About the least denormal, the least normal number, the greatest number.
      case 1: return {make(exponent_of(divisor) - below(60)), divisor, 0};
      case 2: return {make(exponent_of(divisor) + 1020 + below(8)), divisor, 0};
      default: {
        // The dividend nearest to a multiple of half a unit in the last place of a quotient.
        const double quotient = make(1023 + below(40) - 20);
        const double half = std::ldexp(quotient, -53);
        const double dividend = std::fma(half, divisor, quotient * divisor);
        const auto bits = std::bit_cast<uint64_t>(dividend) + static_cast<uint64_t>(below(3)) - 1;
        return {std::bit_cast<double>(bits), divisor, 0};
      }
    }
  }

 private:
  int below(uint32_t end) { return static_cast<int>(random_() % end); }
  static int exponent_of(double x) { return static_cast<int>(std::bit_cast<uint64_t>(x) >> 52 & 2047); }

  /// Of any sign, with a biased exponent; all bits of the fraction, few, or all but few.
  double make(int exponent) {
    const auto field = static_cast<uint64_t>(std::clamp(exponent, 0, 2046));
    constexpr uint64_t kAll = (uint64_t{1} << 52) - 1;
    uint64_t fraction = random_() & kAll;
    switch (below(4)) {
      case 0: fraction &= 0xff; break;
      case 1: fraction |= kAll ^ 0xff; break;
      case 2: fraction &= uint64_t{0xff} << 44; break;
      default: break;
    }
    return std::bit_cast<double>(uint64_t{random_()} << 63 | field << 52 | fraction);
  }

  std::mt19937_64 random_{2};
};

TEST_P(DivideDoubles, RandomNumbers) {
  expand_one(Op::ddiv, "fdiv.f64 %6, %7");
  RandomQuotients random;
  for (uint32_t n = 0; n < 400000; ++n) add(random.next());
  check();
}

INSTANTIATE_TEST_SUITE_P(Targets, DivideDoubles, testing::Bool(), [](const auto& one) {
  return std::string(one.param ? "WithFusedOperation" : "WithoutFusedOperation");
});

}  // namespace
}  // namespace texlate::ir
