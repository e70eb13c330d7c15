// The PTX parser's state. Declarations (parser.cpp) and instructions (parse_instruction.cpp) share
// it.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "sim/ptx/lexer.h"
#include "sim/ptx/module.h"
#include "sim/ptx/scope.h"

namespace texlate::sim::ptx {

class Parser {
 public:
  Parser(std::string_view text, Diagnostics& diagnostics);
  std::unique_ptr<Module> run();

 private:
  // Declarations.
  void parse_top_level();
  bool parse_module_directive();
  void parse_function(bool entry);
  void parse_function_directives(Function& function);
  void parse_formals(bool entry, std::vector<Parameter>& list, Function& function);
  void parse_body();
  void parse_statement();
  void parse_registers();
  void parse_variable(Space space);
  bool parse_opaques(Space space);
  bool parse_opaque_parameter(const Function& function, bool entry);
  bool parse_opaque_initializer(OpaqueVariable& variable);
  bool parse_opaque_field(OpaqueVariable& variable);
  std::optional<uint32_t> parse_enumerator(std::span<const std::string_view> names);
  bool declare_opaque(const Token& name, OpaqueVariable variable);
  void parse_branch_targets(std::string_view label);
  uint64_t parse_initializer(std::vector<std::byte>& bytes, Type type, uint64_t limit);
  std::optional<std::pair<uint64_t, uint64_t>> parse_type_and_align(Type& type);
  bool parse_array_sizes(uint64_t& elements, bool& unsized);
  uint64_t allocate(Space space, uint64_t size, uint64_t align);
  void resolve_labels(bool function_ends);

  // Instructions.
  void parse_instruction();
  bool parse_modifiers(Instruction& instruction);
  bool parse_operands(Instruction& instruction);
  bool parse_operand(char shape, Instruction& instruction, int& source);
  bool parse_vector(Instruction& instruction, bool destination, int count);
  bool parse_address(Instruction& instruction);
  bool parse_call(Instruction& instruction);
  bool parse_call_list(std::vector<Parameter>& list);
  bool parse_texture(Instruction& instruction);
  bool parse_texture_tail(Instruction& instruction, TexOperands& operands);
  bool parse_surface(Instruction& instruction, bool store);
  bool parse_query(Instruction& instruction);
  bool handle_operand(uint32_t& reg, OpaqueKind kind);
  bool accept_opaque(uint32_t& reg);
  bool parse_coordinates(std::array<uint32_t, 4>& list, Type type, int least);
  bool destination(uint32_t& reg, bool predicate);
  bool source(uint32_t& reg, Type type, bool predicate = false);
  std::optional<uint64_t> literal(Type type);
  bool register_operand(uint32_t& reg, bool predicate);
  const Symbol* vector_register(const Token& token);
  std::string_view joined_name();
  uint32_t constant(uint64_t value, uint32_t global = kNone);

  // Tokens.
  const Token& peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool accept(char c);
  bool expect(char c);
  void recover();
  uint32_t new_register() { return module_->register_count++; }

  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  std::unique_ptr<Module> module_;
  Scopes scopes_;
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> constants_;
  std::vector<bool> predicate_registers_;  // by register
  struct LabelUse {
    uint32_t instruction, table, entry;  // table kNone: the target of an instruction
    Token token;
  };
  std::vector<LabelUse> label_uses_;
  uint32_t block_depth_ = 0;
};

}  // namespace texlate::sim::ptx
