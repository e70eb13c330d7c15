// The parser for declarations.
#pragma once

#include "frontend/asm/operand_parser.h"
#include "frontend/sm4/declaration_form.h"

namespace texlate::assembly {

/// The four types of `(float,float,float,float)`, after the opening parenthesis.
bool parse_return_types(Cursor& cursor, uint32_t& packed);

class DeclarationParser {
 public:
  DeclarationParser(Cursor& cursor, sm4::Program& program, OperandParser& operands)
      : cursor_(cursor), program_(program), operands_(operands) {}

  /// Parses what follows the mnemonic. Appends words to the program. `suffix` is the end of the mnemonic,
  /// still uninterpreted: "texture2d_glc".
  bool parse(sm4::Instruction& dcl, std::string_view mnemonic, std::string_view suffix);
  /// The operand of the last one, if it has one.
  const sm4::Operand& operand() const { return operand_; }

 private:
  bool parse_piece(sm4::DeclarationPiece piece, sm4::Instruction& dcl);
  bool parse_dimension(sm4::Instruction& dcl);
  void parse_uav_flags(sm4::Instruction& dcl);
  bool parse_range(sm4::Instruction& dcl, bool sized);
  bool parse_bounds(const char* from);  // sets awaits_register_
  bool parse_named_register();
  void skip_buffer_name();
  bool parse_declared_operand(sm4::Instruction& dcl);
  bool parse_index_count();
  bool parse_indexable_temp();
  bool parse_sampler_mode(sm4::Instruction& dcl);
  bool parse_float_number();
  bool parse_interpolation(sm4::Instruction& dcl);
  bool parse_global_flags(sm4::Instruction& dcl);
  bool parse_view_flags(sm4::Instruction& dcl);
  bool parse_space();
  bool parse_registers();
  bool parse_named_id(std::string_view name, uint32_t& value);
  bool parse_id_list(std::string_view name, uint32_t& count);
  bool parse_function_table();
  bool parse_interface(sm4::Instruction& dcl);
  bool parse_constant_buffer(sm4::Instruction& dcl);
  bool parse_constant_rows();
  bool sm51() const { return program_.version.model() >= 51; }
  void add_word(uint32_t value) { program_.words.push_back(value); }

  Cursor& cursor_;
  sm4::Program& program_;
  OperandParser& operands_;
  std::string_view mnemonic_;  // as written
  std::string_view suffix_;
  sm4::Operand operand_;
  bool awaits_register_ = false;  // the declared range is one register, whose number follows the space
};

}  // namespace texlate::assembly
