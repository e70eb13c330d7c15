// Typed views in the formats of a launch.

#include <algorithm>

#include "backend/launch/launch.h"
#include "ir/passes/optimize.h"

namespace texlate::launch {

bool has_typed_views(const ir::Module& module) {
  return std::ranges::any_of(module.code, [](const ir::Instruction& instruction) {
    return instruction.op == ir::Op::surf_load || instruction.op == ir::Op::surf_store;
  });
}

void pack_views(ir::Module& module, const Launch& launch) {
  std::pmr::vector<ir::StoredTexel> formats(module.memory());
  formats.reserve(launch.surface_formats.size());
  for (const SurfaceFormat& format : launch.surface_formats)
    formats.push_back({format.kind, format.layout()});
  ir::pack_texels(module, formats);
  ir::clean_up(module, 0);
}

}  // namespace texlate::launch
