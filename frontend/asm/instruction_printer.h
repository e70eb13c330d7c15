// The printer of one instruction or declaration, in two files: instruction_printer.cpp,
// declaration_printer.cpp.
#pragma once

#include "frontend/asm/literal.h"
#include "frontend/asm/printer.h"
#include "frontend/sm4/declaration_form.h"
#include "frontend/sm4/spelling.h"

namespace texlate::assembly {

class InstructionPrinter {
 public:
  InstructionPrinter(const sm4::Program& program, const PrintOptions& options, std::pmr::string& out)
      : program_(program), options_(options), out_(out) {}

  void print(const sm4::Instruction& instruction);

 private:
  // instruction_printer.cpp
  void print_mnemonic(const sm4::Instruction& instruction);
  void print_texture_suffixes(const sm4::Instruction& instruction);
  void print_operand(const sm4::Operand& operand, sm4::OperandType type);
  void print_operand(const sm4::Operand& operand, sm4::OperandType type, sm4::MinPrecision result);
  sm4::MinPrecision result_precision(const sm4::Instruction& instruction, uint32_t i) const;
  void print_register(const sm4::Operand& operand);
  void print_indices(const sm4::Operand& operand);
  void print_index(const sm4::Operand& operand, uint32_t number);
  void print_components(const sm4::Operand& operand);
  void print_immediates(const sm4::Operand& operand, sm4::OperandType type);
  void print_return_types(uint16_t packed);

  // declaration_printer.cpp
  void print_declaration(const sm4::Instruction& dcl);
  void print_piece(sm4::DeclarationPiece piece, const sm4::Instruction& dcl, uint32_t& word);
  void print_keyword(std::span<const sm4::Keyword> table, uint32_t value);
  void print_flags(std::span<const sm4::Keyword> table, uint32_t bits, std::string_view before,
                   std::string_view between);
  void print_dimension(const sm4::Instruction& dcl);
  void print_interpolation(const sm4::Instruction& dcl);
  void print_range(const sm4::Operand& operand);
  void print_constant_buffer(const sm4::Operand& operand, const sm4::Instruction& dcl, uint32_t& word);
  void print_interface(const sm4::Instruction& dcl);
  void print_function_table(const sm4::Instruction& dcl);
  void print_id_list(std::string_view name, std::span<const uint32_t> ids);
  void print_constant_rows(const sm4::Instruction& dcl);
  void print_opaque_data(const sm4::Instruction& dcl);
  void print_message(const sm4::Instruction& dcl);

  bool sm51() const { return program_.version.model() >= 51; }
  uint32_t word_at(const sm4::Instruction& dcl, uint32_t i) const {
    return i < dcl.word_count ? program_.words[dcl.first_word + i] : 0;
  }
  void number(uint32_t value);

  const sm4::Program& program_;
  const PrintOptions& options_;
  std::pmr::string& out_;
};

}  // namespace texlate::assembly
