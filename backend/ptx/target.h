// PTX as a target of the public library.
#pragma once

#include "backend/ptx/emit.h"
#include "backend/target.h"

namespace texlate::ptx {

/// Rows for the library's list of targets.
std::span<const backend::Target> targets();

/// What backend::Host holds after a translation.
struct Launch {
  explicit Launch(std::pmr::memory_resource* memory)
      : layout(memory), surface_formats(memory), entry(memory) {}
  Layout layout;
  std::pmr::vector<SurfaceFormat> surface_formats;  // by index in Module::resources
  uint32_t sm = 0;
  std::pmr::string entry;
};
inline const Launch& launch_of(const backend::Host& host) {
  return *static_cast<const Launch*>(host.get());
}

/// Appends the JSON that docs/launch_abi.md describes.
void reflect(const ir::Module& module, const Launch& launch, std::pmr::string& json);

}  // namespace texlate::ptx
