// Random well-formed modules, the same for the same seed.
#pragma once

#include "ir/verifier.h"

namespace texlate::ir {

struct RandomIrOptions {
  Form form = Form::ssa;  // registers: constructs pass no values, and code may follow jumps
  uint32_t size = 80;     // approximate number of instructions
  uint32_t depth = 5;     // of nested constructs
  bool accesses = true;   // also resource accesses, queries and cb_load
};

/// Every loop ends after a few iterations. `module` must be empty.
void make_random_module(uint32_t seed, const RandomIrOptions& options, Module& module);

}  // namespace texlate::ir
