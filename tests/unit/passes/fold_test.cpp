#include "ir/passes/fold.h"

#include <gtest/gtest.h>

#include <array>

#include "ir/passes/constant_evaluation.h"
#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

/// The result of folding an expression of %0 (a float input), %1 (another) and %2 (a predicate), as
/// text.
std::string folded(std::string_view expression) {
  constexpr std::string_view kInputs =
      "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = bound t0.bound\n  %3 = fadd.f32 %0, %1\n";
  Module module;
  const std::string text = std::string(kInputs) + std::string(expression) + "\n";
  parse_or_fail(with_body(text), module);
  // The last value is observed.
  const Instruction& last = module.code.back();
  const Value result = last.first_result;
  const Type type = module.values[result].type;
  Instruction use;
  use.first_operand = static_cast<uint32_t>(module.operands.size());
  use.operand_count = 1;
  use.op = type == Type::b1 ? Op::discard : type == Type::b64 ? Op::break_ : Op::output;
  module.operands.push_back(result);
  module.code.push_back(use);
  fold(module);
  const Instruction& user = module.code.back();
  const Value value = module.operands[user.first_operand];
  const std::string all = body_of(module);
  for (const Instruction& instruction : module.code) {
    if (value < instruction.first_result || value >= instruction.first_result + instruction.result_count)
      continue;
    // The line that defines it, without the value's name; inputs by their name.
    std::string needle = all.substr(0, all.rfind("  "));
    size_t index = static_cast<size_t>(&instruction - module.code.data());
    if (index < 4) return "%" + std::to_string(index);
    size_t at = 0;
    for (size_t i = 0; i < index; ++i) at = all.find('\n', at) + 1;
    const std::string line = all.substr(at, all.find('\n', at) - at);
    return line.substr(line.find("= ") + 2);
  }
  std::pmr::string out;
  print_constant(module.values[value], out);
  return std::string(out);
}

TEST(Fold, Constants) {
  EXPECT_EQ(folded("%4 = iadd 2, 3"), "5");
  EXPECT_EQ(folded("%4 = udiv.u32 7, 0"), "-1");
  EXPECT_EQ(folded("%4 = urem.u32 7, 0"), "-1");
  EXPECT_EQ(folded("%4 = shl 1, 33"), "2");
  EXPECT_EQ(folded("%4 = fadd.f32 1.5f, 2.0f"), "3.5f");
  EXPECT_EQ(folded("%4 = ult.u32 1, 2"), "true");
  EXPECT_EQ(folded("%4 = mask true"), "-1");
  EXPECT_EQ(folded("%4 = pack.b64 1, 2"), "0x200000001l");
  EXPECT_EQ(folded("%4 = ddx.fine 1.5f"), "0");
  EXPECT_EQ(folded("%4 = ddy.coarse 0x00000001"), "0");
  EXPECT_EQ(folded("%4 = ddx.coarse 0x7f800000").substr(0, 10), "ddx.coarse") << "INF - INF is NaN";
  EXPECT_EQ(folded("%4 = fadd.f64 1.5d, 2.0d"), "3.5d");
  EXPECT_EQ(folded("%4 = select.b32 true, %0, %1"), "%0");
  // Several valid results: left to the target.
  EXPECT_EQ(folded("%4 = fdiv.f32 0, 0"), "fdiv.f32 0, 0");
  EXPECT_EQ(folded("%4 = fmin.f32 0, -0.0f"), "fmin.f32 0, -0.0f");
}

// Direct3D gives these a tolerance: the nearest float, which the interpreter gives, too.
TEST(Fold, FunctionsWithAToleranceBecomeTheNearestFloat) {
  EXPECT_EQ(folded("%4 = fexp2.f32 10.0f"), "1024.0f");
  EXPECT_EQ(folded("%4 = fexp2.f32 -0.0f"), "1.0f");
  EXPECT_EQ(folded("%4 = fexp2.f32 0.5f"), "1.4142135f");
  EXPECT_EQ(folded("%4 = fexp2.f32 -126.0f"), "0x800000") << "the least normal number";
  EXPECT_EQ(folded("%4 = fexp2.f32 -127.0f"), "0") << "a denormal";
  EXPECT_EQ(folded("%4 = fexp2.f32 128.0f"), "0x7f800000");
  EXPECT_EQ(folded("%4 = flog2.f32 0.25f"), "-2.0f");
  EXPECT_EQ(folded("%4 = flog2.f32 1.0f"), "0");
  EXPECT_EQ(folded("%4 = flog2.f32 -0.0f"), "0xff800000");
  EXPECT_EQ(folded("%4 = flog2.f32 0x00000001"), "0xff800000") << "a denormal is zero";
  EXPECT_EQ(folded("%4 = flog2.f32 -1.0f").substr(0, 5), "flog2") << "NaN";
  EXPECT_EQ(folded("%4 = frcp.f32 -4.0f"), "-0.25f");
  EXPECT_EQ(folded("%4 = frcp.f32 3.0f"), "0.33333334f");
  EXPECT_EQ(folded("%4 = frcp.f32 -0.0f"), "0xff800000");
  EXPECT_EQ(folded("%4 = frsq.f32 16.0f"), "0.25f");
  EXPECT_EQ(folded("%4 = frsq.f32 0"), "0x7f800000");
  EXPECT_EQ(folded("%4 = fsqrt.f32 2.0f"), "1.4142135f");
  EXPECT_EQ(folded("%4 = fsqrt.f32 -1.0f").substr(0, 5), "fsqrt") << "NaN";
  EXPECT_EQ(folded("%4 = fsin.f32 0"), "0");
  EXPECT_EQ(folded("%4 = fsin.f32 1.0f"), "0.84147096f");
  EXPECT_EQ(folded("%4 = fcos.f32 0"), "1.0f");
  EXPECT_EQ(folded("%4 = fcos.f32 314.0f"), "0.9873441f");
  EXPECT_EQ(folded("%4 = fcos.f32 315.0f"), "fcos.f32 315.0f") << "beyond 100 pi any value is valid";
}

TEST(Fold, MasksTurnIntoPredicates) {
  EXPECT_EQ(folded("%4 = mask %2\n%5 = ine %4, 0"), "%2");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = ine 0, %4"), "%2");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = ieq %4, 0"), "not.b1 %2");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = ieq %4, -1"), "%2");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = ilt.s32 %4, 0"), "%2");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = and %4, 1.0f"), "select.b32 %2, 1.0f, 0");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = and %0, %4"), "select.b32 %2, %0, 0");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = or %4, %0"), "select.b32 %2, -1, %0");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = not %4\n%6 = ine %5, 0"), "not.b1 %2");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = and %4, 1.0f\n%6 = fne.f32 %5, 0"), "%2");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = ineg %4"), "select.b32 %2, 1, 0");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = itof.s32 %4"), "select.b32 %2, -1.0f, 0");
  EXPECT_EQ(folded("%4 = select.b32 %2, 3, 4\n%5 = ult.u32 %4, 9"), "true");
  // A neighbor may select the other number.
  EXPECT_EQ(folded("%4 = select.b32 %2, 1.0f, 0\n%5 = ddx.fine %4"), "ddx.fine %4");
  EXPECT_EQ(folded("%4 = mask %2\n%5 = ddy.coarse %4"), "ddy.coarse %4");
}

TEST(Fold, Predicates) {
  EXPECT_EQ(folded("%4 = and.b1 %2, true"), "%2");
  EXPECT_EQ(folded("%4 = and.b1 false, %2"), "false");
  EXPECT_EQ(folded("%4 = or.b1 %2, %2"), "%2");
  EXPECT_EQ(folded("%4 = not.b1 %2\n%5 = not.b1 %4"), "%2");
  EXPECT_EQ(folded("%4 = not.b1 %2\n%5 = and.b1 %4, %2"), "false");
  EXPECT_EQ(folded("%4 = not.b1 %2\n%5 = or.b1 %2, %4"), "true");
  EXPECT_EQ(folded("%4 = ilt.s32 %0, %1\n%5 = not.b1 %4"), "ige.s32 %0, %1");
  EXPECT_EQ(folded("%4 = feq.f32 %0, %1\n%5 = not.b1 %4"), "fne.f32 %0, %1");
  // With a NaN, neither holds.
  EXPECT_EQ(folded("%4 = flt.f32 %0, %1\n%5 = not.b1 %4"), "not.b1 %4");
  EXPECT_EQ(folded("%4 = select.b32 %2, %0, %0"), "%0");
  EXPECT_EQ(folded("%4 = select.b32 %2, -1, 0"), "mask %2");
  EXPECT_EQ(folded("%4 = not.b1 %2\n%5 = select.b32 %4, %0, %1"), "select.b32 %2, %1, %0");
  EXPECT_EQ(folded("%4 = select.b32 %2, %0, 7\n%5 = select.b32 %2, %4, %1"), "select.b32 %2, %0, %1");
}

TEST(Fold, Integers) {
  EXPECT_EQ(folded("%4 = iadd 0, %0"), "%0");
  EXPECT_EQ(folded("%4 = iadd %0, 5\n%5 = iadd %4, -5"), "%0");
  EXPECT_EQ(folded("%4 = isub %0, 5\n%5 = iadd %4, 7"), "iadd %0, 2");
  EXPECT_EQ(folded("%4 = ineg %1\n%5 = iadd %0, %4"), "isub %0, %1");
  EXPECT_EQ(folded("%4 = isub %0, %0"), "0");
  EXPECT_EQ(folded("%4 = imul %0, 8"), "shl %0, 3");
  EXPECT_EQ(folded("%4 = imad 4, 2, %0"), "iadd %0, 8");
  EXPECT_EQ(folded("%4 = imad %0, 0, %1"), "%1");
  EXPECT_EQ(folded("%4 = udiv.u32 %0, 16"), "shr.u32 %0, 4");
  EXPECT_EQ(folded("%4 = urem.u32 %0, 16"), "and %0, 15");
  EXPECT_EQ(folded("%4 = and %0, -1"), "%0");
  EXPECT_EQ(folded("%4 = xor %0, %0"), "0");
  EXPECT_EQ(folded("%4 = not %0\n%5 = not %4"), "%0");
  EXPECT_EQ(folded("%4 = shr.s32 %0, 32"), "%0");
  EXPECT_EQ(folded("%4 = umin.u32 %0, 0"), "0");
  EXPECT_EQ(folded("%4 = imax.s32 %0, 0x80000000"), "%0");
  EXPECT_EQ(folded("%4 = ult.u32 %0, 0"), "false");
  EXPECT_EQ(folded("%4 = ult.u32 %0, 1"), "ieq %0, 0");
  EXPECT_EQ(folded("%4 = uge.u32 %0, %0"), "true");
  EXPECT_EQ(folded("%4 = bfe.u32 32, 3, %0"), "0");
  EXPECT_EQ(folded("%4 = bfi 0, 3, %0, %1"), "%1");
}

TEST(Fold, FloatsOnlyWhereNoBitChanges) {
  EXPECT_EQ(folded("%4 = fneg.f32 %0\n%5 = fneg.f32 %4"), "%0");
  EXPECT_EQ(folded("%4 = fneg.f32 %0\n%5 = fabs.f32 %4"), "fabs.f32 %0");
  // %0 may be a denormal, which the operation flushes; %3 is a sum and cannot be one.
  EXPECT_EQ(folded("%4 = fmul.f32 %0, 1.0f"), "fmul.f32 %0, 1.0f");
  EXPECT_EQ(folded("%4 = fmul.f32 %3, 1.0f"), "%3");
  EXPECT_EQ(folded("%4 = fmul.f32 -1.0f, %3"), "fneg.f32 %3");
  // -0 + 0 is +0.
  EXPECT_EQ(folded("%4 = fadd.f32 %3, 0"), "fadd.f32 %3, 0");
  EXPECT_EQ(folded("%4 = fadd.f32 %3, -0.0f"), "%3");
  EXPECT_EQ(folded("%4 = fadd.f32 %0, -0.0f"), "fadd.f32 %0, -0.0f");
  EXPECT_EQ(folded("%4 = fmul.f32 %3, 0"), "fmul.f32 %3, 0");  // not 0 for 0 * INF, 0 * -1
  EXPECT_EQ(folded("%4 = ffma.f32 %0, 1.0f, %1"), "fadd.f32 %0, %1");
  EXPECT_EQ(folded("%4 = ffma.f32 %0, %1, -0.0f"), "fmul.f32 %0, %1");
  EXPECT_EQ(folded("%4 = fdiv.f32 %0, 4.0f"), "fmul.f32 %0, 0.25f");
  EXPECT_EQ(folded("%4 = fdiv.f32 %0, 3.0f"), "fdiv.f32 %0, 3.0f");
  EXPECT_EQ(folded("%4 = ffloor.f32 %0\n%5 = ftrunc.f32 %4"), "ffloor.f32 %0");
}

TEST(Fold, Doubles) {
  EXPECT_EQ(folded("%4 = pack.b64 %0, %1\n%5..%6 = unpack.b64 %4\n%7 = iadd %5, 0"), "%0");
  EXPECT_EQ(folded("%4 = pack.b64 %0, %1\n%5 = fneg.f64 %4\n%6 = fneg.f64 %5"), "pack.b64 %0, %1");
  EXPECT_EQ(
      folded("%4 = pack.b64 %0, %1\n%5 = fadd.f64 %4, %4\n%6..%7 = unpack.b64 %5\n%8 = pack.b64 %6, %7"),
      "fadd.f64 %4, %4");
}

TEST(Fold, WideSums) {
  EXPECT_EQ(folded("%4 = address u1\n%5 = mad.wide.u32 0, %0, %4"), "address u1");
  EXPECT_EQ(folded("%4 = address u1\n%5 = mad.wide.u32 %0, 0, %4"), "address u1");
  EXPECT_EQ(folded("%4 = address u1\n%5 = mad.wide.u32 16, %0, %4"), "mad.wide.u32 %0, 16, %4");
  EXPECT_EQ(folded("%4 = mad.wide.u32 0xffffffff, 0xffffffff, 0x1ffffffffl"), "0l");
}

uint32_t value_of(Op op, std::initializer_list<uint32_t> operands) {
  std::array<uint64_t, 4> wide{};
  std::copy(operands.begin(), operands.end(), wide.begin());
  return static_cast<uint32_t>(evaluate(op, std::span(wide.data(), operands.size())).value_or(0xdeadbeefu));
}

TEST(ConstantEvaluation, Direct3DCorners) {
  constexpr uint32_t kNaN = 0x7fc00000u;
  constexpr uint32_t kInfinity = 0x7f800000u;
  EXPECT_EQ(value_of(Op::fadd, {0x00000001u, 0x80000001u}), 0u);  // denormals are flushed first
  EXPECT_EQ(value_of(Op::fadd, {0x80000001u, 0x80000000u}), 0x80000000u);
  EXPECT_EQ(value_of(Op::fmul, {0x00800000u, 0x3f000000u}), 0u);  // results are flushed, too
  EXPECT_EQ(value_of(Op::fmin, {kNaN, 0x3f800000u}), 0x3f800000u);
  EXPECT_EQ(value_of(Op::fmax, {0x3f800000u, kNaN}), 0x3f800000u);
  EXPECT_EQ(value_of(Op::fsat, {kNaN}), 0u);
  EXPECT_EQ(value_of(Op::fsat, {0x40000000u}), 0x3f800000u);
  EXPECT_EQ(value_of(Op::fne, {kNaN, kNaN}), 1u);
  EXPECT_EQ(value_of(Op::feq, {kNaN, kNaN}), 0u);
  EXPECT_EQ(value_of(Op::feq, {0x00000001u, 0x80000000u}), 1u);
  EXPECT_EQ(value_of(Op::flt, {kNaN, 0}), 0u);
  EXPECT_EQ(value_of(Op::ftoi, {kNaN}), 0u);
  EXPECT_EQ(value_of(Op::ftoi, {kInfinity}), 0x7fffffffu);
  EXPECT_EQ(value_of(Op::ftoi, {0xcf000000u}), 0x80000000u);
  EXPECT_EQ(value_of(Op::ftoi, {0xbfc00000u}), 0xffffffffu);
  EXPECT_EQ(value_of(Op::ftou, {0xbf800000u}), 0u);
  EXPECT_EQ(value_of(Op::ftou, {kInfinity}), 0xffffffffu);
  EXPECT_EQ(value_of(Op::frint, {0x40200000u}), 0x40000000u);  // 2.5 -> 2
  EXPECT_EQ(value_of(Op::fceil, {0xbf000000u}), 0x80000000u);  // -0.5 -> -0
  EXPECT_EQ(value_of(Op::ffrac, {0xbe800000u}), 0x3f400000u);  // -0.25 -> 0.75
  EXPECT_EQ(value_of(Op::ffrac, {0xb2800000u}), 0xdeadbeefu);  // would round to 1
  EXPECT_EQ(value_of(Op::f32tof16, {0x477fffffu}), 0x7bffu);   // 65535.99 -> 65504
  EXPECT_EQ(value_of(Op::f32tof16, {kInfinity}), 0x7c00u);
  EXPECT_EQ(value_of(Op::f32tof16, {0x3f801fffu}), 0x3c00u);  // toward zero
  EXPECT_EQ(value_of(Op::f32tof16, {0x33800000u}), 0x0001u);  // 2^-24
  EXPECT_EQ(value_of(Op::f32tof16, {0x337fffffu}), 0x0000u);
  EXPECT_EQ(value_of(Op::f16tof32, {0xffff0001u}), 0x33800000u);  // the upper half is ignored
  EXPECT_EQ(value_of(Op::f16tof32, {0xfbffu}), 0xc77fe000u);
  EXPECT_EQ(value_of(Op::imulhi, {0xffffffffu, 2}), 0xffffffffu);
  EXPECT_EQ(value_of(Op::umulhi, {0xffffffffu, 2}), 1u);
  EXPECT_EQ(value_of(Op::ubfe, {8, 28, 0xf0000000u}), 0xfu);  // extends past the top
  EXPECT_EQ(value_of(Op::ibfe, {4, 4, 0x80u}), 0xfffffff8u);
  EXPECT_EQ(value_of(Op::ibfe, {8, 28, 0xf0000000u}), 0xffffffffu);
  EXPECT_EQ(value_of(Op::bfi, {8, 28, 0xffu, 0x12345678u}), 0xf2345678u);
  EXPECT_EQ(value_of(Op::firstbit_hi, {0x10000000u}), 3u);
  EXPECT_EQ(value_of(Op::firstbit_hi, {0}), 0xffffffffu);
  EXPECT_EQ(value_of(Op::firstbit_lo, {8}), 3u);
  EXPECT_EQ(value_of(Op::firstbit_shi, {0xffffffffu}), 0xffffffffu);
  EXPECT_EQ(value_of(Op::firstbit_shi, {0xf0000000u}), 4u);
  EXPECT_EQ(value_of(Op::bitrev, {1}), 0x80000000u);
  EXPECT_EQ(value_of(Op::ishr, {0x80000000u, 33}), 0xc0000000u);
}

}  // namespace
}  // namespace texlate::ir
