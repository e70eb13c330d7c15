// The route cuda: runs emitted PTX on a GPU through the CUDA driver.
#pragma once

#include "tools/executor/cuda_device.h"
#include "tools/executor/ptx_route.h"

namespace texlate::executor {

/// Emits for the GPU's compute capability if it is below `translate`'s default. `module` must have been
/// prepared for PTX.
bool make_cuda(const ir::Module& module, const sim::Bindings& bindings, const cuda::Gpu& gpu,
               EmittedKernel& kernel, Diagnostics& diagnostics);

/// The result of a launch.
struct CudaOutcome {
  std::string refused;  // why it could not be launched
  std::string failed;   // how the kernel itself failed
};
/// Launches and reads back what the kernel wrote, as run_ptx() does.
CudaOutcome run_cuda(const EmittedKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                     const sim::StreamLaunch& launch, const cuda::Gpu& gpu);
CudaOutcome run_cuda(const EmittedKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                     const sim::GroupLaunch& launch, const cuda::Gpu& gpu);
CudaOutcome run_cuda(const EmittedKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                     const PrimitiveLaunch& launch, const cuda::Gpu& gpu);

}  // namespace texlate::executor
