// Maxwell as targets of the public library: one code generator, three output formats.
#pragma once

#include "backend/launch/launch.h"
#include "backend/maxwell/graphics/program.h"
#include "backend/target.h"

namespace texlate::maxwell {

class KeptRoutines;

/// Rows for the library's list of targets. backend::Host holds a launch::Launch after a translation.
std::span<const backend::Target> targets();

/// What backend::Options::own points to.
struct TargetOptions {
#define OPTION(member, type, standard, option, value, least, most, help) type member = standard;
#include "backend/launch/option_rows.inc"
#undef OPTION
  /// "dksh", for domain shaders: the hull shader before it.
  const graphics::HullFacts* hull = nullptr;
  /// Kernels: what earlier translations of the same thread have made; null: nothing is kept.
  KeptRoutines* kept = nullptr;
};

}  // namespace texlate::maxwell
