// Control slots: how long each instruction holds the next one back, which scoreboards it sets, and for which
// it waits.
//
// Results of fixed latency are waited for by counting cycles, the others by scoreboards: six counters, each
// of which any number of instructions may hold up. An instruction without fixed latency holds one up until
// its result is there (write barrier), and one until its sources are read (read barrier) when somebody
// overwrites a source before the result is waited for. What is pending at a block's end is known where the
// block's lanes go on; only the way back to a loop's header waits for everything.
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

/// `dual_issue`: pairs that may go in one cycle do.
void assign_control(Layout& layout, bool dual_issue);

}  // namespace texlate::maxwell::machine
