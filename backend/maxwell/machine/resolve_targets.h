// Branch offsets from block numbers: bytes from the next instruction, control words included. Lines stay
// where they are from here on. The text form names blocks, so it is the same before and after.
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

/// Returns false if an offset does not fit.
bool resolve_targets(Layout& layout);

}  // namespace texlate::maxwell::machine
