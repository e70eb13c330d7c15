// Containers, whatever became of them, to SPIR-V: what the validator of the front end takes is refused with
// an error, or becomes a module that SPIRV-Tools' validator takes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "backend/spirv/emit.h"
#include "backend/spirv/spirv_tools.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/read.h"
#include "frontend/lower/lower.h"
#include "frontend/sm4/validate.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/legalize_texture.h"
#include "ir/passes/optimize.h"
#include "ir/verifier.h"

namespace {

using namespace texlate;

/// The module that the bytes become; false: they are refused.
bool translate(std::span<const uint8_t> bytes, sm4::Program& program, std::pmr::vector<uint32_t>& words) {
  Diagnostics diagnostics;
  dxbc::Container container(std::pmr::get_default_resource());
  if (!dxbc::read(std::as_bytes(bytes), container, program, diagnostics,
                  {.digest = dxbc::DigestCheck::ignore}))
    return false;
  ir::Module module;
  if (!sm4::validate(program, diagnostics) || !lower::lower(program, module, diagnostics, {})) return false;
  if (!ir::construct_ssa(module, diagnostics)) return false;
  if (!ir::verify(module, diagnostics)) {
    std::fprintf(stderr, "not well-formed IR: %s\n", diagnostics.list().back().message.c_str());
    std::abort();
  }
  ir::optimize_once(module);
  const spirv::Options options;
  if (!ir::legalize_texture(module, spirv::texture_guarantees(options.robustness), diagnostics)) return false;
  spirv::fit_limits(module);
  return spirv::emit(module, options, words, diagnostics);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sm4::Program program;
  std::pmr::vector<uint32_t> words;
  if (!translate({data, size}, program, words)) return 0;
  std::string message;
  if (spirv::validate(words, message)) return 0;
  std::pmr::string text;
  assembly::print(program, {}, text);
  std::fprintf(stderr, "%s\nnot valid SPIR-V: %s\n", text.c_str(), message.c_str());
  std::abort();
}
