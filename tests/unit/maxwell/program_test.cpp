// A program built like that of a code generator, and the constraints that it must satisfy.
#include "backend/maxwell/isa/program.h"

#include <gtest/gtest.h>

#include <string>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "ir/base/diagnostics.h"
#include "tests/support/describe_texture.h"
#include "tests/support/maxwell_codec.h"

namespace texlate::maxwell {
namespace {

Instruction parsed(const std::string& text) {
  Diagnostics diagnostics;
  Instruction instruction;
  EXPECT_TRUE(parse(text, 8, instruction, diagnostics)) << text;
  return instruction;
}

TEST(Program, BuiltFromStructs) {
  std::vector<Instruction> code;
  Instruction mov = make_instruction(Opcode::mov, Shape::cbuf);
  mov.operands[0] = Operand::r(1);
  mov.operands[1] = Operand::c(0, 0x20);
  mov.control.stall = 6;
  code.push_back(mov);

  TextureRequest request;  // an implicit-LOD 2D sample of RGB
  request.mask = 7;
  Instruction texs = make_texture(pack_texture(request), {.low = 2, .high = 4, .a = 0, .b = 5}, 1);
  EXPECT_EQ(opcode(texs), Opcode::texs);
  texs.control.write_barrier = 0;
  texs.control.reuse = static_cast<uint8_t>(TexturePhase::p);
  code.push_back(texs);

  Instruction fadd = make_instruction(Opcode::fadd, Shape::imm);
  fadd.guard = make_guard(0, true);
  fadd.operands[0] = Operand::r(0, kWriteCC);
  fadd.operands[1] = Operand::r(2, kAbsolute);
  fadd.operands[2] = Operand::imm(0x40000000);
  ASSERT_TRUE(set(fadd, Modifier::ftz, Ftz::on));
  EXPECT_FALSE(set(fadd, Modifier::lod, LodMode::ll));
  fadd.control.wait_mask = 1;
  code.push_back(fadd);
  code.push_back(make_instruction(Opcode::exit));

  std::pmr::vector<uint64_t> words;
  const ProgramViolation violation = encode_program(code, words);
  ASSERT_FALSE(violation.violation) << rule_text(violation.violation.rule);
  ASSERT_EQ(words.size(), 8u);
  EXPECT_EQ(words[1], 0x4c98078000870001u);
  std::string text;
  for (const Instruction& instruction : code) {
    print(instruction, 8, text);
    text += '\n';
  }
  EXPECT_EQ(
      text,
      "MOV R1, c[0x0][0x20]\nTEXS.P R4, R2, R0, R5, 0x1, 2D, RGB\n@!P0 FADD.FTZ R0.CC, |R2|, 2\nEXIT\n");
  std::pmr::vector<Instruction> decoded;
  ASSERT_TRUE(decode_program(words, decoded));
  ASSERT_EQ(decoded.size(), 6u);
  for (size_t i = 0; i < code.size(); ++i) {
    EXPECT_EQ(encode_unchecked(decoded[i]), encode_unchecked(code[i]));
    EXPECT_EQ(decoded[i].control, code[i].control);
  }
  EXPECT_EQ(opcode(decoded[5]), Opcode::nop);

  code[1].operands[1].reg = 3;  // Rd0 holds two registers
  const ProgramViolation broken = encode_program(code, words);
  EXPECT_EQ(broken.index, 1u);
  EXPECT_EQ(broken.violation.rule, Rule::vector_alignment);
  EXPECT_EQ(broken.violation.operand, 1);
}

TEST(Constraints, RegisterCounts) {
  const auto count = [](const char* text, unsigned operand) { return register_count(parsed(text), operand); };
  EXPECT_EQ(count("LDG.E.128 R4, [R2]", 0), 4u);
  EXPECT_EQ(count("LDG.E.128 R4, [R2]", 1), 2u);  // a 64-bit address
  EXPECT_EQ(count("LDG.U8 R4, [R3]", 0), 1u);
  EXPECT_EQ(count("LDG.U8 R4, [R3]", 1), 1u);
  EXPECT_EQ(count("DFMA R0, R2, R4, R6", 3), 2u);
  EXPECT_EQ(count("DSETP.LT.AND P0, PT, R2, R4, PT", 2), 2u);
  EXPECT_EQ(count("F2F.F64.F32 R4, R3", 0), 2u);
  EXPECT_EQ(count("F2I.S64.F32 R4, R3", 0), 2u);
  EXPECT_EQ(count("I2F.F64.S32 R4, R3", 0), 2u);
  EXPECT_EQ(count("ATOM.E.CAS.64 R0, [R2], R4, R6", 2), 4u);
  EXPECT_EQ(count("ATOM.E.CAS R0, [R2], R4, R5", 2), 2u);
  EXPECT_EQ(count("RED.E.ADD.U64 [R2], R4", 1), 2u);
  EXPECT_EQ(count("SULD.D.BA.2D_ARRAY.128 R4, [R8], 0x50", 1), 4u);
  EXPECT_EQ(count("SULD.D.BA.2D_ARRAY.128 R4, [R8], 0x50", 2), 3u);
  EXPECT_EQ(count("SUST.P.2D.RG [R2], R4, 0x50", 1), 2u);
  EXPECT_EQ(count("TEX.LL.AOFFI.DC R4, R8, R12, 0x1, ARRAY_2D, 0x7", 1), 3u);
  EXPECT_EQ(count("TEX.LL.AOFFI.DC R4, R8, R12, 0x1, ARRAY_2D, 0x7", 2), 3u);
  EXPECT_EQ(count("TEX.LL.AOFFI.DC R4, R8, R12, 0x1, ARRAY_2D, 0x7", 3), 3u);
  EXPECT_EQ(count("TEXS.F16 R4, R3, R0, R1, 0x1, 2D, RGBA", 0), 1u);
  EXPECT_EQ(count("TLDS.LZ R4, R6, R1, R2, 0x1, ARRAY_2D, RGB", 0), 1u);
  EXPECT_EQ(count("TLDS.LZ R4, R6, R1, R2, 0x1, ARRAY_2D, RGB", 3), 2u);
  EXPECT_EQ(facts(parsed("TEXS RZ, R0, R19, R29, 0x1, 2D, RG")).destinations, 0b11u);
  EXPECT_EQ(facts(parsed("STG.E [R2], R4")).destinations, 0u);
}

TEST(Latency, Classes) {
  EXPECT_EQ(latency(parsed("FADD R0, R1, R2")).result, 6);
  EXPECT_EQ(latency(parsed("ISETP.LT.AND P0, PT, R0, R1, PT")).predicate, 13);
  EXPECT_TRUE(latency(parsed("TEX R0, R4, 0x1, 2D, 0xf")).write_barrier);
  EXPECT_TRUE(latency(parsed("TEX R0, R4, 0x1, 2D, 0xf")).read_barrier);
  EXPECT_FALSE(latency(parsed("STG.E [R2], R4")).write_barrier);
  EXPECT_TRUE(latency(parsed("MUFU.RCP R0, R1")).write_barrier);
  EXPECT_FALSE(latency(parsed("RRO.EX2 R0, R1")).write_barrier);
  EXPECT_TRUE(latency(parsed("BAR.SYNC 0x0")).wait_all);
}

}  // namespace
}  // namespace texlate::maxwell
