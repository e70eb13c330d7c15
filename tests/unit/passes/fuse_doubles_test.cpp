// The expansion of ffma.f64: the bits of the host's fma(), for numbers at the limits in all combinations and
// for random ones that cancel, tie, overflow and become denormal.
#include "ir/passes/fuse_doubles.h"

#include <algorithm>
#include <random>

#include "ir/base/fused.h"
#include "tests/unit/passes/double_expansion.h"

namespace texlate::ir {
namespace {

class FuseDoubles : public DoubleExpansionTest {
 protected:
  void SetUp() override {
    ArithmeticTable table;
    table.gaps[static_cast<uint32_t>(Op::dfma)] = kOneRounding;
    expand("ffma.f64 %6, %7, %8", table, {"ffma"});
  }
  void check() {
    DoubleExpansionTest::check([](const DoubleOperands& of) { return fused(of[0], of[1], of[2]); });
  }
};

TEST_F(FuseDoubles, NumbersAtTheLimits) {
  const std::vector<double> numbers = numbers_at_the_limits();
  for (const double a : numbers) {
    for (const double b : numbers) {
      for (const double c : numbers) add({a, b, c});
    }
  }
  check();
}

/// Random numbers whose products are at the ends of the range of doubles as often as in its middle.
class RandomDoubles {
 public:
  DoubleOperands next() {
    const int sum = product_exponent();
    int first = below(2047) - kBias, second = std::clamp(sum - first, -kBias, kBias);
    if (below(8) == 0) {  // a denormal factor
      first = -kBias;
      second = std::clamp(sum + kBias + below(60), -kBias, kBias);
    }
    const double a = make(first), b = make(second);
    const int exponent = first + second;
    switch (below(5)) {
      case 0: return {a, b, make(exponent + below(8) - 4)};
      case 1: return {a, b, make(exponent + below(240) - 120)};
      case 2: {  // all but the last bits cancel
        const double sum_is_small = -(a * b);
        const auto bits = std::bit_cast<uint64_t>(sum_is_small) + static_cast<uint64_t>(below(5)) - 2;
        return {a, b, std::bit_cast<double>(bits)};
      }
      case 3: return {a, b, make(below(2047) - kBias)};
      // One of the two decides how a tie of the other breaks.
      default: return {a, b, make(exponent + (below(2) == 0 ? 54 : -53) + below(5) - 2)};
    }
  }

 private:
  static constexpr int kBias = 1023;

  int below(uint32_t end) { return static_cast<int>(random_() % end); }

  int product_exponent() {
    switch (below(4)) {
      case 0: return -1022 - 60 + below(130);  // denormal, or nearly
      case 1: return 1024 - 5 + below(8);      // too large, or nearly
      case 2: return below(2100) - 1100;
      default: return below(200) - 100;
    }
  }

  /// Of any sign; `exponent`: -1023 is that of denormals.
  double make(int exponent) {
    const auto field = static_cast<uint64_t>(std::clamp(exponent + kBias, 0, 2046));
    return std::bit_cast<double>(uint64_t{random_()} << 63 | field << 52 | fraction());
  }

  /// Few bits at one end or at both, all, or all above some bit.
  uint64_t fraction() {
    constexpr uint64_t kAll = (uint64_t{1} << 52) - 1;
    const uint64_t bits = random_();
    switch (below(6)) {
      case 0: return bits & kAll;
      case 1: return (bits & 0xff) << 44;
      case 2: return bits & 0xff;
      case 3: return kAll ^ (bits & 0xff);
      case 4: return uint64_t{1} << below(52);
      default: return bits & kAll & ~uint64_t{0} << below(53);
    }
  }

  std::mt19937_64 random_{1};
};

TEST_F(FuseDoubles, RandomNumbers) {
  RandomDoubles random;
  for (uint32_t n = 0; n < 600000; ++n) add(random.next());
  check();
}

}  // namespace
}  // namespace texlate::ir
