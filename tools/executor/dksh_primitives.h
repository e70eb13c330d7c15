// Runs hull, domain and geometry programs of deko3d on the Maxwell machine.
#pragma once

#include "tools/executor/dksh_route.h"
#include "tools/executor/shader.h"

namespace texlate::executor {

/// What a scene of a domain shader says of the hull shader: partitioning, and any output primitive of the
/// domain, since there is no hull shader.
maxwell::graphics::HullFacts hull_of(const ir::Module& domain, const sim::Scene& scene);

/// The hardware has u and v, and programs compute a triangle's third coordinate: false, with an error, if the
/// scene lists another one.
bool has_exact_points(const ir::Module& module, const sim::Scene& scene, Diagnostics& diagnostics);

/// Several primitives are in one warp. Threads in the report's list of undefined ones are elements of the
/// scene.
sim::maxwell::Report run_dksh_primitives(DkshShader& shader, const ir::Module& module, sim::Scene& scene,
                                         const sim::maxwell::MachineOptions& options, RouteResult& result);

}  // namespace texlate::executor
