// Control slots: how long each instruction delays the next one, which scoreboards it sets, and for which it
// waits.
//
// Results of fixed latency are waited for by counting cycles, others by scoreboards: six counters, each of
// which any number of instructions may raise. An instruction without fixed latency raises one until its
// result is there (write barrier), and one until its sources are read (read barrier) if a source is
// overwritten before the result is waited for. What is pending at a block's end is known where the block's
// lanes continue; only the jump back to a loop's header waits for everything.
//
// Before:
//   lines exits=1
//   block0:
//     S2R R0, SR_TID.X
//     LDS R1, [R0] reads 2
//     MOV32I R0, 0x3f800000
//     FADD R0, R1, R0
//     FMUL R0, R0, R0
//     EXIT
//
// After:
//   lines timed exits=1
//   block0:
//     --:-:0:Y:2  S2R R0, SR_TID.X
//     01:1:0:Y:2  LDS R1, [R0] reads 2
//     02:-:-:Y:6  MOV32I R0, 0x3f800000
//     01:-:-:Y:6  FADD R0, R1, R0
//     --:-:-:Y:6  FMUL R0, R0, R0
//     --:-:-:Y:13  EXIT
//
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

/// `dual_issue`: pairs that can issue in one cycle do.
void assign_control(Layout& layout, bool dual_issue);

}  // namespace texlate::maxwell::machine
