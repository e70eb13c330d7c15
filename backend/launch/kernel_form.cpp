// The module that an emitter receives.

#include <algorithm>

#include "backend/launch/launch.h"
#include "backend/launch/lower_evaluations.h"
#include "backend/launch/lower_primitives.h"
#include "ir/passes/optimize.h"
#include "ir/passes/pack_texels.h"

namespace texlate::launch {

namespace {

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

}  // namespace

bool make_kernel_form(const ir::Module& module, const Launch& launch, KernelForm& form,
                      Diagnostics& diagnostics) {
  const bool is_typed = has_typed_views(module);
  const bool evaluates = has_evaluations(module);
  const bool has_primitives = reads_primitives(module.stage);
  form.module = &module;
  form.layout = &launch.layout;
  if (!is_typed && !evaluates && !has_primitives) return true;
  form.own = module;
  form.module = &form.own;
  if (is_typed) pack_views(form.own, launch);
  if (evaluates) lower_evaluations(form.own);
  if (!has_primitives) return true;
  form.own_layout = launch.layout;
  form.layout = &form.own_layout;
  return lower_primitives(form.own, form.own_layout, diagnostics);
}

}  // namespace texlate::launch
