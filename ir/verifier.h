// Checks that a module obeys the rules of the IR (docs/ir.md). A broken rule is a bug in the code that built
// the module.
#pragma once

#include <span>
#include <string_view>

#include "ir/module.h"

namespace texlate::ir {

/// A declaration of a module's text form: its first word, and where that is. Declarations with the same words
/// are in the order of the module's lists.
struct DeclarationPlace {
  std::string_view word;
  SourceLocation place;
};

enum class Form : uint8_t {
  registers,  // before construct_ssa: reg.load and reg.store, constructs pass no values, code may be
              // unreachable
  ssa,
};

/// Returns false when a rule is broken. Every message names the rule, the operation and its place in
/// Module::code, and is located at the instruction's source line: `[offset] tex.fetch (instruction 17): ...`.
/// Safe for any contents of the arrays.
bool verify(const Module& module, Diagnostics& diagnostics, Form form = Form::ssa);

/// For a module that verify() accepts: may legalization take it? It must only use what Direct3D has in its
/// stage, within Direct3D's limits, and must not contain what only legalization adds: guards, integer layers,
/// stand-in dimensions, texels in stored form. What the front end makes always passes. Messages as above;
/// those about declarations are located where `declarations` says.
bool verify_contract(const Module& module, Diagnostics& diagnostics,
                     std::span<const DeclarationPlace> declarations = {});

}  // namespace texlate::ir
