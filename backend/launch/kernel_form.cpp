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

void pack_views(ir::Module& module, const Launch& launch, bool assembler_shares) {
  const auto is_typed_view = [](const ir::Resource& resource) {
    return resource.is_uav && !ir::is_untyped(resource.dimension);
  };
  if (std::ranges::none_of(module.resources, is_typed_view)) return;
  std::pmr::vector<ir::StoredTexel> formats(module.memory());
  formats.reserve(launch.surface_formats.size());
  for (const SurfaceFormat& format : launch.surface_formats)
    formats.push_back({format.kind, format.layout()});
  const ir::Value first_new = assembler_shares ? module.next_value() : ir::kFirstValue;
  if (ir::pack_texels(module, formats)) ir::clean_up(module, first_new);
}

}  // namespace

bool make_kernel_form(const ir::Module& source, ir::Module* spent, const Launch& launch, KernelForm& form,
                      Diagnostics& diagnostics, bool assembler_shares, const PassText* observer) {
  auto& [module, layout] = form;
  layout = launch.layout;
  if (spent != nullptr) {
    module.take_code(*spent);
  } else {
    module = source;
  }
  pack_views(module, launch, assembler_shares);
  if (reads_primitives(module.stage) && !lower_primitives(module, layout, diagnostics)) return false;
  if (may_access_memory(module) || !module.constant_buffers.empty()) {
    const std::pmr::vector<uint16_t> rows = add_rows(module, layout);
    lower_addresses(module, {.forms = layout.forms, .rows = rows, .loads_addresses = layout.in_memory});
  }
  // A hull shader is a compute shader by now.
  if (module.stage != ir::Stage::compute && !lower_streams(module, layout, diagnostics)) return false;
  show_lowered(module, kLowerLaunch, observer);
  return true;
}

void show_lowered(const ir::Module& module, std::string_view name, const PassText* observer) {
  if (observer == nullptr) return;
  std::pmr::string text(module.memory());
  ir::print(module, text);
  observer->after(observer->user, name, text);
}

}  // namespace texlate::launch
