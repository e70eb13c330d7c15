// The expansion of ffma.f64, run by the interpreter: the bits of the host's fma(), for numbers at the limits
// in all combinations and for random ones that cancel, tie, overflow and become denormal.
#include "ir/passes/fuse_doubles.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ir/base/fused.h"
#include "ir/passes/legalize_arithmetic.h"
#include "sim/ir/interpreter.h"
#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

constexpr std::string_view kProgram =
    "module vertex 5.0 \"main\"\n"
    "input v0.xyzw\n"
    "input v1.xy\n"
    "output o0.xy\n"
    "code {\n"
    "  %0 = input v0.x\n"
    "  %1 = input v0.y\n"
    "  %2 = input v0.z\n"
    "  %3 = input v0.w\n"
    "  %4 = input v1.x\n"
    "  %5 = input v1.y\n"
    "  %6 = pack.b64 %0, %1\n"
    "  %7 = pack.b64 %2, %3\n"
    "  %8 = pack.b64 %4, %5\n"
    "  %9 = ffma.f64 %6, %7, %8\n"
    "  %10..%11 = unpack.b64 %9\n"
    "  output o0.x, %10\n"
    "  output o0.y, %11\n"
    "}\n";

using Operands = std::array<double, 3>;

class FuseDoubles : public testing::Test {
 protected:
  void SetUp() override {
    parse_or_fail(kProgram, module_);
    ArithmeticTable table;
    table.gaps[static_cast<uint32_t>(Op::dfma)] = kOneRounding;
    ASSERT_TRUE(legalize_arithmetic(module_, table));
    verify_or_fail(module_);
    EXPECT_EQ(to_text(module_).find("ffma"), std::string::npos);
    Diagnostics diagnostics;
    interpreter_ = sim::Interpreter::create(module_, diagnostics);
    ASSERT_NE(interpreter_, nullptr) << to_text(diagnostics);
  }

  void add(const Operands& operands) { rows_.push_back(operands); }

  void check() {
    while (rows_.size() % 4 != 0) rows_.push_back(rows_.back());
    const size_t count = rows_.size();
    std::vector<uint32_t> planes, results(count * 4);
    for (uint32_t plane = 0; plane < 6; ++plane) {
      for (const Operands& row : rows_)
        planes.push_back(static_cast<uint32_t>(std::bit_cast<uint64_t>(row[plane / 2]) >> 32 * (plane % 2)));
    }
    sim::StreamLaunch launch;
    launch.count = static_cast<uint32_t>(count);
    launch.inputs = planes;
    launch.outputs = results;
    interpreter_->run(sim::Bindings(module_), launch);
    uint32_t wrong = 0;
    for (size_t i = 0; i < count; ++i) {
      const auto [a, b, c] = rows_[i];
      const double expected = fused(a, b, c);
      const auto result = std::bit_cast<double>(uint64_t{results[count + i]} << 32 | results[i]);
      if (std::bit_cast<uint64_t>(expected) == std::bit_cast<uint64_t>(result)) continue;
      if ((std::isnan(expected) && std::isnan(result)) || ++wrong > 8) continue;
      ADD_FAILURE() << fmt::format("{:a} * {:a} + {:a}: {:a}, should be {:a}", a, b, c, result, expected);
    }
    EXPECT_EQ(wrong, 0u) << "of " << count;
  }

 private:
  Module module_;
  std::unique_ptr<sim::Interpreter> interpreter_;
  std::vector<Operands> rows_;
};

TEST_F(FuseDoubles, NumbersAtTheLimits) {
  const double magnitudes[] = {0.0,
                               0x1p-1074,
                               0x1.8p-1073,
                               0x1p-1023,
                               0x0.fffffffffffffp-1022,
                               0x1p-1022,
                               0x1.0000000000001p-1022,
                               0x1.fffffffffffffp-1022,
                               0x1p-1021,
                               0x1p-969,
                               0x1p-538,
                               0x1p-537,
                               0x1p-511,
                               0x1p-108,
                               0x1p-54,
                               0x1p-53,
                               0x1.8p-53,
                               0x1p-52,
                               0x1.fffffffffffffp-1,
                               1.0,
                               0x1.0000000000001p0,
                               1.5,
                               2.0,
                               3.0,
                               0x1p53,
                               0x1p54,
                               0x1p511,
                               0x1p512,
                               0x1p970,
                               0x1p971,
                               0x1p1022,
                               0x1.fffffffffffffp1022,
                               0x1p1023,
                               0x1.ffffffffffffep1023,
                               0x1.fffffffffffffp1023,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
  std::vector<double> numbers;
  for (const double x : magnitudes) numbers.insert(numbers.end(), {x, -x});
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
  Operands next() {
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
