#include <gtest/gtest.h>

#include "frontend/sm4/declaration_form.h"
#include "frontend/sm4/spelling.h"

namespace texlate::sm4 {
namespace {

TEST(OpcodeTable, HasEveryNumberButTheReservedOnes) {
  for (uint32_t i = 0; i < kOpcodeLimit; ++i) {
    const bool reserved = i == 107 || i == 112 || i == 209 || i == 218;
    EXPECT_EQ(is_opcode(i), !reserved) << i;
  }
}

TEST(OpcodeTable, IsFoundByMnemonic) {
  for (uint32_t i = 0; i < kOpcodeLimit; ++i) {
    if (is_opcode(i)) {
      EXPECT_EQ(find_mnemonic(kOpcodeTable[i].mnemonic), &kOpcodeTable[i]);
    }
  }
  EXPECT_EQ(find_mnemonic("ld2dms"), &info(Opcode::ldms));
  EXPECT_EQ(find_mnemonic("nonsense"), nullptr);
}

TEST(OpcodeTable, EveryDeclarationHasAForm) {
  for (uint32_t i = 0; i < kOpcodeLimit; ++i) {
    if (!is_opcode(i)) continue;
    const bool has_form = !declaration_pieces(static_cast<Opcode>(i)).empty();
    EXPECT_EQ(has_form, kOpcodeTable[i].has(kDeclaration) && static_cast<Opcode>(i) != Opcode::custom_data)
        << i;
  }
}

TEST(OpcodeTable, TypesAndShapesAreKnownLetters) {
  for (const OpcodeInfo& opcode : kOpcodeTable) {
    for (uint32_t i = 0; i < opcode.operand_count; ++i) {
      EXPECT_NE(std::string_view("DSCTRMXPWVAKLNFI").find(static_cast<char>(opcode.shapes[i])),
                std::string_view::npos);
      EXPECT_NE(std::string_view("fiubd-").find(static_cast<char>(opcode.types[i])), std::string_view::npos);
    }
  }
}

TEST(RegisterFiles, AreFoundByName) {
  for (uint32_t i = 0; i < kRegisterFileLimit; ++i) {
    const auto found = find_register_file(kRegisterFiles[i].spelling);
    ASSERT_TRUE(found.has_value()) << i;
    if (static_cast<RegisterFile>(i) != RegisterFile::label) {
      EXPECT_EQ(*found, static_cast<RegisterFile>(i));
    }
  }
  EXPECT_EQ(find_register_file("CB"), RegisterFile::constant_buffer);
  EXPECT_EQ(find_register_file("vcp"), RegisterFile::input_control_point);
  EXPECT_FALSE(find_register_file("zz").has_value());
}

}  // namespace
}  // namespace texlate::sm4
