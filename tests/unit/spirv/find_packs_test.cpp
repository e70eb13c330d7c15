// Which operations become packs: IR text in, packs out.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/spirv/analyzed.h"

namespace texlate::spirv {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The packs and dot products of a body, as the lines of their members, counted from 0, with the kinds of
/// their gathers: v(ector), c(onstant), s(plat), p(ermuted: a shuffle), g(athered: a construct).
std::vector<std::string> packs_of(const Analyzed& of) {
  std::vector<std::string> found;
  for (const Pack& pack : of.packs.packs) {
    if (!pack.is_vector) continue;
    std::string text(1, '[');
    for (uint32_t l = 0; l < pack.size; ++l)
      text += fmt::format("{}{}", l == 0 ? "" : " ", of.index_in_text(pack.members[l]));
    text += "] ";
    for (uint32_t o = 0; o < pack.operand_count; ++o)
      text += "vcspg"[static_cast<uint32_t>(pack.gathers[o].kind)];
    found.push_back(text);
  }
  for (uint32_t i = 0; i < of.packs.by_instruction.size(); ++i) {
    const uint32_t what = of.packs.by_instruction[i];
    if (what >= Packs::kDot)
      found.push_back(
          fmt::format("dot{} at {}", of.packs.dots[what - Packs::kDot].size, of.index_in_text(i)));
  }
  return found;
}

std::string in_module(std::string_view body, bool refactors = false) {
  std::string text = ir::with_body(body);
  text.insert(text.find("constant_buffer"), "input v1.xyzw\noutput o1.xyzw\n");
  if (refactors) text.insert(text.find("registers"), "refactoring_allowed\n");
  return text;
}

std::vector<std::string> packs(std::string_view body, bool refactors = false) {
  return packs_of(Analyzed(in_module(body, refactors)));
}

/// Lines 0 to 3 read v0 into %0 to %3, lines 4 to 7 v1 into %4 to %7.
std::string inputs() {
  std::string text;
  for (uint32_t i = 0; i < 8; ++i) text += fmt::format("%{} = input v{}.{}\n", i, i / 4, "xyzw"[i % 4]);
  return text;
}
std::string outputs(std::initializer_list<uint32_t> values, uint32_t reg = 0) {
  std::string text;
  uint32_t c = 0;
  for (const uint32_t value : values) text += fmt::format("output o{}.{}, %{}\n", reg, "xyzw"[c++], value);
  return text;
}

TEST(SpirvFindPacks, LanesInTheirPlacesTakeNothing) {
  EXPECT_THAT(packs(inputs() +
                    "%8 = fmul.f32 %0, %4\n%9 = fmul.f32 %1, %5\n%10 = fmul.f32 %2, %6\n"
                    "%11 = fmul.f32 %3, %7\n" +
                    outputs({8, 9, 10, 11})),
              ElementsAre("[8 9 10 11] vv"));
}

TEST(SpirvFindPacks, OperandsMayBePermutedConstantOrOneScalar) {
  EXPECT_THAT(packs(inputs() +
                    "%8 = fsqrt.f32 %0\n"
                    "%9 = ffma.f32 %1, 2.0f, %8\n%10 = ffma.f32 %0, 3.0f, %8\n%11 = ffma.f32 %3, 4.0f, %8\n"
                    "%12 = ffma.f32 %2, 5.0f, %8\n" +
                    outputs({9, 10, 11, 12})),
              ElementsAre("[9 10 11 12] pcs"));
}

TEST(SpirvFindPacks, ThreeAndTwoLanesArePacksToo) {
  const std::string three = "%8 = fadd.f32 %0, %4\n%9 = fadd.f32 %1, %5\n%10 = fadd.f32 %2, %6\n";
  EXPECT_THAT(packs(inputs() + three + outputs({8, 9, 10})), ElementsAre("[8 9 10] pp"));
  EXPECT_THAT(packs(inputs() + "%8 = fadd.f32 %2, %6\n%9 = fadd.f32 %3, %7\n" + outputs({8, 9})),
              ElementsAre("[8 9] pp"));
}

TEST(SpirvFindPacks, AFifthLaneStartsAnotherPack) {
  std::string body = inputs();
  for (uint32_t i = 0; i < 5; ++i) body += fmt::format("%{} = fadd.f32 %{}, 1.0f\n", 8 + i, i);
  EXPECT_THAT(packs(body + outputs({8, 9, 10, 11}) + "output o1.x, %12\n"), ElementsAre("[8 9 10 11] vc"));
}

TEST(SpirvFindPacks, OperandsThatMayChangePlacesDo) {
  const std::string swapped = "{0} = {1} %0, %4\n{2} = {1} %5, %1\n";
  const auto of = [&](std::string_view op) {
    return packs(inputs() + fmt::format(fmt::runtime(swapped), "%8", op, "%9") + outputs({8, 9}));
  };
  EXPECT_THAT(of("fmul.f32"), ElementsAre("[8 9] pp"));
  EXPECT_THAT(of("umax.u32"), ElementsAre("[8 9] pp"));
  // Of two numbers that compare equal, min may return either, and a NaN or a zero's sign shows which: no
  // swap.
  const Analyzed min(
      in_module(inputs() + fmt::format(fmt::runtime(swapped), "%8", "fmin.f32", "%9") + outputs({8, 9})));
  ASSERT_EQ(min.packs.packs.size(), 1u);
  EXPECT_EQ(min.packs.packs[0].operands[0][1], min.module.code[5].first_result);
  EXPECT_EQ(min.packs.packs[0].operands[1][1], min.module.code[1].first_result);
  // Nor are the operands of a difference or a shift swapped.
  for (const std::string_view op : {"isub", "shl"}) {
    const Analyzed other(
        in_module(inputs() + fmt::format(fmt::runtime(swapped), "%8", op, "%9") + outputs({8, 9})));
    for (const Pack& pack : other.packs.packs) {
      if (pack.size == 2) {
        EXPECT_EQ(pack.operands[0][1], other.module.code[5].first_result) << op;
      }
    }
  }
}

TEST(SpirvFindPacks, WhatMayBeContractedStaysApartFromWhatMustNot) {
  EXPECT_THAT(packs(inputs() +
                        "%8 = fadd.f32 [precise] %0, 1.0f\n%9 = fadd.f32 %1, 1.0f\n"
                        "%10 = fadd.f32 [precise] %2, 1.0f\n%11 = fadd.f32 %3, 1.0f\n" +
                        outputs({8, 9, 10, 11}),
                    true),
              ElementsAre("[8 10] pc", "[9 11] pc"));
  // Without refactoringAllowed none may be.
  const Analyzed all(in_module(inputs() +
                               "%8 = fmul.f32 %0, %4\n%9 = fdiv.f32 %8, %1\n%10 = fmax.f32 %9, %3\n" +
                               outputs({8, 9, 10})));
  ASSERT_EQ(all.packs.packs.size(), 3u);
  EXPECT_TRUE(all.packs.packs[0].exact);
  EXPECT_TRUE(all.packs.packs[1].exact);
  EXPECT_FALSE(all.packs.packs[2].exact) << "a maximum does not round";
}

TEST(SpirvFindPacks, APackStandsBehindAllOperands) {
  // Each needs the previous one.
  EXPECT_THAT(packs(inputs() + "%8 = fadd.f32 %0, %1\n%9 = fadd.f32 %8, %2\n%10 = fadd.f32 %9, %3\n" +
                    outputs({8, 9, 10})),
              IsEmpty());
  // %10 exists only after the first addition, and so does the result of a sample.
  EXPECT_THAT(
      packs(inputs() +
            "%8 = fadd.f32 %0, 1.0f\n%9..%12 = tex.sample t0 s0 texture2d float coord(%0, %1) implicit\n"
            "%13 = fadd.f32 %9, 1.0f\n%14 = fadd.f32 %10, 1.0f\n" +
            outputs({13, 14}) + outputs({8}, 1)),
      ElementsAre("[10 11] pc"));
}

TEST(SpirvFindPacks, InputsAreThereBeforeEverything) {
  EXPECT_THAT(
      packs("%0 = input v0.x\n%1 = fsqrt.f32 %0\n%2 = input v0.y\n%3 = fsqrt.f32 %2\n" + outputs({1, 3})),
      ElementsAre("[1 3] p"));
}

TEST(SpirvFindPacks, BlocksStayApart) {
  EXPECT_THAT(packs(inputs() + "%8 = fsqrt.f32 %0\n%9 = fsqrt.f32 %1\n" + outputs({8, 9}) +
                    "%10 = flt.f32 %0, %1\nif %10\n%11 = fsqrt.f32 %2\n%12 = fsqrt.f32 %3\n" +
                    outputs({11, 12}, 1) + "else\nendif\n"),
              ElementsAre("[8 9] p", "[14 15] p"));
  // Operands of another block are treated like others.
  EXPECT_THAT(packs(inputs() + "%8 = flt.f32 %0, %1\nif %8\n%9 = fsqrt.f32 %1\n%10 = fsqrt.f32 %2\n" +
                    outputs({9, 10}) + "else\nendif\n"),
              ElementsAre("[10 11] p"));
}

TEST(SpirvFindPacks, WhatALoopCarriesIsScalars) {
  const std::string head =
      inputs() +
      "%8, %9, %10 = loop init(%0, %1, 0)\n%11 = uge.u32 %10, 4\nif %11\nbreak yields(%8, %9)\nelse\nendif\n";
  const std::string tail = "%14 = iadd %10, 1\n%15, %16 = endloop yields(%12, %13, %14)\n";
  // Gathered from phis for the sum, and taken apart again for the next iteration.
  EXPECT_THAT(packs(head + "%12 = fadd.f32 %8, 1.0f\n%13 = fadd.f32 %9, 1.0f\n" + tail + outputs({15, 16})),
              IsEmpty());
  // Two operations on the way justify both.
  EXPECT_THAT(packs(head +
                    "%17 = fadd.f32 %8, %4\n%18 = fadd.f32 %9, %5\n%19 = fmul.f32 %17, %4\n"
                    "%20 = fmul.f32 %18, %5\n%21 = fsqrt.f32 %19\n%22 = fsqrt.f32 %20\n"
                    "%12 = fsat.f32 %21\n%13 = fsat.f32 %22\n" +
                    tail + outputs({15, 16})),
              ElementsAre("[14 15] gp", "[16 17] vp", "[18 19] v", "[20 21] vcc"));
}

TEST(SpirvFindPacks, ALaneThatIsNeededAloneMustBeWorthItsExtraction) {
  // A pack of two that are both needed separately, with operands that must be gathered.
  EXPECT_THAT(packs(inputs() + "%8 = fsqrt.f32 %0\n%9 = flog2.f32 %1\n" +
                    "%10 = fexp2.f32 %8\n%11 = fexp2.f32 %9\n%12 = fmul.f32 %10, %8\n%13 = flog2.f32 %11\n" +
                    outputs({12}) + outputs({13}, 1)),
              IsEmpty());
  // One of four.
  EXPECT_THAT(packs(inputs() +
                    "%8 = fsqrt.f32 %0\n%9 = fsqrt.f32 %1\n%10 = fsqrt.f32 %2\n%11 = fsqrt.f32 %3\n"
                    "%12 = flog2.f32 %9\n" +
                    outputs({8, 9, 10, 11}) + outputs({12}, 1)),
              ElementsAre("[8 9 10 11] v"));
}

TEST(SpirvFindPacks, ChainsOfProductsOfTwoVectorsAreDotProducts) {
  const std::string chain = "%8 = fmul.f32 %0, %4\n%9 = ffma.f32 %5, %1, %8\n%10 = ffma.f32 %2, %6, %9\n";
  EXPECT_THAT(packs(inputs() + chain + outputs({10}), true), ElementsAre("dot3 at 10"));
  EXPECT_THAT(packs(inputs() + chain + outputs({10})), IsEmpty());  // precise
  EXPECT_THAT(packs(inputs() + chain + outputs({10, 9}), true),
              ElementsAre("dot2 at 9"));  // %9 has two users
  const std::string apart = "%8 = fmul.f32 %0, %4\n%9 = ffma.f32 %1, %8, %8\n";
  EXPECT_THAT(packs(inputs() + apart + outputs({9}), true), IsEmpty());
}

TEST(SpirvFindPacks, AChainThatIsNoDotProductIsInNoPack) {
  EXPECT_THAT(packs(inputs() +
                        "%8 = fsqrt.f32 %7\n%9 = fmul.f32 %0, %8\n%10 = ffma.f32 %1, %8, %9\n"
                        "%11 = fmul.f32 %1, %8\n%12 = fmul.f32 %2, %8\n%13 = fmul.f32 %3, %8\n" +
                        outputs({11, 12, 13}) + outputs({10}, 1),
                    true),
              ElementsAre("[11 12 13] ps"));
}

TEST(SpirvFindPacks, ClampsDifferencesReciprocalsAndMasksAreOneInstruction) {
  const Analyzed clamps(in_module(
      inputs() + "%8 = fsat.f32 %0\n%9 = fmax.f32 %1, 0.0f\n%10 = fmin.f32 %9, 1.0f\n" + outputs({8, 10})));
  EXPECT_THAT(packs_of(clamps), ElementsAre("[8 10] pcc"));
  EXPECT_FALSE(clamps.needs_some(ir::Op::fmax));
  const Analyzed differences(in_module(inputs() +
                                       "%8 = fneg.f32 %4\n%9 = fneg.f32 %5\n%10 = fadd.f32 %0, %8\n"
                                       "%11 = fadd.f32 %9, %1\n%12 = fadd.f32 %2, %6\n" +
                                       outputs({10, 11, 12})));
  EXPECT_THAT(packs_of(differences), ElementsAre("[10 11] pp"));
  EXPECT_FALSE(differences.needs_some(ir::Op::fneg));
  EXPECT_THAT(packs(inputs() + "%8 = frcp.f32 %0\n%9 = fdiv.f32 %5, %1\n" + outputs({8, 9})),
              ElementsAre("[8 9] pp"));
  EXPECT_THAT(packs(inputs() +
                    "%8 = flt.f32 %0, %4\n%9 = flt.f32 %1, %5\n%10 = mask %8\n%11 = mask %9\n"
                    "%12 = and %10, 5\n%13 = and %11, 6\n" +
                    outputs({12, 13})),
              ElementsAre("[8 9] pp", "[10 11] vcc", "[12 13] vc"));
}

TEST(SpirvFindPacks, SelectionsOfOneKindGoTogether) {
  const Analyzed both(in_module(inputs() +
                                "%8 = flt.f32 %0, %4\n%9 = flt.f32 %1, %5\n"
                                "%10 = select.b32 %8, %0, %4\n%11 = select.b32 %9, 1, 2\n"
                                "%12 = fadd.f32 %10, 1.0f\n%13 = iadd %11, 1\n" +
                                outputs({12}) + "%14 = utof.u32 %13\noutput o1.x, %14\n"));
  EXPECT_EQ(both.kind_of(ir::Op::select, 0), Kind::float_);
  EXPECT_EQ(both.kind_of(ir::Op::select, 1), Kind::uint);
  EXPECT_THAT(packs_of(both), Not(testing::Contains(testing::StartsWith("[10 11]"))));
}

TEST(SpirvFindPacks, CoordinatesAndStoredTexelsAreVectors) {
  EXPECT_THAT(packs(inputs() +
                    "%8 = fmul.f32 %0, 2.0f\n%9 = fmul.f32 %1, 2.0f\n"
                    "%10..%13 = tex.sample t0 s0 texture2d float coord(%8, %9) implicit\n" +
                    outputs({10, 11, 12, 13})),
              ElementsAre("[8 9] pc"));
  EXPECT_THAT(packs(inputs() + "%8 = ftou.u32 %0\n%9 = ftou.u32 %1\n%10 = ftou.u32 %2\n%11 = ftou.u32 %3\n"
                               "surf.store u0 texture2d uint coord(0, 0) value(%8, %9, %10, %11)\n"),
              ElementsAre("[8 9 10 11] v"));
}

TEST(SpirvFindPacks, RowsOfConstantsAreVectorsWhereSeveralComponentsAreUsed) {
  EXPECT_THAT(packs(inputs() + "%8..%11 = cb.load cb0[1]\n%12 = fadd.f32 %0, %8\n%13 = fadd.f32 %1, %9\n" +
                    outputs({12, 13})),
              ElementsAre("[9 10] pp"));
  EXPECT_THAT(packs(inputs() +
                    "%8..%11 = cb.load cb0[1]\n%12..%15 = cb.load cb0[2]\n"
                    "%16 = fadd.f32 %0, %8\n%17 = fadd.f32 %1, %13\n" +
                    outputs({16, 17})),
              ElementsAre("[10 11] pg"));
}

TEST(SpirvFindPacks, LanesOfOneSourceInstructionGoTogether) {
  const auto roots = [](uint32_t first, uint32_t second) {
    return packs(inputs() +
                 fmt::format("%8 = fsqrt.f32 %0 ; line {}\n%9 = fsqrt.f32 %2 ; line {}\n", first, second) +
                 outputs({8, 9}));
  };
  EXPECT_THAT(roots(3, 3), ElementsAre("[8 9] p"));
  EXPECT_THAT(roots(3, 4), IsEmpty());
  // Two source instructions of one kind.
  EXPECT_THAT(packs(inputs() +
                    "%8 = fsqrt.f32 %0 ; line 3\n%9 = fsqrt.f32 %1 ; line 3\n"
                    "%10 = fsqrt.f32 %4 ; line 4\n%11 = fsqrt.f32 %5 ; line 4\n" +
                    outputs({8, 9}) + outputs({10, 11}, 1)),
              ElementsAre("[8 9] p", "[10 11] p"));
}

TEST(SpirvFindPacks, LanesOfAnExpandedInstructionMayBeApart) {
  EXPECT_THAT(packs(inputs() +
                    "%8 = fsqrt.f32 %0 ; line 3\n%9 = fadd.f32 %8, 1.0f ; line 3\n"
                    "%10 = fsqrt.f32 %1 ; line 3\n%11 = fadd.f32 %10, 2.0f ; line 3\n" +
                    outputs({9, 11})),
              ElementsAre("[8 10] p", "[9 11] vc"));
}

TEST(SpirvFindPacks, NothingIsJoinedWhereThatIsNotWanted) {
  const Analyzed module(
      in_module(inputs() + "%8 = fadd.f32 %0, %4\n%9 = fadd.f32 %1, %5\n" + outputs({8, 9})));
  std::pmr::monotonic_buffer_resource arena;
  Packs scalars(arena);
  find_packs({module.module, module.elements, module.places, module.found, module.products}, false, arena,
             scalars);
  ASSERT_EQ(scalars.packs.size(), 2u);
  EXPECT_EQ(scalars.packs[0].size, 1);
  EXPECT_EQ(scalars.by_instruction[5], Packs::kFirst + 1);
}

}  // namespace
}  // namespace texlate::spirv
