// Token streams: what decodes, encodes; what was encoded decodes to an equal Program.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "frontend/asm/printer.h"
#include "frontend/dxbc/container.h"
#include "frontend/dxbc/tokens.h"
#include "frontend/sm4/compare.h"
#include "frontend/sm4/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace texlate;
  std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  dxbc::Container container;
  Diagnostics ignored;
  if (dxbc::is_container(bytes)) {  // seeds are containers
    if (!dxbc::read_container(bytes, false, container, ignored)) return 0;
    const dxbc::Chunk* code = container.find(dxbc::kCodeTag5);
    if (code == nullptr) code = container.find(dxbc::kCodeTag4);
    if (code == nullptr) return 0;
    bytes = container.data(*code);
  }
  sm4::Program program;
  Diagnostics diagnostics;
  const bool good = dxbc::decode_tokens(bytes, 0, program, diagnostics);
  sm4::validate(program, diagnostics);
  std::pmr::string text;
  assembly::print(program, {}, text);
  if (!good) return 0;
  std::pmr::vector<uint32_t> words;
  if (!dxbc::encode_tokens(program, words, diagnostics)) return 0;
  sm4::Program again;
  Diagnostics errors;
  if (!dxbc::decode_tokens(std::as_bytes(std::span(words)), 0, again, errors)) {
    std::fprintf(stderr, "%s\n", errors.list()[0].message.c_str());
    std::abort();
  }
  const std::string difference = sm4::difference(program, again);
  if (!difference.empty()) {
    std::fprintf(stderr, "%s\n", difference.c_str());
    std::abort();
  }
  return 0;
}
