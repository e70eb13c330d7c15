#include "tools/executor/unguarded.h"

#include "library/pipeline.h"

namespace texlate::executor {

namespace {

/// The target's promises, plus all ranges and offsets of fetches that the ISA does not define.
ir::TexturePromises make_hopeful_rows() {
  ir::TexturePromises rows = *ptx_target().promises(ir::Module(), {}).texture.rows;
  for (size_t op = 0; op < ir::kResourceOps.size(); ++op) {
    if (ir::kResourceOps[op] != ir::Op::tex_fetch) continue;
    for (ir::TextureGuarantee& guarantee : rows[op]) {
      guarantee.promises |= ir::kCoordinateRange | ir::kSliceRange | ir::kLevelRange | ir::kSampleRange |
                            ir::kUnbound | ir::kOffset;
    }
  }
  return rows;
}

ir::Guarantees hopeful_promises(const ir::Module& module, const backend::Options& options) {
  static const ir::TexturePromises kRows = make_hopeful_rows();
  ir::Guarantees promises = ptx_target().promises(module, options);
  promises.texture.rows = &kRows;
  return promises;
}

}  // namespace

bool run_unguarded(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                   Diagnostics& diagnostics) {
  Shader hopeful;
  hopeful.contract = shader.contract;
  hopeful.legal = shader.contract;
  backend::Target target = ptx_target();
  target.promises = hopeful_promises;
  if (!library::legalize(hopeful.legal, target, {}, diagnostics)) return false;
  return run_route(Route::ptx, hopeful, scene, limits, result, diagnostics);
}

}  // namespace texlate::executor
