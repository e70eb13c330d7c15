// PTX as a target of the public library.
#pragma once

#include "backend/launch/launch.h"
#include "backend/ptx/emit.h"
#include "backend/target.h"

namespace texlate::ptx {

/// Rows for the library's list of targets.
std::span<const backend::Target> targets();

/// What backend::Options::own points to.
struct TargetOptions {
  /// The caller guarantees that no bound resource is tiled: every access is fully mapped.
  bool all_mapped = false;
  /// The caller guarantees that texture objects of pairs used in comparisons are depth textures which compare
  /// with their sampler's function as Direct3D does: the native comparison of tex and tld4 is used.
  bool native_compare = false;
  /// Maximum threads per block of a pixel or vertex kernel: 32 to 1024.
  uint32_t max_threads = 256;
  uint32_t max_registers = 0;  // of a thread, 16 to 255; 0: the assembler's own choice
  /// Emits a .func that a renderer links with its own code, instead of a kernel. Its argument is the address
  /// of the block.
  bool is_function = false;
  /// Source lines as .loc and as comments.
  bool debug = false;
  std::string_view source_name = {}, source = {};
};

// backend::Host holds a launch::Launch after a translation.

}  // namespace texlate::ptx
