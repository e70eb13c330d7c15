// The order of instructions once they have registers: finds places for moves and spills, and fills the time
// in which an instruction waits for a result of fixed latency.
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

void schedule_lines(Layout& layout);

}  // namespace texlate::maxwell::machine
