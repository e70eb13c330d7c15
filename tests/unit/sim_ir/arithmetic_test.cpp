// Every operation that has only operands, with its edge cases (docs/reference/direct3d.md 4.1).
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

#include "ir/op.h"
#include "ir/passes/constant_evaluation.h"
#include "tests/unit/sim_ir/run_text.h"

namespace texlate::sim {
namespace {

constexpr uint32_t kInf = 0x7f800000u, kMinusInf = 0xff800000u, kNan = 0x7fffffffu, kAnyNan = 0xffc12345u;
constexpr uint32_t kMinusZero = 0x80000000u, kDenormal = 0x00000001u, kMinusDenormal = 0x807fffffu,
                   kOne = 0x3f800000u;

struct Row {
  ir::Op op;
  std::vector<uint32_t> operands;
  uint32_t expected;
};

// b1 results are returned through `mask`; b1 operands are `ine x, 0`.
std::string body_of(const Row& row) {
  const ir::OpInfo& info = ir::info(row.op);
  std::string body, list;
  uint32_t next = 0;
  for (size_t i = 0; i < row.operands.size(); ++i) {
    const uint32_t value = next++;
    body += fmt::format("  %{} = input v{}.{}\n", value, i / 4, "xyzw"[i % 4]);
    uint32_t named = value;
    if (info.operands[i] == 'p') {
      named = next++;
      body += fmt::format("  %{} = ine %{}, 0\n", named, value);
    }
    list += fmt::format("{}%{}", i == 0 ? " " : ", ", named);
  }
  uint32_t result = next++;
  body += fmt::format("  %{} = {}{}\n", result, info.text, list);
  if (info.results == "p") {
    body += fmt::format("  %{} = mask %{}\n", next, result);
    result = next;
  }
  return body + fmt::format("  output o0.x, %{}\n", result);
}

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    TextRun run;
    for (uint32_t i = 0; i < row.operands.size(); ++i) run.set_all(i, row.operands[i]);
    run_text(run, body_of(row));
    for (uint32_t lane : run.out(0)) {
      EXPECT_EQ(lane, row.expected) << ir::info(row.op).text
                                    << fmt::format(" got {:08x}, not {:08x}; operands", lane, row.expected)
                                    << fmt::format(" {:08x}", fmt::join(row.operands, " "));
    }
  }
}

using Op = ir::Op;

TEST(Arithmetic, FloatSumsFlushBothWays) {
  check({
      {Op::fadd, {f(1.5f), f(2.25f)}, f(3.75f)},
      {Op::fadd, {kDenormal, f(1.0f)}, kOne},
      {Op::fadd, {kMinusDenormal, kMinusZero}, kMinusZero},
      {Op::fadd, {kDenormal, kMinusZero}, 0},
      {Op::fadd, {0x00800001u, 0x80800000u}, 0},  // the difference is a denormal
      {Op::fadd, {kInf, kMinusInf}, kNan},
      {Op::fadd, {kAnyNan, kOne}, kNan},
      {Op::fmul, {f(3.0f), f(-0.5f)}, f(-1.5f)},
      {Op::fmul, {0x00800000u, f(-0.5f)}, kMinusZero},
      {Op::fmul, {kInf, kDenormal}, kNan},
      {Op::ffma, {0x3f800800u, 0x3f800800u, f(-1.0f)}, 0x3a000400u},  // rounded once
      {Op::ffma, {f(2.0f), f(3.0f), f(4.0f)}, f(10.0f)},
      {Op::ffma, {kDenormal, f(1e30f), 0}, 0},
      {Op::fdiv, {f(1.0f), f(3.0f)}, 0x3eaaaaabu},
      {Op::fdiv, {0, kDenormal}, kNan},
      {Op::fdiv, {f(-2.0f), 0}, kMinusInf},
      {Op::fdiv, {kInf, kInf}, kNan},
      {Op::fdiv, {f(1.0f), kMinusInf}, kMinusZero},
  });
}

TEST(Arithmetic, MinimumMaximumSaturate) {
  check({
      {Op::fmin, {f(1.0f), f(2.0f)}, f(1.0f)},
      {Op::fmin, {kAnyNan, f(2.0f)}, f(2.0f)},
      {Op::fmin, {f(2.0f), kAnyNan}, f(2.0f)},
      {Op::fmin, {kAnyNan, kAnyNan}, kNan},
      {Op::fmin, {0, kMinusZero}, kMinusZero},
      {Op::fmax, {kMinusZero, 0}, 0},
      {Op::fmax, {f(1.0f), f(2.0f)}, f(2.0f)},
      {Op::fmax, {kAnyNan, kMinusInf}, kMinusInf},
      {Op::fmax, {kMinusDenormal, kMinusZero}, kMinusZero},
      {Op::fsat, {f(0.5f)}, f(0.5f)},
      {Op::fsat, {f(-3.0f)}, 0},
      {Op::fsat, {kInf}, kOne},
      {Op::fsat, {kAnyNan}, 0},
      {Op::fsat, {kMinusZero}, 0},
      {Op::fneg, {kAnyNan}, kAnyNan ^ 0x80000000u},
      {Op::fneg, {kDenormal}, 0x80000001u},
      {Op::fabs, {kMinusDenormal}, 0x007fffffu},
      {Op::fabs, {kAnyNan}, 0x7fc12345u},
  });
}

TEST(Arithmetic, Functions) {
  check({
      {Op::fsqrt, {f(4.0f)}, f(2.0f)},
      {Op::fsqrt, {kMinusZero}, kMinusZero},
      {Op::fsqrt, {f(-1.0f)}, kNan},
      {Op::fsqrt, {kMinusDenormal}, kMinusZero},
      {Op::frsq, {f(4.0f)}, f(0.5f)},
      {Op::frsq, {0}, kInf},
      {Op::frsq, {kMinusZero}, kMinusInf},
      {Op::frsq, {f(-1.0f)}, kNan},
      {Op::frsq, {kInf}, 0},
      {Op::frcp, {f(4.0f)}, f(0.25f)},
      {Op::frcp, {kMinusDenormal}, kMinusInf},
      {Op::frcp, {kMinusInf}, kMinusZero},
      {Op::frcp, {f(3e38f)}, 0},  // the reciprocal is a denormal
      {Op::fexp2, {f(3.0f)}, f(8.0f)},
      {Op::fexp2, {kMinusInf}, 0},
      {Op::fexp2, {kMinusZero}, kOne},
      {Op::fexp2, {f(-140.0f)}, 0},
      {Op::flog2, {f(8.0f)}, f(3.0f)},
      {Op::flog2, {kMinusDenormal}, kMinusInf},
      {Op::flog2, {f(-1.0f)}, kNan},
      {Op::flog2, {kInf}, kInf},
      {Op::fsin, {kMinusZero}, kMinusZero},
      {Op::fsin, {f(1.0f)}, f(std::sin(1.0f))},
      {Op::fsin, {kInf}, kNan},
      {Op::fcos, {0}, kOne},
      {Op::fcos, {kMinusInf}, kNan},
  });
}

TEST(Arithmetic, RoundingAndFraction) {
  check({
      {Op::ffrac, {f(1.25f)}, f(0.25f)},
      {Op::ffrac, {f(-0.25f)}, f(0.75f)},
      {Op::ffrac, {f(-1e-20f)}, 0x3f7fffffu},  // 1 - 1e-20 rounds to 1
      {Op::ffrac, {kMinusZero}, 0},
      {Op::ffrac, {kMinusDenormal}, 0},
      {Op::ffrac, {kInf}, kNan},
      {Op::ffrac, {kAnyNan}, kNan},
      {Op::frint, {f(2.5f)}, f(2.0f)},
      {Op::frint, {f(3.5f)}, f(4.0f)},
      {Op::frint, {f(-0.3f)}, kMinusZero},
      {Op::frint, {kMinusDenormal}, kMinusZero},
      {Op::ffloor, {f(-0.5f)}, f(-1.0f)},
      {Op::ffloor, {kMinusDenormal}, kMinusZero},
      {Op::fceil, {f(-0.5f)}, kMinusZero},
      {Op::fceil, {f(0.5f)}, kOne},
      {Op::ftrunc, {f(-1.75f)}, f(-1.0f)},
      {Op::ftrunc, {kInf}, kInf},
  });
}

TEST(Arithmetic, FloatComparisons) {
  check({
      {Op::feq, {0, kMinusZero}, ~0u},
      {Op::feq, {kAnyNan, kAnyNan}, 0},
      {Op::feq, {kDenormal, 0}, ~0u},
      {Op::fne, {kAnyNan, kAnyNan}, ~0u},
      {Op::fne, {kOne, kOne}, 0},
      {Op::flt, {f(1.0f), f(2.0f)}, ~0u},
      {Op::flt, {kMinusDenormal, 0}, 0},
      {Op::flt, {kAnyNan, kInf}, 0},
      {Op::fge, {f(2.0f), f(2.0f)}, ~0u},
      {Op::fge, {kInf, kAnyNan}, 0},
  });
}

TEST(Arithmetic, Conversions) {
  check({
      {Op::ftoi, {f(-2.9f)}, static_cast<uint32_t>(-2)},
      {Op::ftoi, {f(3e9f)}, 0x7fffffffu},
      {Op::ftoi, {f(-3e9f)}, 0x80000000u},
      {Op::ftoi, {kAnyNan}, 0},
      {Op::ftoi, {kMinusInf}, 0x80000000u},
      {Op::ftou, {f(-1.0f)}, 0},
      {Op::ftou, {f(4e9f)}, 4000000000u},
      {Op::ftou, {f(5e9f)}, ~0u},
      {Op::ftou, {kAnyNan}, 0},
      {Op::ftou, {kInf}, ~0u},
      {Op::itof, {~0u}, f(-1.0f)},
      {Op::itof, {0x01000001u}, f(16777216.0f)},
      {Op::utof, {~0u}, f(4294967296.0f)},
      {Op::utof, {0x01000003u}, f(16777220.0f)},
      {Op::f32tof16, {f(1.0f)}, 0x3c00},
      {Op::f32tof16, {f(-65536.0f)}, 0xfbff},
      {Op::f32tof16, {kInf}, 0x7c00},
      {Op::f32tof16, {0x3f801fffu}, 0x3c00},  // toward zero
      {Op::f32tof16, {0x33800000u}, 1},
      {Op::f32tof16, {kDenormal}, 0},
      {Op::f16tof32, {0x12340001u}, 0x33800000u},
      {Op::f16tof32, {0xfc00}, kMinusInf},
      {Op::f16tof32, {0x3c00}, kOne},
  });
}

TEST(Arithmetic, Integers) {
  check({
      {Op::iadd, {~0u, 2}, 1},
      {Op::isub, {1, 2}, ~0u},
      {Op::ineg, {0x80000000u}, 0x80000000u},
      {Op::imul, {0x10001u, 0x10001u}, 0x20001u},
      {Op::imulhi, {~0u, ~0u}, 0},
      {Op::imulhi, {0x80000000u, 2}, ~0u},
      {Op::umulhi, {~0u, ~0u}, 0xfffffffeu},
      {Op::imad, {3, ~0u, 5}, 2},
      {Op::udiv, {7, 2}, 3},
      {Op::udiv, {7, 0}, ~0u},
      {Op::urem, {7, 4}, 3},
      {Op::urem, {7, 0}, ~0u},
      {Op::imin, {~0u, 1}, ~0u},
      {Op::imax, {~0u, 1}, 1},
      {Op::umin, {~0u, 1}, 1},
      {Op::umax, {~0u, 1}, ~0u},
      {Op::and_, {12, 10}, 8},
      {Op::or_, {12, 10}, 14},
      {Op::xor_, {12, 10}, 6},
      {Op::not_, {0}, ~0u},
      {Op::shl, {1, 33}, 2},
      {Op::ishr, {0x80000000u, 31}, ~0u},
      {Op::ishr, {0x80000000u, 32}, 0x80000000u},
      {Op::ushr, {0x80000000u, 63}, 1},
      {Op::bitrev, {1}, 0x80000000u},
      {Op::popcount, {0xf0f0u}, 8},
      {Op::firstbit_lo, {8}, 3},
      {Op::firstbit_lo, {0}, ~0u},
      {Op::firstbit_hi, {1}, 31},
      {Op::firstbit_hi, {0}, ~0u},
      {Op::firstbit_shi, {0x80000000u}, 1},
      {Op::firstbit_shi, {~0u}, ~0u},
      {Op::firstbit_shi, {1}, 31},
      {Op::firstbit_shi, {0}, ~0u},
      {Op::msad, {0x00010203u, 0x09050302u, 10}, 10u + 4 + 1 + 1},
      {Op::msad, {1, 2, ~0u}, 0},
  });
}

TEST(Arithmetic, BitFields) {
  check({
      {Op::ubfe, {8, 4, 0xabcd}, 0xbc},
      {Op::ubfe, {0, 4, ~0u}, 0},
      {Op::ubfe, {32, 0, ~0u}, 0},
      {Op::ubfe, {31, 31, 0x80000000u}, 1},
      {Op::ubfe, {8, 36, 0xabcd}, 0xbc},
      {Op::ibfe, {4, 4, 0xf0}, ~0u},
      {Op::ibfe, {4, 4, 0x70}, 7},
      {Op::ibfe, {16, 28, 0x80000000u}, 0xfffffff8u},
      {Op::bfi, {8, 4, 0xff, 0}, 0xff0},
      {Op::bfi, {8, 28, 0xff, 0x0123u}, 0xf0000123u},
      {Op::bfi, {0, 0, ~0u, 7}, 7},
      {Op::bfi, {32, 0, ~0u, 7}, 7},
  });
}

TEST(Arithmetic, PredicatesAndSelection) {
  check({
      {Op::ieq, {5, 5}, ~0u},
      {Op::ine, {5, 5}, 0},
      {Op::ilt, {~0u, 0}, ~0u},
      {Op::ige, {~0u, 0}, 0},
      {Op::ult, {~0u, 0}, 0},
      {Op::uge, {~0u, 0}, ~0u},
      {Op::pand, {1, 0}, 0},
      {Op::pand, {2, 4}, ~0u},
      {Op::por, {0, 1}, ~0u},
      {Op::pxor, {1, 1}, 0},
      {Op::pnot, {1}, 0},
      {Op::pnot, {0}, ~0u},
      {Op::mask, {1}, ~0u},
      {Op::select, {1, 7, 8}, 7},
      {Op::select, {0, 7, 8}, 8},
      {Op::mapped, {ir::kAllMapped}, ~0u},
      {Op::mapped, {ir::kNotAllMapped}, 0},
      {Op::mapped, {1}, 0},
  });
}

// Through pack and unpack: double operations with the result's high word in o0.x and low word in o0.y.
struct DoubleRow {
  const char* expression;  // of %4: b64 (a) and %5 (b), gives %6
  double a, b, expected;
};

TEST(Arithmetic, Doubles) {
  const double denormal = 4.9406564584124654e-324;
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<DoubleRow> rows = {
      {"fadd.f64 %4, %5", 1.5, 2.25, 3.75},
      {"fadd.f64 %4, %5", denormal, denormal, 2 * denormal},
      {"fmul.f64 %4, %5", 3.0, -0.5, -1.5},
      {"fdiv.f64 %4, %5", 1.0, 3.0, 1.0 / 3.0},
      {"ffma.f64 %4, %5, %4", 3.0, 4.0, 15.0},
      {"frcp.f64 %4", 8.0, 0, 0.125},
      {"fmin.f64 %4, %5", nan, 2.0, 2.0},
      {"fmax.f64 %4, %5", -0.0, 0.0, 0.0},
      {"fmin.f64 %4, %5", 0.0, -0.0, -0.0},
      {"fneg.f64 %4", 2.0, 0, -2.0},
      {"fabs.f64 %4", -infinity, 0, infinity},
      {"fsat.f64 %4", 7.0, 0, 1.0},
      {"fsat.f64 %4", nan, 0, 0.0},
      {"select.b64 true, %4, %5", 1.0, 2.0, 1.0},
  };
  for (const DoubleRow& row : rows) {
    TextRun run;
    const auto a = std::bit_cast<std::array<uint32_t, 2>>(row.a),
               b = std::bit_cast<std::array<uint32_t, 2>>(row.b);
    run.set_all(0, a[0]);
    run.set_all(1, a[1]);
    run.set_all(2, b[0]);
    run.set_all(3, b[1]);
    run_text(run, fmt::format("  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n"
                              "  %4 = pack.b64 %0, %1\n  %5 = pack.b64 %2, %3\n  %6 = {}\n"
                              "  %7, %8 = unpack.b64 %6\n  output o0.x, %7\n  output o0.y, %8\n",
                              row.expression));
    for (uint32_t lane = 0; lane < 4; ++lane) {
      const std::array<uint32_t, 2> words = {run.out(0)[lane], run.out(1)[lane]};
      EXPECT_EQ(std::bit_cast<uint64_t>(words), std::bit_cast<uint64_t>(row.expected)) << row.expression;
    }
  }
}

TEST(Arithmetic, WideProductsWrapAt64Bits) {
  struct WideRow {
    uint32_t a, b;
    uint64_t c, expected;
  };
  const std::vector<WideRow> rows = {
      {3, 5, 7, 22},
      {0, ~0u, 7, 7},
      {1, ~0u, 1, 0x100000000},
      {0x10000, 0x10000, 0, 0x100000000},
      {~0u, ~0u, 0, 0xfffffffe00000001},
      {~0u, ~0u, 0x1ffffffff, 0},
      {0x80000000, 1, 0xffffffff80000000, 0},
  };
  for (const WideRow& row : rows) {
    TextRun run;
    run.set_all(0, row.a);
    run.set_all(1, row.b);
    run.set_all(2, static_cast<uint32_t>(row.c));
    run.set_all(3, static_cast<uint32_t>(row.c >> 32));
    run_text(run,
             "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n"
             "  %4 = pack.b64 %2, %3\n  %5 = mad.wide.u32 %0, %1, %4\n"
             "  %6, %7 = unpack.b64 %5\n  output o0.x, %6\n  output o0.y, %7\n");
    for (uint32_t lane = 0; lane < 4; ++lane)
      EXPECT_EQ(uint64_t{run.out(1)[lane]} << 32 | run.out(0)[lane], row.expected)
          << row.a << " * " << row.b << " + " << row.c;
    EXPECT_EQ(ir::evaluate(Op::mad_wide, std::array<uint64_t, 3>{row.a, row.b, row.c}), row.expected);
  }
}

TEST(Arithmetic, DoubleConversionsAndComparisons) {
  struct Case {
    const char* expression;
    double a, b;
    uint32_t expected;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Case& c :
       std::vector<Case>{{"%6 = dtof %4", 1.0 + 1e-9, 0, kOne},
                         {"%6 = dtof %4", 1e-40, 0, 0},
                         {"%6 = dtof %4", 1e300, 0, kInf},
                         {"%6 = dtoi.s32 %4", -2.5, 0, static_cast<uint32_t>(-2)},
                         {"%6 = dtoi.s32 %4", 1e300, 0, 0x7fffffffu},
                         {"%6 = dtoi.s32 %4", nan, 0, 0},
                         {"%6 = dtou.u32 %4", 4294967295.5, 0, ~0u},
                         {"%6 = dtou.u32 %4", -5, 0, 0},
                         {"%9 = feq.f64 %4, %5\n  %6 = mask %9", 1, 1, ~0u},
                         {"%9 = fne.f64 %4, %5\n  %6 = mask %9", nan, nan, ~0u},
                         {"%9 = flt.f64 %4, %5\n  %6 = mask %9", 1, 2, ~0u},
                         {"%9 = fge.f64 %4, %5\n  %6 = mask %9", nan, 2, 0},
                         {"%9 = ftod 0x3fc00000\n  %6, %10 = unpack.b64 %9", 0, 0, 0},
                         {"%9 = itod.s32 -1\n  %10, %6 = unpack.b64 %9", 0, 0, 0xbff00000u},
                         {"%9 = utod.u32 -1\n  %10, %6 = unpack.b64 %9", 0, 0, 0x41efffffu}}) {
    TextRun run;
    const auto a = std::bit_cast<std::array<uint32_t, 2>>(c.a),
               b = std::bit_cast<std::array<uint32_t, 2>>(c.b);
    run.set_all(0, a[0]);
    run.set_all(1, a[1]);
    run.set_all(2, b[0]);
    run.set_all(3, b[1]);
    run_text(run, fmt::format("  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n"
                              "  %4 = pack.b64 %0, %1\n  %5 = pack.b64 %2, %3\n  {}\n  output o0.x, %6\n",
                              c.expression));
    EXPECT_EQ(run.out(0)[2], c.expected) << c.expression;
  }
}

TEST(Arithmetic, AnglesWithoutAccuracyAreFlagged) {
  TextRun run;
  run.set(0, {f(314.0f), f(-315.0f), f(-INFINITY), f(NAN)});
  run_text(run, "  %0 = input v0.x\n  %1 = fcos.f32 %0\n  output o0.x, %1\n");
  const auto range = static_cast<uint32_t>(Undefined::angle_range);
  EXPECT_EQ(run.undefined, (std::vector<uint32_t>{0, range, 0, 0}));
}

TEST(Arithmetic, DerivativesAreNeighborDifferences) {
  TextRun run;
  run.set(0, {f(1.0f), f(3.0f), f(10.0f), f(20.0f)});
  run_text(
      run,
      "  %0 = input v0.x\n  %1 = ddx.fine %0\n  %2 = ddy.coarse %0\n  output o0.x, %1\n  output o0.y, %2\n");
  EXPECT_EQ(run.out(0), (std::array{f(2.0f), f(2.0f), f(10.0f), f(10.0f)}));
  EXPECT_EQ(run.out(1), (std::array{f(9.0f), f(17.0f), f(9.0f), f(17.0f)}));
  EXPECT_EQ(run.report.undefined, 0u);
  // Shared: coarse derivatives are the first pixel's; fine ones are unchanged.
  InterpreterOptions options;
  options.derivatives = QuadDerivatives::shared;
  run_text(run,
           "  %0 = input v0.x\n  %1 = ddx.coarse %0\n  %2 = ddy.coarse %0\n  %3 = ddx.fine %0\n"
           "  output o0.x, %1\n  output o0.y, %2\n  output o0.z, %3\n",
           {}, options);
  EXPECT_EQ(run.out(0), (std::array{f(2.0f), f(2.0f), f(2.0f), f(2.0f)}));
  EXPECT_EQ(run.out(1), (std::array{f(9.0f), f(9.0f), f(9.0f), f(9.0f)}));
  EXPECT_EQ(run.out(2), (std::array{f(2.0f), f(2.0f), f(10.0f), f(10.0f)}));
}

}  // namespace
}  // namespace texlate::sim
