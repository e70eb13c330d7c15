#include "tools/executor/cuda_route.h"

#include "tools/executor/parameter_block.h"

namespace texlate::executor {

namespace {

constexpr uint32_t kDefaultSm = 75;  // the default of `translate`

CudaOutcome launch_and_read_back(cuda::LaunchOnGpu& device, std::vector<std::byte> parameters,
                                 const uint32_t (&grid)[3], const uint32_t (&block)[3]) {
  CudaOutcome outcome;
  outcome.refused = device.error();
  if (!outcome.refused.empty()) return outcome;
  if (!device.launch(grid, block, parameters)) {
    outcome.failed = device.error();
    return outcome;
  }
  device.read_back();
  outcome.refused = device.error();
  return outcome;
}

}  // namespace

bool make_cuda(const ir::Module& module, const sim::Bindings& bindings, const cuda::Gpu& gpu,
               EmittedKernel& kernel, Diagnostics& diagnostics) {
  const uint32_t sm = gpu.sm() < kDefaultSm ? gpu.sm() : 0;
  return emit_kernel(ptx_target(), module, bindings, sm, kernel, diagnostics);
}

CudaOutcome run_cuda(const EmittedKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                     const sim::StreamLaunch& launch, const cuda::Gpu& gpu) {
  cuda::LaunchOnGpu device(gpu);
  device.load(kernel.text(), "main");
  ParameterBlock block(module, kernel.layout(), bindings, device);
  block.put_streams(launch);
  return launch_and_read_back(device, block.parameters(), {stream_blocks(launch), 1, 1},
                              {kStreamBlock, 1, 1});
}

CudaOutcome run_cuda(const EmittedKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                     const sim::GroupLaunch& launch, const cuda::Gpu& gpu) {
  cuda::LaunchOnGpu device(gpu);
  device.load(kernel.text(), "main");
  ParameterBlock block(module, kernel.layout(), bindings, device);
  return launch_and_read_back(device, block.parameters(),
                              {launch.groups[0], launch.groups[1], launch.groups[2]},
                              {module.thread_group[0], module.thread_group[1], module.thread_group[2]});
}

CudaOutcome run_cuda(const EmittedKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                     const PrimitiveLaunch& launch, const cuda::Gpu& gpu) {
  cuda::LaunchOnGpu device(gpu);
  device.load(kernel.text(), "main");
  ParameterBlock block(module, kernel.layout(), bindings, device);
  block.put_primitives(launch);
  return launch_and_read_back(device, block.parameters(), {launch.grid[0], launch.grid[1], launch.grid[2]},
                              {launch.block[0], launch.block[1], launch.block[2]});
}

}  // namespace texlate::executor
