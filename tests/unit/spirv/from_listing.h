// A listing as SPIR-V text, through the passes of a translation; the module is validated.
#pragma once

#include <gtest/gtest.h>

#include "backend/spirv/emit.h"
#include "backend/spirv/guarantees.h"
#include "backend/spirv/spirv_tools.h"
#include "frontend/asm/parser.h"
#include "frontend/lower/lower.h"
#include "ir/passes/optimize.h"
#include "tests/support/ir_text.h"
#include "tests/support/spirv_text.h"

namespace texlate::spirv {

struct FromListing {
  explicit FromListing(std::string_view listing, const Options& options = {}, bool validated = true) {
    Diagnostics diagnostics;
    sm4::Program program;
    bool good = assembly::parse(listing, program, diagnostics) && lower::lower(program, module, diagnostics);
    if (good) {
      ir::verify_or_fail(module);
      ir::optimize(module);
      good = ir::legalize(module, guarantees(options), diagnostics);
    }
    if (good) {
      ir::verify_or_fail(module);
      ir::optimize(module);
      fit_limits(module);
      ir::verify_or_fail(module);
      good = emit(module, options, words, diagnostics);
    }
    messages = ir::to_text(diagnostics, listing);
    if (!good || !validated) return;
    text = to_text(words);
    std::string complaint;
    EXPECT_TRUE(validate(words, complaint)) << complaint << '\n' << text;
  }

  size_t count(std::string_view what) const {
    size_t n = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  }

  ir::Module module;
  std::pmr::vector<uint32_t> words;
  std::string text;  // empty if it was refused or is invalid
  std::string messages;
};

}  // namespace texlate::spirv
