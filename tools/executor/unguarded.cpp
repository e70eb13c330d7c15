#include "tools/executor/unguarded.h"

#include "backend/ptx/guarantees.h"

namespace texlate::executor {

namespace {

/// The target's table, and everything about ranges and offsets of fetches that the ISA is silent about.
ir::GuaranteeTable hopeful_table() {
  ir::GuaranteeTable table = ptx::kTextureGuarantees;
  for (size_t op = 0; op < ir::kResourceOps.size(); ++op) {
    if (ir::kResourceOps[op] != ir::Op::tex_fetch) continue;
    for (ir::TextureGuarantee& guarantee : table.rows[op]) {
      guarantee.promises |= ir::kCoordinateRange | ir::kSliceRange | ir::kLevelRange | ir::kSampleRange |
                            ir::kUnbound | ir::kOffset;
    }
  }
  return table;
}

}  // namespace

bool run_unguarded(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                   Diagnostics& diagnostics) {
  Shader hopeful;
  hopeful.contract = shader.contract;
  hopeful.legal = shader.contract;
  const ir::GuaranteeTable textures = hopeful_table();
  if (!ir::legalize(hopeful.legal, {textures, ptx::kMemoryGuarantees, ptx::kArithmeticGuarantees}, diagnostics)) return false;
  return run_route(Route::ptx, hopeful, scene, limits, result, diagnostics);
}

}  // namespace texlate::executor
