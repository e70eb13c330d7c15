// Arbitrary text as a scene, for a shader that binds something of each kind.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "ir/text_parser.h"
#include "sim/scene/scene.h"

namespace {

constexpr const char* kShader = R"(module pixel 5.0 "main"
resource t0 texture2d float
resource t1 texturecube float
resource t2 raw_buffer mixed
resource t3 buffer float
uav u1 structured_buffer mixed stride(16)
uav u2 texture2darray uint
sampler s0
constant_buffer cb0 rows(4)
input v0.xyzw linear
output o0.xyzw
code {
  %0 = input v0.x
  output o0.x, %0
  return
}
)";

const texlate::ir::Module& shader() {
  static texlate::ir::Module module;
  static const bool good = [] {
    texlate::Diagnostics diagnostics;
    const bool parsed = texlate::ir::parse(kShader, module, diagnostics);
    if (!parsed) std::fprintf(stderr, "%s\n", diagnostics.list()[0].message.c_str());
    return parsed;
  }();
  if (!good) std::abort();
  return module;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  texlate::Diagnostics diagnostics;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto scene = texlate::sim::Scene::make(text, "/nonexistent", shader(), diagnostics);
  if (scene == nullptr && !diagnostics.has_errors()) {
    std::fprintf(stderr, "refused without a message\n");
    std::abort();
  }
  return 0;
}
