// Legalised IR -> SPIR-V words.
#pragma once

#include <memory_resource>
#include <string_view>
#include <vector>

#include "backend/spirv/binding_map.h"
#include "backend/spirv/texture_guarantees.h"
#include "ir/module.h"

namespace texlate::spirv {

/// As the module's header has it.
enum class Version : uint32_t { v1_3 = 0x00010300, v1_4 = 0x00010400, v1_5 = 0x00010500, v1_6 = 0x00010600 };

struct Options {
  Version version = Version::v1_3;
  Robustness robustness = Robustness::driver;
  BindingMap bindings;
  std::string_view entry = "main";
  bool names = true;                            // OpName for bindings, inputs and outputs
  bool debug = false;                           // OpLine: lines of the assembly
  std::string_view source_name = "shader.asm";  // for OpLine
};

/// Facts that Vulkan cannot tell a shader are specialization constants; these are their ids. Defaults: one
/// sample a pixel, everything bound, formats with alpha.
inline constexpr uint32_t kRasterSamplesId = 0;
constexpr uint32_t bound_id(uint32_t resource_index) {
  return 16 + 2 * resource_index;
}  // bool; robustness shader only
/// Alpha of the out-of-range value: 0, or 1.0f or 1 for a format without alpha; robustness shader only.
constexpr uint32_t missing_alpha_id(uint32_t resource_index) {
  return 17 + 2 * resource_index;
}

/// Appends a whole module (for Vulkan 1.1 and, by `version`, newer) to `out`. The IR must be in SSA form and
/// legalised with texture_guarantees(options.robustness). False, with located errors, for what cannot be
/// expressed; `out` is then as before.
bool emit(const ir::Module& module, const Options& options, std::pmr::vector<uint32_t>& out,
          Diagnostics& diagnostics);

}  // namespace texlate::spirv
