#include <algorithm>

#include "frontend/asm/escape.h"
#include "frontend/asm/instruction_printer.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/shader_message.h"

namespace texlate::assembly {

using sm4::DeclarationPiece;
using sm4::Instruction;
using sm4::Operand;

void InstructionPrinter::print_declaration(const Instruction& dcl) {
  if (dcl.opcode == sm4::Opcode::custom_data) return print_constant_rows(dcl);
  out_ += sm4::info(dcl.opcode).mnemonic;
  uint32_t word = 0;
  for (char piece : sm4::declaration_pieces(dcl.opcode))
    print_piece(static_cast<DeclarationPiece>(piece), dcl, word);
}

void InstructionPrinter::print_piece(DeclarationPiece piece, const Instruction& dcl, uint32_t& word) {
  const Operand* operand = dcl.operand_count != 0 ? &program_.operands[dcl.first_operand] : nullptr;
  switch (piece) {
    case DeclarationPiece::dimension: return print_dimension(dcl);
    case DeclarationPiece::uav_flags: return print_flags(sm4::kUavFlagNames, dcl.controls, "_", "_");
    case DeclarationPiece::return_types:
      out_ += ' ';
      print_return_types(static_cast<uint16_t>(word_at(dcl, word++)));
      return;
    case DeclarationPiece::operand:
      if (operand == nullptr) return;
      out_ += ' ';
      print_operand(*operand, sm4::OperandType::none);
      return;
    case DeclarationPiece::range:
      if (operand == nullptr) return;
      out_ += ' ';
      print_range(*operand);
      return;
    case DeclarationPiece::constant_buffer:
      if (operand == nullptr) return;
      out_ += ' ';
      print_constant_buffer(*operand, dcl, word);
      return;
    case DeclarationPiece::indexable_temp:
      out_ += " x";
      number(word_at(dcl, word++));
      out_ += '[';
      number(word_at(dcl, word++));
      out_ += "], ";
      number(word_at(dcl, word++));
      return;
    case DeclarationPiece::access_pattern:
      out_ += ", ";
      return print_keyword(sm4::kAccessPatternNames, dcl.controls & 1);
    case DeclarationPiece::sampler_mode:
      out_ += ", ";
      return print_keyword(sm4::kSamplerModeNames, dcl.controls & 0xf);
    case DeclarationPiece::interpolation: return print_interpolation(dcl);
    case DeclarationPiece::system_value:
      out_ += ", ";
      return print_keyword(sm4::kSystemValueNames, word_at(dcl, word++));
    case DeclarationPiece::number_after_comma: out_ += ", "; return number(word_at(dcl, word++));
    case DeclarationPiece::number: out_ += ' '; return number(word_at(dcl, word++));
    case DeclarationPiece::float_number:
      out_ += " l(";
      print_literal(word_at(dcl, word++), LiteralKind::float_, options_.literal_style(), out_);
      out_ += ')';
      return;
    case DeclarationPiece::global_flags: return print_flags(sm4::kGlobalFlagNames, dcl.controls, " ", " | ");
    case DeclarationPiece::control_points: out_ += ' '; return number(sm4::declared_control_points(dcl));
    case DeclarationPiece::input_primitive:
    case DeclarationPiece::output_topology:
    case DeclarationPiece::tessellator_domain:
    case DeclarationPiece::tessellator_partitioning:
    case DeclarationPiece::tessellator_output: {
      const sm4::ControlWord control = sm4::control_word(piece);
      out_ += ' ';
      return print_keyword(control.table, control.value(dcl));
    }
    case DeclarationPiece::space:
    case DeclarationPiece::space_or_blank:
      if (!sm51() && piece == DeclarationPiece::space_or_blank) out_ += ' ';
      if (!sm51()) return;
      out_ += ", space=";
      return number(word_at(dcl, word++));
    case DeclarationPiece::function_body: out_ += " fb"; return number(word_at(dcl, word++));
    case DeclarationPiece::function_table: return print_function_table(dcl);
    case DeclarationPiece::interface_: return print_interface(dcl);
    case DeclarationPiece::trailing_blank: out_ += ' '; return;
  }
}

void InstructionPrinter::print_keyword(std::span<const sm4::Keyword> table, uint32_t value) {
  const std::string_view name = spell(table, value);
  out_ += name.empty() ? std::string_view("undefined") : name;
}

/// The names of the bits that are set, the first behind `before`, the others behind `between`.
void InstructionPrinter::print_flags(std::span<const sm4::Keyword> table, uint32_t bits,
                                     std::string_view before, std::string_view between) {
  for (const sm4::Keyword& flag : table) {
    if ((bits & flag.value) == 0) continue;
    out_ += before;
    out_ += flag.name;
    before = between;
  }
}

void InstructionPrinter::print_dimension(const Instruction& dcl) {
  const sm4::ResourceDimension dimension = declared_dimension(dcl);
  out_ += '_';
  print_keyword(sm4::kDimensionNames, static_cast<uint32_t>(dimension));
  if (dimension != sm4::ResourceDimension::texture2dms &&
      dimension != sm4::ResourceDimension::texture2dmsarray)
    return;
  out_ += '(';
  number(declared_sample_count(dcl));
  out_ += ')';
}

void InstructionPrinter::print_interpolation(const Instruction& dcl) {
  const std::string_view name = spell(sm4::kInterpolationNames, dcl.controls & 0xf);
  const bool left_out =
      dcl.opcode == sm4::Opcode::dcl_input_ps_sgv && !is_windows_10(options_.dialect_or_default());
  if (name.empty() || left_out) return;
  out_ += ' ';
  out_ += name;
}

void InstructionPrinter::print_function_table(const Instruction& dcl) {
  out_ += " ft";
  number(word_at(dcl, 0));
  const auto words = program_.words_of(dcl);
  print_id_list("fb", words.size() > 2 ? words.subspan(2) : std::span<const uint32_t>{});
}

void InstructionPrinter::print_range(const Operand& operand) {
  const std::string_view name = info(operand.file).spelling;
  const bool ranged = sm51() && operand.index_count == 3;
  for (char c : name) out_ += ranged ? static_cast<char>(c - 32) : c;
  if (operand.index_count == 0) return;
  number(operand.index[0].immediate);
  if (!ranged) return;
  out_ += '[';
  number(operand.index[1].immediate);
  out_ += ':';
  if (operand.index[2].immediate == sm4::kUnbounded) {
    out_ += '*';
  } else {
    number(operand.index[2].immediate);
  }
  out_ += ']';
}

void InstructionPrinter::print_constant_buffer(const Operand& operand, const Instruction& dcl,
                                               uint32_t& word) {
  if (sm51()) {
    print_range(operand);
    out_ += '[';
    number(word_at(dcl, word++));
  } else {
    out_ += is_windows_10(options_.dialect_or_default()) ? "CB" : "cb";
    number(operand.index_count > 0 ? operand.index[0].immediate : 0);
    out_ += '[';
    number(operand.index_count > 1 ? operand.index[1].immediate : 0);
  }
  out_ += ']';
}

void InstructionPrinter::print_interface(const Instruction& dcl) {
  if (dcl.controls & 1) out_ += "_dynamicindexed";
  out_ += " fp";
  number(word_at(dcl, 0));
  out_ += '[';
  number(word_at(dcl, 2) >> 16);
  out_ += "][";
  number(word_at(dcl, 1));
  out_ += ']';
  const auto words = program_.words_of(dcl);
  print_id_list("ft", words.size() > 3 ? words.subspan(3) : std::span<const uint32_t>{});
}

void InstructionPrinter::print_id_list(std::string_view name, std::span<const uint32_t> ids) {
  out_ += " = {";
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i != 0) out_ += ", ";
    out_ += name;
    number(ids[i]);
  }
  out_ += '}';
}

// fxc prints no words of other custom data. The exact form adds all dwords, as 3Dmigoto does.
void InstructionPrinter::print_opaque_data(const Instruction& dcl) {
  out_ += "undecipherable custom data";
  if (!options_.exact_literals) return;
  constexpr uint32_t kClassShift = 11;
  const uint32_t head[] = {
      static_cast<uint32_t>(sm4::Opcode::custom_data) | uint32_t{dcl.controls} << kClassShift,
      dcl.word_count + 2};
  for (const std::span<const uint32_t> words : {std::span<const uint32_t>(head), program_.words_of(dcl)}) {
    for (const uint32_t word : words) {
      out_ += ' ';
      append_hex(word, out_);
    }
  }
}

// `printf "%f is fine", r0.z`; errorf; with the suffix `_text` if the text contains no conversions.
void InstructionPrinter::print_message(const Instruction& dcl) {
  const auto words = program_.words_of(dcl);
  const auto message = sm4::find_message(words);
  out_ += message->is_error ? "errorf" : "printf";
  if (!message->formats) out_ += "_text";
  out_ += " \"";
  std::pmr::string text(out_.get_allocator().resource());
  sm4::append_message_text(words, text);
  append_quoted(text, out_);
  out_ += '"';
  for (const Operand& operand : program_.operands_of(dcl)) {
    out_ += ", ";
    print_operand(operand, sm4::OperandType::untyped);
  }
}

void InstructionPrinter::print_constant_rows(const Instruction& dcl) {
  if (dcl.controls == sm4::kShaderMessage && sm4::find_message(program_.words_of(dcl)))
    return print_message(dcl);
  if (dcl.controls != sm4::kImmediateConstantBuffer) return print_opaque_data(dcl);
  out_ += "dcl_immediateConstantBuffer { ";
  const auto words = program_.words_of(dcl);
  for (size_t row = 0; row + 4 <= words.size(); row += 4) {
    if (row != 0) out_ += ",\n                              ";
    out_ += "{ ";
    for (size_t i = 0; i < 4; ++i) {
      if (i != 0) out_ += ", ";
      print_literal(words[row + i], LiteralKind::untyped, options_.literal_style(), out_);
    }
    out_ += '}';
  }
  out_ += " }";
}

}  // namespace texlate::assembly
