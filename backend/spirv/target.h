// SPIR-V as a target of the public library: words, and their text.
#pragma once

#include "backend/spirv/emit.h"
#include "backend/target.h"

namespace texlate::spirv {

/// Rows for the library's list of targets.
std::span<const backend::Target> targets();

/// What backend::Options::own points to. `emit.entry`, `emit.names` and `emit.view_formats` come from the
/// other options.
struct TargetOptions {
  Options emit;
  bool optimize = false;  // by SPIRV-Tools
  bool validate = false;  // by SPIRV-Tools; builds without NDEBUG always do
};

/// What backend::Host holds after a translation; texts in `options` belong to the caller.
struct ModuleHost {
  explicit ModuleHost(std::pmr::memory_resource* memory) : interface(memory) {}
  HostInterface interface;
  Options options;
};
inline const ModuleHost& host_of(const backend::Host& host) {
  return *static_cast<const ModuleHost*>(host.get());
}

/// Appends the JSON that docs/spirv.md describes.
void reflect(const ir::Module& module, const Options& options, const HostInterface& host,
             std::pmr::string& json);

}  // namespace texlate::spirv
