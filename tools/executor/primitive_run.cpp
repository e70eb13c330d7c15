#include "tools/executor/primitive_run.h"

#include <algorithm>

namespace texlate::executor {

namespace {

sim::PrimitiveInputs inputs_of(const sim::Scene& scene) {
  const sim::ScenePrimitives& primitives = scene.primitives();
  return {primitives.count, primitives.vertices, scene.inputs(), primitives.ids};
}

/// Room for the outputs of all elements, each of which is written.
void make_room(const Shader& shader, const sim::Scene& scene, RouteResult& result) {
  const uint32_t count = scene.element_count();
  result.outputs.assign(size_t{sim::output_plane_count(shader.contract)} * count, 0);
  result.assigned.assign(result.outputs.size(), 0);
  result.written.assign(count, 1);
  result.undefined.assign(count, 0);
}

sim::RunReport run_hull(const Shader& shader, const sim::Scene& scene, sim::Interpreter& interpreter,
                        const sim::InterpreterOptions& options, RouteResult& result) {
  make_room(shader, scene, result);
  const uint32_t patches = scene.primitives().count, points = shader.contract.output_control_points;
  result.patch_constants.assign(size_t{sim::patch_constant_plane_count(shader.contract)} * patches, 0);
  result.assigned_constants.assign(result.patch_constants.size(), 0);
  std::vector<uint32_t> undefined(patches);
  const sim::HullLaunch launch{inputs_of(scene), result.outputs,  result.patch_constants,
                               undefined,        result.assigned, result.assigned_constants};
  sim::RunReport report = interpreter.run(scene.bindings(), launch, options);
  for (uint32_t e = 0; e < result.undefined.size(); ++e) result.undefined[e] = undefined[e / points];
  return report;
}

sim::RunReport run_domain(const Shader& shader, const sim::Scene& scene, sim::Interpreter& interpreter,
                          const sim::InterpreterOptions& options, RouteResult& result) {
  make_room(shader, scene, result);
  const sim::ScenePrimitives& patches = scene.primitives();
  const sim::DomainLaunch launch{inputs_of(scene),    patches.constants, scene.element_count(),
                                 patches.point_patch, patches.locations, result.outputs,
                                 result.undefined,    result.assigned};
  return interpreter.run(scene.bindings(), launch, options);
}

}  // namespace

sim::RunReport run_primitives(const Shader& shader, const sim::Scene& scene, sim::Interpreter& interpreter,
                              const sim::InterpreterOptions& options, RouteResult& result) {
  switch (shader.contract.stage) {
    case ir::Stage::hull: return run_hull(shader, scene, interpreter, options, result);
    case ir::Stage::domain: return run_domain(shader, scene, interpreter, options, result);
    default: break;
  }
  result.emitted = {};
  return interpreter.run(scene.bindings(), sim::GeometryLaunch{inputs_of(scene), &result.emitted}, options);
}

}  // namespace texlate::executor
