#include "backend/maxwell/target.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "backend/maxwell/compare_routines.h"
#include "backend/maxwell/graphics/lower_deko3d.h"
#include "backend/maxwell/guarantees.h"
#include "backend/maxwell/machine/pass_log.h"
#include "ir/passes/share_row_guards.h"

namespace texlate::maxwell {

namespace {

/// The registers of a thread: the caller's limit, or what a compute shader's whole group has room for.
uint32_t register_limit(const ir::Module& module, const backend::Options& options, uint32_t sm) {
  const uint32_t given = options.own.get<TargetOptions>().max_registers;
  const uint32_t limit = given != 0 ? given : 255;
  if (module.stage != ir::Stage::compute) return limit;
  const auto& group = module.thread_group;
  return std::min(limit, launch::most_registers(sm, group[0] * group[1] * group[2]));
}

ir::Guarantees promises(const ir::Module& module, const backend::Options& options) {
  const uint32_t sm = options.sm != 0 ? options.sm : KernelOptions().sm;
  const bool calls = register_limit(module, options, sm) >= CompareRoutines::kLeastLimit;
  return guarantees(options.own.get<TargetOptions>().all_mapped, calls);
}

/// The host is lowered first: the launch of a kernel, or deko3d.
constexpr auto passes_after(std::string_view lowering) {
  std::array<std::string_view, std::size(machine::kPassNames) + 1> names{lowering};
  std::ranges::copy(machine::kPassNames, names.begin() + 1);
  return names;
}
constexpr auto kKernelPasses = passes_after(launch::kLowerLaunch);
constexpr auto kGraphicsPasses = passes_after(graphics::kLowerDeko3d);

// The input is legalized: each load of a row has its own guard.
bool share_row_guards(ir::Module& module, const backend::Options&, Diagnostics&,
                      std::pmr::vector<ir::ClosedGap>*) {
  ir::share_row_guards(module);
  return true;
}

/// The limit also lowers the register allocator's goals.
bool limit_registers(const ir::Module& module, const backend::Options& options, KernelOptions& own,
                     Diagnostics& diagnostics) {
  if (!launch::is_possible_limit(options.own.get<TargetOptions>().max_registers, "maxwell", diagnostics))
    return false;
  const uint32_t limit = register_limit(module, options, own.sm);
  own.finish.register_limit = limit;
  own.finish.register_goal = std::min(own.finish.register_goal, limit);
  own.finish.fetch_register_goal = std::min(own.finish.fetch_register_goal, limit);
  return true;
}

/// Emits the kernel in the form that `write` writes.
template <auto write>
bool translate(const ir::Module& module, const backend::Options& options, std::pmr::string& data,
               backend::Host& host, Diagnostics& diagnostics) {
  const auto launch = backend::make_host<launch::Launch>(module.memory(), module.memory());
  if (!launch::prepare_launch(module, options, "maxwell", false, *launch, diagnostics)) return false;
  KernelOptions own;
  if (options.sm != 0) own.sm = options.sm;
  if (!limit_registers(module, options, own, diagnostics)) return false;
  own.entry = options.entry;
  own.finish.observer = options.pass_text;
  own.kept = options.own.get<TargetOptions>().kept;
  launch->sm = own.sm;
  Kernel kernel(module.memory());
  launch::KernelForm form(module.memory());
  if (!launch::make_kernel_form(module, options.spent, *launch, form, diagnostics, false,
                                options.pass_text) ||
      !make_kernel(form.module, form.layout, own, kernel, diagnostics, &form.module))
    return false;
  if constexpr (std::is_invocable_v<decltype(write), const Kernel&, std::pmr::string&>) {
    write(kernel, data);
  } else {  // it has lines
    write(kernel, data, launch->lines);
  }
  launch->code =
      launch::CodeFacts{kernel.registers, kernel.local_bytes, kernel.shared_bytes,
                        static_cast<uint32_t>(kernel.instructions.size()), std::move(kernel.constants)};
  host = launch;
  return true;
}

bool translate_graphics(const ir::Module& module, const backend::Options& options, std::pmr::string& data,
                        backend::Host& host, Diagnostics& diagnostics) {
  if (options.sm != 0 && options.sm != graphics::kSm) {
    diagnostics.error({}, "dksh is for sm_{}, the GPU of Tegra X1, not for sm_{}", graphics::kSm, options.sm);
    return false;
  }
  KernelOptions own;
  own.sm = graphics::kSm;
  own.finish.register_goal = graphics::kRegisterGoal;
  own.finish.fetch_register_goal = graphics::kFetchRegisterGoal;
  own.finish.observer = options.pass_text;
  if (!limit_registers(module, options, own, diagnostics)) return false;
  const auto program = backend::make_host<graphics::Program>(module.memory(), module.memory());
  if (!graphics::make_program(module, own, options.own.get<TargetOptions>().hull, *program, diagnostics))
    return false;
  write_dksh(program->dksh, data);
  host = program;
  return true;
}

/// Adds no code, but says at the first access to each slot what is left to the host.
bool report_slots_of_the_host(ir::Module& module, const backend::Options&, Diagnostics&,
                              std::pmr::vector<ir::ClosedGap>* closed) {
  if (closed == nullptr) return true;
  std::pmr::vector<bool> reported(module.resources.size(), false, module.memory());
  for (const ir::Instruction& instruction : module.code) {
    if (!ir::info(instruction.op).has(ir::kResource)) continue;
    const ir::ResourceAccess& access = module.access_of(instruction);
    if (reported[access.resource]) continue;
    reported[access.resource] = true;
    closed->push_back({module.location_of(instruction), instruction.op, ir::Gap::bound_by_host, true,
                       module.resources[access.resource].dimension,
                       "docs/dksh.md: deko3d has no unbound slots"});
  }
  return true;
}

/// A kernel of the launch ABI, in the form that `write` writes.
template <auto write>
constexpr backend::Target kernel(std::string_view name, std::string_view title, std::string_view suffix) {
  return {.name = name,
          .title = title,
          .suffix = suffix,
          .takes = backend::kTakesSm | backend::kTakesViewFormats | backend::kTakesLaunchFacts,
          .has_sm = is_known_target,
          .promises = promises,
          .legalize = share_row_guards,
          .emit = translate<write>,
          .passes = kKernelPasses,
          .reflect = launch::reflect};
}

constexpr backend::Target kTargets[] = {
    kernel<write_text>("maxwell", "a kernel of Maxwell machine code, as text", ".sass"),
    kernel<write_cubin>("cubin", "the same as an ELF file that the CUDA driver loads", ".cubin"),
    kernel<write_words>("maxwell-bin", "only its 64-bit words", ".bin"),
    {
        .name = "dksh",
        .title = "a deko3d graphics or compute program (Tegra X1)",
        .suffix = ".dksh",
        .takes = backend::kTakesSm,
        .has_sm = [](uint32_t sm) { return sm == graphics::kSm; },
        .promises =
            [](const ir::Module&, const backend::Options& options) {
              return graphics_guarantees(options.own.get<TargetOptions>().all_mapped);
            },
        .legalize = report_slots_of_the_host,
        .emit = translate_graphics,
        .passes = kGraphicsPasses,
        .reflect = graphics::reflect,
    },
};

}  // namespace

std::span<const backend::Target> targets() {
  return kTargets;
}

}  // namespace texlate::maxwell
