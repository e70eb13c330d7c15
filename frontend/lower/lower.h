// sm4::Program -> ir::Module: every instruction becomes the scalar operations that mean the same, registers
// stay registers (reg.load, reg.store) until ir/passes/construct_ssa.
#pragma once

#include <span>

#include "frontend/sm4/program.h"
#include "ir/module.h"

namespace texlate::lower {

/// What the host bound to an interface slot (class linkage, D3D11.3 7.19): an instance of a class and where
/// its data is.
struct ClassInstance {
  uint32_t slot = 0;                  // number of the fp#, plus the index into its array
  uint32_t table = 0;                 // the class: number of an ft# that the interface's declaration lists
  uint32_t constant_buffer = 0;       // cb# that holds its variables,
  uint32_t constant_offset = 0;       // from this row (vec4) on
  uint32_t texture = 0, sampler = 0;  // its first t# and s#
};

struct Options {
  std::span<const ClassInstance> classes = {};
};

/// Fills `module`, which must be empty. False, with located errors, when the program uses what cannot be
/// lowered. The Program should have passed sm4::validate; a Program that has not gives errors or unspecified
/// but safe output.
bool lower(const sm4::Program& program, ir::Module& module, Diagnostics& diagnostics,
           const Options& options = {});

}  // namespace texlate::lower
