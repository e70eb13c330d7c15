// Whole programs: assembly text to bytes, and bytes or hexadecimal words to a listing that can be assembled
// again.
//
//   .kernel blur                 // starts a program at address 0; optional when there is one only
//   .L0:                         // label
//     --:-:0:Y:2  @!P0 TEXS.T R2, R0, R4, R5, 0x1, 2D, RGBA;    // 0xd830...
//     01:-:-:Y:6  FADD R0, R2, R3;
//     --:-:-:-:15:4  .word 0x0123456789abcdef;                  // a word that is not an instruction
//
// The column before the instruction is its control slot: barriers waited for (mask, hexadecimal, -- for
// none), barrier set when sources are read, barrier set when the result is written (- for none), Y if the
// scheduler may switch warps, stall cycles. A sixth field gives the reuse bits, in hexadecimal, if the text
// of the instruction cannot show them (.reuse, .T, .P show the usual ones). Without a column: stall 15,
// nothing else. In place of the column, scheduling may follow the operands as on NVIDIA's instruction pages:
// &req={0,1} &rd=0x3 &wr=0x2 ?Y:2 (control_text.h). ".flag63" before an instruction that starts a group sets
// bit 63 of its control word, which NVIDIA's tools never do. What a cubin or .dksh needs beside the code is
// in directives (directives.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/maxwell/isa/code.h"
#include "backend/maxwell/isa/control_text.h"
#include "backend/maxwell/isa/directives.h"
#include "backend/maxwell/isa/instruction.h"

namespace texlate::maxwell {

struct AssembleOptions {
  /// Also refuse what can be encoded but breaks a constraint of the machine (constraints.h), such as
  /// unaligned vectors.
  bool constraints = true;
  /// Refuse what this target lacks: 50, 52 or 53. 0: that of the directive, or without one any target.
  uint32_t sm = 0;
};

struct ListedProgram {
  SourceLocation location;  // of the .kernel line, or nothing
  ProgramFacts facts;
  // With control words; the last group is filled with NOPs. A program with directives is a whole one, which
  // has its end (end_of_program() in program.h), whether or not the listing shows it.
  std::vector<uint64_t> words;
};

/// Appends the programs of a listing. Returns false on errors; they are located at the operand and name the
/// rule.
bool assemble(std::string_view text, std::vector<ListedProgram>& programs, Diagnostics& diagnostics,
              const AssembleOptions& options = {});

/// Appends the words of all programs, as bytes.
bool assemble(std::string_view text, std::vector<uint8_t>& out, Diagnostics& diagnostics,
              const AssembleOptions& options = {});

/// The beginning of the line that starts a program. A name may have any byte but zero: control characters,
/// which could end the line, become question marks. No reader looks at the name.
std::string kernel_line(std::string_view name);

struct DisassembleOptions {
  bool words = false;  // the raw word of each instruction, as a comment
};

std::vector<uint64_t> to_words(std::span<const uint8_t> bytes);

/// Takes a text of hexadecimal words (with or without 0x, separated by white space or commas), or otherwise a
/// raw program.
/// Words that are not instructions become `.word`. Hexadecimal words are a program with control words if they
/// are whole groups of four, otherwise single instructions.
bool disassemble(std::span<const uint8_t> input, std::string& out, Diagnostics& diagnostics,
                 const DisassembleOptions& options = {});

/// Takes one program of whole groups.
bool disassemble_program(std::span<const uint64_t> words, std::string& out, Diagnostics& diagnostics,
                         const DisassembleOptions& options = {});

inline constexpr uint32_t kNoLabel = 0xffffffffu;
/// Lists the program that encode_unchecked() makes of the instructions. Returns, for each of them in whole
/// groups and for the end, the number of the label on the line before it, or kNoLabel.
std::vector<uint32_t> list_program(std::span<const Code> instructions, std::string& out);

}  // namespace texlate::maxwell
