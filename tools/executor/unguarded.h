// What PTX does with a shader without guards: loads go to the texture unit unchanged, with
// their offsets in the instruction. Not a translation, but the picture of why there is one.
#pragma once

#include "tools/executor/shader.h"

namespace texlate::executor {

/// Emits the shader as if the ISA promised for `ld` what Direct3D does, and runs it on the PTX machine.
/// Elements that got something undefined are in `result.troubled`. False with errors when the PTX route
/// cannot run the shader.
bool run_unguarded(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                   Diagnostics& diagnostics);

}  // namespace texlate::executor
