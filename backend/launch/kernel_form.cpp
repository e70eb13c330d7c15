// The module that an emitter receives.

#include <algorithm>

#include "backend/launch/launch.h"
#include "backend/launch/lower_addresses.h"
#include "backend/launch/lower_primitives.h"
#include "backend/launch/lower_streams.h"
#include "ir/passes/optimize.h"
#include "ir/passes/pack_texels.h"
#include "ir/text_printer.h"

namespace texlate::launch {

namespace {

bool has_typed_views(const ir::Module& module) {
  return std::ranges::any_of(module.resources, [](const ir::Resource& resource) {
    return resource.is_uav && !ir::is_untyped(resource.dimension);
  });
}

void pack_views(ir::Module& module, const Launch& launch, bool assembler_shares) {
  std::pmr::vector<ir::StoredTexel> formats(module.memory());
  formats.reserve(launch.surface_formats.size());
  for (const SurfaceFormat& format : launch.surface_formats)
    formats.push_back({format.kind, format.layout()});
  const ir::Value first_new = assembler_shares ? module.next_value() : ir::kFirstValue;
  if (ir::pack_texels(module, formats)) ir::clean_up(module, first_new);
}

void reach_memory(ir::Module& module, Layout& layout) {
  const std::pmr::vector<uint16_t> rows = add_rows(module, layout);
  lower_addresses(module, {.forms = layout.forms, .rows = rows, .loads_addresses = layout.in_memory});
}

}  // namespace

bool make_kernel_form(const ir::Module& module, const Launch& launch, KernelForm& form,
                      Diagnostics& diagnostics, bool assembler_shares, const PassText* observer) {
  const bool is_typed = has_typed_views(module);
  const bool is_stream = module.stage != ir::Stage::compute;
  form.module = &module;
  form.layout = &launch.layout;
  if (is_typed || is_stream || may_access_memory(module) || !module.constant_buffers.empty()) {
    if (form.spent != nullptr) {
      form.own.take_code(*form.spent);
    } else {
      form.own = module;
    }
    form.module = &form.own;
    if (is_typed) pack_views(form.own, launch, assembler_shares);
    form.own_layout = launch.layout;
    form.layout = &form.own_layout;
    if (reads_primitives(module.stage) && !lower_primitives(form.own, form.own_layout, diagnostics))
      return false;
    if (may_access_memory(form.own) || !form.own.constant_buffers.empty())
      reach_memory(form.own, form.own_layout);
    // A hull shader is a compute shader by now.
    if (form.own.stage != ir::Stage::compute && !lower_streams(form.own, form.own_layout, diagnostics))
      return false;
  }
  if (observer != nullptr) {
    std::pmr::string text(module.memory());
    ir::print(*form.module, text);
    observer->after(observer->user, kLowerLaunch, text);
  }
  return true;
}

}  // namespace texlate::launch
