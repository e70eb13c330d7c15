// Legalised IR -> PTX text.
#pragma once

#include <memory_resource>
#include <span>
#include <string>

#include "backend/ptx/launch_abi.h"
#include "ir/module.h"

namespace texlate::ptx {

struct Options {
  uint32_t sm = 75;                 // .target sm_<sm>
  std::string_view entry = "main";  // name of the kernel
  /// Formats of typed UAVs by index in Module::resources; missing ones are four 32-bit components of the
  /// declared type.
  std::span<const SurfaceFormat> surface_formats = {};
};

/// Is `sm` a target that PTX names?
bool is_known_target(uint32_t sm);

/// Appends a whole PTX module with one kernel to `out`. The module must have been legalised with
/// ptx::guarantees() and must be in SSA form. Compute: one thread a thread. Pixel and vertex: one thread an
/// element; a pixel quad is four consecutive threads. False, with located errors, for what PTX cannot
/// express.
bool emit(const ir::Module& module, const Options& options, const Layout& layout, std::pmr::string& out,
          Diagnostics& diagnostics);

/// The format that a typed view is emitted for when the caller names none.
SurfaceFormat default_surface_format(const ir::Resource& resource);

}  // namespace texlate::ptx
