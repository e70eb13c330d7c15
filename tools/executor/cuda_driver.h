// The part of the CUDA driver API that the route cuda calls. The types follow the API's documentation, so
// that nothing of NVIDIA's is needed to build. The table of functions is filled from libcuda at run time, or
// by a test. If cuda.h is present, tests/unit/executor/cuda_declarations_test.cpp compares all of it with
// that header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace texlate::executor::cuda {

using Result = int;  // CUresult; 0 is success
using Device = int;
using Address = unsigned long long;  // CUdeviceptr
using Object = unsigned long long;   // CUtexObject, CUsurfObject
struct Context;
struct Module;
struct Function;
struct Array;
struct MipmappedArray;
struct Stream;

enum ArrayFormat : uint32_t {  // CUarray_format
  kUnsigned8 = 0x01,
  kUnsigned16 = 0x02,
  kUnsigned32 = 0x03,
  kSigned8 = 0x08,
  kSigned16 = 0x09,
  kSigned32 = 0x0a,
  kHalf = 0x10,
  kFloat = 0x20,
};
enum ArrayFlag : uint32_t {  // CUDA_ARRAY3D_*
  kLayered = 0x01,
  kSurface = 0x02,
  kCubemap = 0x04,
  kGather = 0x08,
};
enum AddressMode : uint32_t { kWrap = 0, kClamp = 1, kMirror = 2, kBorder = 3 };  // CU_TR_ADDRESS_MODE_*
enum FilterMode : uint32_t { kPoint = 0, kLinear = 1 };                           // CU_TR_FILTER_MODE_*
enum TextureFlag : uint32_t {                                                     // CU_TRSF_*
  kReadAsInteger = 0x01,
  kNormalizedCoordinates = 0x02,
  kSrgb = 0x10,
  kExactTrilinear = 0x20,  // CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION
  kSeamlessCube = 0x40,
};
enum MemoryType : uint32_t { kHostMemory = 1, kDeviceMemory = 2, kArrayMemory = 3 };  // CU_MEMORYTYPE_*
enum ResourceType : uint32_t { kResourceArray = 0, kResourceMipmapped = 1, kResourceLinear = 2 };
enum DeviceAttribute : int {
  kTextureAlignment = 14,
  kLinearTexels = 69,  // MAXIMUM_TEXTURE1D_LINEAR_WIDTH
  kComputeMajor = 75,
  kComputeMinor = 76
};
enum JitOption : uint32_t { kErrorLog = 5, kErrorLogBytes = 6 };  // CU_JIT_ERROR_LOG_BUFFER*

struct ArrayDescriptor {  // CUDA_ARRAY3D_DESCRIPTOR
  size_t width, height, depth;
  uint32_t format, channels, flags;
};

struct Copy3d {  // CUDA_MEMCPY3D
  size_t source_x_bytes, source_y, source_z, source_level;
  uint32_t source_type;
  const void* source_host;
  Address source_device;
  Array* source_array;
  void* reserved0;
  size_t source_pitch, source_height;
  size_t target_x_bytes, target_y, target_z, target_level;
  uint32_t target_type;
  void* target_host;
  Address target_device;
  Array* target_array;
  void* reserved1;
  size_t target_pitch, target_height;
  size_t width_bytes, height, depth;
};

struct LinearMemory {  // CUDA_RESOURCE_DESC::res.linear
  Address address;
  uint32_t format, channels;
  size_t bytes;
};
struct ResourceDescriptor {  // CUDA_RESOURCE_DESC
  uint32_t type;
  union {
    Array* array;
    MipmappedArray* mipmapped;
    LinearMemory linear;
    int reserved[32];
  };
  uint32_t flags;
};

struct TextureDescriptor {  // CUDA_TEXTURE_DESC
  uint32_t address[3];
  uint32_t filter, flags, max_anisotropy, mip_filter;
  float mip_bias, min_level, max_level;
  float border[4];
  int reserved[12];
};

struct ViewDescriptor {  // CUDA_RESOURCE_VIEW_DESC
  uint32_t format;       // CUresourceViewFormat
  size_t width, height, depth;
  uint32_t first_level, last_level, first_layer, last_layer;
  uint32_t reserved[16];
};

/// The functions by their names in cuda.h. If one is missing, load_driver() returns nothing.
struct Driver {
  Result (*cuInit)(unsigned flags);
  Result (*cuDeviceGetCount)(int* count);
  Result (*cuDeviceGet)(Device* device, int ordinal);
  Result (*cuDeviceGetName)(char* name, int length, Device device);
  Result (*cuDeviceGetAttribute)(int* value, DeviceAttribute attribute, Device device);
  Result (*cuDevicePrimaryCtxRetain)(Context** context, Device device);
  Result (*cuDevicePrimaryCtxRelease)(Device device);
  Result (*cuCtxSetCurrent)(Context* context);
  Result (*cuCtxSynchronize)();
  Result (*cuModuleLoadDataEx)(Module** module, const void* image, unsigned options, JitOption* names,
                               void** values);
  Result (*cuModuleUnload)(Module* module);
  Result (*cuModuleGetFunction)(Function** function, Module* module, const char* name);
  Result (*cuMipmappedArrayCreate)(MipmappedArray** array, const ArrayDescriptor* descriptor,
                                   unsigned levels);
  Result (*cuMipmappedArrayGetLevel)(Array** level_array, MipmappedArray* array, unsigned level);
  Result (*cuMipmappedArrayDestroy)(MipmappedArray* array);
  Result (*cuMemcpy3D)(const Copy3d* copy);
  Result (*cuTexObjectCreate)(Object* object, const ResourceDescriptor* resource,
                              const TextureDescriptor* texture, const ViewDescriptor* view);
  Result (*cuTexObjectDestroy)(Object object);
  Result (*cuSurfObjectCreate)(Object* object, const ResourceDescriptor* resource);
  Result (*cuSurfObjectDestroy)(Object object);
  Result (*cuMemAlloc)(Address* address, size_t bytes);
  Result (*cuMemFree)(Address address);
  Result (*cuMemcpyHtoD)(Address target, const void* source, size_t bytes);
  Result (*cuMemcpyDtoH)(void* target, Address source, size_t bytes);
  Result (*cuLaunchKernel)(Function* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                           unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                           Stream* stream, void** parameters, void** extra);
  Result (*cuGetErrorString)(Result result, const char** text);
};

/// Fills the table from libcuda.so.1, which stays loaded. Returns nothing, with `why`, if it is missing or
/// too old.
std::optional<Driver> load_driver(std::string& why);

}  // namespace texlate::executor::cuda
