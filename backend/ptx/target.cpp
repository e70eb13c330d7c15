#include "backend/ptx/target.h"

#include "backend/ptx/guarantees.h"

namespace texlate::ptx {

namespace {

ir::Guarantees promises(const backend::Options&) {
  return guarantees();
}

SurfaceFormat format_of(const ir::Resource& resource, std::span<const backend::ViewFormat> named) {
  SurfaceFormat format = default_surface_format(resource);
  if (!resource.is_uav) return format;
  for (const backend::ViewFormat& view : named) {
    if (view.uav == resource.id) format = {view.components, view.bits, view.kind, false};
  }
  return format;
}

bool translate(const ir::Module& module, const backend::Options& options, std::pmr::string& data,
               backend::Host& host, Diagnostics& diagnostics) {
  const auto launch = backend::make_host<Launch>(module.memory(), module.memory());
  if (!make_layout(module, launch->layout, diagnostics)) return false;
  for (const ir::Resource& resource : module.resources)
    launch->surface_formats.push_back(format_of(resource, options.view_formats));
  Options own;
  if (options.sm != 0) own.sm = options.sm;
  own.entry = options.entry;
  own.surface_formats = launch->surface_formats;
  launch->sm = own.sm;
  launch->entry = own.entry;
  data.reserve(data.size() + module.code.size() * 64);
  if (!emit(module, own, launch->layout, data, diagnostics)) return false;
  host = launch;
  return true;
}

void reflect_host(const ir::Module& module, const backend::Host& host, std::pmr::string& json) {
  reflect(module, launch_of(host), json);
}

constexpr backend::Target kTargets[] = {{
    .name = "ptx",
    .title = "a CUDA kernel",
    .suffix = ".ptx",
    .stages = backend::stage_bit(ir::Stage::pixel) | backend::stage_bit(ir::Stage::vertex) |
              backend::stage_bit(ir::Stage::compute),
    .takes = backend::kTakesEntry | backend::kTakesSm | backend::kTakesViewFormats,
    .promises = promises,
    .emit = translate,
    .reflect = reflect_host,
}};

}  // namespace

std::span<const backend::Target> targets() {
  return kTargets;
}

}  // namespace texlate::ptx
