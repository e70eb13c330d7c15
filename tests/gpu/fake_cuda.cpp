// A libcuda.so.1 for docs/examples/cuda_host/surface.c on machines without a GPU: memory is the host's,
// kernels run on the PTX machine, and a fault of the machine fails the launch. Functions that the example
// does not call are not supported.

#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "ir/base/diagnostics.h"
#include "sim/ptx/machine.h"

namespace {

using texlate::sim::ptx::Machine;
using texlate::sim::ptx::Module;

struct Kernel {
  std::unique_ptr<Module> module;
  const char* name = nullptr;
};

/// Every machine maps all memory in the order of allocation, so that addresses are the same on each.
struct Driver {
  std::deque<std::vector<std::byte>> memory;
  std::vector<CUdeviceptr> addresses;
  std::deque<Kernel> kernels;

  Driver() {
    texlate::Diagnostics diagnostics;
    empty = texlate::sim::ptx::parse(".version 6.3\n.target sm_75\n.address_size 64\n", diagnostics);
    if (empty != nullptr) allocator = std::make_unique<Machine>(*empty);
  }
  std::unique_ptr<Module> empty;
  std::unique_ptr<Machine> allocator;
};
Driver& driver() {
  static Driver one;
  return one;
}

/// The block that starts at an address; null if there is none.
std::vector<std::byte>* block_at(CUdeviceptr address) {
  for (size_t i = 0; i < driver().addresses.size(); ++i) {
    if (driver().addresses[i] == address) return &driver().memory[i];
  }
  return nullptr;
}

CUresult fault(std::string_view what) {
  std::fprintf(stderr, "fake libcuda: %.*s\n", static_cast<int>(what.size()), what.data());
  return CUDA_ERROR_LAUNCH_FAILED;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned) {
  return driver().allocator != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}
CUresult cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) {
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() {
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "an error of the fake driver";
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*, void**) {
  texlate::Diagnostics diagnostics;
  Kernel& kernel = driver().kernels.emplace_back();
  kernel.module = texlate::sim::ptx::parse(static_cast<const char*>(image), diagnostics);
  *module = reinterpret_cast<CUmodule>(&kernel);
  return kernel.module != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  auto& kernel = *reinterpret_cast<Kernel*>(module);
  kernel.name = name;
  *function = reinterpret_cast<CUfunction>(module);
  return kernel.module->find_entry(name) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  std::vector<std::byte>& memory = driver().memory.emplace_back(bytes);
  *address = driver().allocator->map_memory(memory);
  driver().addresses.push_back(*address);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoD(CUdeviceptr target, const void* source, size_t bytes) {
  std::vector<std::byte>* memory = block_at(target);
  if (memory == nullptr || bytes > memory->size()) return CUDA_ERROR_INVALID_VALUE;
  std::copy_n(static_cast<const std::byte*>(source), bytes, memory->begin());
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH(void* target, CUdeviceptr source, size_t bytes) {
  const std::vector<std::byte>* memory = block_at(source);
  if (memory == nullptr || bytes > memory->size()) return CUDA_ERROR_INVALID_VALUE;
  std::copy_n(memory->begin(), bytes, static_cast<std::byte*>(target));
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned, CUstream,
                        void** parameters, void**) {
  const auto& kernel = *reinterpret_cast<const Kernel*>(function);
  Machine machine(*kernel.module);
  for (size_t i = 0; i < driver().memory.size(); ++i) {
    if (machine.map_memory(driver().memory[i]) != driver().addresses[i]) return fault("an address has moved");
  }
  const auto* entry = kernel.module->find_entry(kernel.name);
  const auto* bytes = static_cast<const std::byte*>(parameters[0]);
  const auto report = machine.launch(kernel.name, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                                     {bytes, entry->parameter_bytes});
  return report.ok() ? CUDA_SUCCESS : fault(report.describe());
}

// What only hosts of textures call.
CUresult cuDeviceGetName(char*, int, CUdevice) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuDeviceGetAttribute(int*, CUdevice_attribute, CUdevice) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuModuleUnload(CUmodule) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMipmappedArrayCreate(CUmipmappedArray*, const CUDA_ARRAY3D_DESCRIPTOR*, unsigned) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMipmappedArrayGetLevel(CUarray*, CUmipmappedArray, unsigned) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMipmappedArrayDestroy(CUmipmappedArray) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuTexObjectCreate(CUtexObject*, const CUDA_RESOURCE_DESC*, const CUDA_TEXTURE_DESC*,
                           const CUDA_RESOURCE_VIEW_DESC*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuTexObjectDestroy(CUtexObject) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuSurfObjectCreate(CUsurfObject*, const CUDA_RESOURCE_DESC*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuSurfObjectDestroy(CUsurfObject) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemFree(CUdeviceptr) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // extern "C"
