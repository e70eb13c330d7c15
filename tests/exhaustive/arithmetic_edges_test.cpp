// Runs every pure operation of the IR's table by all routes, over a list of difficult words in all
// combinations and over random ones: division by zero, shifts and bit fields out of range, conversions of NaN
// and of values that do not fit, halves, denormals, `ne` with NaN (docs/reference/direct3d.md 4.1 and 6).
// Results must be equal bit for bit: both executors round the exact result once, also for approximate
// instructions, which is within every bound of the PTX ISA (9.7.3). Any NaN is accepted for a NaN (D3D11.3
// functional specification 3.1.3.2). Where folding gives a result for these words as constants, it is that of
// the interpreter, bit for bit. TEXLATE_MACHINE=maxwell: Maxwell has neither a square root nor a division of
// doubles. Legalization writes them in other operations, which may be one unit in the last place off for the
// root (docs/reference/direct3d.md 4.1) and give another NaN for a NaN.
#include "ir/passes/constant_evaluation.h"
#include "tests/exhaustive/arithmetic_table.h"
#include "tests/support/routes.h"
#include "tools/executor/comparison.h"

namespace texlate {
namespace {

using namespace arithmetic;

/// At most six input words, as v0 and v1; two output words.
std::string pixel_text(const OperationText& operation) {
  std::string text = "module pixel 5.0 \"main\"\ninput v0.xyzw\ninput v1.xyzw\noutput o0.xy\ncode {\n";
  for (uint32_t i = 0; i < operation.in; ++i)
    text += fmt::format("  %{} = input v{}.{}\n", i, i / 4, "xyzw"[i % 4]);
  text += operation.body;
  for (size_t r = 0; r < operation.results.size(); ++r)
    text += fmt::format("  output o0.{}, {}\n", "xy"[r], operation.results[r]);
  return text + "}\n";
}

/// `low` and `high` are the words of a result; a double consists of two.
bool same(char letter, bool is_float, const std::array<uint32_t, 2>& a, const std::array<uint32_t, 2>& b) {
  if (letter == 'd') {
    const auto is_nan64 = [](const std::array<uint32_t, 2>& words) {
      return std::isnan(std::bit_cast<double>(uint64_t{words[1]} << 32 | words[0]));
    };
    return a == b || (is_nan64(a) && is_nan64(b));
  }
  return a[0] == b[0] && a[1] == b[1] ? true : is_float && is_nan(a[0]) && is_nan(b[0]);
}

/// Is any NaN accepted as the result? Not for sign changes, which are not arithmetic: they change one bit
/// (docs/reference/direct3d.md 4.1).
bool gives_float(Op op) {
  if (op == Op::fneg || op == Op::fabs) return false;
  return ir::info(op).results == "f";
}

/// The error that the PTX ISA allows for a GPU's approximation (9.7.3), in units in the last place or
/// absolute. The machines round exact results, and have to agree.
bool gpu_is_near(Op op, uint32_t operand, uint32_t exact, uint32_t found) {
  const float a = std::bit_cast<float>(exact), b = std::bit_cast<float>(found);
  const float difference = std::fabs(a - b);
  switch (op) {
    case Op::frcp: return executor::ulp_distance(exact, found) <= 1;
    case Op::frsq: return executor::ulp_distance(exact, found) <= 2;
    case Op::fexp2: return executor::ulp_distance(exact, found) <= 2;
    case Op::flog2: return executor::ulp_distance(exact, found) <= 3 || difference <= 0x1p-22f;
    case Op::fsin:
    case Op::fcos: {
      // Bounds are given within 100 pi; beyond that, any sine is accepted.
      const bool bounded = std::fabs(std::bit_cast<float>(operand)) <= 314.0f;
      return bounded ? difference <= 0x1p-14f : std::fabs(b) <= 1.0f;
    }
    default: return false;
  }
}

/// Are the results equal, before and after legalization or on a machine?
bool is_equal(Op op, const std::array<uint32_t, 2>& a, const std::array<uint32_t, 2>& b) {
  if (same(ir::info(op).results[0], gives_float(op), a, b)) return true;
  return on_maxwell() && op == Op::fsqrt && executor::ulp_distance(a[0], b[0]) <= 1;
}

/// What folding makes of the operation with these words as constants, in the words of a result.
std::optional<std::array<uint32_t, 2>> folded(Op op, std::span<const uint32_t> words) {
  std::vector<uint64_t> operands;
  for (const char letter : ir::info(op).operands) {
    const uint64_t low = words[0], high = words_of(letter) == 2 ? words[1] : 0;
    operands.push_back(ir::type_of_letter(letter) == ir::Type::b1 ? low != 0 : high << 32 | low);
    words = words.subspan(words_of(letter));
  }
  const std::optional<uint64_t> result = ir::evaluate(op, operands);
  if (!result) return std::nullopt;
  if (ir::type_of_letter(ir::info(op).results[0]) == ir::Type::b1)
    return std::array<uint32_t, 2>{*result != 0 ? 0xffffffffu : 0u, 0};
  return std::array<uint32_t, 2>{static_cast<uint32_t>(*result), static_cast<uint32_t>(*result >> 32)};
}

uint64_t compare(Op op, uint32_t in, const std::vector<uint32_t>& planes, uint32_t count,
                 const Routes::Outputs& outputs) {
  const std::string_view letters = ir::info(op).results;
  uint32_t reported = 0;
  for (uint32_t e = 0; e < count; ++e) {
    const auto pair = [&](const std::vector<uint32_t>& words) {
      return std::array<uint32_t, 2>{words[e], letters.size() == 1 && letters != "d" ? 0 : words[count + e]};
    };
    const auto contract = pair(outputs.contract), legal = pair(outputs.legal),
               machine = pair(outputs.machine);
    const bool good = (contract == legal || (on_maxwell() && is_equal(op, contract, legal))) &&
                      (is_equal(op, contract, machine) ||
                       (on_gpu() && letters == "f" && gpu_is_near(op, planes[e], contract[0], machine[0])));
    std::vector<uint32_t> operands;
    for (uint32_t i = 0; i < in; ++i) operands.push_back(planes[size_t{i} * count + e]);
    const auto constant = folded(op, operands).value_or(contract);
    if ((good && constant == contract) || ++reported > 4) continue;
    ADD_FAILURE() << fmt::format(
        "{} {:08x}: contract {:08x}, folded {:08x}, legalized {:08x}, machine {:08x}", ir::info(op).text,
        fmt::join(operands, ", "), fmt::join(contract, ", "), fmt::join(constant, ", "),
        fmt::join(legal, ", "), fmt::join(machine, ", "));
  }
  return count;
}

TEST(ArithmeticEdges, EveryPureOperationByAllRoutes) {
  uint64_t results = 0, operations = 0;
  for (uint32_t i = 0; i < ir::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (!is_tested(op)) continue;
    ++operations;
    const OperationText operation = operation_text(op);
    Routes routes(pixel_text(operation));
    const std::vector<uint32_t> rows = rows_of(op, operation.in);
    const auto count = static_cast<uint32_t>(rows.size() / operation.in / 4 * 4);
    std::vector<uint32_t> planes;
    for (uint32_t word = 0; word < operation.in; ++word) {
      for (uint32_t e = 0; e < count; ++e) planes.push_back(rows[size_t{e} * operation.in + word]);
    }
    const sim::Bindings bindings(routes.module());
    sim::StreamLaunch launch;
    launch.count = count;
    launch.inputs = planes;
    results += compare(op, operation.in, planes, count, routes.run(bindings, launch));
  }
  EXPECT_GT(operations, 90u);
  fmt::print(
      "{} operations, {} results, each by the interpreter, before and after legalization, by the PTX "
      "machine, "
      "and folded\n",
      operations, results);
}

}  // namespace
}  // namespace texlate
