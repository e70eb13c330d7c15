// sm4::Program -> ir::Module. Every instruction becomes equivalent scalar operations. Registers remain
// registers (reg.load, reg.store) until ir/passes/construct_ssa.
#pragma once

#include <span>
#include <vector>

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

/// What lower() made of each instruction, for programs that follow a run line by line
/// (tools/executor/trace.h).
struct Log {
  /// Something that happens before Module::code[position] runs, if a lane is active there: an instruction of
  /// the program begins, or it has written a component of its destination.
  struct Entry {
    uint32_t position;
    uint32_t instruction;  // index in sm4::Program::instructions
    bool begins = false;
    uint8_t component = 0;
    sm4::Operand destination = {};
    ir::Value value = ir::kNoValue;
    ir::Value index = ir::kNoValue;  // of the register, if it is not known before the run
  };
  std::vector<Entry> entries;  // positions ascend
};

struct Options {
  std::span<const ClassInstance> classes = {};
  Log* log = nullptr;
  bool messages = false;  // printf and errorf become operations; otherwise they are left out
};

/// Fills `module`, which must be empty. Returns false, with located errors, if the program uses something
/// that cannot be lowered. The Program should have passed sm4::validate; otherwise the result is errors or
/// unspecified but safe output.
bool lower(const sm4::Program& program, ir::Module& module, Diagnostics& diagnostics,
           const Options& options = {});

}  // namespace texlate::lower
