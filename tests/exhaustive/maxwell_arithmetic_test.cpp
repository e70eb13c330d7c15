// Every pure operation of the IR's table on the Maxwell machine, over the words of arithmetic_table.h,
// compared with the interpreter. Results must be equal bit for bit, except those computed from
// approximations, which must be within the units in the last place that Direct3D allows (D3D11.3 functional
// specification 3.1.3.2, 22.10).
#include <cmath>
#include <optional>

#include "tests/exhaustive/arithmetic_table.h"
#include "tests/support/maxwell_launch.h"

namespace texlate {
namespace {

using namespace arithmetic;

std::string vertex_text(const OperationText& operation) {
  std::string text = "module vertex 5.0 \"main\"\ninput v0.xyzw\ninput v1.xyzw\noutput o0.xy\ncode {\n";
  for (uint32_t i = 0; i < operation.in; ++i)
    text += fmt::format("  %{} = input v{}.{}\n", i, i / 4, "xyzw"[i % 4]);
  text += operation.body;
  for (size_t r = 0; r < operation.results.size(); ++r)
    text += fmt::format("  output o0.{}, {}\n", "xy"[r], operation.results[r]);
  return text + "}\n";
}

bool gives_float(Op op) {
  if (op == Op::fneg || op == Op::fabs) return false;
  return ir::info(op).results == "f";
}

/// Distance of two floats in units in the last place.
uint64_t distance(uint32_t a, uint32_t b) {
  const auto order = [](uint32_t word) {
    const int64_t magnitude = word & 0x7fffffff;
    return (word >> 31) != 0 ? -magnitude : magnitude;
  };
  return static_cast<uint64_t>(std::abs(order(a) - order(b)));
}

/// `poor`: the reciprocals are not the nearest floats.
uint64_t allowed(Op op, bool poor) {
  return op == Op::fsqrt || (poor && op == Op::fdiv) ? 1 : 0;
}

bool same(Op op, bool poor, const std::array<uint32_t, 2>& a, const std::array<uint32_t, 2>& b) {
  if (a == b) return true;
  if (ir::info(op).results == "d") {
    const auto is_nan64 = [](const std::array<uint32_t, 2>& words) {
      return std::isnan(std::bit_cast<double>(uint64_t{words[1]} << 32 | words[0]));
    };
    return is_nan64(a) && is_nan64(b);
  }
  if (!gives_float(op)) return false;
  if (is_nan(a[0]) || is_nan(b[0])) return is_nan(a[0]) && is_nan(b[0]);
  return distance(a[0], b[0]) <= allowed(op, poor);
}

/// What the interpreter and the machine leave in output planes of `count` elements.
struct BothOutputs {
  std::vector<uint32_t> expected, got;
};
std::optional<BothOutputs> run_both(const std::string& text, uint32_t count,
                                    const std::vector<uint32_t>& planes,
                                    const sim::maxwell::MachineOptions& options = {},
                                    uint32_t output_planes = 4) {
  ir::Module contract, legal;
  ir::parse_or_fail(text, contract);
  ir::parse_or_fail(text, legal);
  launch::Layout layout(legal.memory());
  maxwell::Kernel kernel(legal.memory());
  if (!make_maxwell_kernel(legal, layout, kernel, text)) return std::nullopt;
  BothOutputs out;
  out.expected.assign(size_t{output_planes} * count, 0);
  Diagnostics diagnostics;
  const auto interpreter = sim::Interpreter::create(contract, diagnostics);
  sim::StreamLaunch launch;
  launch.count = count;
  launch.inputs = planes;
  launch.outputs = out.expected;
  interpreter->run(sim::Bindings(contract), launch);
  out.got = run_maxwell_planes(kernel, count, planes, output_planes, options);
  return out;
}

/// Runs an operation over its words; returns how many results were compared.
uint64_t check_operation(Op op, const sim::maxwell::MachineOptions& options = {}) {
  const OperationText operation = operation_text(op);
  const std::string text = vertex_text(operation);
  const std::vector<uint32_t> rows = rows_of(op, operation.in);
  const auto count = static_cast<uint32_t>(rows.size() / operation.in / 4 * 4);
  std::vector<uint32_t> planes;
  for (uint32_t word = 0; word < operation.in; ++word) {
    for (uint32_t e = 0; e < count; ++e) planes.push_back(rows[size_t{e} * operation.in + word]);
  }
  const std::optional<BothOutputs> outputs = run_both(text, count, planes, options);
  if (!outputs) return 0;
  const auto& [expected, got] = *outputs;
  uint32_t reported = 0;
  for (uint32_t e = 0; e < count; ++e) {
    const bool two = operation.results.size() == 2;
    const std::array<uint32_t, 2> a{expected[e], two ? expected[count + e] : 0};
    const std::array<uint32_t, 2> b{got[e], two ? got[count + e] : 0};
    if (same(op, options.reciprocal_error != 0, a, b) || ++reported > 4) continue;
    std::vector<uint32_t> operands;
    for (uint32_t k = 0; k < operation.in; ++k) operands.push_back(planes[size_t{k} * count + e]);
    ADD_FAILURE() << fmt::format("{} {:08x}: contract {:08x}, maxwell {:08x}", ir::info(op).text,
                                 fmt::join(operands, ", "), fmt::join(a, ", "), fmt::join(b, ", "));
  }
  if (reported > 4) fmt::print("{}: {} of {} differ\n", ir::info(op).text, reported, count);
  return count;
}

TEST(MaxwellArithmetic, EveryPureOperation) {
  uint64_t results = 0, operations = 0;
  for (uint32_t i = 0; i < ir::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (!is_tested(op)) continue;
    ++operations;
    results += check_operation(op);
  }
  EXPECT_GT(operations, 90u);
  fmt::print("{} operations, {} results\n", operations, results);
}

/// Results computed from a reciprocal or a reciprocal root are corrected, so that they do not depend on its
/// last bit. A quotient of floats may be off by the unit that Direct3D allows: for a divisor of all ones,
/// such as 0x4effffff, it is exact only if the reciprocal is the nearest float (P. Markstein, "Computation of
/// elementary functions on the IBM RISC System/6000 processor", 1990), which NVIDIA's ptxas assumes in the
/// same steps.
TEST(MaxwellArithmetic, ReciprocalsAsPoorAsHardwareMayGiveThem) {
  for (const int32_t error : {-1, 1}) {
    SCOPED_TRACE(fmt::format("off by {}", error));
    sim::maxwell::MachineOptions options;
    options.reciprocal_error = error;
    for (const Op op : {Op::fdiv, Op::fsqrt, Op::udiv, Op::urem, Op::ddiv, Op::drcp})
      EXPECT_GT(check_operation(op, options), 0u) << ir::info(op).text;
  }
}

/// Operands of a division: every exponent with awkward significands, and random pairs whose quotients come
/// near the least and the greatest number.
std::vector<std::pair<uint32_t, uint32_t>> float_pairs() {
  std::vector<uint32_t> edges;
  for (const uint32_t exponent : {0u,   1u,   2u,   23u,  24u,  25u,  26u,  101u, 102u, 126u,
                                  127u, 128u, 150u, 191u, 229u, 251u, 252u, 253u, 254u, 255u}) {
    for (const uint32_t fraction : {0u, 1u, 2u, 0x2aaaaau, 0x400000u, 0x7ffffeu, 0x7fffffu}) {
      for (const uint32_t sign : {0u, 1u}) edges.push_back(sign << 31 | exponent << 23 | fraction);
    }
  }
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const uint32_t a : edges) {
    for (const uint32_t b : edges) pairs.push_back({a, b});
  }
  std::mt19937 random(1);
  for (uint32_t n = 0; n < 60000; ++n) {
    uint32_t a = static_cast<uint32_t>(random()), b = static_cast<uint32_t>(random());
    if (n % 3 != 0) {
      const uint32_t low = 1 + random() % 126;  // of the dividend, or of the divisor
      const uint32_t high = low + 124 + random() % 5;
      const bool is_tiny = n % 3 == 1;
      a = (a & 0x807fffffu) | (is_tiny ? low : high) << 23;
      b = (b & 0x807fffffu) | (is_tiny ? high : low) << 23;
    }
    pairs.push_back({a, b});
  }
  while (pairs.size() % 4 != 0) pairs.push_back(pairs.back());
  return pairs;
}

float flushed(uint32_t bits) {
  return std::bit_cast<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}

/// Is `got` a / b within `units` in the last place? At the ends of the range, where a quotient that is off by
/// that much is flushed or infinite, these are right too. Zeros, infinities and NaNs are those of IEEE 754.
bool is_quotient(uint32_t a, uint32_t b, uint32_t got, double units) {
  const float x = flushed(a), y = flushed(b), q = std::bit_cast<float>(got);
  const double exact = double{x} / double{y};
  if (std::isnan(exact)) return std::isnan(q);
  if (std::isnan(q) || std::signbit(q) != std::signbit(exact)) return false;
  const double size = std::fabs(exact);
  if (size == 0.0 || std::isinf(exact)) return double{q} == exact;
  int exponent = 0;
  std::frexp(size, &exponent);
  const double error = units * std::ldexp(1.0, std::max(exponent - 24, -149));
  if (q == 0.0f) return size - error < 0x1p-126;
  if (std::isinf(q)) return size + error > double{std::numeric_limits<float>::max()};
  // Just below the least normal number, before it is flushed, the significand is rounded a second time.
  if (std::fabs(q) == 0x1p-126f && size < 0x1p-126) return size + error >= 0x1p-126 * (1 - 0x1p-24);
  return std::isnormal(q) && std::fabs(double{std::fabs(q)} - size) <= error;
}

/// A shader that is not precise: within one unit, as Direct3D's a * (1 / b) with the hardware's reciprocal;
/// dividends below 2^-102 and quotients next to the ends of the range without the correction, where a unit of
/// the reciprocal is up to two of the quotient and its rounding another. Where the reciprocal is the nearest
/// float, so is nearly every quotient.
TEST(MaxwellArithmetic, QuotientsWithinDirect3DsTolerance) {
  const auto pairs = float_pairs();
  const auto count = static_cast<uint32_t>(pairs.size());
  std::vector<uint32_t> planes;
  for (const auto& pair : pairs) planes.push_back(pair.first);
  for (const auto& pair : pairs) planes.push_back(pair.second);
  std::string text = vertex_text(operation_text(Op::fdiv));
  const std::string precise = text;
  text.insert(text.find("input"), "refactoring_allowed\n");
  for (const int32_t error : {-1, 0, 1}) {
    sim::maxwell::MachineOptions options;
    options.reciprocal_error = error;
    const std::optional<BothOutputs> outputs = run_both(text, count, planes, options);
    const std::optional<BothOutputs> exact = run_both(precise, count, planes, options);
    ASSERT_TRUE(outputs && exact);
    uint32_t nearest = 0;
    for (uint32_t e = 0; e < count; ++e) {
      const auto [a, b] = pairs[e];
      const double size = std::fabs(double{flushed(a)} / double{flushed(b)});
      const bool is_tiny = std::fabs(flushed(a)) < 0x1p-102f || size < 0x1p-125 || size > 0x1p127;
      const double units = is_tiny ? (error == 0 ? 1.5 : 3.5) : 1.0;
      ASSERT_TRUE(is_quotient(a, b, outputs->got[e], units))
          << fmt::format("{:08x} / {:08x}: {:08x}, should be {:08x}; reciprocals off by {}", a, b,
                         outputs->got[e], outputs->expected[e], error);
      ASSERT_TRUE(is_quotient(a, b, exact->got[e], error == 0 ? 0.5 : 1.0))
          << fmt::format("precise: {:08x} / {:08x}: {:08x}", a, b, exact->got[e]);
      nearest += outputs->got[e] == outputs->expected[e] ||
                 (is_nan(outputs->got[e]) && is_nan(outputs->expected[e]));
    }
    fmt::print("reciprocals off by {}: {} of {} quotients are the nearest floats\n", error, nearest, count);
    EXPECT_GT(nearest, count / 100 * 90);
  }
}

/// A divisor that is known to be moderate is not scaled, nor is the reciprocal of a constant computed.
TEST(MaxwellArithmetic, QuotientsByKnownDivisors) {
  const auto pairs = float_pairs();
  const auto count = static_cast<uint32_t>(pairs.size());
  std::vector<uint32_t> planes;
  for (const auto& pair : pairs) planes.push_back(pair.first);
  for (const auto& pair : pairs) planes.push_back(pair.second);
  for (const uint32_t divisor : {0x40400000u, 0xbf2aaaabu, 0x00800001u, 0x7effffffu, 0x7f7fffffu, 0x7f800000u,
                                 0x80000000u, 0x00000001u, 0x7fc00000u, 0xff000001u}) {
    const std::string text = fmt::format(
        "module vertex 5.0 \"main\"\nrefactoring_allowed\ninput v0.xy\noutput o0.xyzw\ncode {{\n"
        "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = fdiv.f32 %0, 0x{:08x}\n  %3 = fsat.f32 %1\n"
        "  %4 = fdiv.f32 %0, %3\n  output o0.x, %2\n  output o0.y, %4\n}}\n",
        divisor);
    const std::optional<BothOutputs> outputs = run_both(text, count, planes);
    ASSERT_TRUE(outputs) << text;
    for (uint32_t e = 0; e < count; ++e) {
      const uint32_t a = pairs[e].first;
      const double units = std::fabs(flushed(a)) < 0x1p-102f ? 1.5 : 1.0;
      ASSERT_TRUE(is_quotient(a, divisor, outputs->got[e], units))
          << fmt::format("{:08x} / {:08x}: {:08x}", a, divisor, outputs->got[e]);
      const float b = flushed(pairs[e].second);
      const float saturated = b > 0.0f ? std::min(b, 1.0f) : 0.0f;
      ASSERT_TRUE(is_quotient(a, std::bit_cast<uint32_t>(saturated), outputs->got[count + e], units))
          << fmt::format("{:08x} / saturated {:08x}: {:08x}", a, pairs[e].second, outputs->got[count + e]);
    }
  }
}

/// A comparison as 1.0 or 0, or as 1.0 or a part of it, of each kind, alone and beside another use.
TEST(MaxwellArithmetic, ComparisonsAsNumbers) {
  for (const char* relation : {"ieq", "ine", "ilt.s32", "ige.s32", "ult.u32", "uge.u32", "feq.f32", "fne.f32",
                               "flt.f32", "fge.f32"}) {
    for (const char* other : {"0", "0.25f", "0.3f", "-0.0f", "2.0f"}) {
      const std::string text = fmt::format(
          "module vertex 5.0 \"main\"\ninput v0.xy\noutput o0.xyzw\ncode {{\n"
          "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = {} %0, %1\n  %3 = select.b32 %2, 1.0f, {}\n"
          "  %4 = {} %1, %0\n  %5 = select.b32 %4, 1.0f, {}\n  %6 = mask %4\n"
          "  output o0.x, %3\n  output o0.y, %5\n  output o0.z, %6\n}}\n",
          relation, other, relation, other);
      std::vector<uint32_t> planes;
      for (const uint32_t a : kWords) planes.insert(planes.end(), std::size(kWords), a);
      const auto count = static_cast<uint32_t>(planes.size() / 4 * 4);
      planes.resize(count);
      for (uint32_t e = 0; e < count; ++e) planes.push_back(kWords[e % std::size(kWords)]);
      const std::optional<BothOutputs> outputs = run_both(text, count, planes);
      ASSERT_TRUE(outputs) << text;
      EXPECT_EQ(outputs->got, outputs->expected) << text;
    }
  }
}

/// Divisors for which 2^32 is just below a multiple: an estimate that is one too large is far wrong there.
TEST(MaxwellArithmetic, QuotientsByDivisorsNextToThoseOfPowers) {
  std::vector<uint32_t> dividends, divisors;
  for (uint64_t k = 1; k < 4096; ++k) {
    for (const uint64_t d : {((uint64_t{1} << 32) + k - 1) / k, (uint64_t{1} << 32) / k}) {
      for (const uint64_t n : {d - 1, d, 2 * d - 1, k * d - 1, k * d, uint64_t{0xffffffff}}) {
        dividends.push_back(static_cast<uint32_t>(n));
        divisors.push_back(static_cast<uint32_t>(std::min<uint64_t>(d, 0xffffffff)));
      }
    }
  }
  const auto count = static_cast<uint32_t>(dividends.size());
  std::vector<uint32_t> planes = dividends;
  planes.insert(planes.end(), divisors.begin(), divisors.end());
  for (const int32_t error : {-1, 0, 1}) {
    sim::maxwell::MachineOptions options;
    options.reciprocal_error = error;
    const std::optional<BothOutputs> outputs =
        run_both(vertex_text(operation_text(Op::udiv)), count, planes, options);
    ASSERT_TRUE(outputs);
    for (uint32_t e = 0; e < count; ++e) {
      ASSERT_EQ(outputs->got[e], outputs->expected[e])
          << fmt::format("{} / {}, reciprocals off by {}", dividends[e], divisors[e], error);
    }
  }
}

/// Division uses a reciprocal: correctly rounded at every edge of the exponent.
TEST(MaxwellArithmetic, QuotientsOfDoubles) {
  std::vector<uint64_t> edges;
  for (const uint64_t fraction :
       {0ull, 1ull, 2ull, 0x8000000000000ull, 0xfffffffffffffull, 0xffffffffffffeull}) {
    for (const uint64_t exponent : {0ull, 1ull, 2ull, 52ull, 53ull, 54ull, 1021ull, 1022ull, 1023ull, 1024ull,
                                    1074ull, 1075ull, 1076ull, 2045ull, 2046ull, 2047ull}) {
      for (const uint64_t sign : {0ull, 1ull}) edges.push_back(sign << 63 | exponent << 52 | fraction);
    }
  }
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (const uint64_t a : edges) {
    for (const uint64_t b : edges) pairs.push_back({a, b});
  }
  std::mt19937_64 random(1);
  for (uint32_t n = 0; n < 40000; ++n) {
    uint64_t a = random(), b = random();
    if (n % 2 == 0) {  // the quotient is denormal, or nearly
      const uint64_t exponent = 1 + random() % 1020;
      a = (a & 0x800fffffffffffff) | exponent << 52;
      b = (b & 0x800fffffffffffff) | (exponent + 1018 + random() % 8) << 52;
      if (n % 4 == 0) b &= ~uint64_t{0} << (random() % 53);  // ties
    }
    pairs.push_back({a, b});
  }
  while (pairs.size() % 4 != 0) pairs.push_back(pairs.back());
  const auto count = static_cast<uint32_t>(pairs.size());
  std::vector<uint32_t> planes;
  for (const uint32_t shift : {0u, 32u}) {
    for (const auto& pair : pairs) planes.push_back(static_cast<uint32_t>(pair.first >> shift));
  }
  for (const uint32_t shift : {0u, 32u}) {
    for (const auto& pair : pairs) planes.push_back(static_cast<uint32_t>(pair.second >> shift));
  }
  const std::optional<BothOutputs> outputs = run_both(vertex_text(operation_text(Op::ddiv)), count, planes);
  ASSERT_TRUE(outputs);
  for (uint32_t e = 0; e < count; ++e) {
    const auto bits = [&](const std::vector<uint32_t>& words) {
      return uint64_t{words[count + e]} << 32 | words[e];
    };
    const double expected = std::bit_cast<double>(pairs[e].first) / std::bit_cast<double>(pairs[e].second);
    const auto got = std::bit_cast<double>(bits(outputs->got));
    ASSERT_TRUE(std::bit_cast<uint64_t>(expected) == bits(outputs->got) ||
                (std::isnan(expected) && std::isnan(got)))
        << fmt::format("{:016x} / {:016x}: {:016x}, should be {:016x}", pairs[e].first, pairs[e].second,
                       bits(outputs->got), std::bit_cast<uint64_t>(expected));
  }
}

/// Two operations that selection makes one instruction: an operation with a constant inside another one, for
/// 32 constants each, combined with any word, and with a word that ends below the inner one or one bit into
/// it.
TEST(MaxwellArithmetic, OperationsInsideOfOthers) {
  constexpr Op kInner[] = {Op::shl,  Op::ushr, Op::ishr, Op::and_, Op::or_,
                           Op::xor_, Op::iadd, Op::isub, Op::imul};
  constexpr Op kOuter[] = {Op::iadd, Op::isub, Op::and_, Op::or_, Op::xor_, Op::imul, Op::umin, Op::imax};
  constexpr uint32_t kConstants = 32, kCount = 64;
  const std::string head = "module vertex 5.0 \"main\"\ninput v0.xyzw\n" + [] {
    std::string outputs;
    for (uint32_t i = 0; i < kConstants / 4; ++i) outputs += fmt::format("output o{}.xyzw\n", i);
    return outputs;
  }() + "code {\n  %0 = input v0.x\n  %1 = input v0.y\n";
  std::mt19937 random(1);
  std::vector<uint32_t> planes;
  for (uint32_t i = 0; i < 4 * kCount; ++i)
    planes.push_back(i % 2 == 0 ? static_cast<uint32_t>(random()) : kWords[random() % std::size(kWords)]);
  const auto constant = [](uint32_t kind, uint32_t n) {
    return kind == 0 ? n : kind == 1 ? (2u << n) - 1 : 0xffffffffu << n;
  };
  uint32_t programs = 0;
  const auto check = [&](Op inner, uint32_t kind, Op outer, uint32_t beside, bool swapped) {
    std::string text = head;
    for (uint32_t n = 0; n < kConstants; ++n) {
      const uint32_t first = 2 + 3 * n;
      text += fmt::format("  %{} = {} %0, 0x{:x}\n", first, ir::info(inner).text, constant(kind, n));
      const uint32_t mask = beside == 0 ? 0xffffffffu : (1u << n << (beside - 1)) - 1;
      text += fmt::format("  %{} = and %1, 0x{:x}\n", first + 1, mask);
      text += fmt::format("  %{} = {} %{}, %{}\n  output o{}.{}, %{}\n", first + 2, ir::info(outer).text,
                          first + swapped, first + !swapped, n / 4, "xyzw"[n % 4], first + 2);
    }
    text += "}\n";
    const std::optional<BothOutputs> outputs = run_both(text, kCount, planes, {}, kConstants);
    ++programs;
    return outputs && outputs->got == outputs->expected;
  };
  for (const Op inner : kInner) {
    for (const Op outer : kOuter) {
      for (const uint32_t kind : {0u, 1u, 2u}) {
        for (const uint32_t beside : {0u, 1u, 2u}) {
          for (const bool swapped : {false, true}) {
            EXPECT_TRUE(check(inner, kind, outer, beside, swapped))
                << fmt::format("{} in {}, constants of kind {}, beside {}, swapped {}", ir::info(inner).text,
                               ir::info(outer).text, kind, beside, swapped);
          }
        }
      }
    }
  }
  fmt::print("{} programs\n", programs);
}

/// Tests of several arms are emitted together, with registers for labels that no immediate holds; the arms
/// use the same constants.
TEST(MaxwellArithmetic, SwitchesOfManyArms) {
  constexpr uint32_t kCount = 64;
  constexpr uint32_t kStep = 0x01234567;
  std::vector<uint32_t> planes;
  for (uint32_t i = 0; i < kCount; ++i) planes.push_back(i % 8 == 7 ? i : i * kStep);
  for (uint32_t i = 0; i < 3 * kCount; ++i) planes.push_back(i);
  for (const uint32_t arms : {1u, 2u, 5u, 6u, 7u, 8u, 12u, 13u, 14u, 40u}) {
    for (const uint32_t others : {0u, arms / 2, arms - 1}) {  // the arm that is also the default
      std::string text =
          "module vertex 5.0 \"main\"\ninput v0.xyzw\noutput o0.x\ncode {\n  %0 = input v0.x\n"
          "  %1 = input v0.y\n  switch %0\n";
      for (uint32_t arm = 0; arm < arms; ++arm) {
        text += fmt::format("    case 0x{:x}\n", arm * kStep);
        if (arm == others) text += "    default\n";
        if (arm % 3 == 1) text += fmt::format("    case 0x{:x}\n", (arm + 50) * kStep);
        const uint32_t sum = 2 + arm;
        text += fmt::format("      %{} = umax.u32 %1, 0x{:x}\n      break yields(%{})\n", sum,
                            (arms - arm) * kStep, sum);
      }
      text += fmt::format("  %{} = endswitch\n  output o0.x, %{}\n}}\n", 2 + arms, 2 + arms);
      const std::optional<BothOutputs> outputs = run_both(text, kCount, planes, {}, 1);
      ASSERT_TRUE(outputs) << text;
      EXPECT_EQ(outputs->got, outputs->expected) << text;
    }
  }
}

/// FCMP and ICMP compare with zero, also if the other operand is a constant that folding left.
TEST(MaxwellArithmetic, SelectionsByComparisonsWithZero) {
  constexpr const char* kPairs[] = {"%0, 0",         "0, %0", "0xffe00000, 0",
                                    "0, 0xffe00000", "0, 0",  "0x80000000, 0"};
  for (const char* relation : {"ieq", "ine", "ilt.s32", "ige.s32", "ult.u32", "uge.u32", "feq.f32", "fne.f32",
                               "flt.f32", "fge.f32"}) {
    for (const char* pair : kPairs) {
      const std::string text = fmt::format(
          "module vertex 5.0 \"main\"\ninput v0.xyzw\noutput o0.xyzw\ncode {{\n"
          "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n"
          "  %3 = {} {}\n  %4 = select.b32 %3, %1, %2\n  output o0.x, %4\n}}\n",
          relation, pair);
      std::vector<uint32_t> planes(kWords, kWords + std::size(kWords) / 4 * 4);
      const auto count = static_cast<uint32_t>(planes.size());
      planes.insert(planes.end(), count, 1);
      planes.insert(planes.end(), count, 2);
      planes.insert(planes.end(), count, 0);
      const std::optional<BothOutputs> outputs = run_both(text, count, planes);
      ASSERT_TRUE(outputs) << text;
      EXPECT_EQ(outputs->got, outputs->expected) << text;
    }
  }
}

}  // namespace
}  // namespace texlate
