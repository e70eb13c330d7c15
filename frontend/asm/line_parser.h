// The parser for one line: instruction_parser.cpp, message_parser.cpp. Operands and declarations have parsers
// of their own.
#pragma once

#include "frontend/asm/declaration_parser.h"
#include "frontend/sm4/shader_message.h"

namespace texlate::assembly {

class LineParser {
 public:
  LineParser(Cursor& cursor, sm4::Program& program) : cursor_(cursor), program_(program) {}

  /// Parses the declaration or instruction that starts at the cursor and appends it to the program. If there
  /// is an error, reports it, returns false and leaves the program unchanged.
  bool parse();
  /// The same for a message: `printf "...", r0.x`. Returns false, without an error, if the line is none.
  bool parse_message();

 private:
  bool parse_line();
  bool parse_mnemonic(sm4::Instruction& instruction, std::string_view& declared_suffix);
  bool parse_suffixes(sm4::Instruction& instruction, std::string_view suffixes, const char* from);
  bool parse_suffix(sm4::Instruction& instruction, std::string_view suffix, const char* from);
  bool parse_groups(sm4::Instruction& instruction);
  bool parse_group(sm4::Instruction& instruction);
  bool parse_precise(sm4::Instruction& instruction);
  bool parse_offset(sm4::Instruction& instruction);
  bool parse_instruction(sm4::Instruction& instruction);
  bool parse_message_line(const sm4::ShaderMessage& message);
  bool finish_line();

  Cursor& cursor_;
  sm4::Program& program_;
  OperandParser operand_parser_{cursor_, program_};
  DeclarationParser declaration_parser_{cursor_, program_, operand_parser_};
  std::string_view mnemonic_;  // as written
  sm4::Operand operands_[sm4::kMaxOperands];
  sm4::OperandPlace places_[sm4::kMaxOperands];  // of operands_
};

}  // namespace texlate::assembly
