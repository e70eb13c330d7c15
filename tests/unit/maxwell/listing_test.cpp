// Whole programs: text to bytes and back, labels, control columns, raw words, errors located at the operand,
// hostile cubins.
#include "backend/maxwell/isa/listing.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "backend/maxwell/isa/control.h"
#include "backend/maxwell/isa/cubin.h"
#include "ir/base/diagnostics.h"

namespace texlate::maxwell {
namespace {

using testing::HasSubstr;

uint64_t word_at(const std::vector<uint8_t>& bytes, size_t address) {
  uint64_t word = 0;
  std::memcpy(&word, bytes.data() + address, 8);
  return word;
}

std::string first_error(const std::string& text) {
  Diagnostics diagnostics;
  std::vector<uint8_t> bytes;
  EXPECT_FALSE(assemble(text, bytes, diagnostics));
  if (diagnostics.list().empty()) return {};
  return render(diagnostics.list().front(), "t.sass", text);
}

const char kProgram[] = R"(
  // a loop
  --:-:-:Y:6     MOV R1, c[0x0][0x20];
  --:-:-:Y:13    SSY DONE;
AGAIN:
  01:-:0:Y:2     TEXS.T R2, R0, R4, R5, 0x1, 2D, RGBA;
  --:-:-:Y:6:4   ISCADD R24.CC, R7, R20, 0x2;
  --:-:-:-:15    .word 0x0123456789abcdef;
  --:-:-:Y:13    @P0 BRA AGAIN;
  3f:5:4:-:5     FADD R0, R1.reuse, R2.reuse;
DONE:
  --:-:-:Y:15    EXIT;
)";

TEST(Listing, HalvesAreRefusedForTargetsWithoutThem) {
  for (const char* text :
       {"TEXS.F16 RZ, R0, R4, R5, 0x1, 2D, RG;", "TLDS.F16.LZ R2, R0, R4, R5, 0x1, 2D, RGBA;",
        "TLD4S.F16.R R2, R0, R4, R5, 0x1;", "HADD2 R0, R4, R5;"}) {
    for (const uint32_t sm : {0u, 50u, 52u, 53u}) {
      Diagnostics diagnostics;
      std::vector<uint8_t> bytes;
      const bool lacks = sm == 50 || sm == 52;
      EXPECT_EQ(assemble(text, bytes, diagnostics, {.sm = sm}), !lacks) << text << sm;
      ASSERT_EQ(diagnostics.list().empty(), !lacks) << text << sm;
      if (lacks) {
        EXPECT_THAT(render(diagnostics.list().front(), "t.sass", text), HasSubstr("need sm_53"));
      }
    }
  }
}

TEST(Listing, NumbersOfTextureAndSamplerMayBeWrittenApart) {
  for (const char* const form :
       {"TEX R0, R4, {}, 2D, 0xf;", "TEX.LL R0, R4, R8, {}, 2D, 0xf;", "TEXS R2, R0, R4, R5, {}, 2D, RGBA;",
        "TLD.LZ R0, R4, {}, 2D, 0xf;", "TMML.LOD R0, R4, {}, 2D, 0x3;"}) {
    std::vector<uint8_t> one, apart;
    Diagnostics diagnostics;
    ASSERT_TRUE(assemble(fmt::format(fmt::runtime(form), "0x1f05"), one, diagnostics)) << form;
    ASSERT_TRUE(assemble(fmt::format(fmt::runtime(form), "0x5, 0x1f"), apart, diagnostics)) << form;
    EXPECT_EQ(one, apart) << form;
    for (const char* const large : {"0x100, 0x1", "0x5, 0x20"})
      EXPECT_THAT(first_error(fmt::format(fmt::runtime(form), large)), HasSubstr("does not fit")) << form;
  }
}

TEST(Listing, AssemblesToGroupsWithControlWords) {
  Diagnostics diagnostics;
  std::vector<uint8_t> bytes;
  ASSERT_TRUE(assemble(kProgram, bytes, diagnostics));
  ASSERT_EQ(bytes.size(), 96u);  // 8 instructions: three groups
  EXPECT_EQ(word_at(bytes, 8), 0x4c98078000870001u);
  EXPECT_EQ(word_at(bytes, 16), 0xe290000000000000u | (uint64_t{0x50 - 0x18} << 20));
  EXPECT_EQ(word_at(bytes, 56), 0xe24000000000000fu | (uint64_t{(0x18 - 0x40) & 0xffffff} << 20));
  EXPECT_EQ(word_at(bytes, 48), 0x0123456789abcdefu);
  EXPECT_EQ(word_at(bytes, 88), 0x50b0000000070f00u);                  // filled with NOP
  EXPECT_EQ(control_slot(word_at(bytes, 0), 2), 0x20702u | 1u << 11);  // .T is reuse bit 17
  EXPECT_EQ(decode_control(control_slot(word_at(bytes, 32), 0)).reuse, 4);
  const Control fadd = decode_control(control_slot(word_at(bytes, 64), 0));
  EXPECT_EQ(fadd.reuse, 5);  // FADD's B uses the third port
  EXPECT_EQ(fadd.wait_mask, 0x3f);
  EXPECT_EQ(fadd.read_barrier, 5);
  EXPECT_EQ(fadd.write_barrier, 4);
  EXPECT_FALSE(fadd.yield);
}

TEST(Listing, DisassemblyAssemblesBack) {
  Diagnostics diagnostics;
  std::vector<uint8_t> bytes;
  ASSERT_TRUE(assemble(kProgram, bytes, diagnostics));
  for (const bool words : {false, true}) {
    std::string listing;
    ASSERT_TRUE(disassemble(bytes, listing, diagnostics, {words}));
    EXPECT_THAT(listing, HasSubstr("@P0 BRA .L"));
    EXPECT_THAT(listing, HasSubstr("--:-:-:Y:6:4"));
    EXPECT_THAT(listing, HasSubstr(".word 0x0123456789abcdef"));
    std::vector<uint8_t> again;
    ASSERT_TRUE(assemble(listing, again, diagnostics)) << listing;
    EXPECT_EQ(again, bytes) << listing;
  }
}

TEST(Listing, RandomBytesGoRoundExactly) {
  std::mt19937_64 random(7);
  std::vector<uint8_t> bytes(32 * 500);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  Diagnostics diagnostics;
  std::string listing;
  ASSERT_TRUE(disassemble(bytes, listing, diagnostics));
  std::vector<uint8_t> again;
  ASSERT_TRUE(assemble(listing, again, diagnostics, {.constraints = false}));
  EXPECT_EQ(again, bytes);
}

TEST(Listing, HexWords) {
  Diagnostics diagnostics;
  const std::string text = "0x001f8000fc0007e0 4c98078000870001\nd830001ff1d71300, 50b0000000070f00\n";
  std::string listing;
  ASSERT_TRUE(disassemble({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, listing, diagnostics,
                          {true}));
  EXPECT_THAT(listing, HasSubstr("TEXS RZ, R0, R19, R29, 0x1, 2D, RG;"));
  EXPECT_THAT(listing, HasSubstr("// 0xd830001ff1d71300"));
  const std::string wrong = "50b0000000070f00 50b0000000070f00123";
  EXPECT_FALSE(
      disassemble({reinterpret_cast<const uint8_t*>(wrong.data()), wrong.size()}, listing, diagnostics));
}

TEST(Listing, ErrorsStandAtTheOperandAndNameTheRule) {
  EXPECT_THAT(first_error("FOO R0, R1;"), HasSubstr("t.sass:1:1: error: unknown instruction 'FOO'"));
  EXPECT_THAT(first_error("TEX.LX R0, R4, 0x1, 2D, 0xf;"), HasSubstr("t.sass:1:4: error: modifier '.LX'"));
  EXPECT_THAT(first_error("FADD R0, R1, 0.1;"),
              HasSubstr("t.sass:1:14: error: FADD: float immediate keeps only"));
  EXPECT_THAT(first_error("FADD R0, R1, c[0x0][0x6];"),
              HasSubstr("t.sass:1:14: error: FADD: constant offset must be"));
  EXPECT_THAT(first_error("\n  --:-:-:Y:1 FADD R0, P1, R2;"),
              HasSubstr("t.sass:2:23: error: FADD needs a register"));
  EXPECT_THAT(first_error("FADD R0, R1;"), HasSubstr("error: FADD needs"));
  EXPECT_THAT(first_error("FADD R0, R1, R2, R3;"),
              HasSubstr("t.sass:1:18: error: FADD cannot have an operand here"));
  EXPECT_THAT(first_error("BRA NOWHERE;"), HasSubstr("t.sass:1:5: error: unknown label 'NOWHERE'"));
  EXPECT_THAT(first_error("TEXS R2, R0, R4, R5, 0x1, CUBE, R;"), HasSubstr("t.sass:1:33: error:"));
  EXPECT_THAT(first_error("TEXS.LZ R2, R0, R4, R5, 0x1, CUBE, RGB;"), HasSubstr("t.sass:1:30: error:"));
  // RZ is how the encoding says that the address is no physical one.
  EXPECT_THAT(first_error("ALD.PHYS R4, a[RZ];"), HasSubstr("belong to another form"));
  EXPECT_THAT(first_error("AST.PHYS a[RZ], R4;"), HasSubstr("belong to another form"));
  EXPECT_THAT(first_error("@P0 SSY 0x100;"), HasSubstr("has no guard predicate"));
  EXPECT_THAT(first_error("@P9 EXIT;"), HasSubstr("t.sass:1:1: error: guard predicate expected"));
  EXPECT_THAT(first_error("--:-:9:Y:1 EXIT;"), HasSubstr("control column expected"));
  EXPECT_THAT(first_error("A:\nA:\nEXIT;"), HasSubstr("t.sass:2:1: error: label 'A' is defined twice"));
  // Constraints of the machine, reported at the register.
  EXPECT_THAT(first_error("TEX R1, R4, 0x1, 2D, 0xf;"),
              HasSubstr("t.sass:1:5: error: register vector is not aligned"));
  EXPECT_THAT(first_error("TEXS.LL R0, R2, R3, R9, 0x3, 2D, RGBA;"),
              HasSubstr("t.sass:1:17: error: register vector"));
  EXPECT_THAT(first_error("TEX R0, R4, R8, 0x1, 2D, 0xf;"),
              HasSubstr("t.sass:1:13: error: this form does not read"));
  EXPECT_THAT(first_error("TEX.DC R0, R4, 0x1, 2D, 0xf;"), HasSubstr("must not be RZ"));
  EXPECT_THAT(first_error("TEX R0, R4, 0x1, 2D, 0x0;"),
              HasSubstr("t.sass:1:22: error: no component is requested"));
  EXPECT_THAT(first_error("LDG.E.64 R3, [R4];"), HasSubstr("t.sass:1:10: error: register vector"));
  EXPECT_THAT(first_error("LDG.E R3, [R5];"), HasSubstr("t.sass:1:11: error: register vector"));
}

TEST(Listing, SeveralErrorsInOneRun) {
  Diagnostics diagnostics;
  std::vector<uint8_t> bytes;
  EXPECT_FALSE(assemble("FOO;\nEXIT;\nBAR2 R1;\nFADD;\n", bytes, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 3u);
}

// ---- cubins: a minimal one made here, and broken variants of it
std::vector<uint8_t> minimal_cubin() {
  std::vector<uint8_t> file(64 + 32 + 32 + 3 * 64, 0);
  const auto put = [&file](size_t at, auto value) { std::memcpy(file.data() + at, &value, sizeof(value)); };
  std::memcpy(file.data(), "\177ELF\2\1\1", 7);
  put(18, uint16_t{190});
  put(40, uint64_t{128});  // section headers
  put(48, uint32_t{52});
  put(58, uint16_t{64});
  put(60, uint16_t{3});
  put(62, uint16_t{2});
  const uint64_t code[4] = {0x001f8000fc0007e0, 0x4c98078000870001, 0xe30000000007000f, 0x50b0000000070f00};
  std::memcpy(file.data() + 64, code, 32);
  std::memcpy(file.data() + 96, "\0.text.blur\0.shstrtab\0", 22);
  const size_t text = 128 + 64;
  put(text, uint32_t{1});
  put(text + 4, uint32_t{1});
  put(text + 24, uint64_t{64});
  put(text + 32, uint64_t{32});
  put(text + 44, uint32_t{12u << 24});
  const size_t names = text + 64;
  put(names, uint32_t{12});
  put(names + 4, uint32_t{3});
  put(names + 24, uint64_t{96});
  put(names + 32, uint64_t{32});
  return file;
}

TEST(Cubin, KernelsAndRegisterCounts) {
  const std::vector<uint8_t> file = minimal_cubin();
  Cubin cubin;
  Diagnostics diagnostics;
  ASSERT_TRUE(read_cubin(file, cubin, diagnostics));
  EXPECT_EQ(cubin.sm, 52u);
  ASSERT_EQ(cubin.kernels.size(), 1u);
  EXPECT_EQ(cubin.kernels[0].name, "blur");
  EXPECT_EQ(cubin.kernels[0].register_count, 12u);
}

TEST(Listing, LoneHexadecimalWordsAreInstructionsWithoutControl) {
  Diagnostics diagnostics;
  const std::string text = "0xd830001ff1d71300, d870003000970402\nffffffffffffffff";
  std::string listing;
  ASSERT_TRUE(
      disassemble({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, listing, diagnostics));
  EXPECT_EQ(listing,
            "  TEXS RZ, R0, R19, R29, 0x1, 2D, RG;\n"
            "  TEXS.LL R0, R2, R4, R9, 0x3, 2D, RGBA;\n"
            "  .word 0xffffffffffffffff;\n");
}

TEST(Cubin, DamagedFilesAreRefusedNotRead) {
  const std::vector<uint8_t> good = minimal_cubin();
  for (size_t size = 0; size < good.size(); ++size) {  // truncated at any position
    const std::vector<uint8_t> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    Cubin cubin;
    Diagnostics diagnostics;
    EXPECT_FALSE(read_cubin(cut, cubin, diagnostics)) << size;
    EXPECT_TRUE(diagnostics.has_errors());
  }
  std::mt19937 random(3);
  for (unsigned i = 0; i < 20000; ++i) {  // random bytes: no crash (asan build)
    std::vector<uint8_t> bad = good;
    for (unsigned k = 0; k < 1 + i % 4; ++k)
      bad[4 + random() % (bad.size() - 4)] = static_cast<uint8_t>(random());
    Cubin cubin;
    Diagnostics diagnostics;
    if (read_cubin(bad, cubin, diagnostics)) {
      for (const CubinKernel& kernel : cubin.kernels) EXPECT_LE(kernel.code.size(), bad.size());
    }
  }
}

}  // namespace
}  // namespace texlate::maxwell
