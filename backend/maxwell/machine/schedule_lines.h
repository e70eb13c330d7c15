// The order of instructions once they have registers: moves and spills find their places, and what waits for
// a result of fixed latency lets others go first.
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

void schedule_lines(Layout& layout);

}  // namespace texlate::maxwell::machine
