#include "tools/executor/ptx_route.h"

#include "tools/executor/parameter_block.h"
#include "tools/executor/texture_objects.h"

namespace texlate::executor {

namespace {

class PtxDevice final : public LaunchDevice {
 public:
  explicit PtxDevice(sim::ptx::Machine& machine) : machine_(machine) {}
  uint64_t map_memory(std::span<std::byte> memory, bool writable) override {
    return machine_.map_memory(memory, writable);
  }
  uint64_t add_texture(const sim::ptx::TextureObject& object) override {
    return machine_.add_texture(object);
  }
  uint64_t add_surface(const sim::TextureView& view) override { return machine_.add_surface({view}); }

 private:
  sim::ptx::Machine& machine_;
};

bool check_samplers(const backend::Target& target, const ir::Module& module, const launch::Layout& layout,
                    const sim::Bindings& bindings, Diagnostics& diagnostics) {
  bool good = true;
  for (const launch::SampledPair& pair : layout.pairs) {
    const ir::Dimension dimension = module.resources[pair.resource].dimension;
    for (const sim::Sampler& sampler : bindings.samplers(pair.sampler)) {
      const std::string_view what =
          beyond_texture_objects(sampler, ir::is_cube(dimension) ? 0 : ir::coordinate_count(dimension));
      if (what.empty()) continue;
      diagnostics.error({}, "{} cannot sample t{} through s{}: a texture object has no {}", target.name,
                        module.resources[pair.resource].id, module.samplers[pair.sampler].id, what);
      good = false;
    }
  }
  return good;
}

/// The format of what is bound to a view; unknown: nothing is bound. A kernel stores all registers of a range
/// in one format. Returns false, with an error, if theirs differ.
bool find_view_format(const backend::Target& target, const ir::Resource& resource,
                      std::span<const sim::BoundResource> registers, sim::Format& format,
                      Diagnostics& diagnostics) {
  size_t first = 0;
  for (size_t i = 0; i < registers.size(); ++i) {
    const sim::Format own = registers[i].format();
    if (own == sim::Format::unknown || own == format) continue;
    if (format != sim::Format::unknown) {
      diagnostics.error(
          {}, "{} stores all registers of u{} in one format, but that of register {} is {} and that of {} {}",
          target.name, resource.id, resource.lower_bound + first, sim::format_info(format).name,
          resource.lower_bound + i, sim::format_info(own).name);
      return false;
    }
    format = own;
    first = i;
  }
  return true;
}

}  // namespace

const backend::Target& ptx_target() {
  return *library::find_target("ptx");
}

bool emit_kernel(const backend::Target& target, const ir::Module& module, const sim::Bindings& bindings,
                 uint32_t sm, EmittedKernel& kernel, Diagnostics& diagnostics) {
  for (uint32_t i = 0; i < module.resources.size(); ++i) {
    if (!module.resources[i].is_uav) continue;
    sim::Format view = sim::Format::unknown;
    if (!find_view_format(target, module.resources[i], bindings.resources(i), view, diagnostics))
      return false;
    if (view == sim::Format::unknown) continue;
    backend::ViewFormat format;
    if (!view_format_of(view, format)) {
      diagnostics.error({}, "{} cannot store texels of {}", target.name, sim::format_info(view).name);
      return false;
    }
    format.uav = module.resources[i].id;
    kernel.view_formats.push_back(format);
  }
  backend::Options options;
  options.view_formats = kernel.view_formats;
  options.sm = sm;
  if (!library::emit(module, target, options, kernel.emitted, diagnostics)) return false;
  return check_samplers(target, module, kernel.layout(), bindings, diagnostics);
}

bool make_kernel(const ir::Module& module, const sim::Bindings& bindings, PtxKernel& kernel,
                 Diagnostics& diagnostics) {
  if (!emit_kernel(ptx_target(), module, bindings, 0, kernel, diagnostics)) return false;
  kernel.program = sim::ptx::parse(kernel.text(), diagnostics);
  return kernel.program != nullptr;
}

sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::StreamLaunch& launch, const sim::ptx::MachineOptions& options) {
  sim::ptx::Machine machine(*kernel.program, options);
  PtxDevice device(machine);
  ParameterBlock block(module, kernel.layout(), bindings, device);
  block.put_streams(launch);
  return machine.launch("main", {stream_blocks(launch), 1, 1}, {kStreamBlock, 1, 1}, block.parameters());
}

sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::GroupLaunch& launch, const sim::ptx::MachineOptions& options) {
  sim::ptx::Machine machine(*kernel.program, options);
  PtxDevice device(machine);
  ParameterBlock block(module, kernel.layout(), bindings, device);
  return machine.launch("main", {launch.groups[0], launch.groups[1], launch.groups[2]},
                        {module.thread_group[0], module.thread_group[1], module.thread_group[2]},
                        block.parameters());
}

sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const PrimitiveLaunch& launch, const sim::ptx::MachineOptions& options) {
  sim::ptx::Machine machine(*kernel.program, options);
  PtxDevice device(machine);
  ParameterBlock block(module, kernel.layout(), bindings, device);
  block.put_primitives(launch);
  return machine.launch("main", {launch.grid[0], launch.grid[1], launch.grid[2]},
                        {launch.block[0], launch.block[1], launch.block[2]}, block.parameters());
}

}  // namespace texlate::executor
