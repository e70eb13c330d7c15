// A shader's PTX without guards: loads go to the texture unit unchanged, with their offsets in the
// instruction. This is not a translation; it shows why translation is needed.
#pragma once

#include "tools/executor/shader.h"

namespace texlate::executor {

/// Emits the shader as if the ISA guaranteed for `ld` what Direct3D does, and runs it on the PTX machine.
/// Elements with undefined values are in `result.troubled`. Returns false with errors if the PTX route cannot
/// run the shader.
bool run_unguarded(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                   Diagnostics& diagnostics);

}  // namespace texlate::executor
