/* The functions of libcuda that hosts of texlate's kernels call, with their exported names: cuda.h renames
 * those that have changed since their first version. Each is an X(function, symbol). */
#ifndef TEXLATE_CUDA_HOST_DRIVER_H
#define TEXLATE_CUDA_HOST_DRIVER_H

/* clang-format off: it never ends changing this list */
#define CUDA_DRIVER_FUNCTIONS(X)                               \
  X(cuInit, "cuInit")                                          \
  X(cuDeviceGetCount, "cuDeviceGetCount")                      \
  X(cuDeviceGet, "cuDeviceGet")                                \
  X(cuDeviceGetName, "cuDeviceGetName")                        \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute")              \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")      \
  X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2") \
  X(cuCtxSetCurrent, "cuCtxSetCurrent")                        \
  X(cuCtxSynchronize, "cuCtxSynchronize")                      \
  X(cuModuleLoadDataEx, "cuModuleLoadDataEx")                  \
  X(cuModuleUnload, "cuModuleUnload")                          \
  X(cuModuleGetFunction, "cuModuleGetFunction")                \
  X(cuMipmappedArrayCreate, "cuMipmappedArrayCreate")          \
  X(cuMipmappedArrayGetLevel, "cuMipmappedArrayGetLevel")      \
  X(cuMipmappedArrayDestroy, "cuMipmappedArrayDestroy")        \
  X(cuMemcpy3D, "cuMemcpy3D_v2")                               \
  X(cuTexObjectCreate, "cuTexObjectCreate")                    \
  X(cuTexObjectDestroy, "cuTexObjectDestroy")                  \
  X(cuSurfObjectCreate, "cuSurfObjectCreate")                  \
  X(cuSurfObjectDestroy, "cuSurfObjectDestroy")                \
  X(cuMemAlloc, "cuMemAlloc_v2")                               \
  X(cuMemFree, "cuMemFree_v2")                                 \
  X(cuMemcpyHtoD, "cuMemcpyHtoD_v2")                           \
  X(cuMemcpyDtoH, "cuMemcpyDtoH_v2")                           \
  X(cuLaunchKernel, "cuLaunchKernel")                          \
  X(cuGetErrorString, "cuGetErrorString")
/* clang-format on */

#endif
