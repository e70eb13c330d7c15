// Converts a Program to assembly text, in the form that fxc prints.
#pragma once

#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/asm/literal.h"
#include "frontend/sm4/program.h"

namespace texlate::assembly {

/// The conventions to follow: those of compilers and disassemblers by SDK, oldest first.
///
///                june_2010            windows_8                windows_10, stripped
///   version      9.29                 9.30, 6.3                10.0, 10.1
///   cbuffer      `cb0[4]`             `cb0[4]`                 `CB0[4]`
///   sgv input    `dcl_input_ps_sgv v1.x` (both)                `dcl_input_ps_sgv constant v1.x`
///   ties         18.8515625 is `18.851563` (both)         `18.851562`; stripped: `18.851563`
///   signatures   format of 6 letters  of 7, for `min2_8f` (both)
///   bindings     columns `Slot Elements` (both)                `HLSL Bind  Count`
///   precision    `r0.x {min16f}` (both)                   `r0.x {min16f as def32}` if the result has another
///
/// The disassembler prints `stripped` containers: no chunk RDEF names their compiler.
enum class Dialect : uint8_t { june_2010, windows_8, windows_10, stripped };
constexpr bool is_windows_10(Dialect dialect) {
  return dialect == Dialect::windows_10 || dialect == Dialect::stripped;
}

struct PrintOptions {
  /// Print every literal so that it reads back to the same bits; fxc's six decimals are used if they suffice.
  bool exact_literals = false;
  /// Print the header comment, made from the Program's signatures.
  bool header = true;
  /// Comment lines to print instead of that header (dxbc::disassemble makes them from a container's chunks).
  std::string_view header_text = {};
  /// If absent: june_2010, or the dialect of the container's compiler (dxbc::disassemble).
  std::optional<Dialect> dialect = {};
  /// If not null, print() appends the line of each instruction, from 1.
  std::pmr::vector<uint32_t>* lines = nullptr;

  LiteralStyle literal_style() const { return {exact_literals, dialect_or_default() == Dialect::windows_10}; }
  Dialect dialect_or_default() const { return dialect.value_or(Dialect::june_2010); }
};

/// Appends the listing to `out`.
void print(const sm4::Program& program, const PrintOptions& options, std::pmr::string& out);

/// Appends one instruction or declaration as one line, without indentation and without the newline (an
/// immediate constant buffer has several lines).
void print_instruction(const sm4::Program& program, const sm4::Instruction& instruction,
                       const PrintOptions& options, std::pmr::string& out);

/// Appends the signature tables of a listing's header.
void print_signatures(const sm4::Program& program, Dialect dialect, std::pmr::string& out);

}  // namespace texlate::assembly
