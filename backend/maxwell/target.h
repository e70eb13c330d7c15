// Maxwell as targets of the public library: one code generator, three output formats.
#pragma once

#include "backend/launch/launch.h"
#include "backend/maxwell/graphics/hull_facts.h"
#include "backend/maxwell/kernel.h"
#include "backend/target.h"

namespace texlate::maxwell {

/// Rows for the library's list of targets. backend::Host holds a launch::Launch after a translation.
std::span<const backend::Target> targets();

/// What backend::Options::own points to.
struct TargetOptions {
  /// The caller guarantees that no bound resource is tiled: every access is fully mapped.
  bool all_mapped = false;
  uint32_t max_registers = 0;  // of a thread, 16 to 255; 0: the target's own choice
  /// "dksh", for domain shaders: the hull shader before it.
  const graphics::HullFacts* hull = nullptr;
};

}  // namespace texlate::maxwell
