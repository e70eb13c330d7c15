#include "backend/ptx/target.h"

#include "backend/ptx/guarantees.h"
#include "ir/passes/eliminate_common_subexpressions.h"
#include "ir/passes/share_guards.h"

namespace texlate::ptx {

namespace {

ir::Guarantees promises(const backend::Options& options) {
  const auto* own = static_cast<const TargetOptions*>(options.own);
  return guarantees(own != nullptr && own->all_mapped);
}

constexpr launch::LayoutForms kForms = {.tables = true, .in_memory = true, .packed = true};

// Legalised accesses have their guards one by one.
bool share_them(ir::Module& module, const backend::Options&, Diagnostics&) {
  ir::eliminate_common_subexpressions(module);
  ir::share_guards(module);
  return true;
}

bool translate(const ir::Module& module, const backend::Options& options, std::pmr::string& data,
               backend::Host& host, Diagnostics& diagnostics) {
  const auto launch = backend::make_host<launch::Launch>(module.memory(), module.memory());
  if (!prepare_launch(module, options, "ptx", kForms, *launch, diagnostics)) return false;
  Options own;
  if (options.sm != 0) own.sm = options.sm;
  own.entry = options.entry;
  own.surface_formats = launch->surface_formats;
  own.lines = &launch->lines;
  launch->sm = own.sm;
  data.reserve(data.size() + module.code.size() * 64);
  if (!emit(module, own, launch->layout, data, diagnostics)) return false;
  host = launch;
  return true;
}

void reflect_host(const ir::Module& module, const backend::Host& host, std::pmr::string& json) {
  launch::reflect(module, launch::launch_of(host), json);
}

constexpr backend::Target kTargets[] = {{
    .name = "ptx",
    .title = "a CUDA kernel",
    .suffix = ".ptx",
    .stages = backend::stage_bit(ir::Stage::pixel) | backend::stage_bit(ir::Stage::vertex) |
              backend::stage_bit(ir::Stage::compute),
    .takes = backend::kTakesSm | backend::kTakesViewFormats,
    .promises = promises,
    .legalise = share_them,
    .emit = translate,
    .reflect = reflect_host,
}};

}  // namespace

std::span<const backend::Target> targets() {
  return kTargets;
}

}  // namespace texlate::ptx
