// Consistency of the table: every form and modifier value survives encode, decode, print and parse.
#include "backend/maxwell/isa/codec.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "ir/base/diagnostics.h"
#include "tests/support/maxwell_codec.h"

namespace texlate::maxwell {
namespace {

std::string text_of(const Instruction& instruction) {
  std::string text;
  print(instruction, 8, text);
  return text;
}

/// decode -> print -> parse -> encode gives the same word.
void expect_round_trip(uint64_t word) {
  Instruction decoded;
  ASSERT_TRUE(decode(word, decoded)) << std::hex << word;
  ASSERT_FALSE(check_encodable(decoded)) << rule_text(check_encodable(decoded).rule);
  ASSERT_EQ(encode_unchecked(decoded), word);
  const std::string text = text_of(decoded);
  Diagnostics diagnostics;
  Instruction parsed;
  ASSERT_TRUE(parse(text, 8, parsed, diagnostics)) << render(diagnostics.list().front(), "text", text);
  EXPECT_EQ(encode(parsed).word, word) << text;
}

TEST(Codec, EveryFormWithEveryModifierValue) {
  unsigned count = 0;
  for (size_t id = 0; id < forms().size(); ++id) {
    const Form& f = forms()[id];
    SCOPED_TRACE(std::string(opcode_info(f.opcode).text) + " form " + std::to_string(id));
    Instruction base = make_instruction(f.opcode, f.shape, f.variant);
    ASSERT_EQ(base.form, id);
    for (unsigned i = 0; i < f.operand_count; ++i) {  // neutral values that every slot accepts
      const Slot& slot = f.operands[i];
      if (slot.kind == SlotKind::texture_query) base.operands[i].value = 1;
      if (slot.kind == SlotKind::attribute_index)
        base.operands[i].reg = 1;  // RZ is the form without an index
      if (slot.kind == SlotKind::reg) base.operands[i].reg = static_cast<uint8_t>(4 * i + 4);
      if (slot.kind == SlotKind::pair_second)
        base.operands[i].reg = static_cast<uint8_t>(base.operands[i - 1].reg + 1);
      if (slot.kind == SlotKind::same_as_rd) base.operands[i].reg = base.operands[0].reg;
    }
    for (unsigned m = 0; m < f.modifier_count; ++m) {
      const ModifierInfo& info = modifier_info(f.modifiers[m].kind);
      for (unsigned v = 0; v < info.value_count; ++v) {
        Instruction instruction = base;
        for (unsigned other = 0; other < f.modifier_count; ++other) {  // others have their first value
          if (f.modifiers[other].kind != Modifier::literal) {
            instruction.modifiers[other] = modifier_info(f.modifiers[other].kind).values[0].value;
          }
        }
        instruction.modifiers[m] = info.values[v].value;
        if (f.modifiers[m].kind == Modifier::cas_size) {
          for (unsigned i = 1; i < f.operand_count; ++i) {
            if (f.operands[i].kind == SlotKind::pair_second) {
              instruction.operands[i].reg =
                  static_cast<uint8_t>(instruction.operands[i - 1].reg + 1 + info.values[v].value);
            }
          }
        }
        const Encoded encoded = encode(instruction);
        const unsigned width = f.modifiers[m].width + (f.modifiers[m].high != 0 ? 1u : 0u);
        if (info.values[v].value >> width != 0) {  // XMAD.CBCC does not fit the constant encodings
          EXPECT_EQ(encoded.violation.rule, Rule::modifier_value);
          continue;
        }
        ASSERT_FALSE(encoded.violation) << rule_text(encoded.violation.rule) << ' ' << text_of(instruction);
        expect_round_trip(encoded.word);
        Instruction decoded;
        ASSERT_TRUE(decode(encoded.word, decoded));
        EXPECT_EQ(text_of(decoded), text_of(instruction));
        ++count;
      }
    }
  }
  EXPECT_GT(count, 2000u);
}

TEST(Codec, RandomWordsOfEveryForm) {
  std::mt19937_64 random(20240607);
  unsigned decoded_count = 0;
  for (const CompiledForm& f : compiled_table().compiled) {
    for (unsigned i = 0; i < 200; ++i) {
      uint64_t noise = random();
      if (i % 3 == 1) noise &= random() & random();
      if (i % 3 == 2) noise |= random();
      const uint64_t word = f.value | (noise & ~f.fixed_mask);
      Instruction decoded;
      if (!decode(word, decoded)) continue;
      ++decoded_count;
      expect_round_trip(word);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(decoded_count, 30000u);
}

// Texts of `nvdisasm -b SM53`, CUDA 12.4.
TEST(Codec, AttributesOfVerticesAndPatches) {
  const struct {
    uint64_t word;
    const char* text;
  } kCases[] = {
      {0xefd980000707ff04, "ALD.128 R4, a[0x70], R0"},
      {0xefd87f800607ff04, "ALD R4, a[0x60]"},
      {0xefd880812f07ff04, "ALD.O.64 R4, a[0x2f0], R1"},
      {0xefd8018000070204, "ALD.PHYS R4, a[R2], R3"},
      {0xefd87f8000070204, "ALD.PHYS R4, a[R2]"},
      {0xefd9818000070204, "ALD.PHYS.128 R4, a[R2], R3"},
      {0xefd8018100070204, "ALD.O.PHYS R4, a[R2], R3"},
      {0xefd87f808207ff04, "ALD.P R4, a[0x20]"},
      {0xefd87f8082070204, "ALD.P R4, a[R2+0x20]"},
      {0xefd9ff818007ff04, "ALD.O.P.128 R4, a[RZ]"},
      {0xefd8018082070204, "ALD.P R4, a[R2+0x20], R3"},
      {0xeff07f800807ff04, "AST a[0x80], R4"},
      {0xeff001800807ff04, "AST a[0x80], R4, R3"},
      {0xeff0018000070204, "AST.PHYS a[R2], R4, R3"},
      {0xeff1ff808007ff04, "AST.P.128 a[RZ], R4"},
      {0xeff07f8082070204, "AST.P a[R2+0x20], R4"},
      {0xeff001808207ff04, "AST.P a[0x20], R4, R3"},
      {0xefa0700008070200, "AL2P R0, R2, 0x80"},
      {0xefa0700108070200, "AL2P.O R0, R2, 0x80"},
      {0xefd0000000070100, "ISBERD R0, [R1]"},
      {0xfbe000800ff70100, "OUT.EMIT R0, R1, RZ"},
      {0xfbe001000ff70100, "OUT.CUT R0, R1, RZ"},
      {0xfbe001800ff70100, "OUT.EMIT_THEN_CUT R0, R1, RZ"},
      {0xf6e0008000270100, "OUT.EMIT R0, R1, 0x2"},
      {0xebe0008c00470100, "OUT.EMIT R0, R1, c[0x3][0x10]"},
      {0xf0c8000001070000, "S2R R0, SR_PRIM_TYPE"},
      {0xf0c8000001170000, "S2R R0, SR_INVOCATION_ID"},
      {0xf0c8000001370000, "S2R R0, SR_THREAD_KILL"},
      {0xf0c8000001d70000, "S2R R0, SR_INVOCATION_INFO"},
  };
  for (const auto& [word, text] : kCases) {
    Instruction decoded, parsed;
    Diagnostics diagnostics;
    ASSERT_TRUE(decode(word, decoded)) << text;
    EXPECT_EQ(text_of(decoded), text);
    ASSERT_TRUE(parse(text, 8, parsed, diagnostics)) << text;
    EXPECT_EQ(encode(parsed).word, word) << text;
  }
  // A physical address has no offset, and an emission an operation.
  Instruction out;
  EXPECT_FALSE(decode(0xefd8018002070204, out));
  EXPECT_FALSE(decode(0xeff0018002070204, out));
  EXPECT_FALSE(decode(0xfbe000000ff70100, out));
}

TEST(Codec, UnknownBitsDoNotDecode) {
  Instruction out;
  EXPECT_TRUE(decode(0x5c58000000170003, out));
  EXPECT_FALSE(decode(0x5c58000000170003 | uint64_t{1} << 30, out));  // FADD has nothing at bit 30
  EXPECT_FALSE(decode(0x5c68000000170003 | uint64_t{7} << 41, out));  // FMUL scale 7 does not exist
  EXPECT_FALSE(decode(0xd9d0000000170003, out));                      // TEXS form 14
  EXPECT_FALSE(decode(0, out));
  EXPECT_FALSE(decode(~uint64_t{0}, out));
}

TEST(Codec, WhatCannotBeEncodedNamesItsRule) {
  Instruction fadd = make_instruction(Opcode::fadd, Shape::imm);
  fadd.operands[2].value = 0x3f800001;  // 20 bits hold the top of 1.0f only
  EXPECT_EQ(encode(fadd).violation.rule, Rule::float_bits);
  EXPECT_EQ(encode(fadd).violation.operand, 2);

  Instruction cbuf = make_instruction(Opcode::fadd, Shape::cbuf);
  cbuf.operands[2] = Operand::c(0, 6);
  EXPECT_EQ(encode(cbuf).violation.rule, Rule::constant_alignment);
  cbuf.operands[2] = Operand::c(32, 8);
  EXPECT_EQ(encode(cbuf).violation.rule, Rule::constant_bank);
  cbuf.operands[2] = Operand::c(0, 1 << 16);
  EXPECT_EQ(encode(cbuf).violation.rule, Rule::constant_offset);

  Instruction iadd = make_instruction(Opcode::iadd);
  iadd.operands[1].flags = kNegate;
  iadd.operands[2].flags = kNegate;
  EXPECT_EQ(encode(iadd).violation.rule, Rule::both_negated);

  Instruction ssy = make_instruction(Opcode::ssy);
  ssy.guard = make_guard(0);
  EXPECT_EQ(encode(ssy).violation.rule, Rule::no_guard);

  Instruction cas = make_instruction(Opcode::atom_cas);
  cas.operands[2].reg = 8;
  cas.operands[3].reg = 10;
  EXPECT_EQ(encode(cas).violation.rule, Rule::pair_second);

  Instruction texs = make_instruction(Opcode::texs);
  texs.operands[6].value = 7;  // BA with one register
  EXPECT_FALSE(encode(texs).violation);
  texs.operands[0].reg = 4;  // with two registers code 7 does not exist
  EXPECT_EQ(encode(texs).violation.rule, Rule::word_value);
}

TEST(Codec, ControlWords) {
  Control control;
  control.stall = 13;
  control.yield = false;
  control.write_barrier = 2;
  control.read_barrier = 5;
  control.wait_mask = 0x2a;
  control.reuse = 9;
  const uint32_t slot = encode_control(control);
  EXPECT_EQ(slot, 13u | 1u << 4 | 2u << 5 | 5u << 8 | 0x2au << 11 | 9u << 17);
  EXPECT_EQ(decode_control(slot), control);
  EXPECT_EQ(encode_control(Control{}), 0x7e0u);  // the neutral slot
  uint64_t word = 0;
  for (unsigned i = 0; i < 3; ++i) word = with_control_slot(word, i, slot + i);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(control_slot(word, i), slot + i);
  EXPECT_EQ(word >> 63, 0u);
  EXPECT_EQ(instruction_address(0), 8u);
  EXPECT_EQ(instruction_address(2), 24u);
  EXPECT_EQ(instruction_address(3), 40u);
}

}  // namespace
}  // namespace texlate::maxwell
