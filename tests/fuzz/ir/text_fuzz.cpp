// Arbitrary text through the IR parser; what parses prints stably, and what the verifier accepts survives
// every pass.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "ir/passes/construct_ssa.h"
#include "ir/passes/optimize.h"
#include "ir/text_parser.h"
#include "ir/text_printer.h"
#include "ir/verifier.h"

namespace {

using namespace texlate::ir;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

bool accepted(const Module& module, Form form) {
  texlate::Diagnostics diagnostics;
  return verify(module, diagnostics, form);
}

void check_passes(const Module& original) {
  Module module = original;
  if (accepted(module, Form::registers)) {
    construct_ssa(module);
    require(accepted(module, Form::ssa), "SSA construction broke a rule");
  }
  if (!accepted(module, Form::ssa)) return;
  for (const Pass& pass : optimization_passes()) {
    pass.run(module);
    require(accepted(module, Form::ssa), pass.name.data());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Module module;
  texlate::Diagnostics diagnostics;
  if (!parse(text, module, diagnostics)) {
    require(diagnostics.has_errors(), "refused without an error");
    return 0;
  }
  std::pmr::string printed;
  print(module, printed);
  Module copy;
  require(parse(printed, copy, diagnostics), "what was printed does not parse");
  std::pmr::string again;
  print(copy, again);
  require(printed == again, "the text changes from print to print");
  check_passes(module);
  return 0;
}
