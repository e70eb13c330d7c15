// Legalised IR -> SPIR-V words.
#pragma once

#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "backend/spirv/descriptors.h"
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
  /// Typed views by index of Module::resources: spv::ImageFormat, 0 where it is not known. For devices
  /// without shaderStorageImageReadWithoutFormat; may be empty.
  std::span<const uint32_t> view_formats = {};
  bool names = true;                            // OpName for bindings, inputs and outputs
  bool vectors = true;                          // join scalar operations (vectorize.h)
  bool debug = false;                           // OpLine: lines of the assembly
  std::string_view source_name = "shader.asm";  // for OpLine
  bool float_controls = false;  // execution modes of SPV_KHR_float_controls, see docs/spirv.md
  // Of these only SignedZeroInfNanPreserve for 32 bits; for devices without the others.
  bool preserve_specials = false;
};

/// Appends a whole module (for Vulkan 1.1 and, by `version`, newer) to `out`. The IR must be in SSA form and
/// legalised with guarantees(options.robustness). False, with located errors, for what cannot be
/// expressed; `out` is then as before. `host`, if not null, takes what the module asks of its host.
bool emit(const ir::Module& module, const Options& options, std::pmr::vector<uint32_t>& out,
          Diagnostics& diagnostics, HostInterface* host = nullptr);

}  // namespace texlate::spirv
