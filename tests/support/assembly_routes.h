// Runs a random program on the assembly machine, and its lowered IR on the interpreter.
#pragma once

#include <string>

#include "tests/support/random_assembly.h"

namespace texlate::test {

struct RouteResult {
  Outcome outcome = Outcome::finished;  // of the assembly machine
  uint64_t words = 0;                   // compared and determined
  uint64_t open_words = 0;              // not determined by Direct3D
  std::string difference;               // the first difference; empty if there is none
};

/// Parses, validates and runs on both. An error of parser, validator or lowering is a difference, too.
/// `optimized`: runs the IR after ir::optimize.
RouteResult compare_with_ir(const RandomAssembly& random, bool optimized);

}  // namespace texlate::test
