// Expansions of operations on doubles, run by the interpreter: the bits of the host's result.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/passes/legalize_arithmetic.h"
#include "sim/ir/interpreter.h"
#include "tests/support/ir_text.h"

namespace texlate::ir {

using DoubleOperands = std::array<double, 3>;

class DoubleExpansionTest : public testing::Test {
 protected:
  /// `operation`: text that makes %9 of the doubles %6, %7 and %8. None of `gone` is left of it.
  void expand(std::string_view operation, const ArithmeticTable& table,
              std::initializer_list<std::string_view> gone) {
    module_ = Module();
    parse_or_fail(fmt::format(kProgram, operation), module_);
    ASSERT_TRUE(legalize_arithmetic(module_, table));
    verify_or_fail(module_);
    for (const std::string_view text : gone)
      EXPECT_EQ(to_text(module_).find(text), std::string::npos) << text;
    Diagnostics diagnostics;
    interpreter_ = sim::Interpreter::create(module_, diagnostics);
    ASSERT_NE(interpreter_, nullptr) << to_text(diagnostics);
  }

  void add(const DoubleOperands& operands) { rows_.push_back(operands); }

  template <typename Expected>
  void check(Expected expected_of) {
    while (rows_.size() % 4 != 0) rows_.push_back(rows_.back());
    const size_t count = rows_.size();
    std::vector<uint32_t> planes, results(count * 4);
    for (uint32_t plane = 0; plane < 6; ++plane) {
      for (const DoubleOperands& row : rows_)
        planes.push_back(static_cast<uint32_t>(std::bit_cast<uint64_t>(row[plane / 2]) >> 32 * (plane % 2)));
    }
    sim::StreamLaunch launch;
    launch.count = static_cast<uint32_t>(count);
    launch.inputs = planes;
    launch.outputs = results;
    interpreter_->run(sim::Bindings(module_), launch);
    uint32_t wrong = 0;
    for (size_t i = 0; i < count; ++i) {
      const double expected = expected_of(rows_[i]);
      const auto result = std::bit_cast<double>(uint64_t{results[count + i]} << 32 | results[i]);
      if (std::bit_cast<uint64_t>(expected) == std::bit_cast<uint64_t>(result)) continue;
      if ((std::isnan(expected) && std::isnan(result)) || ++wrong > 8) continue;
      const auto [a, b, c] = rows_[i];
      ADD_FAILURE() << fmt::format("of {:a}, {:a}, {:a}: {:a}, should be {:a}", a, b, c, result, expected);
    }
    EXPECT_EQ(wrong, 0u) << "of " << count;
  }

  /// Of both signs: 0, denormals, numbers at the ends of the range and about powers of 2, infinity, NaN.
  static std::vector<double> numbers_at_the_limits() {
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
    return numbers;
  }

 private:
  static constexpr std::string_view kProgram =
      "module vertex 5.0 \"main\"\n"
      "input v0.xyzw\n"
      "input v1.xy\n"
      "output o0.xy\n"
      "code {{\n"
      "  %0 = input v0.x\n"
      "  %1 = input v0.y\n"
      "  %2 = input v0.z\n"
      "  %3 = input v0.w\n"
      "  %4 = input v1.x\n"
      "  %5 = input v1.y\n"
      "  %6 = pack.b64 %0, %1\n"
      "  %7 = pack.b64 %2, %3\n"
      "  %8 = pack.b64 %4, %5\n"
      "  %9 = {}\n"
      "  %10..%11 = unpack.b64 %9\n"
      "  output o0.x, %10\n"
      "  output o0.y, %11\n"
      "}}\n";

  Module module_;
  std::unique_ptr<sim::Interpreter> interpreter_;
  std::vector<DoubleOperands> rows_;
};

}  // namespace texlate::ir
