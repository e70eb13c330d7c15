// The assembler's side of the TEXS page and the TMML page, clause by clause (docs/reference/seeds.md).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/control.h"
#include "backend/maxwell/isa/listing.h"
#include "backend/maxwell/isa/text.h"
#include "backend/maxwell/isa/texture_operands.h"
#include "ir/base/diagnostics.h"

namespace texlate::maxwell {
namespace {

using testing::HasSubstr;

struct Assembled {
  uint64_t word = 0;
  Control control;
  std::string error;
};

Assembled assembled(const std::string& text) {
  Assembled result;
  Diagnostics diagnostics;
  std::vector<uint8_t> bytes;
  if (!assemble(text, bytes, diagnostics)) {
    result.error = diagnostics.list().empty() ? "no message" : render(diagnostics.list().front(), "t", text);
    return result;
  }
  uint64_t control = 0;
  std::memcpy(&control, bytes.data(), 8);
  std::memcpy(&result.word, bytes.data() + 8, 8);
  result.control = decode_control(control_slot(control, 0));
  return result;
}

void expect_same(const std::string& text, const std::string& canonical) {
  const Assembled left = assembled(text), right = assembled(canonical);
  EXPECT_EQ(left.error, "") << text;
  EXPECT_EQ(right.error, "") << canonical;
  EXPECT_EQ(left.word, right.word) << text;
}

void expect_error(const std::string& text, const std::string& message) {
  EXPECT_THAT(assembled(text).error, HasSubstr(message)) << text;
}

std::string printed(uint64_t word) {
  std::string text;
  Instruction instruction;
  EXPECT_TRUE(decode(word, instruction));
  print(instruction, 0, text);
  return text;
}

TEST(TexsPage, EveryRowOfTheFormTable) {
  struct Row {
    const char* modifiers;
    const char* dimension;
    unsigned encoding, ra, rb;
  };
  for (const Row& row :
       {Row{".LZ", "1D", 0, 1, 0}, Row{"", "2D", 1, 1, 1}, Row{".LZ", "2D", 2, 1, 1},
        Row{".LL", "2D", 3, 2, 1}, Row{".DC", "2D", 4, 2, 1}, Row{".LL.DC", "2D", 5, 2, 2},
        Row{".LZ.DC", "2D", 6, 2, 1}, Row{"", "ARRAY_2D", 7, 2, 1}, Row{".LZ", "ARRAY_2D", 8, 2, 1},
        Row{".LZ.DC", "ARRAY_2D", 9, 2, 2}, Row{"", "3D", 10, 2, 1}, Row{".LZ", "3D", 11, 2, 1},
        Row{"", "CUBE", 12, 2, 1}, Row{".LL", "CUBE", 13, 2, 2}}) {
    const std::string text = fmt::format("TEXS{} R2, R0, R4, {}, 0x7, {}, RGBA", row.modifiers,
                                         row.rb == 0 ? "RZ" : "R6", row.dimension);
    const Assembled made = assembled(text + ";");
    ASSERT_EQ(made.error, "") << text;
    EXPECT_EQ(made.word >> 53 & 15, row.encoding) << text;
    EXPECT_EQ(made.word >> 36 & 0x1fff, 7u) << text;
    Instruction instruction;
    ASSERT_TRUE(decode(made.word, instruction)) << text;
    TextureOperands operands;
    ASSERT_TRUE(texture_operands(instruction, operands));
    EXPECT_EQ(operands.a_count, row.ra) << text;
    EXPECT_EQ(operands.b_count, row.rb) << text;
  }
}

TEST(TexsPage, NoOtherFormExists) {
  for (const char* const text :
       {"TEXS R2, R0, R4, 0x7, 1D, RGBA;", "TEXS.LL R2, R0, R4, R6, 0x7, 1D, RGBA;",
        "TEXS.LL R2, R0, R4, R6, 0x7, ARRAY_2D, RGBA;", "TEXS.DC R2, R0, R4, R6, 0x7, ARRAY_2D, RGBA;",
        "TEXS.LL.DC R2, R0, R4, R6, 0x7, ARRAY_2D, RGBA;", "TEXS.DC R2, R0, R4, R6, 0x7, 3D, RGBA;",
        "TEXS.LL R2, R0, R4, R6, 0x7, 3D, RGBA;", "TEXS.LZ R2, R0, R4, R6, 0x7, CUBE, RGBA;",
        "TEXS.DC R2, R0, R4, R6, 0x7, CUBE, RGBA;", "TEXS.LZ R2, R0, R4, R6, 0x7, ARRAY_1D, RGBA;",
        "TEXS.LZ R2, R0, R4, R6, 0x7, ARRAY_CUBE, RGBA;"})
    expect_error(text, "a dimension that the short form allows");
  expect_error("TEXS.LB R2, R0, R4, R6, 0x7, 2D, RGBA;", "modifier '.LB' is not allowed");
  expect_error("TEXS R2, R0, R4, R6, 0x2000, 2D, RGBA;", "does not fit");
}

TEST(TexsPage, EveryRowOfTheMaskTables) {
  struct Row {
    const char* mask;
    unsigned code, low, high;
  };
  constexpr Row kNarrow[] = {{"R", 0, 1, 0},  {"G", 1, 1, 0},  {"B", 2, 1, 0},  {"A", 3, 1, 0},
                             {"RG", 4, 2, 0}, {"RA", 5, 2, 0}, {"GA", 6, 2, 0}, {"BA", 7, 2, 0}};
  constexpr Row kWide[] = {
      {"RGB", 0, 2, 1}, {"RGA", 1, 2, 1}, {"RBA", 2, 2, 1}, {"GBA", 3, 2, 1}, {"RGBA", 4, 2, 2}};
  const auto check = [](const Row& row, const char* rd1, bool half) {
    const std::string text =
        fmt::format("TEXS{} {}, R0, R4, R5, 0x1, 2D, {}", half ? ".F16" : "", rd1, row.mask);
    const Assembled made = assembled(text + ";");
    ASSERT_EQ(made.error, "") << text;
    EXPECT_EQ(made.word >> 50 & 7, row.code) << text;
    EXPECT_EQ(made.word >> 59 & 1, half ? 0u : 1u) << text;
    Instruction instruction;
    ASSERT_TRUE(decode(made.word, instruction));
    TextureOperands operands;
    ASSERT_TRUE(texture_operands(instruction, operands));
    EXPECT_EQ(operands.low_count, half ? 1 : row.low) << text;
    EXPECT_EQ(operands.high_count, half ? std::min(row.high, 1u) : row.high) << text;
    EXPECT_EQ(printed(made.word), text);
  };
  for (const bool half : {false, true}) {
    for (const Row& row : kNarrow) check(row, "RZ", half);
    for (const Row& row : kWide) check(row, "R2", half);
  }
  // A mask of the other table, and masks that are in neither.
  for (const char* const mask : {"RGB", "RGBA", "RB", "GB", "BGR"})
    expect_error(fmt::format("TEXS RZ, R0, R4, R5, 0x1, 2D, {};", mask), "a component mask");
  for (const char* const mask : {"R", "RG", "RB"})
    expect_error(fmt::format("TEXS R2, R0, R4, R5, 0x1, 2D, {};", mask), "a component mask");
}

TEST(TexsPage, TheMaskOfFourIsTheDefault) {
  expect_same("TEXS R2, R0, R4, R5, 0x1, 2D;", "TEXS R2, R0, R4, R5, 0x1, 2D, RGBA;");
  expect_same("TEXS.F16.LZ.NODEP.T R2, R0, R4, RZ, 0x1, 1D;",
              "TEXS.F16.LZ.NODEP.T R2, R0, R4, RZ, 0x1, 1D, RGBA;");
  // With RZ as Rd1 the mask is not optional.
  expect_error("TEXS RZ, R0, R4, R5, 0x1, 2D;", "needs a component mask");
  expect_error("TEXS R2, R0, R4, R5, 0x1, 2D, 0xf;", "a component mask");
}

TEST(TexsPage, GuardNodepAndPhase) {
  for (const char* const text :
       {"@!P3 TEXS.NODEP.P RZ, R0, R4, R5, 0x1fff, 2D, RG", "@P6 TEXS.LL.DC.T R2, R0, R4, R6, 0x0, 2D, RGB",
        "TEXS R2, R0, R4, R5, 0x1, 2D, RGBA"}) {
    Instruction instruction;
    Diagnostics diagnostics;
    ASSERT_TRUE(parse(text, 0, instruction, diagnostics)) << text;
    std::string again;
    print(instruction, 0, again);
    EXPECT_EQ(again, text);
  }
  EXPECT_EQ(assembled("TEXS.T R2, R0, R4, R5, 0x1, 2D, RGBA;").control.reuse, 1);
  EXPECT_EQ(assembled("TEXS.P R2, R0, R4, R5, 0x1, 2D, RGBA;").control.reuse, 2);
}

TEST(TexsPage, AlignmentOfRegisters) {
  expect_error("TEXS R2, R1, R4, R5, 0x1, 2D, RGBA;",
               "t:1:10: error: register vector is not aligned");  // Rd0 of two
  expect_error("TEXS R3, R0, R4, R5, 0x1, 2D, RGBA;",
               "t:1:6: error: register vector is not aligned");  // Rd1 of two
  expect_error("TEXS.LL R2, R0, R5, R6, 0x1, 2D, RGBA;",
               "t:1:17: error: register vector is not aligned");  // Ra of two
  expect_error("TEXS.LL R2, R0, R4, R7, 0x1, CUBE, RGBA;",
               "t:1:21: error: register vector is not aligned");         // Rb of two
  EXPECT_EQ(assembled("TEXS R3, R0, R5, R7, 0x1, 2D, RGB;").error, "");  // scalars stand anywhere
}

TEST(TexsPage, UsedAndUnusedSources) {
  expect_error("TEXS.LZ R2, R0, R4, R5, 0x1, 1D, RGBA;", "must be RZ");
  expect_error("TEXS R2, R0, RZ, R5, 0x1, 2D, RGBA;", "must not be RZ");
  expect_error("TEXS R2, R0, R4, RZ, 0x1, 2D, RGBA;", "must not be RZ");
}

TEST(TexsPage, Examples) {
  const auto writes = [](const char* text, unsigned low, unsigned high, unsigned a, unsigned b) {
    const Assembled made = assembled(text);
    ASSERT_EQ(made.error, "") << text;
    Instruction instruction;
    ASSERT_TRUE(decode(made.word, instruction));
    TextureOperands operands;
    ASSERT_TRUE(texture_operands(instruction, operands));
    EXPECT_EQ(
        std::vector<unsigned>({operands.low_count, operands.high_count, operands.a_count, operands.b_count}),
        std::vector<unsigned>({low, high, a, b}))
        << text;
  };
  writes("TEXS        RZ, R0, R19, R29, 0x1, 2D, RG;", 2, 0, 1, 1);
  writes("TEXS.DC     R4, R0,  R8, R19, 0x2, 2D, RGBA;", 2, 2, 2, 1);
  // The page's second example has Rd1 = R0 and Rd0 = R2: written are R2, R3 and R0, R1.
  writes("TEXS.LL     R0, R2,  R4,  R9, 0x3, 2D, RGBA;", 2, 2, 2, 1);
}

TEST(TmmlPage, TheMaskOfFourIsTheDefault) {
  expect_same("TMML.LOD R4, R6, 0x6, 2D;", "TMML.LOD R4, R6, 0x6, 2D, 0xf;");
  expect_same("TMML.B.LOD R4, R8, R2, 0x0, CUBE;", "TMML.B.LOD R4, R8, R2, 0x0, CUBE, 0xf;");
  expect_error("TMML.LOD R2, R6, 0x6, 2D;",
               "t:1:10: error: register vector is not aligned");  // four results need a multiple of four
  expect_error("TMML.LOD R4, R6, 0x6, 2D, RG;", "an integer here, not 'RG'");
  expect_error("TEX R4, R6, 0x6, 2D;", "needs an integer here");  // the page describes TMML alone
}

TEST(TmmlPage, EveryMask) {
  for (unsigned mask = 1; mask < 16; ++mask) {
    const Assembled made = assembled(fmt::format("TMML.LOD R4, R8, 0x6, 3D, {:#x};", mask));
    ASSERT_EQ(made.error, "") << mask;
    EXPECT_EQ(made.word >> 31 & 15, mask);
    EXPECT_EQ(printed(made.word), fmt::format("TMML.LOD R4, R8, 0x6, 3D, {:#x}", mask));
  }
  expect_error("TMML.LOD R4, R8, 0x6, 3D, 0x0;", "no component is requested");
  expect_error("TMML.LOD R4, R8, 0x6, 3D, 0x10;", "does not fit");
}

TEST(TmmlPage, AnUnusedRbMayBeAnyRegister) {
  for (const char* const unused : {"RZ, ", "R8, ", "R9, ", "R254, "})
    expect_same(fmt::format("TMML.LOD R2, R6, {}0x6, 2D, 0x3;", unused), "TMML.LOD R2, R6, 0x6, 2D, 0x3;");
  expect_error("TMML.LOD R2, R6, R255, 0x6, 2D, 0x3;", "an integer here, not 'R255'");
  expect_error("TMML.LOD R2, R6, R8, R9, 0x6, 2D, 0x3;", "an integer here, not 'R9'");
  expect_error("TMML.B.LOD R2, R6, RZ, 0x0, 2D, 0x3;", "must not be RZ");
  expect_error("TMML.LOD R2, RZ, 0x6, 2D, 0x3;", "must not be RZ");
}

TEST(TmmlPage, BindlessIgnoresTheIndex) {
  const char* const canonical = "TMML.B.LOD R2, R6, R8, 0x0, 2D, 0x3;";
  for (const char* const index : {"0x6", "6", "0x1fff", "0x5, 0x1f"})
    expect_same(fmt::format("TMML.B.LOD R2, R6, R8, {}, 2D, 0x3;", index), canonical);
  EXPECT_EQ(printed(assembled("TMML.B.LOD R2, R6, R8, 0x6, 2D, 0x3;").word),
            "TMML.B.LOD R2, R6, R8, 0x0, 2D, 0x3");
  expect_error("TMML.B.LOD R2, R6, R8, 0x2000, 2D, 0x3;", "does not fit");
  expect_error("TMML.B.LOD R2, R6, R8, 2D, 0x3;", "needs an integer here, not '2D'");
}

TEST(TmmlPage, NumbersOfTextureAndSampler) {
  expect_same("TMML.LOD R2, R6, 0x5, 0x1f, 2D, 0x3;", "TMML.LOD R2, R6, 0x1f05, 2D, 0x3;");
  expect_same("TMML.LOD R4, R6, R9, 0x5, 0x1, 2D;", "TMML.LOD R4, R6, 0x105, 2D, 0xf;");
  expect_error("TMML.LOD R2, R6, 0x100, 0x1, 2D, 0x3;", "does not fit");
  expect_error("TMML.LOD R2, R6, 0x5, 0x20, 2D, 0x3;", "does not fit");
}

TEST(TmmlPage, CoordinatesOfEveryDimension) {
  struct Row {
    const char* dimension;
    unsigned code, registers;
  };
  for (const Row& row : {Row{"1D", 0, 1}, Row{"ARRAY_1D", 1, 2}, Row{"2D", 2, 2}, Row{"ARRAY_2D", 3, 3},
                         Row{"3D", 4, 3}, Row{"CUBE", 6, 3}, Row{"ARRAY_CUBE", 7, 4}}) {
    const Assembled made = assembled(fmt::format("TMML.LOD R4, R8, 0x6, {}, 0xf;", row.dimension));
    ASSERT_EQ(made.error, "") << row.dimension;
    EXPECT_EQ(made.word >> 28 & 7, row.code) << row.dimension;
    Instruction instruction;
    ASSERT_TRUE(decode(made.word, instruction));
    TextureOperands operands;
    ASSERT_TRUE(texture_operands(instruction, operands));
    EXPECT_EQ(operands.a_count, row.registers) << row.dimension;
    // One register anywhere, two at an even number, three and four at a multiple of four.
    for (unsigned ra = 8; ra < 12; ++ra) {
      const unsigned alignment = row.registers > 2 ? 4 : row.registers;
      EXPECT_EQ(assembled(fmt::format("TMML.LOD R4, R{}, 0x6, {}, 0xf;", ra, row.dimension)).error.empty(),
                ra % alignment == 0)
          << row.dimension << ra;
    }
  }
  expect_error("TMML.LOD R4, R8, 0x6, ARRAY_3D, 0xf;", "t:1:23: error: ARRAY_3D is reserved");
}

TEST(TmmlPage, AlignmentOfResults) {
  for (const auto& [mask, alignment] : {std::pair{0x8u, 1u}, {0x5u, 2u}, {0x7u, 4u}, {0xfu, 4u}}) {
    for (unsigned rd = 4; rd < 8; ++rd)
      EXPECT_EQ(assembled(fmt::format("TMML.LOD R{}, R8, 0x6, 2D, {:#x};", rd, mask)).error.empty(),
                rd % alignment == 0)
          << mask << " R" << rd;
  }
}

TEST(TmmlPage, ModifiersAndGuard) {
  for (const char* const text :
       {"@!P1 TMML.LOD.NDV.NODEP.T R2, R6, 0x6, 2D, 0x3", "TMML.B.LOD.NDV R2, R6, R8, 0x0, 2D, 0x3",
        "@P0 TMML.B.LOD.NODEP.P R2, R6, R8, 0x0, 2D, 0x3"}) {
    Instruction instruction;
    Diagnostics diagnostics;
    ASSERT_TRUE(parse(text, 0, instruction, diagnostics)) << text;
    std::string again;
    print(instruction, 0, again);
    EXPECT_EQ(again, text);
  }
  expect_error("TMML R2, R6, 0x6, 2D, 0x3;", "TMML");  // .LOD is not optional
}

TEST(TmmlPage, Example) {
  expect_same("TMML.LOD       R2, R6, 6, 2D, 0x3;", "TMML.LOD R2, R6, 0x6, 2D, 0x3;");
}

// Both pages write an instruction's scheduling after its operands; the listing writes it as a column.
TEST(TexturePages, SchedulingAfterTheOperands) {
  const auto control = [](const std::string& schedule) {
    const Assembled made = assembled("TEXS R2, R0, R4, R5, 0x1, 2D, RGBA " + schedule + ";");
    EXPECT_EQ(made.error, "") << schedule;
    EXPECT_EQ(made.word, assembled("TEXS R2, R0, R4, R5, 0x1, 2D, RGBA;").word);
    return made.control;
  };
  const auto column = [](const std::string& text) {
    return assembled(text + " TEXS R2, R0, R4, R5, 0x1, 2D, RGBA;").control;
  };
  EXPECT_EQ(control("&req={0,1} &rd=0x3 &wr=0x2 ?Y:2"), column("03:3:2:Y:2"));
  EXPECT_EQ(control("&req={5,4,3,2,1,0} ?-:15"), column("3f:-:-:-:15"));
  EXPECT_EQ(control("&rd=5 &wr=0"), column("--:5:0:Y:15"));
  EXPECT_EQ(control("&req={} ?Y:0"), column("--:-:-:Y:0"));
  EXPECT_EQ(control("&req={0,1} &rd=0x3 &wr=0x2 ?sched"), column("03:3:2:Y:15"));
  EXPECT_EQ(control("?sched"), column("--:-:-:Y:15"));
  // The mask may be left out, the column's texture phase stays, and other instructions may have it, too.
  EXPECT_EQ(assembled("TEXS.T R2, R0, R4, R5, 0x1, 2D &wr=0x0 ?Y:1;").control.reuse, 1);
  EXPECT_EQ(assembled("TEXS.T R2, R0, R4, R5, 0x1, 2D &wr=0x0 ?Y:1;").word,
            assembled("TEXS.T R2, R0, R4, R5, 0x1, 2D, RGBA;").word);
  EXPECT_EQ(assembled("@P0 FADD R0, R1, R2 &req={2} ?-:6;").control.wait_mask, 4);
  EXPECT_EQ(assembled("EXIT ?Y:15;").error, "");
}

TEST(TexturePages, SchedulingThatIsNone) {
  const auto error = [](const std::string& schedule) {
    return assembled("TEXS R2, R0, R4, R5, 0x1, 2D, RGBA " + schedule + ";").error;
  };
  for (const char* const wrong :
       {"&rd=0x6", "&wr=7", "&req={6}", "&req={0", "&req=0,1", "&req={0,,1}", "&rd=", "&wait=1", "&", "?",
        "?Y", "?Y:16", "?X:1", "?now", "&rd=0x1 &rd=0x2", "?Y:1 ?Y:1", "&rd=0x1 R2", "&rd=0x1,"})
    EXPECT_THAT(error(wrong), HasSubstr("scheduling")) << wrong;
  // The caret is at the word.
  EXPECT_THAT(error("&wr=0x1 &rd=0x6"), HasSubstr("t:1:44: error:"));
  EXPECT_THAT(assembled("--:-:0:Y:2 TEXS R2, R0, R4, R5, 0x1, 2D, RGBA &wr=0x0;").error,
              HasSubstr("both before and after"));
}

}  // namespace
}  // namespace texlate::maxwell
