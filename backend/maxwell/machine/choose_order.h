// Which order of the instructions, and thus how many registers.
#pragma once

#include "backend/maxwell/machine/fit_registers.h"
#include "backend/maxwell/machine/program.h"

namespace texlate::maxwell::machine {

/// Orders instructions and gives them registers. If the limit is far away, the order is the one that an SM
/// needs least time for; if it is near, it is that one of several with the fewest moves and spills.
bool choose_order(Function& function, const Options& options, Scratch& scratch, Fit& fit, PassLog& log);

}  // namespace texlate::maxwell::machine
