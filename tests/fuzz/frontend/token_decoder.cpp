// Token streams: what decodes can be encoded; what was encoded decodes to an equal Program.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "frontend/asm/printer.h"
#include "frontend/dxbc/tokens.h"
#include "frontend/sm4/compare.h"
#include "frontend/sm4/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace texlate;
  // Seeds are containers. Their code is found by its tag, and its length word is limited to its real length,
  // so that mutations get past the frame.
  const std::string_view text_bytes(reinterpret_cast<const char*>(data), size);
  const size_t tag = std::min(text_bytes.find("SHEX"), text_bytes.find("SHDR"));
  const size_t from = tag == std::string_view::npos ? 0 : std::min(tag + 8, size);
  std::vector<std::byte> bytes((size - from) & ~size_t{3});
  if (!bytes.empty()) std::memcpy(bytes.data(), data + from, bytes.size());
  if (bytes.size() >= 8) {
    uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 4, 4);
    length = std::min(length, static_cast<uint32_t>(bytes.size() / 4));
    std::memcpy(bytes.data() + 4, &length, 4);
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
