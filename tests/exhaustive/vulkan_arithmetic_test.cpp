// Every pure operation of the IR's table on a Vulkan driver, compared with the interpreter, over a list of
// difficult words in all combinations and over random ones: division by zero, shifts and bit fields out of
// range, conversions of NaN and of values that do not fit, halves, `ne` with NaN (docs/reference/direct3d.md
// 6). Both robustness modes, which must not differ here.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/exhaustive/arithmetic_table.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/comparison.h"

namespace texlate {
namespace {

using namespace arithmetic;

/// The error that is allowed for a driver. Vulkan, Precision and Operation of SPIR-V Instructions,
/// gives ULP for most operations, an absolute bound for logarithms near 1 and for sine and cosine (in -pi ..
/// pi), and the same for double precision as for single.
struct Precision {
  Op op;
  uint32_t ulp;
  double absolute;
};
constexpr Precision kPrecision[] = {
    {Op::fdiv, 3, 0},       {Op::fsqrt, 3, 0},           {Op::frsq, 2, 0},
    {Op::frcp, 3, 0},       {Op::fexp2, 3 + 2 * 128, 0}, {Op::flog2, 3, 0x1p-21},
    {Op::fsin, 0, 0x1p-11}, {Op::fcos, 0, 0x1p-11},      {Op::ffrac, 1, 0},
    {Op::ffma, 0, 0},
};

/// These change one bit, whatever the word is.
bool changes_sign(Op op) {
  return op == Op::fneg || op == Op::fabs;
}

/// Sine and cosine only have a bound near 0; denormals may be flushed or not unless the device lets a shader
/// choose.
bool is_judged(Op op, const uint32_t* row, const uint32_t* expected, size_t in, size_t out) {
  if (changes_sign(op)) return true;
  if ((op == Op::fsin || op == Op::fcos) && !(std::fabs(std::bit_cast<float>(row[0])) <= 3.14159f))
    return false;
  if (is_float_op(op) && std::any_of(row, row + in, is_denormal)) return false;
  if (is_float_op(op) && op != Op::ftoi && op != Op::ftou &&
      std::any_of(expected, expected + out, is_denormal))
    return false;
  return true;
}

/// What SwiftShader does wrong (docs/spirv.md).
bool is_wrong_there(Op op, uint32_t word) {
  const float x = std::bit_cast<float>(word);
  switch (op) {
    case Op::flog2: return !(x > 0);
    case Op::fexp2: return std::isnan(x);
    case Op::ffrac: return !std::isfinite(x);
    case Op::utof: return word > 0x7fffffffu;
    default: return false;
  }
}

double as_double(const uint32_t* words) {
  return std::bit_cast<double>(uint64_t{words[1]} << 32 | words[0]);
}

/// Fma may round twice: it has the precision of a multiplication and an addition . That of
/// doubles is not used. A product that is a denormal may be flushed.
bool is_fma_rounded_twice(const uint32_t* row, uint32_t result) {
  const auto real = [](uint32_t word) { return std::bit_cast<float>(word); };
  const volatile float product = real(row[0]) * real(row[1]);
  const bool flushes = is_denormal(std::bit_cast<uint32_t>(float{product})) && real(row[2]) == real(result);
  return flushes || product + real(row[2]) == real(result);
}

bool equals(Op op, const uint32_t* row, const uint32_t* expected, const uint32_t* result) {
  const ir::OpInfo& info = ir::info(op);
  Precision allowed{op, 0, 0};
  for (const Precision& known : kPrecision) {
    if (known.op == op) allowed = known;
  }
  for (char letter : info.results) {
    if (letter == 'd') {
      const double a = as_double(expected), b = as_double(result);
      const bool near = std::fabs(a - b) <= std::fabs(a) * allowed.ulp * 0x1p-52;
      const bool same = expected[0] == result[0] && expected[1] == result[1];
      if (!same && !near && !(std::isnan(a) && std::isnan(b))) return false;
      expected += 2;
      result += 2;
      continue;
    }
    const uint32_t a = *expected++, b = *result++;
    if (a == b) continue;
    const bool is_float = letter == 'f' && op != Op::itof && op != Op::utof;
    if (!is_float || changes_sign(op)) return false;
    if (is_nan(a) && is_nan(b)) continue;
    // The sign of a zero is not promised (SPIR-V 3.6, SignedZeroInfNanPreserve).
    if ((a | b) == 0x80000000u) continue;
    // Denormal results need not be flushed, unless the device lets a shader require it
    // (VK_KHR_shader_float_controls).
    if ((a & 0x7fffffffu) == 0 && is_denormal(b)) continue;
    if (executor::ulp_distance(a, b) <= allowed.ulp && allowed.ulp != 0) continue;
    if (op == Op::ffma && is_fma_rounded_twice(row, b)) continue;
    if (std::fabs(double{std::bit_cast<float>(a)} - double{std::bit_cast<float>(b)}) <= allowed.absolute)
      continue;
    return false;
  }
  return true;
}

class VulkanArithmetic : public testing::TestWithParam<spirv::Robustness> {};

TEST_P(VulkanArithmetic, EveryPureOperationAgreesWithTheInterpreter) {
  TEXLATE_NEEDS_VULKAN(GetParam());
  const bool swiftshader = is_swiftshader();
  uint64_t judged = 0, left_out = 0, operations = 0;
  for (uint32_t i = 0; i < ir::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (!is_tested(op) || op == Op::mad_wide) continue;  // mad_wide: of addresses, which only kernels have
    ++operations;
    const OperationText operation = operation_text(op);
    const TableText text{{}, operation.in, operation.body, operation.results};
    VulkanTable table(text);
    const auto rows = rows_of(op, text.in);
    const auto nothing = [](sim::Bindings&) {};
    const auto expected = table.interpret(rows, nothing);
    std::string complaint;
    const auto results = table.try_on_device(GetParam(), rows, nothing, complaint);
    if (is_beyond_device(complaint)) continue;  // doubles
    ASSERT_EQ(complaint, "");
    uint32_t reported = 0;
    for (size_t r = 0; r * text.in < rows.size(); ++r) {
      const uint32_t* row = &rows[r * text.in];
      const uint32_t* wanted = &expected[r * text.out()];
      const uint32_t* result = &results[r * text.out()];
      if (!is_judged(op, row, wanted, text.in, text.out()) || (swiftshader && is_wrong_there(op, row[0]))) {
        ++left_out;
        continue;
      }
      ++judged;
      if (equals(op, row, wanted, result) || ++reported > 8) continue;
      ADD_FAILURE() << fmt::format(
          "{} {:08x}: {:08x}, vulkan {:08x}", ir::info(op).text, fmt::join(row, row + text.in, ", "),
          fmt::join(wanted, wanted + text.out(), ", "), fmt::join(result, result + text.out(), ", "));
    }
  }
  fmt::print("robustness {}: {} operations, {} results, {} left out (denormals; sine and cosine beyond pi)\n",
             robustness_name(GetParam()), operations, judged, left_out);
}

// Rounding the product first gives 0, another multiple of the least denormal, INF.
TEST_P(VulkanArithmetic, ProductsAndSumsOfDoublesAreRoundedOnce) {
  TEXLATE_NEEDS_VULKAN(GetParam());
  struct Row {
    double a, b, c, result;
  };
  constexpr Row kRows[] = {
      {0x1.0000000000001p0, 0x1.fffffffffffffp-1, -1, 0x1.ffffffffffffep-54},
      {0x1.0000000000001p0, 0x1.0000000000001p0, -0x1.0000000000002p0, 0x1p-104},
      {0x1p-537, 0x1.8p-538, -0x1p-1074, -0x0p0},
      {-0x1.8p-537, 0x1p-538, 0x1p-1074, 0x0p0},
      {0x1p-537, 0x1p-538, 0x1p-1074, 0x1p-1073},
      {0x1p1000, 0x1p24, -0x1.fffffffffffffp1023, 0x1p971},
      {-0x1.fffffffffffffp1023, 2, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023},
      {0x1p1000, 0x1p24, 1, HUGE_VAL},
  };
  const OperationText operation = operation_text(Op::dfma);
  VulkanTable table({{}, operation.in, operation.body, operation.results});
  VulkanTable::Words rows;
  for (const Row& row : kRows) {
    for (const double number : {row.a, row.b, row.c}) {
      const auto bits = std::bit_cast<uint64_t>(number);
      rows.insert(rows.end(), {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
    }
  }
  std::string complaint;
  const auto results = table.try_on_device(
      GetParam(), rows, [](sim::Bindings&) {}, complaint);
  if (is_beyond_device(complaint)) GTEST_SKIP() << complaint;
  ASSERT_EQ(complaint, "");
  for (size_t r = 0; r < std::size(kRows); ++r) {
    const Row& row = kRows[r];
    EXPECT_EQ(std::fma(row.a, row.b, row.c), row.result) << r;
    EXPECT_EQ(as_double(&results[2 * r]), row.result)
        << fmt::format("{:a} * {:a} + {:a}", row.a, row.b, row.c);
  }
}

INSTANTIATE_TEST_SUITE_P(Robustness, VulkanArithmetic, testing::ValuesIn(kBothRobustness),
                         [](const auto& one) { return robustness_name(one.param); });

}  // namespace
}  // namespace texlate
