// The text form of machine functions: before registers are allocated, after that, and as lines. Tests parse
// it back (tests/unit/maxwell_machine/parse_text.h).
//
//   values local=16
//   block0:
//     S2R v0, SR_TID.X from 1
//     ISETP.LT.AND p1, PT, v0, 0x4, PT
//     selection merge block3
//     branch p1, block1, block2
//   block1:
//     jump block3(v0)
//   ...
//
//   registers exits=1
//   block0:
//     S2R R0, SR_TID.X from 1
//     ISETP.LT.AND P0, PT, R0, 0x4, PT
//     selection merge block3
//     branch P0, block1, block2
//   ...
//
//   lines timed exits=1 stack=1
//   block0:
//     --:-:0:-:2  S2R R0, SR_TID.X from 1
//     01:-:-:Y:13  ISETP.LT.AND P0, PT, R0, 0x4, PT
//     --:-:-:-:1  SSY block3
//     --:-:-:-:5  @!P0 BRA block2
//   ...
//
// Instructions are in the instruction set's text (isa/text.h), without the semicolon; a semicolon begins a
// comment. Blocks are numbered in program order; an entry block without lines has its header only.
//
//   v3 p4           values by number: a register, a predicate. v_, p_: none (an unused result, a source that
//                   does not matter)
//   v3:v4:v_        the values of an operand that covers several registers
//   else v1:p2      what the results are if the guard is false (Instruction::merge)
//   reads 2         effect and space: reads, writes; any, local, spill or a number. orders: a barrier
//   from 7          Instruction::origin
//   to block3       of SYNC, BRK, CONT and RET, which leave for a block that they do not name
//
// The first line says which form it is, and what the function has: `routine`, `apart` (separates_fetches),
// `local=BYTES`, `exits=REGISTERS`; of lines also `timed` (with the control column, isa/control_text.h) and
// `stack=ENTRIES`.
#pragma once

#include <string>

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

/// Appends the text. The offsets of branches are not part of it: it names blocks.
void print(const Function& function, std::string& out);
void print(const Function& function, const Layout& layout, std::string& out);

}  // namespace texlate::maxwell::machine
