// A random program by the assembly machine and by the interpreter of the IR that lowering made of it.
#pragma once

#include <string>

#include "tests/support/random_assembly.h"

namespace texlate::test {

struct RouteResult {
  Outcome outcome = Outcome::finished;  // of the assembly machine
  uint64_t words = 0;                   // compared, and determined
  uint64_t open_words = 0;              // that Direct3D leaves open
  std::string difference;               // the first; empty: none
};

/// Parses, validates and runs on both; an error of parser, validator or lowering is a difference too.
/// `optimised`: the IR after ir::optimize.
RouteResult compare_with_ir(const RandomAssembly& random, bool optimised);

}  // namespace texlate::test
