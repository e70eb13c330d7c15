// sm4::Program -> ir::Module. Every instruction becomes equivalent scalar operations. Registers remain
// registers (reg.load, reg.store) until ir/passes/construct_ssa.
#pragma once

#include <span>

#include "frontend/sm4/program.h"
#include "ir/module.h"

namespace texlate::lower {

/// The host's binding of an interface slot (class linkage, D3D11.3 7.19): an instance of a class, and the
/// position of its data.
struct ClassInstance {
  uint32_t slot = 0;                  // number of the fp#, plus the index into its array
  uint32_t table = 0;                 // the class: number of an ft# in the interface's declaration
  uint32_t constant_buffer = 0;       // the cb# that holds its variables
  uint32_t constant_offset = 0;       // their first row (vec4) in it
  uint32_t texture = 0, sampler = 0;  // its first t# and s#
};

struct Options {
  std::span<const ClassInstance> classes = {};
};

/// Fills `module`, which must be empty. Returns false, with located errors, if the program uses something
/// that cannot be lowered. The Program should have passed sm4::validate; otherwise the result is errors or
/// unspecified but safe output.
bool lower(const sm4::Program& program, ir::Module& module, Diagnostics& diagnostics,
           const Options& options = {});

}  // namespace texlate::lower
