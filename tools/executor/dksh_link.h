// Whether the deko3d programs of a draw fit together. Each is translated apart, and the hardware knows only
// addresses of attributes (docs/reference/maxwell-graphics.md 1), while the executor carries values from
// stage to stage by register.
#pragma once

#include <span>

#include "backend/maxwell/graphics/layout.h"
#include "tools/executor/pipeline.h"

namespace texlate::executor {

/// What a stage writes for the next one, or reads of the one before; a place for each parameter.
struct LinkedAttributes {
  ir::Stage stage;
  std::span<const ir::Parameter> parameters;
  std::span<const maxwell::graphics::Attribute> places;
};

/// False, with an error for each component that is read at another address than it is written at. What nobody
/// writes has no address, except that the hardware makes some system values.
bool attributes_meet(const LinkedAttributes& written, const LinkedAttributes& read, Diagnostics& diagnostics);

/// The same for all neighbors of a draw and for patch constants. The stages must have been prepared for route
/// dksh.
bool attributes_meet(const Pipeline& pipeline, Diagnostics& diagnostics);

}  // namespace texlate::executor
