// Control slots: how long each instruction delays the next one, which scoreboards it sets, and for which it
// waits.
//
// Results of fixed latency are waited for by counting cycles, others by scoreboards: six counters, each of
// which any number of instructions may raise. An instruction without fixed latency raises one until its
// result is there (write barrier), and one until its sources are read (read barrier) if a source is
// overwritten before the result is waited for. What is pending at a block's end is known where the block's
// lanes continue; only the jump back to a loop's header waits for everything.
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

/// `dual_issue`: pairs that can issue in one cycle do.
void assign_control(Layout& layout, bool dual_issue);

}  // namespace texlate::maxwell::machine
