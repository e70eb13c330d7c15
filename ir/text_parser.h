// Text -> Module, see docs/ir.md.
#pragma once

#include <string_view>

#include "ir/module.h"
#include "ir/verifier.h"

namespace texlate::ir {

/// Which locations the instructions get.
enum class Lines : uint8_t {
  of_source,  // those in their comments: "; line 12", "; offset 0x40"
  of_text,    // their own place in the text
};

/// Fills `module`, which must be empty. Returns false, with errors located in the text, if the text is not
/// the text form of a module. Reading goes on after an error, so that one run reports several. Parsing checks
/// spelling, declarations, and that values are defined before they are used; the verifier checks everything
/// else. `declarations` gets the places that verify_contract() asks for; their words are parts of the text.
bool parse(std::string_view text, Module& module, Diagnostics& diagnostics, Lines lines = Lines::of_source,
           std::pmr::vector<DeclarationPlace>* declarations = nullptr);

}  // namespace texlate::ir
