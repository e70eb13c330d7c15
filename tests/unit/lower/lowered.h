// A lowered listing, and queries about it.
#pragma once

#include <gtest/gtest.h>

#include "frontend/lower/lower.h"
#include "tests/support/support.h"

namespace texlate::test {

struct Lowered {
  explicit Lowered(std::string_view listing, const lower::Options& options = {}) {
    sm4::Program program;
    dxbc::Container container;
    read = library::read_program(listing, dxbc::DigestCheck::warn, program, container, diagnostics);
    ok = read && lower::lower(program, module, diagnostics, options);
    for (const Diagnostic& diagnostic : diagnostics.list()) messages += render(diagnostic, "t.asm", listing);
  }

  std::vector<const ir::Instruction*> all(ir::Op op) const {
    std::vector<const ir::Instruction*> found;
    for (const ir::Instruction& instruction : module.code) {
      if (instruction.op == op) found.push_back(&instruction);
    }
    return found;
  }
  size_t count(ir::Op op) const { return all(op).size(); }
  const ir::ResourceAccess& access(ir::Op op) const { return module.access_of(*all(op).at(0)); }

  ir::Module module;
  Diagnostics diagnostics;
  std::string messages;
  bool read = false;
  bool ok = false;
};

}  // namespace texlate::test
