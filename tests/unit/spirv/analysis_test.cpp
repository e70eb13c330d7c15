// The emitter's analyses of a module before it writes, each one separately, from IR text.

#include <gmock/gmock.h>

#include "tests/unit/spirv/analyzed.h"

namespace texlate::spirv {
namespace {

using ::testing::ElementsAre;

// ---- types ----

TEST(SpirvTypes, WhatPassesBitsOnIsWhatItsUsersWant) {
  const Analyzed as_float(
      ir::with_body("%0 = local.load x0[0].x\n%1 = fadd.f32 %0, 1.0f\noutput o0.x, %1\n"));
  EXPECT_EQ(as_float.kind_of(ir::Op::local_load), Kind::float_);
  EXPECT_EQ(as_float.types.locals[0], Kind::float_);
  const Analyzed as_uint(
      ir::with_body("%0 = local.load x0[0].x\n%1 = iadd %0, 1\nlocal.store x0[1].x, %1\n"));
  EXPECT_EQ(as_uint.kind_of(ir::Op::local_load), Kind::uint);
  EXPECT_EQ(as_uint.types.locals[0], Kind::uint);
}

TEST(SpirvTypes, ASelectionThatIsWantedBothWaysIsWhatItsSourcesAre) {
  const auto kind = [](std::string_view of) {
    return Analyzed(
               ir::with_body("%0 = input v0.x\n%1 = ftoi.s32 %0\n%2 = iadd %1, 1\n%3 = fadd.f32 %0, 1.0f\n"
                             "%4 = fge.f32 %0, 0.0f\n%5 = select.b32 %4, " +
                             std::string(of) +
                             "\n%6 = fadd.f32 %5, 1.0f\n%7 = iadd %5, 1\n"
                             "output o0.x, %6\noutput o0.y, %7\noutput o0.z, %2\n"))
        .kind_of(ir::Op::select);
  };
  EXPECT_EQ(kind("%2, %2"), Kind::uint);
  EXPECT_EQ(kind("%0, %3"), Kind::float_);
}

TEST(SpirvTypes, ALoopCarriesWhatIsUsedInside) {
  const Analyzed module(ir::with_body(
      "%0 = input v0.x\n%1, %2 = loop init(%0, 0)\n%3 = uge.u32 %2, 4\nif %3\nbreak yields(%1)\n"
      "else\nendif\n%4 = fmul.f32 %1, %0\n%5 = iadd %2, 1\n%6 = endloop yields(%4, %5)\n"
      "output o0.x, %6\n"));
  const ir::Value first = module.find(ir::Op::loop).first_result;
  EXPECT_EQ(module.types.kind[first], Kind::float_);
  EXPECT_EQ(module.types.kind[first + 1], Kind::uint);
  EXPECT_EQ(module.kind_of(ir::Op::endloop), Kind::float_);
}

TEST(SpirvTypes, WhatAtomicsWorkOnHoldsIntegers) {
  const std::string_view body = "%0 = shared.load g0[0]\n%1 = fadd.f32 %0, 1.0f\nshared.store g0[4], %1\n";
  const std::string head =
      "module compute 5.0 \"main\"\nthread_group 8 1 1\nshared g0 bytes(16) stride(4)\ncode {\n";
  EXPECT_EQ(Analyzed(head + std::string(body) + "}\n").types.shared[0], Kind::float_);
  EXPECT_EQ(Analyzed(head + std::string(body) + "%2 = shared.atomic add g0[8], 1\n}\n").types.shared[0],
            Kind::uint);
}

// ---- needs ----

TEST(SpirvNeeds, ADifferenceNeedsWhatWasNegated) {
  const Analyzed module(
      ir::with_body("%0 = input v0.x\n%1 = input v0.y\n%2 = fneg.f32 %1\n"
                    "%3 = fadd.f32 %0, %2\noutput o0.x, %3\n"));
  EXPECT_FALSE(module.needs_some(ir::Op::fneg));
  EXPECT_TRUE(module.needs.is_used(module.find(ir::Op::input, 1).first_result));
  const auto sum = module.needs.addends(module.module.operands_of(module.find(ir::Op::fadd)));
  EXPECT_TRUE(sum.subtracts);
  EXPECT_THAT(sum.values, ElementsAre(module.find(ir::Op::input, 0).first_result,
                                      module.find(ir::Op::input, 1).first_result));
}

TEST(SpirvNeeds, AMaximumAndAGreaterMinimumAreAClamp) {
  const auto clamp = [](std::string_view least, std::string_view greatest) {
    return Analyzed(ir::with_body("%0 = input v0.x\n%1 = fmax.f32 %0, " + std::string(least) +
                                  "\n%2 = fmin.f32 %1, " + std::string(greatest) + "\noutput o0.x, %2\n"));
  };
  const Analyzed in_order = clamp("0.0f", "1.0f");
  EXPECT_FALSE(in_order.needs_some(ir::Op::fmax));
  const ir::Instruction* const maximum =
      in_order.needs.clamped_maximum(in_order.module, in_order.find(ir::Op::fmin));
  ASSERT_NE(maximum, nullptr);
  EXPECT_EQ(maximum->op, ir::Op::fmax);
  const Analyzed reversed = clamp("1.0f", "0.0f");
  EXPECT_TRUE(reversed.needs.is_used(reversed.find(ir::Op::fmax).first_result));
  EXPECT_EQ(reversed.needs.clamped_maximum(reversed.module, reversed.find(ir::Op::fmin)), nullptr);
}

TEST(SpirvNeeds, SeveralUsesAreNoted) {
  const Analyzed module(
      ir::with_body("%0 = input v0.x\n%1 = fadd.f32 %0, 1.0f\n%2 = iadd %0, 1\n"
                    "output o0.x, %1\noutput o0.y, %2\n"));
  EXPECT_NE(module.needs_of(ir::Op::input) & ValueNeeds::kShared, 0);
  EXPECT_EQ(module.needs_of(ir::Op::iadd) & ValueNeeds::kShared, 0);
}

// ---- control ----

TEST(SpirvControlMap, StraightLinesHaveNone) {
  const Analyzed module(ir::with_body("%0 = input v0.x\noutput o0.x, %0\n"));
  EXPECT_TRUE(module.control.end_of.empty());
  EXPECT_TRUE(module.control.passes_to.empty());
  EXPECT_TRUE(module.control.holds_over.empty());
}

TEST(SpirvControlMap, OutputsAreHeldOverWhatNeitherWritesThemNorLeaves) {
  const Analyzed module(ir::with_body(
      "%0 = input v0.x\n%1 = fge.f32 %0, 0.0f\n"
      "if %1\n%2 = loop init(%0)\nbreak yields(%2)\n%3 = endloop\nelse yields(%3)\n%4 = endif yields(%0)\n"
      "if %1\noutput o0.x, %0\nelse\nendif\n"
      "if %1\nreturn\nelse\nendif\noutput o0.y, %4\n"));
  const auto holds = [&](ir::Op op, uint32_t n) { return module.control.holds_over[module.index_of(op, n)]; };
  EXPECT_EQ(holds(ir::Op::if_, 0), 1);
  EXPECT_EQ(holds(ir::Op::loop, 0), 1);
  EXPECT_EQ(holds(ir::Op::if_, 1), 0);
  EXPECT_EQ(holds(ir::Op::if_, 2), 0);
  EXPECT_EQ(module.control.end_of[module.index_of(ir::Op::if_)], module.index_of(ir::Op::else_));
  EXPECT_EQ(module.control.end_of[module.index_of(ir::Op::else_)], module.index_of(ir::Op::endif));
  const auto passes = [&](ir::Op from, ir::Op to) {
    return module.control.passes_to[module.index_of(from)] == module.find(to).first_result;
  };
  EXPECT_TRUE(passes(ir::Op::else_, ir::Op::endif));
  EXPECT_TRUE(passes(ir::Op::break_, ir::Op::endloop));
  EXPECT_TRUE(passes(ir::Op::loop, ir::Op::loop));
}

// ---- what is needed ----

TEST(SpirvSurvey, WhatNothingNeedsIsLeftOut) {
  const Analyzed module(ir::with_body(
      "%0 = input v0.x\n%1 = fadd.f32 %0, 1.0f\n%2 = fmul.f32 %1, %1\n%3 = fsqrt.f32 %0\noutput o0.x, %3\n"));
  EXPECT_FALSE(module.needs_some(ir::Op::fadd));
  EXPECT_FALSE(module.needs_some(ir::Op::fmul));
  EXPECT_TRUE(module.needs_some(ir::Op::fsqrt));
}

TEST(SpirvSurvey, ConstructsWithoutEffectsAreLeftOut) {
  const std::string_view head = "%0 = input v0.x\n%1 = fge.f32 %0, 0.0f\n%2 = ftoi.s32 %0\n";
  const auto analyzed = [&](std::string_view body) {
    return Analyzed(ir::with_body(std::string(head) + std::string(body) + "output o0.x, %0\n"));
  };
  const Analyzed branch = analyzed("if %1\n%3 = fadd.f32 %0, 1.0f\nelse yields(%3)\n%4 = endif yields(%0)\n");
  EXPECT_FALSE(branch.needs_some(ir::Op::if_));
  EXPECT_FALSE(branch.needs_some(ir::Op::endif));
  EXPECT_FALSE(branch.needs_some(ir::Op::fge));
  const Analyzed effect = analyzed("if %1\noutput o0.y, %0\nelse\nendif\n");
  EXPECT_TRUE(effect.needs_some(ir::Op::if_));
  const Analyzed choice = analyzed("switch %2\ncase 1\nbreak\ndefault\nbreak\nendswitch\n");
  EXPECT_FALSE(choice.needs_some(ir::Op::switch_));
  EXPECT_FALSE(choice.needs_some(ir::Op::ftoi));
  const Analyzed loop = analyzed(
      "%3 = loop init(0)\n%4 = uge.u32 %3, 4\nif %4\nbreak\nelse\nendif\n%5 = iadd %3, 1\nendloop "
      "yields(%5)\n");
  EXPECT_FALSE(loop.needs_some(ir::Op::loop));
  EXPECT_FALSE(loop.needs_some(ir::Op::iadd));
}

TEST(SpirvSurvey, ResultsThatNothingNeedsAreNotPassed) {
  const Analyzed module(
      ir::with_body("%0 = input v0.x\n%1 = fge.f32 %0, 0.0f\n%2 = fadd.f32 %0, 1.0f\n%3 = fadd.f32 %0, 2.0f\n"
                    "if %1\nelse yields(%2, %0)\n%4, %5 = endif yields(%3, %0)\noutput o0.x, %5\n"));
  EXPECT_FALSE(module.needs_some(ir::Op::fadd));
  EXPECT_FALSE(module.needs.is_used(module.find(ir::Op::endif).first_result));
  EXPECT_TRUE(module.needs.is_used(module.find(ir::Op::endif).first_result + 1));
}

// ---- interface ----

TEST(SpirvInterfaceElements, ARegisterIsOneVectorUnlessItsPartsDiffer) {
  const Analyzed alike(
      "module pixel 5.0 \"main\"\ninput v1.xy linear\ninput v1.z linear\noutput o0.xyz\ncode {\n}\n");
  ASSERT_EQ(alike.elements.inputs.size(), 1u);
  EXPECT_EQ(alike.elements.inputs[0].mask, 7);
  EXPECT_EQ(alike.elements.inputs[0].count, 4);
  EXPECT_EQ(alike.elements.inputs[0].location, 1u);
  EXPECT_EQ(alike.elements.outputs[0].count, 3);  // a render target
  const Analyzed apart(
      "module pixel 5.0 \"main\"\ninput v1.xy linear\ninput v1.z constant\noutput o0.x\ncode {\n}\n");
  ASSERT_EQ(apart.elements.inputs.size(), 2u);
  EXPECT_EQ(apart.elements.inputs[1].first, 2);
  EXPECT_EQ(apart.elements.inputs[1].count, 1);
  EXPECT_EQ(find_element(apart.elements.inputs, 1, 2), &apart.elements.inputs[1]);
  EXPECT_EQ(find_element(apart.elements.inputs, 1, 3), nullptr);
}

// ---- constant buffers ----

TEST(SpirvConstantLayout, FewKnownRowsAreMembersOthersAnArray) {
  const Analyzed few(
      ir::with_body("%0..%3 = cb.load cb0[2]\n%4..%7 = cb.load cb0[1]\n"
                    "%8 = fadd.f32 %1, %4\n%9 = fadd.f32 %8, %5\noutput o0.x, %9\n"));
  const ConstantLayout& layout = few.layouts[0];
  EXPECT_FALSE(layout.is_array);
  ASSERT_EQ(layout.count, 2);
  EXPECT_EQ(layout.rows[0].row, 1u);  // ascending, not in the order of reads
  EXPECT_FALSE(layout.rows[0].is_scalar());
  EXPECT_EQ(layout.rows[1].used, 2);
  EXPECT_TRUE(layout.rows[1].is_scalar());
  const Analyzed indexed(
      ir::with_body("%0 = input v0.x\n%1 = ftou.u32 %0\n%2..%5 = cb.load cb0[%1]\n"
                    "output o0.x, %2\n"));
  EXPECT_TRUE(indexed.layouts[0].is_array);
  const Analyzed many(
      ir::with_body("%0..%3 = cb.load cb0[0]\n%4..%7 = cb.load cb0[1]\n"
                    "%8..%11 = cb.load cb0[2]\n%12..%15 = cb.load cb0[3]\n"
                    "output o0.x, %0\noutput o0.y, %4\noutput o0.z, %8\noutput o0.w, %12\n"));
  EXPECT_TRUE(many.layouts[0].is_array);
  EXPECT_EQ(many.layouts[0].end, 4u);
}

TEST(SpirvConstantLayout, AnElementOfTheHostsArrayIsAnArray) {
  const BindingEntry entry{RegisterClass::constant_buffer, 0, 0, {.set = 1, .binding = 2, .array_size = 8}};
  const Analyzed module(ir::with_body("%0..%3 = cb.load cb0[1]\noutput o0.x, %0\n"),
                        {.entries = {&entry, 1}});
  EXPECT_EQ(module.places.constant_buffers[0].set, 1u);
  EXPECT_TRUE(module.layouts[0].is_array);
}

// ---- products ----

TEST(SpirvProducts, ThreeRowsTimesOneVectorGoTogether) {
  const auto product = [](std::string_view third) {
    std::string body =
        "%0 = input v0.x\n%1 = input v0.y\n%2 = input v0.z\n%3..%6 = cb.load cb0[0]\n"
        "%7..%10 = cb.load cb0[1]\n%11..%14 = cb.load cb0[2]\n";
    uint32_t next = 15;
    for (const uint32_t row : {3u, 7u, 11u}) {
      for (uint32_t k = 0; k < 3; ++k) {
        body += "%" + std::to_string(next) + " = " + (k == 0 ? "fmul.f32" : "ffma.f32") + " %" +
                std::to_string(row + k) + ", " +
                (k == 2 && row == 11 ? std::string(third) : "%" + std::to_string(k)) +
                (k == 0 ? "" : ", %" + std::to_string(next - 1)) + "\n";
        ++next;
      }
    }
    return Analyzed(ir::with_body(body + "output o0.x, %17\noutput o0.y, %20\noutput o0.z, %23\n"));
  };
  const Analyzed together = product("%2");
  ASSERT_EQ(together.products.all.size(), 1u);
  const Product& found = together.products.all[0];
  EXPECT_EQ(found.count, 3u);
  EXPECT_EQ(found.length, 3u);
  EXPECT_EQ(found.last(), together.index_of(ir::Op::ffma, 5));
  EXPECT_EQ(together.products.by_instruction[together.index_of(ir::Op::fmul)], 0u);
  EXPECT_TRUE(product("%1").products.all.empty());  // the third row has a different factor
}

}  // namespace
}  // namespace texlate::spirv
