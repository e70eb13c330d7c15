// Which operations become packs: IR text in, instructions on vectors out.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "backend/spirv/emit.h"
#include "tests/unit/spirv/analyzed.h"

namespace texlate::spirv {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What a module has instead of scalar operations: one text for each instruction on vectors, with its number
/// of lanes and where each operand comes from: v(ector), c(onstants), s(calar, several times), p(ermuted: a
/// shuffle of one vector), q (a shuffle of two), g(athered: a construct). Dot products are "dot" and the
/// number.
class Written {
 public:
  explicit Written(std::string_view text, bool vectors = true) {
    ir::Module module;
    ir::parse_or_fail(text, module);
    Options options;
    options.vectors = vectors;
    Diagnostics diagnostics;
    std::pmr::vector<uint32_t> words;
    EXPECT_TRUE(emit(module, options, words, diagnostics)) << ir::to_text(diagnostics);
    for (size_t at = 5; at < words.size(); at += words[at] >> 16)
      add({words.data() + at, words[at] >> 16}, static_cast<spv::Op>(words[at] & 0xffff));
  }

  std::vector<std::string> packs;
  uint32_t exact = 0;  // that must not be contracted

 private:
  using Words = std::span<const uint32_t>;

  void add(Words words, spv::Op op) {
    if (op == spv::OpDecorate && words[2] == spv::DecorationNoContraction) ++exact;
    if (op == spv::OpTypeVector) sizes_[words[1]] = words[3];
    bool has_result = false, has_type = false;
    spv::HasResultAndType(op, &has_result, &has_type);
    if (!has_result || !has_type) return;
    by_id_[words[2]] = {words.begin(), words.end()};
    const size_t first = op == spv::OpExtInst ? 5 : 3;
    if (op == spv::OpDot) packs.push_back(fmt::format("dot{}", sizes_.at(by_id_.at(words[3])[1])));
    if (sizes_.contains(words[1]) && is_operation(op)) {
      std::string text = fmt::format("{} ", sizes_.at(words[1]));
      for (const uint32_t operand : words.subspan(first)) text += source_of(operand);
      packs.push_back(text);
    }
  }
  static bool is_operation(spv::Op op) {
    return op == spv::OpExtInst || op == spv::OpSelect ||
           (op >= spv::OpConvertFToU && op <= spv::OpFConvert) ||
           (op >= spv::OpSNegate && op <= spv::OpVectorTimesScalar) ||
           (op >= spv::OpLogicalEqual && op <= spv::OpDPdyCoarse);
  }
  char source_of(uint32_t id) const {
    const std::vector<uint32_t>& from = by_id_.at(id);
    if (!sizes_.contains(from[1])) return 's';
    switch (static_cast<spv::Op>(from[0] & 0xffff)) {
      case spv::OpConstantComposite:
      case spv::OpConstantNull: return 'c';
      case spv::OpVectorShuffle: return from[3] == from[4] ? 'p' : 'q';
      case spv::OpCompositeInsert: return 'g';
      case spv::OpCompositeConstruct:
        return std::all_of(from.begin() + 3, from.end(), [&](uint32_t part) { return part == from[3]; })
                   ? 's'
                   : 'g';
      default: return 'v';
    }
  }

  std::map<uint32_t, uint32_t> sizes_;               // of vector types
  std::map<uint32_t, std::vector<uint32_t>> by_id_;  // the words of instructions
};

std::string in_module(std::string_view body, bool refactors = false) {
  std::string text = ir::with_body(body);
  text.insert(text.find("constant_buffer"), "input v1.xyzw\noutput o1.xyzw\n");
  if (refactors) text.insert(text.find("registers"), "refactoring_allowed\n");
  return text;
}

std::vector<std::string> packs(std::string_view body, bool refactors = false) {
  return Written(in_module(body, refactors)).packs;
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
              ElementsAre("4 vv"));
}

TEST(SpirvFindPacks, OperandsMayBePermutedConstantOrOneScalar) {
  EXPECT_THAT(packs(inputs() +
                    "%8 = fsqrt.f32 %0\n"
                    "%9 = ffma.f32 %1, 2.0f, %8\n%10 = ffma.f32 %0, 3.0f, %8\n%11 = ffma.f32 %3, 4.0f, %8\n"
                    "%12 = ffma.f32 %2, 5.0f, %8\n" +
                    outputs({9, 10, 11, 12})),
              ElementsAre("4 pcs"));
}

TEST(SpirvFindPacks, ThreeAndTwoLanesArePacksToo) {
  const std::string three = "%8 = fadd.f32 %0, %4\n%9 = fadd.f32 %1, %5\n%10 = fadd.f32 %2, %6\n";
  EXPECT_THAT(packs(inputs() + three + outputs({8, 9, 10})), ElementsAre("3 pp"));
  EXPECT_THAT(packs(inputs() + "%8 = fadd.f32 %2, %6\n%9 = fadd.f32 %3, %7\n" + outputs({8, 9})),
              ElementsAre("2 pp"));
}

TEST(SpirvFindPacks, AFifthLaneStartsAnotherPack) {
  std::string body = inputs();
  for (uint32_t i = 0; i < 5; ++i) body += fmt::format("%{} = fadd.f32 %{}, 1.0f\n", 8 + i, i);
  EXPECT_THAT(packs(body + outputs({8, 9, 10, 11}) + "output o1.x, %12\n"), ElementsAre("4 vc"));
}

TEST(SpirvFindPacks, OperandsThatMayChangePlacesDo) {
  const std::string swapped = "{0} = {1} %0, %4\n{2} = {1} %5, %1\n";
  const auto of = [&](std::string_view op) {
    return packs(inputs() + fmt::format(fmt::runtime(swapped), "%8", op, "%9") + outputs({8, 9}));
  };
  EXPECT_THAT(of("fmul.f32"), ElementsAre("2 pp"));
  EXPECT_THAT(of("umax.u32"), ElementsAre("2 pp"));
  // Of two numbers that compare equal, min may return either, and a NaN or a zero's sign shows which: no
  // swap. Nor are the operands of a difference or a shift swapped.
  for (const std::string_view op : {"fmin.f32", "isub", "shl"})
    EXPECT_THAT(of(op), ElementsAre("2 qq")) << op;
}

TEST(SpirvFindPacks, WhatMayBeContractedStaysApartFromWhatMustNot) {
  EXPECT_THAT(packs(inputs() +
                        "%8 = fadd.f32 [precise] %0, 1.0f\n%9 = fadd.f32 %1, 1.0f\n"
                        "%10 = fadd.f32 [precise] %2, 1.0f\n%11 = fadd.f32 %3, 1.0f\n" +
                        outputs({8, 9, 10, 11}),
                    true),
              ElementsAre("2 pc", "2 pc"));
  // Without refactoringAllowed none may be. A maximum does not round.
  EXPECT_EQ(
      Written(in_module(inputs() + "%8 = fmul.f32 %0, %4\n%9 = fdiv.f32 %8, %1\n%10 = fmax.f32 %9, %3\n" +
                        outputs({8, 9, 10})))
          .exact,
      2u);
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
      ElementsAre("2 pc"));
}

TEST(SpirvFindPacks, InputsAreThereBeforeEverything) {
  EXPECT_THAT(
      packs("%0 = input v0.x\n%1 = fsqrt.f32 %0\n%2 = input v0.y\n%3 = fsqrt.f32 %2\n" + outputs({1, 3})),
      ElementsAre("2 p"));
}

TEST(SpirvFindPacks, BlocksStayApart) {
  EXPECT_THAT(packs(inputs() + "%8 = fsqrt.f32 %0\n%9 = fsqrt.f32 %1\n" + outputs({8, 9}) +
                    "%10 = flt.f32 %0, %1\nif %10\n%11 = fsqrt.f32 %2\n%12 = fsqrt.f32 %3\n" +
                    outputs({11, 12}, 1) + "else\nendif\n"),
              ElementsAre("2 p", "2 p"));
  // Operands of another block are treated like others.
  EXPECT_THAT(packs(inputs() + "%8 = flt.f32 %0, %1\nif %8\n%9 = fsqrt.f32 %1\n%10 = fsqrt.f32 %2\n" +
                    outputs({9, 10}) + "else\nendif\n"),
              ElementsAre("2 p"));
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
              ElementsAre("2 gp", "2 vp", "2 v", "2 vcc"));
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
              ElementsAre("4 v"));
}

TEST(SpirvFindPacks, ChainsOfProductsOfTwoVectorsAreDotProducts) {
  const std::string chain = "%8 = fmul.f32 %0, %4\n%9 = ffma.f32 %5, %1, %8\n%10 = ffma.f32 %2, %6, %9\n";
  EXPECT_THAT(packs(inputs() + chain + outputs({10}), true), ElementsAre("dot3"));
  EXPECT_THAT(packs(inputs() + chain + outputs({10})), IsEmpty());  // precise
  EXPECT_THAT(packs(inputs() + chain + outputs({10, 9}), true),
              ElementsAre("dot2"));  // %9 has two users
  const std::string apart = "%8 = fmul.f32 %0, %4\n%9 = ffma.f32 %1, %8, %8\n";
  EXPECT_THAT(packs(inputs() + apart + outputs({9}), true), IsEmpty());
}

TEST(SpirvFindPacks, AChainThatIsNoDotProductIsInNoPack) {
  EXPECT_THAT(packs(inputs() +
                        "%8 = fsqrt.f32 %7\n%9 = fmul.f32 %0, %8\n%10 = ffma.f32 %1, %8, %9\n"
                        "%11 = fmul.f32 %1, %8\n%12 = fmul.f32 %2, %8\n%13 = fmul.f32 %3, %8\n" +
                        outputs({11, 12, 13}) + outputs({10}, 1),
                    true),
              ElementsAre("3 ps"));
}

TEST(SpirvFindPacks, ClampsDifferencesReciprocalsAndMasksAreOneInstruction) {
  const std::string clamps =
      in_module(inputs() +
                "%8 = fmax.f32 %0, 0.0f\n%9 = fmin.f32 %8, 1.0f\n%10 = fmax.f32 %1, 0.0f\n"
                "%11 = fmin.f32 %10, 1.0f\n" +
                outputs({9, 11}));
  EXPECT_THAT(Written(clamps).packs, ElementsAre("2 pcc"));
  EXPECT_FALSE(Analyzed(clamps).needs_some(ir::Op::fmax));
  const std::string differences = in_module(inputs() +
                                            "%8 = fneg.f32 %4\n%9 = fneg.f32 %5\n%10 = fadd.f32 %0, %8\n"
                                            "%11 = fadd.f32 %9, %1\n%12 = fadd.f32 %2, %6\n" +
                                            outputs({10, 11, 12}));
  EXPECT_THAT(Written(differences).packs, ElementsAre("2 pp"));
  EXPECT_FALSE(Analyzed(differences).needs_some(ir::Op::fneg));
  EXPECT_THAT(packs(inputs() + "%8 = frcp.f32 %0\n%9 = frcp.f32 %1\n" + outputs({8, 9})),
              ElementsAre("2 cp"));
  EXPECT_THAT(packs(inputs() +
                    "%8 = flt.f32 %0, %4\n%9 = flt.f32 %1, %5\n%10 = mask %8\n%11 = mask %9\n"
                    "%12 = and %10, 5\n%13 = and %11, 6\n" +
                    outputs({12, 13})),
              ElementsAre("2 pp", "2 vcc", "2 vc"));
}

TEST(SpirvFindPacks, SelectionsOfOneKindGoTogether) {
  const std::string text = in_module(inputs() +
                                     "%8 = flt.f32 %0, %4\n%9 = flt.f32 %1, %5\n"
                                     "%10 = select.b32 %8, %0, %4\n%11 = select.b32 %9, 1, 2\n"
                                     "%12 = fadd.f32 %10, 1.0f\n%13 = iadd %11, 1\n" +
                                     outputs({12}) + "%14 = utof.u32 %13\noutput o1.x, %14\n");
  const Analyzed both(text);
  EXPECT_EQ(both.kind_of(ir::Op::select, 0), Kind::float_);
  EXPECT_EQ(both.kind_of(ir::Op::select, 1), Kind::uint);
  EXPECT_THAT(Written(text).packs, Not(testing::Contains(testing::HasSubstr("2 v"))));
}

TEST(SpirvFindPacks, CoordinatesAndStoredTexelsAreVectors) {
  EXPECT_THAT(packs(inputs() +
                    "%8 = fmul.f32 %0, 2.0f\n%9 = fmul.f32 %1, 2.0f\n"
                    "%10..%13 = tex.sample t0 s0 texture2d float coord(%8, %9) implicit\n" +
                    outputs({10, 11, 12, 13})),
              ElementsAre("2 ps"));
  EXPECT_THAT(packs(inputs() + "%8 = ftou.u32 %0\n%9 = ftou.u32 %1\n%10 = ftou.u32 %2\n%11 = ftou.u32 %3\n"
                               "surf.store u0 texture2d uint coord(0, 0) value(%8, %9, %10, %11)\n"),
              ElementsAre("4 v"));
}

TEST(SpirvFindPacks, RowsOfConstantsAreVectorsWhereSeveralComponentsAreUsed) {
  EXPECT_THAT(packs(inputs() + "%8..%11 = cb.load cb0[1]\n%12 = fadd.f32 %0, %8\n%13 = fadd.f32 %1, %9\n" +
                    outputs({12, 13})),
              ElementsAre("2 pp"));
  EXPECT_THAT(packs(inputs() +
                    "%8..%11 = cb.load cb0[1]\n%12..%15 = cb.load cb0[2]\n"
                    "%16 = fadd.f32 %0, %8\n%17 = fadd.f32 %1, %13\n" +
                    outputs({16, 17})),
              ElementsAre("2 pg"));
}

TEST(SpirvFindPacks, LanesOfOneSourceInstructionGoTogether) {
  const auto roots = [](uint32_t first, uint32_t second) {
    return packs(inputs() +
                 fmt::format("%8 = fsqrt.f32 %0 ; line {}\n%9 = fsqrt.f32 %2 ; line {}\n", first, second) +
                 outputs({8, 9}));
  };
  EXPECT_THAT(roots(3, 3), ElementsAre("2 p"));
  EXPECT_THAT(roots(3, 4), IsEmpty());
  // Two source instructions of one kind.
  EXPECT_THAT(packs(inputs() +
                    "%8 = fsqrt.f32 %0 ; line 3\n%9 = fsqrt.f32 %1 ; line 3\n"
                    "%10 = fsqrt.f32 %4 ; line 4\n%11 = fsqrt.f32 %5 ; line 4\n" +
                    outputs({8, 9}) + outputs({10, 11}, 1)),
              ElementsAre("2 p", "2 p"));
}

TEST(SpirvFindPacks, LanesOfAnExpandedInstructionMayBeApart) {
  EXPECT_THAT(packs(inputs() +
                    "%8 = fsqrt.f32 %0 ; line 3\n%9 = fadd.f32 %8, 1.0f ; line 3\n"
                    "%10 = fsqrt.f32 %1 ; line 3\n%11 = fadd.f32 %10, 2.0f ; line 3\n" +
                    outputs({9, 11})),
              ElementsAre("2 p", "2 vc"));
}

TEST(SpirvFindPacks, NothingIsJoinedWhereThatIsNotWanted) {
  const std::string text =
      in_module(inputs() + "%8 = fadd.f32 %0, %4\n%9 = fadd.f32 %1, %5\n" + outputs({8, 9}));
  EXPECT_THAT(Written(text, false).packs, IsEmpty());
}

}  // namespace
}  // namespace texlate::spirv
