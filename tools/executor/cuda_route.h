// The route cuda: emitted PTX through the CUDA driver, on a GPU.
#pragma once

#include "tools/executor/cuda_device.h"
#include "tools/executor/ptx_route.h"

namespace texlate::executor {

/// Emits for the GPU's compute capability where it is below what `translate` writes for by itself. `module`
/// must have been prepared for PTX.
bool make_cuda(const ir::Module& module, const sim::Bindings& bindings, const cuda::Gpu& gpu,
               EmittedKernel& kernel, Diagnostics& diagnostics);

/// What became of a launch.
struct CudaOutcome {
  std::string refused;  // it could not be launched: the reason
  std::string failed;   // the kernel itself failed
};
/// Launches and reads back what it wrote, as run_ptx() does.
CudaOutcome run_cuda(const EmittedKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                     const sim::StreamLaunch& launch, const cuda::Gpu& gpu);
CudaOutcome run_cuda(const EmittedKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                     const sim::GroupLaunch& launch, const cuda::Gpu& gpu);

}  // namespace texlate::executor
