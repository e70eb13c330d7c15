// legalize_arithmetic, tested on text: code is inserted if a promise is missing, and nothing is inserted if
// it is given or if the operands are known to be harmless.

#include "ir/passes/legalize_arithmetic.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "backend/ptx/guarantees.h"
#include "backend/spirv/guarantees.h"
#include "sim/ir/decode.h"
#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

constexpr std::string_view kSource = "a document, 1.2";

/// Everything that Direct3D requires, except for one operation, which has only `promises`.
ArithmeticTable table_with(Op op, uint32_t promises) {
  ArithmeticTable table;
  table.rows.fill({~0u, kSource});
  table.rows[static_cast<uint32_t>(op)].promises = promises;
  table.gaps[static_cast<uint32_t>(op)] = arithmetic_demands(op) & ~promises;
  return table;
}

struct Legalized {
  Legalized(std::string_view body, const ArithmeticTable& table) {
    constexpr std::string_view kInputs = "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n";
    parse_or_fail(with_body(std::string(kInputs) + std::string(body) + "  output o0.x, %9\n"), module);
    verify_or_fail(module);
    changed = legalize_arithmetic(module, table, &gaps);
    verify_or_fail(module);
    const std::string all = body_of(module);
    text = all.substr(kInputs.size());
    text.resize(text.rfind("  output"));
  }
  Module module;
  std::pmr::vector<ClosedGap> gaps;
  std::string text;
  bool changed = false;
};

struct Case {
  Op op;
  uint32_t promises;
  const char* before;
  const char* after;
  std::vector<Gap> gaps;
};

const Case kCases[] = {
    {Op::udiv,
     kNative,
     "  %9 = udiv.u32 %0, %1\n",
     "  %3 = umax.u32 %1, 1\n  %4 = udiv.u32 %0, %3\n  %5 = ine %1, 0\n  %6 = select.b32 %5, %4, -1\n",
     {Gap::zero_divisor}},
    {Op::urem,
     kNative | kZeroHarmless,
     "  %9 = urem.u32 %0, %1\n",
     "  %3 = urem.u32 %0, %1\n  %4 = ine %1, 0\n  %5 = select.b32 %4, %3, -1\n",
     {Gap::zero_divisor}},
    {Op::udiv, kNative | kZeroDivisor, "  %9 = udiv.u32 %0, %1\n", "  %3 = udiv.u32 %0, %1\n", {}},
    {Op::udiv, kNative, "  %9 = udiv.u32 %0, 3\n", "  %3 = udiv.u32 %0, 3\n", {}},
    {Op::urem,
     kNative,
     "  %3 = umax.u32 %1, 1\n  %9 = urem.u32 %0, %3\n",
     "  %3 = umax.u32 %1, 1\n  %4 = urem.u32 %0, %3\n",
     {}},
    {Op::udiv,
     kNative | kZeroHarmless,
     "  %3 = umax.u32 %1, 0\n  %9 = udiv.u32 %0, %3\n",
     "  %3 = umax.u32 %1, 0\n  %4 = udiv.u32 %0, %3\n  %5 = ine %3, 0\n  %6 = select.b32 %5, %4, -1\n",
     {Gap::zero_divisor}},
    {Op::udiv,
     0,
     "  %9 = udiv.u32 %0, 3\n",
     "  %3 = umulhi.u32 %0, 0xaaaaaaab\n  %4 = shr.u32 %3, 1\n",
     {Gap::expansion}},
    {Op::udiv,
     0,
     "  %9 = udiv.u32 %0, 7\n",
     "  %3 = umulhi.u32 %0, 0x24924925\n  %4 = isub %0, %3\n  %5 = shr.u32 %4, 1\n  %6 = iadd %3, %5\n"
     "  %7 = shr.u32 %6, 2\n",
     {Gap::expansion}},
    {Op::shl, 0, "  %9 = shl %0, %1\n", "  %3 = and %1, 31\n  %4 = shl %0, %3\n", {Gap::shift_count}},
    {Op::shl, 0, "  %9 = shl %0, 33\n", "  %3 = shl %0, 1\n", {}},
    {Op::shl, 0, "  %9 = shl %0, 5\n", "  %3 = shl %0, 5\n", {}},
    {Op::ushr,
     0,
     "  %3 = and %1, 15\n  %9 = shr.u32 %0, %3\n",
     "  %3 = and %1, 15\n  %4 = shr.u32 %0, %3\n",
     {}},
    {Op::ishr,
     0,
     "  %3 = bfe.u32 5, 8, %1\n  %9 = shr.s32 %0, %3\n",
     "  %3 = bfe.u32 5, 8, %1\n  %4 = shr.s32 %0, %3\n",
     {}},
    {Op::ushr, kCountRange, "  %9 = shr.u32 %0, %1\n", "  %3 = shr.u32 %0, %1\n", {}},
    {Op::ubfe,
     0,
     "  %9 = bfe.u32 %0, %1, %2\n",
     "  %3 = and %0, 31\n  %4 = and %1, 31\n  %5 = isub 32, %4\n  %6 = umin.u32 %3, %5\n"
     "  %7 = bfe.u32 %6, %4, %2\n",
     {Gap::field_range, Gap::field_end}},
    {Op::ibfe,
     kFieldEnd,
     "  %9 = bfe.s32 %0, 8, %2\n",
     "  %3 = and %0, 31\n  %4 = bfe.s32 %3, 8, %2\n",
     {Gap::field_range}},
    {Op::ubfe, 0, "  %9 = bfe.u32 8, 24, %2\n", "  %3 = bfe.u32 8, 24, %2\n", {}},
    {Op::ubfe, 0, "  %9 = bfe.u32 16, 24, %2\n", "  %3 = bfe.u32 8, 24, %2\n", {}},
    {Op::bfi,
     0,
     "  %9 = bfi 8, %1, %2, %0\n",
     "  %3 = and %1, 31\n  %4 = isub 32, %3\n  %5 = umin.u32 8, %4\n  %6 = bfi %5, %3, %2, %0\n",
     {Gap::field_range, Gap::field_end}},
    {Op::firstbit_hi,
     0,
     "  %9 = firstbit_hi %0\n",
     "  %3 = msb.u32 %0\n  %4 = ieq %3, -1\n  %5 = isub 31, %3\n  %6 = select.b32 %4, %3, %5\n",
     {Gap::expansion}},
    {Op::firstbit_lo,
     0,
     "  %9 = firstbit_lo %0\n",
     "  %3 = bitrev %0\n  %4 = firstbit_hi %3\n",
     {Gap::expansion}},
    {Op::ffrac,
     kNative,
     "  %9 = ffrac.f32 %0\n",
     "  %3 = ffrac.f32 %0\n  %4 = fge.f32 %3, 1.0f\n  %5 = select.b32 %4, 0.99999994f, %3\n",
     {Gap::below_one}},
    {Op::ffrac,
     0,
     "  %9 = ffrac.f32 %0\n",
     "  %3 = ffloor.f32 %0\n  %4 = fneg.f32 %3\n  %5 = fadd.f32 %0, %4\n  %6 = fge.f32 %5, 1.0f\n"
     "  %7 = select.b32 %6, 0.99999994f, %5\n",
     {Gap::expansion, Gap::below_one}},
    {Op::ftou,
     0,
     "  %9 = ftou.u32 %0\n",
     "  %3 = fmax.f32 %0, 0\n  %4 = fmin.f32 %3, 4294967040.0f\n  %5 = ftou.u32 %4\n  %6 = fge.f32 %0, "
     "4294967296.0f\n  %7 = select.b32 %6, -1, %5\n",
     {Gap::saturation, Gap::nan_to_integer}},
    {Op::ftou,
     kSaturation | kOutsideHarmless,
     "  %9 = ftou.u32 %0\n",
     "  %3 = ftou.u32 %0\n  %4 = feq.f32 %0, %0\n  %5 = select.b32 %4, %3, 0\n",
     {Gap::nan_to_integer}},
    {Op::ftou, kSaturation | kNanToZero, "  %9 = ftou.u32 %0\n", "  %3 = ftou.u32 %0\n", {}},
    {Op::ftou,
     0,
     "  %3 = fsat.f32 %0\n  %4 = ffma.f32 %3, 255.0f, 0.5f\n  %9 = ftou.u32 %4\n",
     "  %3 = fsat.f32 %0\n  %4 = ffma.f32 %3, 255.0f, 0.5f\n  %5 = ftou.u32 %4\n",
     {}},
    {Op::ftou,
     0,
     "  %3 = fmax.f32 %0, 0\n  %9 = ftou.u32 %3\n",
     "  %3 = fmax.f32 %0, 0\n  %4 = fmin.f32 %3, 4294967040.0f\n  %5 = ftou.u32 %4\n  %6 = fge.f32 %3, "
     "4294967296.0f\n  %7 = select.b32 %6, -1, %5\n",
     {Gap::saturation}},
    {Op::f16tof32,
     0,
     "  %9 = f16tof32 %0\n",
     "  %3 = and %0, 32767\n  %4 = ult.u32 %3, 1024\n  %5 = utof.u32 %3\n  %6 = fmul.f32 %5, "
     "5.9604645e-08f\n  %7 = and %0, 32768\n  %8 = shl %7, 16\n  %9 = or %6, %8\n  %10 = f16tof32 %0\n"
     "  %11 = select.b32 %4, %9, %10\n",
     {Gap::half_denormal}},
    {Op::fneg, 0, "  %9 = fneg.f32 %0\n", "  %3 = xor %0, -0.0f\n", {Gap::sign_bit}},
    {Op::fabs, 0, "  %9 = fabs.f32 %0\n", "  %3 = and %0, 0x7fffffff\n", {Gap::sign_bit}},
    {Op::fneg,
     0,
     "  %3 = fneg.f32 %0\n  %9 = fadd.f32 %3, %1\n",
     "  %3 = fneg.f32 %0\n  %4 = fadd.f32 %3, %1\n",
     {}},
    {Op::fneg,
     0,
     "  %3 = fneg.f32 %0\n  %4 = fabs.f32 %3\n  %9 = fadd.f32 %4, %1\n",
     "  %3 = fneg.f32 %0\n  %4 = fabs.f32 %3\n  %5 = fadd.f32 %4, %1\n",
     {}},
    // The upper word of a double: of infinity it is a NaN.
    {Op::fneg,
     0,
     "  %3 = fneg.f32 %0\n  %4 = pack.b64 %1, %3\n  %5 = fadd.f64 %4, %4\n  %9 = dtoi.s32 %5\n",
     "  %3 = xor %0, -0.0f\n  %4 = pack.b64 %1, %3\n  %5 = fadd.f64 %4, %4\n  %6 = dtoi.s32 %5\n",
     {Gap::sign_bit}},
    {Op::fsin,
     0,
     "  %9 = fsin.f32 %0\n",
     "  %3 = ffma.f32 %0, 0.15915494f, 0\n  %4 = frint.f32 %3\n  %5 = ffma.f32 %4, -6.2831855f, %0\n"
     "  %6 = fsin.f32 %5\n",
     {Gap::angle_range}},
    {Op::fsin, 0, "  %3 = fsat.f32 %0\n  %9 = fsin.f32 %3\n", "  %3 = fsat.f32 %0\n  %4 = fsin.f32 %3\n", {}},
    {Op::fmin,
     0,
     "  %9 = fmin.f32 %0, %1\n",
     "  %3 = fmin.f32 %0, %1\n  %4 = feq.f32 %1, %1\n  %5 = select.b32 %4, %3, %0\n  %6 = feq.f32 %0, %0\n"
     "  %7 = select.b32 %6, %5, %1\n",
     {Gap::nan_operand}},
};

TEST(LegalizeArithmetic, InsertsTheSmallestCodeThatClosesTheGap) {
  for (const Case& test : kCases) {
    const Legalized legalized(test.before, table_with(test.op, test.promises));
    EXPECT_EQ(legalized.text, test.after) << test.before;
    std::vector<Gap> gaps;
    for (const ClosedGap& gap : legalized.gaps) {
      EXPECT_EQ(gap.op, test.op);
      EXPECT_EQ(gap.source, kSource);
      gaps.push_back(gap.gap);
    }
    EXPECT_EQ(gaps, test.gaps) << test.before;
  }
}

// A clamp that is inserted must not rely on what the target's own minimum and maximum lack.
TEST(LegalizeArithmetic, ClampsOfConversionsTurnANanIntoANumberOnEveryTarget) {
  ArithmeticTable table = table_with(Op::ftou, 0);
  for (const Op op : {Op::fmin, Op::fmax}) table.rows[static_cast<uint32_t>(op)].promises = 0;
  const Legalized legalized("  %9 = ftou.u32 %0\n", table);
  EXPECT_EQ(legalized.text,
            "  %3 = flt.f32 0, %0\n  %4 = select.b32 %3, %0, 0\n  %5 = flt.f32 %4, 4294967040.0f\n"
            "  %6 = select.b32 %5, %4, 4294967040.0f\n  %7 = ftou.u32 %6\n  %8 = fge.f32 %0, 4294967296.0f\n"
            "  %9 = select.b32 %8, -1, %7\n");
}

TEST(LegalizeArithmetic, AFullGuaranteeLeavesNothingToDo) {
  ArithmeticTable everything;
  everything.rows.fill({~0u, kSource});
  for (const Case& test : kCases) {
    const Legalized legalized(test.before, everything);
    EXPECT_FALSE(legalized.changed) << test.before;
    EXPECT_TRUE(legalized.gaps.empty()) << test.before;
  }
}

TEST(LegalizeArithmetic, WhatOtherPassesPutInIsNotReported) {
  Module module;
  parse_or_fail(
      with_body("  %0 = input v0.x\n  %1 = shl %0, %0\n  %2 = shr.u32 %0, %0\n  output o0.x, %1\n  output "
                "o0.y, %2\n"),
      module);
  std::pmr::vector<ClosedGap> gaps;
  const Value second = module.code[2].first_result;
  EXPECT_TRUE(legalize_arithmetic(module, table_with(Op::return_, 0), nullptr) == false);
  EXPECT_TRUE(legalize_arithmetic(module, spirv::arithmetic_guarantees(), &gaps, second));
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].op, Op::shl);
}

// No target promises the count of a shift, and SPIR-V does not promise the range of a conversion.
TEST(LegalizeArithmetic, TargetsSayWhatTheirDocumentsSay) {
  for (const ArithmeticContract& contract : kArithmeticContracts) {
    for (const ArithmeticTable* table : {&ptx::kArithmeticGuarantees, &spirv::arithmetic_guarantees()}) {
      EXPECT_FALSE(table->find(contract.op).source.empty()) << info(contract.op).text;
      EXPECT_EQ(table->find(contract.op).source.find_first_of("\"\\"), std::string_view::npos);
    }
    EXPECT_FALSE(contract.source.empty());
  }
  EXPECT_FALSE(ptx::kArithmeticGuarantees.find(Op::shl).has(kCountRange));
  EXPECT_TRUE(ptx::kArithmeticGuarantees.find(Op::ftoi).has(kSaturation | kNanToZero));
  EXPECT_FALSE(spirv::arithmetic_guarantees().find(Op::ftoi).has(kSaturation));
  EXPECT_FALSE(spirv::arithmetic_guarantees().find(Op::udiv).has(kZeroHarmless));
}

// Between -2^32 and -2^31 no float fits, although the range of integers ends near.
TEST(LegalizeArithmetic, AConversionFromJustBelowTheLeastInteger) {
  const ArithmeticTable table = table_with(Op::ftoi, kNanToZero);
  const std::string whole = "  %3 = itof.s32 %0\n", greater = "  %4 = fmul.f32 %3, 1.5f\n";
  const Legalized fits(whole + "  %9 = ftoi.s32 %3\n", table);
  EXPECT_EQ(fits.text.find("fmax"), std::string::npos) << fits.text;
  const Legalized below(whole + greater + "  %9 = ftoi.s32 %4\n", table);
  EXPECT_NE(below.text.find("fmax"), std::string::npos) << below.text;
}

// IR text may hold constants that nothing has folded.
TEST(LegalizeArithmetic, AConversionOfAConstantDoubleThatDoesNotFit) {
  const Legalized legalized("  %9 = dtoi.s32 1e300d\n", table_with(Op::dtoi, 0));
  EXPECT_NE(legalized.text.find("fmin.f64"), std::string::npos) << legalized.text;
  EXPECT_NE(legalized.text.find("feq.f64"), std::string::npos) << legalized.text;
}

/// What the body of the module, which has only pure operations on v0.x, gives for each of the words.
std::vector<uint32_t> results_of(const Module& module, const std::vector<uint32_t>& words) {
  std::vector<std::vector<uint32_t>> rows(module.values.size());
  for (const Value value : Indices<Value>(module.values)) {
    rows[value].resize(words.size());
    if (module.is_constant(value)) rows[value].assign(words.size(), module.constant_bits(value));
  }
  for (const Instruction& instruction : module.code) {
    if (instruction.op == Op::output) return rows[module.operands_of(instruction)[0]];
    std::vector<uint32_t>& result = rows[instruction.first_result];
    if (instruction.op == Op::input) {
      result = words;
      continue;
    }
    std::vector<uint32_t*> pointers = {result.data()};
    for (const Value operand : module.operands_of(instruction)) pointers.push_back(rows[operand].data());
    sim::pure_function(instruction.op)(pointers.data(), static_cast<uint32_t>(words.size()));
  }
  return {};
}

/// A finite float to a half, toward zero.
uint32_t half_toward_zero(float x) {
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::fabs(double{x});
  if (magnitude >= 65504) return sign | 0x7bff;
  if (magnitude < 0x1p-14) return sign | static_cast<uint32_t>(magnitude * 0x1p24);
  const int exponent = std::ilogb(magnitude);
  return sign | (static_cast<uint32_t>(std::ldexp(magnitude, 10 - exponent)) +
                 (static_cast<uint32_t>(exponent + 14) << 10));
}

// All upper halves of floats, with lower halves at the places where the half changes.
TEST(LegalizeArithmetic, HalvesAreRoundedTowardZero) {
  std::vector<uint32_t> words;
  for (uint32_t upper = 0; upper <= 0xffff; ++upper) {
    for (const uint32_t lower :
         {0u, 1u, 0xfffu, 0x1000u, 0x1fffu, 0x2000u, 0x3fffu, 0x7fffu, 0x8000u, 0xffffu})
      words.push_back(upper << 16 | lower);
  }
  const Legalized legalized("  %9 = f32tof16 %0\n", table_with(Op::f32tof16, 0));
  const std::vector<uint32_t> results = results_of(legalized.module, words);
  ASSERT_EQ(results.size(), words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t magnitude = words[i] & 0x7fffffffu, sign = words[i] >> 16 & 0x8000u;
    const uint32_t expected = magnitude > 0x7f800000u    ? sign | 0x7fff
                              : magnitude == 0x7f800000u ? sign | 0x7c00
                                                         : half_toward_zero(std::bit_cast<float>(words[i]));
    ASSERT_EQ(results[i], expected) << std::hex << words[i];
  }
}

TEST(ClosedGaps, EveryGapHasItsWords) {
  std::vector<std::string_view> names;
  for (int gap = 0; gap <= static_cast<int>(Gap::expansion); ++gap) {
    const GapText& text = text_of(static_cast<Gap>(gap));
    EXPECT_FALSE(text.promise.empty()) << text.name;
    EXPECT_FALSE(text.done.empty()) << text.name;
    EXPECT_EQ(text.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos)
        << text.name;
    for (const std::string_view words : {text.promise, text.done})
      EXPECT_EQ(words.find_first_of("\"\\"), std::string_view::npos) << words;
    EXPECT_EQ(std::count(names.begin(), names.end(), text.name), 0) << text.name;
    names.push_back(text.name);
  }
}

TEST(ClosedGaps, SaySourcePlaceAndPromise) {
  ClosedGap gap;
  gap.location = SourceLocation::text(14, 3);
  gap.op = Op::udiv;
  gap.gap = Gap::zero_divisor;
  gap.source = "PTX ISA 9.7.1.8 div";
  std::pmr::string text, json;
  explain(gap, text);
  EXPECT_EQ(
      text,
      "udiv.u32: divisor compared with 0: the result is then 0xffffffff (not promised by PTX ISA 9.7.1.8 "
      "div)");
  explain_json(gap, json);
  EXPECT_EQ(json, R"({"line": 14, "column": 3, "op": "udiv.u32", "gap": "zero_divisor", )"
                  R"("promise": "0xffffffff from a division by 0", "source": "PTX ISA 9.7.1.8 div", )"
                  R"("done": "divisor compared with 0: the result is then 0xffffffff"})");
  gap.location = SourceLocation::bytes(0x1f4);
  json.clear();
  explain_json(gap, json);
  EXPECT_TRUE(json.starts_with(R"({"offset": 500, "op")")) << json;
}

}  // namespace
}  // namespace texlate::ir
