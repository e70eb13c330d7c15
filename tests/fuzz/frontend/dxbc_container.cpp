// Containers: read, info, validator, printer, writer on arbitrary bytes.
#include <cstdint>
#include <cstdlib>

#include "frontend/asm/printer.h"
#include "frontend/dxbc/info.h"
#include "frontend/dxbc/listing.h"
#include "frontend/dxbc/read.h"
#include "frontend/sm4/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace texlate;
  dxbc::Container container;
  sm4::Program program;
  Diagnostics diagnostics;
  const bool good = dxbc::read(std::as_bytes(std::span(data, size)), container, program, diagnostics);
  sm4::validate(program, diagnostics);
  std::pmr::string text;
  dxbc::disassemble(container, program, {}, text);
  dxbc::info_text(dxbc::make_info(container, program), text);
  if (!good) return 0;
  std::pmr::vector<std::byte> out;
  dxbc::write(program, &container, out, diagnostics);
  return 0;
}
