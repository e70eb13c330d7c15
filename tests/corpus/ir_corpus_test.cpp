// Every listing of the corpus that can be lowered: SSA construction, optimization, text form. The verifier
// runs after each step.
#include <gtest/gtest.h>

#include <chrono>

#include "frontend/asm/parser.h"
#include "frontend/lower/lower.h"
#include "ir/passes/optimize.h"
#include "tests/corpus/corpus.h"
#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

struct Figures {
  size_t files = 0;
  size_t lowered = 0;
  size_t instructions_lowered = 0;
  size_t instructions_optimized = 0;
  double optimize_seconds = 0;
};

template <typename Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void check_text_form(const Module& module, Form form) {
  const std::string text = to_text(module);
  Module copy;
  parse_or_fail(text, copy);
  verify_or_fail(copy, form);
  EXPECT_EQ(to_text(copy), text);
}

void check(const std::string& text, Figures& figures) {
  sm4::Program program;
  Diagnostics diagnostics;
  Module module;
  if (!assembly::parse(text, program, diagnostics) || !lower::lower(program, module, diagnostics)) return;
  ++figures.lowered;
  verify_or_fail(module);
  check_text_form(module, Form::ssa);
  figures.instructions_lowered += module.code.size();
  Module passes = module;
  for (const Pass& pass : optimization_passes()) {
    pass.run(passes);
    SCOPED_TRACE(pass.name);
    verify_or_fail(passes);
  }
  figures.optimize_seconds += seconds([&] { optimize(module); });
  verify_or_fail(module);
  figures.instructions_optimized += module.code.size();
  check_text_form(module, Form::ssa);
}

TEST(IrCorpus, EveryListingThatLowersKeepsTheRules) {
  TEXLATE_NEEDS_CORPUS();
  Figures figures;
  for (const char* folder : {"games", "pairs", "fxc_suite", "hlsl_suite"}) {
    for (const auto& path : corpus::files(folder, ".asm")) {
      SCOPED_TRACE(path.string());
      ++figures.files;
      check(corpus::read(path), figures);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
  std::printf("%zu of %zu listings lower: %zu instructions, %zu optimized\n", figures.lowered, figures.files,
              figures.instructions_lowered, figures.instructions_optimized);
  std::printf("optimization %.1f million instructions a second\n",
              static_cast<double>(figures.instructions_lowered) / figures.optimize_seconds * 1e-6);
  EXPECT_GT(figures.lowered * 2, figures.files);
}

}  // namespace
}  // namespace texlate::ir
