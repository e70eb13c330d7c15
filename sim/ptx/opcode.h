// The instruction and modifier tables as data.
#pragma once

#include <optional>
#include <string_view>

#include "sim/ptx/module.h"

namespace texlate::sim::ptx {

struct OpcodeInfo {
  std::string_view text;      // "setp"
  std::string_view operands;  // operand shape, see opcode_table.inc
  ModSet modifiers;
  uint32_t types = 0;   // one bit per Type
  bool spaces = false;  // takes a state space
  bool memory_ordering = false;
};
const OpcodeInfo& opcode_info(Opcode opcode);
std::optional<Opcode> find_opcode(std::string_view text);
std::optional<Mod> find_modifier(std::string_view text);
std::optional<Type> find_type(std::string_view text);
std::optional<Space> find_space(std::string_view text);
std::string_view type_name(Type type);

/// Selects the code that runs the instruction, by opcode, types and modifiers. Null: there is no such form.
Handler select_handler(const Instruction& instruction);

// One per instruction family; select_handler() maps an opcode to its family.
Handler select_integer(const Instruction& instruction);
Handler select_float(const Instruction& instruction);
Handler select_double(const Instruction& instruction);
Handler select_bits(const Instruction& instruction);
Handler select_compare(const Instruction& instruction);
Handler select_convert(const Instruction& instruction);
Handler select_memory(const Instruction& instruction);
Handler select_atomic(const Instruction& instruction);
Handler select_warp(const Instruction& instruction);
Handler select_texture(const Instruction& instruction);
Handler select_surface(const Instruction& instruction);
/// The warp's scheduler runs control flow (warp.cpp). The handlers of such instructions are never
/// called.
Handler select_control(const Instruction& instruction);

}  // namespace texlate::sim::ptx
