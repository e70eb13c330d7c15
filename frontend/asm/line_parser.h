// The parser for one line, in three files: instruction_parser.cpp, operand_parser.cpp,
// declaration_parser.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/asm/literal.h"
#include "frontend/sm4/declaration_form.h"
#include "frontend/sm4/program.h"
#include "frontend/sm4/shader_message.h"
#include "frontend/sm4/spelling.h"

namespace texlate::assembly {

/// A position in the text. `end` is the end of the line, so that only an immediate constant buffer continues
/// on the next one.
struct Cursor {
  const char* at = nullptr;
  const char* end = nullptr;
  const char* line_begin = nullptr;
  const char* text_end = nullptr;
  uint32_t line = 0;

  bool at_end() const { return at >= end; }
  char peek() const { return at < end ? *at : '\0'; }
  void skip_blanks() {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
  }
  /// Skips blanks, then `c` if it is next.
  bool take(char c) {
    skip_blanks();
    if (peek() != c || at_end()) return false;
    ++at;
    return true;
  }
  /// Moves to the next line. Returns false at the end of the text.
  bool next_line();
};

constexpr bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class LineParser {
 public:
  LineParser(sm4::Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  /// Parses the declaration or instruction that starts at the cursor and appends it to the program. If there
  /// is an error, reports it, returns false and leaves the program unchanged.
  bool parse(Cursor& cursor);
  /// The same for a message: `printf "...", r0.x`. Returns false, without an error, if the line is none.
  bool parse_message(Cursor& cursor);

 private:
  // instruction_parser.cpp
  bool parse_line();
  bool parse_mnemonic(sm4::Instruction& instruction);
  bool parse_suffixes(sm4::Instruction& instruction, std::string_view suffixes, const char* from);
  bool parse_suffix(sm4::Instruction& instruction, std::string_view suffix, const char* from);
  bool parse_groups(sm4::Instruction& instruction);
  bool parse_group(sm4::Instruction& instruction);
  bool parse_precise(sm4::Instruction& instruction);
  bool parse_offset(sm4::Instruction& instruction);
  bool parse_return_types(uint32_t& packed);
  bool parse_instruction(sm4::Instruction& instruction);
  bool parse_message_line(const sm4::ShaderMessage& message);
  bool at_line_end();
  bool finish_line();

  // operand_parser.cpp
  bool parse_operand(sm4::OperandShape shape, sm4::Operand& operand);
  bool parse_register(sm4::OperandShape shape, sm4::Operand& operand);
  bool parse_bare_number(sm4::Operand& operand);
  bool parse_immediates(sm4::Operand& operand);
  bool parse_doubles(sm4::Operand& operand);
  bool parse_indices(sm4::Operand& operand);
  bool parse_index(sm4::Operand& operand);
  bool parse_components(sm4::OperandShape shape, sm4::Operand& operand);
  bool parse_annotations(sm4::Operand& operand);
  bool report(LiteralError error, const char* from);
  std::optional<sm4::RegisterFile> parse_register_name();
  bool take_resource_name(sm4::Operand& operand);
  bool add_register_number(sm4::Operand& operand, const char* from);

  // declaration_parser.cpp
  bool parse_declaration(sm4::Instruction& dcl);
  bool parse_piece(sm4::DeclarationPiece piece, sm4::Instruction& dcl);
  bool parse_dimension(sm4::Instruction& dcl);
  bool parse_range(sm4::Instruction& dcl, bool sized);
  bool parse_named_register(sm4::Operand& operand);
  void skip_buffer_name();
  /// The character that ends an absolute value, if one begins here; 0: none does.
  char take_absolute();
  bool parse_declared_operand(sm4::Instruction& dcl);
  bool parse_index_count(sm4::Instruction& dcl);
  bool parse_indexable_temp();
  void parse_uav_flags(sm4::Instruction& dcl);
  bool parse_sampler_mode(sm4::Instruction& dcl);
  bool parse_float_number();
  bool parse_function_table();
  bool parse_keyword(std::span<const sm4::Keyword> table, std::string_view what, uint32_t& value);
  bool parse_interpolation(sm4::Instruction& dcl);
  bool parse_global_flags(sm4::Instruction& dcl);
  bool parse_bounds(sm4::Operand& operand, const char* from);  // sets awaits_register_
  bool parse_view_flags(sm4::Instruction& dcl);
  bool parse_space();
  bool parse_registers();
  bool parse_number(std::string_view what, uint32_t& value);
  bool parse_named_id(std::string_view name, uint32_t& value);
  bool parse_id_list(std::string_view name, uint32_t& count);
  bool parse_interface(sm4::Instruction& dcl);
  bool parse_constant_buffer(sm4::Instruction& dcl);
  bool parse_constant_rows();

  // Shared
  std::string_view word();
  bool expect(char c, std::string_view where);
  uint32_t column(const char* at) const { return static_cast<uint32_t>(at - cursor_.line_begin) + 1; }
  SourceLocation location(const char* from) const {
    return SourceLocation::text(cursor_.line, column(from), static_cast<uint32_t>(cursor_.at - from));
  }
  template <typename... Args>
  bool error(const char* from, fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error(location(from), format, std::forward<Args>(args)...);
    return false;
  }
  bool sm51() const { return program_.version.model() >= 51; }
  void add_word(uint32_t value) { program_.words.push_back(value); }

  /// A name that RenderDoc prints for a register: `Diffuse (t0)`.
  struct ResourceName {
    std::string_view name;
    sm4::RegisterFile file;
    uint32_t id;
  };

  /// A range of registers as RenderDoc declares it in model 5.1: `T0 space=0,reg=3`. If it has one register,
  /// operands leave out the number of the register: `T0`, `CB1[4]`.
  struct ListedRange {
    sm4::RegisterFile file;
    uint32_t id;
    uint32_t register_number;
    bool is_single;
  };

  sm4::Program& program_;
  Diagnostics& diagnostics_;
  Cursor cursor_;
  std::vector<ResourceName> names_;
  std::vector<ListedRange> listed_ranges_;
  bool has_friendly_names_ = false;  // RenderDoc's names of resources or constant buffers
  const char* mnemonic_begin_ = nullptr;
  std::string_view mnemonic_;         // as written
  bool awaits_register_ = false;      // the declared range is one register, whose number follows the space
  std::string_view declared_suffix_;  // of a declaration's mnemonic, still uninterpreted: "texture2d_glc"
  uint32_t operand_depth_ = 0;
  sm4::Operand operands_[sm4::kMaxOperands];
  sm4::OperandPlace places_[sm4::kMaxOperands];  // of operands_
  sm4::OperandPlace place_;                      // of the operand that parse_operand() read last
};

}  // namespace texlate::assembly
