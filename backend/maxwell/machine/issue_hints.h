// The parts of control slots that only change speed: texture phases, operand reuse, yielding.
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

/// Run it after assign_control().
///   TEXS.T ; TEXS.T ; TEXS.P      fetches that are all issued before the first wait
///   FFMA R0, R4.reuse, R1, R2 ; FFMA R3, R4, R1, R5      the next instruction finds R4 in the port's cache
void add_issue_hints(Layout& layout);

}  // namespace texlate::maxwell::machine
