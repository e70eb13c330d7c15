// Random machine functions, the same for the same seed: vectors of all kinds, loops, divergence, tied and
// guarded results, memory.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/maxwell/machine/function.h"
#include "tests/unit/maxwell_machine/meaning.h"

namespace texlate::maxwell::machine::test {

struct RandomFunctionOptions {
  unsigned size = 60;      // approximate number of instructions
  unsigned depth = 4;      // of nested constructs
  unsigned pressure = 12;  // values that are kept in use
  bool outputs = false;    // fixed registers at the end
  bool uniform = true;     // some branches are uniform
  unsigned calls = 0;      // per hundred instructions; see TestRoutine
};

/// `effects` is the information that run_program needs.
void make_random_function(uint32_t seed, const RandomFunctionOptions& options, Function& function,
                          std::vector<SideEffect>& effects);

}  // namespace texlate::maxwell::machine::test
