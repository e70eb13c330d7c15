// Text parser, validator and printer on arbitrary text. What parses can be printed, and the output parses.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/sm4/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace texlate;
  sm4::Program program;
  Diagnostics diagnostics;
  const bool good = assembly::parse({reinterpret_cast<const char*>(data), size}, program, diagnostics);
  sm4::validate(program, diagnostics);
  std::pmr::string text;
  assembly::print(program, {}, text);
  if (!good) return 0;
  sm4::Program again;
  Diagnostics errors;
  if (!assembly::parse(text, again, errors)) {
    std::fprintf(stderr, "%s\n", render(errors.list()[0], "print", text).c_str());
    std::abort();
  }
  return 0;
}
