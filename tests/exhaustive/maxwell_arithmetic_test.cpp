// Every pure operation of the IR's table on the Maxwell machine, over the words of arithmetic_table.h,
// against the interpreter. Bit for bit, but for operations that are made of approximations: those stay within
// the units in the last place that Direct3D allows (D3D11.3 functional specification 3.1.3.3, 22.10).
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

/// Units in the last place that two floats are apart.
uint64_t distance(uint32_t a, uint32_t b) {
  const auto order = [](uint32_t word) {
    const int64_t magnitude = word & 0x7fffffff;
    return (word >> 31) != 0 ? -magnitude : magnitude;
  };
  return static_cast<uint64_t>(std::abs(order(a) - order(b)));
}

uint64_t allowed(Op op) {
  return op == Op::fsqrt ? 1 : 0;
}

bool same(Op op, const std::array<uint32_t, 2>& a, const std::array<uint32_t, 2>& b) {
  if (a == b) return true;
  if (ir::info(op).results == "d") {
    const auto is_nan64 = [](const std::array<uint32_t, 2>& words) {
      return std::isnan(std::bit_cast<double>(uint64_t{words[1]} << 32 | words[0]));
    };
    return is_nan64(a) && is_nan64(b);
  }
  if (!gives_float(op)) return false;
  if (is_nan(a[0]) || is_nan(b[0])) return is_nan(a[0]) && is_nan(b[0]);
  return distance(a[0], b[0]) <= allowed(op);
}

/// What the interpreter and the machine leave in four output planes of `count` elements.
struct BothOutputs {
  std::vector<uint32_t> expected, got;
};
std::optional<BothOutputs> run_both(const std::string& text, uint32_t count,
                                    const std::vector<uint32_t>& planes) {
  ir::Module contract, legal;
  ir::parse_or_fail(text, contract);
  ir::parse_or_fail(text, legal);
  launch::Layout layout(legal.memory());
  maxwell::Kernel kernel(legal.memory());
  if (!make_maxwell_kernel(legal, layout, kernel, text)) return std::nullopt;
  BothOutputs out;
  out.expected.assign(size_t{4} * count, 0);
  Diagnostics diagnostics;
  const auto interpreter = sim::Interpreter::create(contract, diagnostics);
  sim::StreamLaunch launch;
  launch.count = count;
  launch.inputs = planes;
  launch.outputs = out.expected;
  interpreter->run(sim::Bindings(contract), launch);
  out.got = run_maxwell_planes(kernel, count, planes, 4);
  return out;
}

TEST(MaxwellArithmetic, EveryPureOperation) {
  uint64_t results = 0, operations = 0;
  for (uint32_t i = 0; i < ir::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (!is_tested(op)) continue;
    ++operations;
    const OperationText operation = operation_text(op);
    const std::string text = vertex_text(operation);
    const std::vector<uint32_t> rows = rows_of(op, operation.in);
    const auto count = static_cast<uint32_t>(rows.size() / operation.in / 4 * 4);
    std::vector<uint32_t> planes;
    for (uint32_t word = 0; word < operation.in; ++word) {
      for (uint32_t e = 0; e < count; ++e) planes.push_back(rows[size_t{e} * operation.in + word]);
    }
    const std::optional<BothOutputs> outputs = run_both(text, count, planes);
    if (!outputs) continue;
    const auto& [expected, got] = *outputs;
    uint32_t reported = 0;
    for (uint32_t e = 0; e < count; ++e) {
      const bool two = operation.results.size() == 2;
      const std::array<uint32_t, 2> a{expected[e], two ? expected[count + e] : 0};
      const std::array<uint32_t, 2> b{got[e], two ? got[count + e] : 0};
      ++results;
      if (same(op, a, b) || ++reported > 4) continue;
      std::vector<uint32_t> operands;
      for (uint32_t k = 0; k < operation.in; ++k) operands.push_back(planes[size_t{k} * count + e]);
      ADD_FAILURE() << fmt::format("{} {:08x}: contract {:08x}, maxwell {:08x}", ir::info(op).text,
                                   fmt::join(operands, ", "), fmt::join(a, ", "), fmt::join(b, ", "));
    }
    if (reported > 4) fmt::print("{}: {} of {} differ\n", ir::info(op).text, reported, count);
  }
  EXPECT_GT(operations, 90u);
  fmt::print("{} operations, {} results\n", operations, results);
}

/// Division is made of a reciprocal: correctly rounded at every edge of the exponent.
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

/// FCMP and ICMP compare with zero: also where the other side is a constant that folding left.
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
