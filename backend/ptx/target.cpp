#include "backend/ptx/target.h"

#include "backend/ptx/guarantees.h"
#include "ir/passes/eliminate_common_subexpressions.h"
#include "ir/passes/hoist_loads.h"
#include "ir/passes/share_guards.h"
#include "ir/passes/share_row_guards.h"

namespace texlate::ptx {

namespace {

ir::Guarantees promises(const ir::Module&, const backend::Options& options) {
  const auto& own = options.own.get<TargetOptions>();
  return guarantees(own.all_mapped, own.native_compare);
}

// The input is legalized: each access has its own guards, and each arm its own rows.
bool share_guards_and_rows(ir::Module& module, const backend::Options&, Diagnostics&,
                           std::pmr::vector<ir::ClosedGap>*) {
  if (ir::may_share_guards(module)) {
    ir::eliminate_common_subexpressions(module);
    ir::share_guards(module);
  }
  ir::hoist_loads(module);
  ir::share_row_guards(module);
  return true;
}

bool are_possible(const TargetOptions& options, Diagnostics& diagnostics) {
  if (options.max_threads < 32 || options.max_threads > 1024 || options.max_threads % 32 != 0) {
    diagnostics.error({}, "a block of {} threads: ptx needs a multiple of 32, up to 1024",
                      options.max_threads);
    return false;
  }
  return launch::is_possible_limit(options.max_registers, "ptx", diagnostics);
}

bool translate(const ir::Module& module, const backend::Options& options, std::pmr::string& data,
               backend::Host& host, Diagnostics& diagnostics) {
  const auto launch = backend::make_host<launch::Launch>(module.memory(), module.memory());
  Options emitted;
  emitted.own = options.own.get<TargetOptions>();
  if (!prepare_launch(module, options, "ptx", emitted.own.native_compare, *launch, diagnostics)) return false;
  if (!are_possible(emitted.own, diagnostics)) return false;
  if (emitted.own.function) launch->layout.in_memory = true;
  launch->is_function = emitted.own.function;
  if (launch::has_free_blocks(module.stage)) launch->max_threads = emitted.own.max_threads;
  if (options.sm != 0) emitted.sm = options.sm;
  emitted.entry = options.entry;
  emitted.lines = &launch->lines;
  launch->sm = emitted.sm;
  host = launch;
  data.reserve(data.size() + module.code.size() * 64);
  launch::KernelForm form(module.memory());
  return make_kernel_form(module, options.spent, *launch, form, diagnostics, true, options.pass_text) &&
         emit(form.module, emitted, form.layout, data, diagnostics);
}

constexpr std::string_view kPasses[] = {launch::kLowerLaunch};

constexpr backend::Target kTargets[] = {{
    .name = "ptx",
    .title = "a CUDA kernel",
    .suffix = ".ptx",
    .takes = backend::kTakesSm | backend::kTakesViewFormats | backend::kTakesLaunchFacts,
    .has_sm = is_known_target,
    .promises = promises,
    .legalize = share_guards_and_rows,
    .emit = translate,
    .passes = kPasses,
    .reflect = launch::reflect,
}};

}  // namespace

std::span<const backend::Target> targets() {
  return kTargets;
}

}  // namespace texlate::ptx
