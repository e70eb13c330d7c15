// Arbitrary text as a binding map (docs/spirv.md): read, or refused with a message.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tools/texlate/binding_map.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  texlate::cli::BindingMap map;
  texlate::Diagnostics diagnostics;
  const bool good =
      texlate::cli::parse_binding_map({reinterpret_cast<const char*>(data), size}, map, diagnostics);
  if (good == diagnostics.has_errors()) {
    std::fprintf(stderr, "result and messages disagree\n");
    std::abort();
  }
  return 0;
}
