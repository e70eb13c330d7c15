// The form of each declaration: the order of its pieces in text, which is also the order of its operands and
// trailing dwords in tokens. The text parser and printer and the token decoder and encoder all use this
// table.
#pragma once

#include <array>
#include <string_view>

#include "frontend/sm4/opcode.h"

namespace texlate::sm4 {

/// A piece of a declaration. The comments mark pieces that are an operand or a dword. The others are fields
/// of Instruction::controls.
enum class DeclarationPiece : char {
  dimension = 'D',           // suffix `_texture2d`, with `(samples)` when multisampled: controls
  uav_flags = 'F',           // suffixes `_glc`, `_rov`, `_opc`: controls
  return_types = 'T',        // ` (float,float,float,float)`: dword
  operand = 'O',             // a register with its mask: operand
  range = 'R',               // `t0`; 5.1: `T0[0:3]`: operand
  constant_buffer = 'B',     // `cb0[4]`; 5.1: `CB0[0:0][4]`: operand; 5.1: and a dword
  indexable_temp = 'E',      // `x0[4], 4`: 3 dwords
  access_pattern = 'A',      // `, immediateIndexed`: controls
  sampler_mode = 'M',        // `, mode_default`: controls
  interpolation = 'I',       // ` linear noperspective`: controls
  system_value = 'V',        // `, position`: dword
  number_after_comma = ',',  // `, 16`: dword
  number = 'N',              // ` 16`: dword
  float_number = 'X',        // ` l(64.000000)`: dword
  global_flags = 'G',        // controls
  input_primitive = 'P',     // controls
  output_topology = 'L',     // controls
  control_points = 'C',      // controls
  tessellator_domain = 'd',
  tessellator_partitioning = 'p',
  tessellator_output = 'o',
  space = 'S',           // 5.1: `, space=0`: dword
  space_or_blank = 's',  // the same; before 5.1 a blank
  function_body = 'b',   // `fb0`: dword
  function_table = 't',  // `ft0 = {fb0, fb1}`: dwords
  interface_ = 'i',      // `fp0[2][4] = {ft0, ft1}`: dwords
  trailing_blank = ' ',  // fxc prints a blank at the end of the line
};

namespace detail {
struct DeclarationForm {
  Opcode opcode;
  std::string_view pieces;
};
inline constexpr DeclarationForm kDeclarationForms[] = {
    {Opcode::dcl_resource, "DTRS"},
    {Opcode::dcl_resource_raw, "RS"},
    {Opcode::dcl_resource_structured, "R,s"},
    {Opcode::dcl_uav_typed, "DFTRS"},
    {Opcode::dcl_uav_raw, "FRS"},
    {Opcode::dcl_uav_structured, "FR,S"},
    {Opcode::dcl_tgsm_raw, "O,"},
    {Opcode::dcl_tgsm_structured, "O,,"},
    {Opcode::dcl_constantbuffer, "BAS"},
    {Opcode::dcl_sampler, "RMS"},
    {Opcode::dcl_indexrange, "ON"},
    {Opcode::dcl_indexable_temp, "E"},
    {Opcode::dcl_temps, "N"},
    {Opcode::dcl_global_flags, "G"},
    {Opcode::dcl_thread_group, "N,,"},
    {Opcode::dcl_input, "O"},
    {Opcode::dcl_input_sgv, "OV"},
    {Opcode::dcl_input_siv, "OV"},
    {Opcode::dcl_input_ps, "IO"},
    {Opcode::dcl_input_ps_sgv, "IOV"},
    {Opcode::dcl_input_ps_siv, "IOV"},
    {Opcode::dcl_output, "O"},
    {Opcode::dcl_output_sgv, "OV"},
    {Opcode::dcl_output_siv, "OV"},
    {Opcode::dcl_inputprimitive, "P "},
    {Opcode::dcl_outputtopology, "L "},
    {Opcode::dcl_maxout, "N"},
    {Opcode::dcl_gs_instance_count, "N"},
    {Opcode::dcl_stream, "O"},
    {Opcode::dcl_input_control_point_count, "C"},
    {Opcode::dcl_output_control_point_count, "C"},
    {Opcode::dcl_tessellator_domain, "d"},
    {Opcode::dcl_tessellator_partitioning, "p"},
    {Opcode::dcl_tessellator_output_primitive, "o"},
    {Opcode::dcl_hs_max_tessfactor, "X"},
    {Opcode::dcl_hs_fork_phase_instance_count, "N"},
    {Opcode::dcl_hs_join_phase_instance_count, "N"},
    {Opcode::hs_decls, " "},
    {Opcode::hs_control_point_phase, " "},
    {Opcode::hs_fork_phase, " "},
    {Opcode::hs_join_phase, " "},
    {Opcode::dcl_function_body, "b"},
    {Opcode::dcl_function_table, "t"},
    {Opcode::dcl_interface, "i"},
};

constexpr std::array<std::string_view, kOpcodeLimit> make_declaration_forms() {
  std::array<std::string_view, kOpcodeLimit> table{};
  for (const DeclarationForm& form : kDeclarationForms)
    table[static_cast<uint32_t>(form.opcode)] = form.pieces;
  return table;
}
inline constexpr std::array<std::string_view, kOpcodeLimit> kDeclarationPieces = make_declaration_forms();
}  // namespace detail

/// The pieces of a declaration, each letter a DeclarationPiece. Empty for instructions and for custom data.
constexpr std::string_view declaration_pieces(Opcode opcode) {
  return detail::kDeclarationPieces[static_cast<uint32_t>(opcode)];
}

}  // namespace texlate::sm4
