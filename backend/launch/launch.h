// What a host must know to launch a kernel: the parameter block and what the code needs. Kernels of all
// targets that share the launch ABI have the same.
#pragma once

#include <optional>

#include "backend/launch/launch_abi.h"
#include "backend/target.h"

namespace texlate::launch {

/// What machine code needs of the device; PTX leaves that to the driver.
struct CodeFacts {
  uint32_t registers = 0;  // per thread
  uint32_t local_bytes = 0;
  uint32_t shared_bytes = 0;  // per block
  uint32_t instructions = 0;
  /// Words of constant bank 3, which raw words have no place for.
  std::pmr::vector<uint32_t> constants;
};

struct Launch {
  explicit Launch(std::pmr::memory_resource* memory)
      : layout(memory), surface_formats(memory), lines(memory), entry(memory), target(memory) {}
  Layout layout;
  std::pmr::vector<SurfaceFormat> surface_formats;  // by index in Module::resources
  std::pmr::vector<SourceLocation> lines;  // for each line of a text: where in the shader it comes from
  uint32_t sm = 0;
  uint32_t max_threads = 0;  // per block, for pixels and vertices; 0: as many as the code's registers allow
  bool is_function = false;  // to be linked: no kernel
  std::pmr::string entry;
  std::pmr::string target;
  std::optional<CodeFacts> code;
};
inline const Launch& launch_of(const backend::Host& host) {
  return *static_cast<const Launch*>(host.get());
}

/// Fills in the layout and the formats of typed views. False, with errors, for what the target cannot
/// receive.
bool prepare_launch(const ir::Module& module, const backend::Options& options, std::string_view target,
                    const LayoutForms& forms, Launch& launch, Diagnostics& diagnostics);

/// Does some access convert texels?
bool has_typed_views(const ir::Module& module);

/// Typed loads and stores of a legalised module become those of stored words, in the formats that `launch`
/// has by now (ir/passes/pack_texels.h).
void pack_views(ir::Module& module, const Launch& launch);

/// Appends the JSON that docs/launch_abi.md describes.
void reflect(const ir::Module& module, const Launch& launch, std::pmr::string& json);

}  // namespace texlate::launch
