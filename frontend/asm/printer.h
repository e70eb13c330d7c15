// Program to assembly text, in the form fxc prints.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

#include "frontend/sm4/program.h"

namespace texlate::assembly {

/// Which disassembler's habits to follow.
enum class Dialect : uint8_t {
  d3dcompiler_47,  // compilers 10.x: `dcl_constantbuffer CB0[4]`, `dcl_input_ps_sgv constant v1.x`
  d3dcompiler_43,  // compilers 9.29 (June 2010 and around): `cb0[4]`, no `constant` there
};

struct PrintOptions {
  /// Print every literal so that it reads back to the same bits; where fxc's six decimals do that, they stay.
  bool exact_literals = false;
  /// Print the header comment, made of the signatures that the Program holds.
  bool header = true;
  /// Comment lines to print instead of that header (dxbc::print_header makes the full one of a container's
  /// chunks).
  std::string_view header_text = {};
  Dialect dialect = Dialect::d3dcompiler_43;
};

/// Appends the listing to `out`.
void print(const sm4::Program& program, const PrintOptions& options, std::pmr::string& out);

/// Appends one instruction or declaration as one line, without indentation and without the newline (an
/// immediate constant buffer has several lines).
void print_instruction(const sm4::Program& program, const sm4::Instruction& instruction,
                       const PrintOptions& options, std::pmr::string& out);

/// Appends the tables of the signatures as a listing's header has them.
void print_signatures(const sm4::Program& program, Dialect dialect, std::pmr::string& out);

}  // namespace texlate::assembly
