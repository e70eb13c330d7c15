// Text -> Module, see docs/ir.md.
#pragma once

#include <string_view>

#include "ir/module.h"

namespace texlate::ir {

/// Fills `module`, which must be empty. False, with errors located in the text, when it is not the text form
/// of a module; reading goes on after an error, so that one run reports several. Parsing checks spelling,
/// declarations and that values are defined before they are used; everything else is the verifier's.
bool parse(std::string_view text, Module& module, Diagnostics& diagnostics);

}  // namespace texlate::ir
