// Text to Program to bytes to Program: both Programs are equal.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "frontend/asm/parser.h"
#include "frontend/dxbc/read.h"
#include "frontend/sm4/compare.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace texlate;
  sm4::Program program;
  Diagnostics diagnostics;
  if (!assembly::parse({reinterpret_cast<const char*>(data), size}, program, diagnostics)) return 0;
  std::pmr::vector<std::byte> bytes;
  if (!dxbc::write(program, nullptr, bytes, diagnostics)) return 0;
  dxbc::Container container;
  sm4::Program again;
  Diagnostics errors;
  if (!dxbc::read(bytes, container, again, errors, {.digest = dxbc::DigestCheck::require})) {
    std::fprintf(stderr, "%s\n", errors.list().empty() ? "?" : errors.list()[0].message.c_str());
    std::abort();
  }
  const std::string difference = sm4::difference(program, again);
  if (!difference.empty()) {
    std::fprintf(stderr, "%s\n", difference.c_str());
    std::abort();
  }
  return 0;
}
