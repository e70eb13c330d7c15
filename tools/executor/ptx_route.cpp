#include "tools/executor/ptx_route.h"

#include "tools/executor/parameter_block.h"

namespace texlate::executor {

namespace {

template <typename Word>
uint64_t map_words(sim::ptx::Machine& machine, std::span<Word> words) {
  if (words.empty()) return 0;
  auto* memory = const_cast<uint32_t*>(words.data());
  constexpr bool kWritable = !std::is_const_v<Word>;
  return machine.map_memory(std::as_writable_bytes(std::span(memory, words.size())), kWritable);
}

// Direct3D's sampler state that a CUDA texture object has no place for (docs/launch_abi.md, "Texture
// objects"). Empty: it fits.
std::string_view beyond_texture_objects(const sim::Sampler& sampler, uint32_t axes) {
  for (uint32_t axis = 0; axis < axes; ++axis) {
    if (sampler.address[axis] == sim::AddressMode::mirror_once) return "address mode mirror_once";
  }
  if (!sampler.anisotropic && sampler.min_filter != sampler.mag_filter)
    return "different filters for minification and magnification";
  if (sampler.reduction == sim::Reduction::minimum || sampler.reduction == sim::Reduction::maximum)
    return "minimum or maximum reduction";
  return {};
}

bool check_samplers(const ir::Module& module, const ptx::Layout& layout, const sim::Bindings& bindings,
                    Diagnostics& diagnostics) {
  bool good = true;
  for (const ptx::SampledPair& pair : layout.pairs) {
    const ir::Dimension dimension = module.resources[pair.resource].dimension;
    for (const sim::Sampler& sampler : bindings.samplers(pair.sampler)) {
      const std::string_view what =
          beyond_texture_objects(sampler, ir::is_cube(dimension) ? 0 : ir::coordinate_count(dimension));
      if (what.empty()) continue;
      diagnostics.error({}, "ptx cannot sample t{} through s{}: a texture object has no {}",
                        module.resources[pair.resource].id, module.samplers[pair.sampler].id, what);
      good = false;
    }
  }
  return good;
}

}  // namespace

const backend::Target& ptx_target() {
  return *library::find_target("ptx");
}

bool make_kernel(const ir::Module& module, const sim::Bindings& bindings, PtxKernel& kernel,
                 Diagnostics& diagnostics) {
  for (uint32_t i = 0; i < module.resources.size(); ++i) {
    if (!module.resources[i].is_uav || bindings.resources(i).empty()) continue;
    const sim::BoundResource& bound = bindings.resources(i)[0];
    const sim::Format view = bound.texture.bound() ? bound.texture.format : bound.buffer.format;
    if (view == sim::Format::unknown) continue;
    ptx::SurfaceFormat format;
    if (!surface_format_of(view, format)) {
      diagnostics.error({}, "ptx cannot store texels of {}", sim::format_info(view).name);
      return false;
    }
    kernel.view_formats.push_back({module.resources[i].id, format.count, format.bits, format.kind});
  }
  backend::Options options;
  options.view_formats = kernel.view_formats;
  if (!library::emit(module, ptx_target(), options, kernel.emitted, diagnostics)) return false;
  if (!check_samplers(module, kernel.layout(), bindings, diagnostics)) return false;
  kernel.program = sim::ptx::parse(kernel.text(), diagnostics);
  return kernel.program != nullptr;
}

sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::StreamLaunch& launch, const sim::ptx::MachineOptions& options) {
  sim::ptx::Machine machine(*kernel.program, options);
  ParameterBlock block(module, kernel.layout(), bindings, machine);
  block.put64(ptx::stream_head::kInputs, map_words(machine, launch.inputs));
  block.put64(ptx::stream_head::kOutputs, map_words(machine, launch.outputs));
  block.put64(ptx::stream_head::kCovered, map_words(machine, launch.covered));
  block.put64(ptx::stream_head::kWritten, map_words(machine, launch.written));
  block.put32(ptx::stream_head::kCount, launch.count);
  block.put32(ptx::stream_head::kSamples, launch.samples);
  const uint32_t blocks = (launch.count + kStreamBlock - 1) / kStreamBlock;
  return machine.launch("main", {blocks, 1, 1}, {kStreamBlock, 1, 1}, block.bytes());
}

sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::GroupLaunch& launch, const sim::ptx::MachineOptions& options) {
  sim::ptx::Machine machine(*kernel.program, options);
  ParameterBlock block(module, kernel.layout(), bindings, machine);
  return machine.launch("main", {launch.groups[0], launch.groups[1], launch.groups[2]},
                        {module.thread_group[0], module.thread_group[1], module.thread_group[2]},
                        block.bytes());
}

}  // namespace texlate::executor
