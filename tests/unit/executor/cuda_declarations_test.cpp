// Compares tools/executor/cuda_driver.h with NVIDIA's cuda.h; compiled if that is present.
#include <cuda.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "docs/examples/cuda_host/driver.h"
#include "tools/executor/cuda_driver.h"

namespace texlate::executor {
namespace {

#define TEXLATE_SAME_SIZE(own, theirs) \
  static_assert(sizeof(cuda::own) == sizeof(theirs) && alignof(cuda::own) == alignof(theirs))
#define TEXLATE_SAME_PLACE(own, field, theirs, their_field) \
  static_assert(offsetof(cuda::own, field) == offsetof(theirs, their_field))
TEXLATE_SAME_SIZE(Result, CUresult);
TEXLATE_SAME_SIZE(Device, CUdevice);
TEXLATE_SAME_SIZE(Address, CUdeviceptr);
TEXLATE_SAME_SIZE(Object, CUtexObject);
TEXLATE_SAME_SIZE(Object, CUsurfObject);
TEXLATE_SAME_SIZE(ArrayDescriptor, CUDA_ARRAY3D_DESCRIPTOR);
TEXLATE_SAME_SIZE(Copy3d, CUDA_MEMCPY3D);
TEXLATE_SAME_SIZE(ResourceDescriptor, CUDA_RESOURCE_DESC);
TEXLATE_SAME_SIZE(TextureDescriptor, CUDA_TEXTURE_DESC);
TEXLATE_SAME_SIZE(ViewDescriptor, CUDA_RESOURCE_VIEW_DESC);
TEXLATE_SAME_PLACE(ArrayDescriptor, depth, CUDA_ARRAY3D_DESCRIPTOR, Depth);
TEXLATE_SAME_PLACE(ArrayDescriptor, format, CUDA_ARRAY3D_DESCRIPTOR, Format);
TEXLATE_SAME_PLACE(ArrayDescriptor, channels, CUDA_ARRAY3D_DESCRIPTOR, NumChannels);
TEXLATE_SAME_PLACE(ArrayDescriptor, flags, CUDA_ARRAY3D_DESCRIPTOR, Flags);
TEXLATE_SAME_PLACE(Copy3d, source_z, CUDA_MEMCPY3D, srcZ);
TEXLATE_SAME_PLACE(Copy3d, source_type, CUDA_MEMCPY3D, srcMemoryType);
TEXLATE_SAME_PLACE(Copy3d, source_host, CUDA_MEMCPY3D, srcHost);
TEXLATE_SAME_PLACE(Copy3d, source_array, CUDA_MEMCPY3D, srcArray);
TEXLATE_SAME_PLACE(Copy3d, source_pitch, CUDA_MEMCPY3D, srcPitch);
TEXLATE_SAME_PLACE(Copy3d, source_height, CUDA_MEMCPY3D, srcHeight);
TEXLATE_SAME_PLACE(Copy3d, target_z, CUDA_MEMCPY3D, dstZ);
TEXLATE_SAME_PLACE(Copy3d, target_type, CUDA_MEMCPY3D, dstMemoryType);
TEXLATE_SAME_PLACE(Copy3d, target_host, CUDA_MEMCPY3D, dstHost);
TEXLATE_SAME_PLACE(Copy3d, target_array, CUDA_MEMCPY3D, dstArray);
TEXLATE_SAME_PLACE(Copy3d, target_pitch, CUDA_MEMCPY3D, dstPitch);
TEXLATE_SAME_PLACE(Copy3d, target_height, CUDA_MEMCPY3D, dstHeight);
TEXLATE_SAME_PLACE(Copy3d, width_bytes, CUDA_MEMCPY3D, WidthInBytes);
TEXLATE_SAME_PLACE(Copy3d, height, CUDA_MEMCPY3D, Height);
TEXLATE_SAME_PLACE(Copy3d, depth, CUDA_MEMCPY3D, Depth);
TEXLATE_SAME_PLACE(ResourceDescriptor, array, CUDA_RESOURCE_DESC, res.array.hArray);
TEXLATE_SAME_PLACE(ResourceDescriptor, mipmapped, CUDA_RESOURCE_DESC, res.mipmap.hMipmappedArray);
TEXLATE_SAME_PLACE(ResourceDescriptor, linear.address, CUDA_RESOURCE_DESC, res.linear.devPtr);
TEXLATE_SAME_PLACE(ResourceDescriptor, linear.format, CUDA_RESOURCE_DESC, res.linear.format);
TEXLATE_SAME_PLACE(ResourceDescriptor, linear.channels, CUDA_RESOURCE_DESC, res.linear.numChannels);
TEXLATE_SAME_PLACE(ResourceDescriptor, linear.bytes, CUDA_RESOURCE_DESC, res.linear.sizeInBytes);
TEXLATE_SAME_PLACE(ResourceDescriptor, flags, CUDA_RESOURCE_DESC, flags);
TEXLATE_SAME_PLACE(TextureDescriptor, filter, CUDA_TEXTURE_DESC, filterMode);
TEXLATE_SAME_PLACE(TextureDescriptor, flags, CUDA_TEXTURE_DESC, flags);
TEXLATE_SAME_PLACE(TextureDescriptor, max_anisotropy, CUDA_TEXTURE_DESC, maxAnisotropy);
TEXLATE_SAME_PLACE(TextureDescriptor, mip_filter, CUDA_TEXTURE_DESC, mipmapFilterMode);
TEXLATE_SAME_PLACE(TextureDescriptor, mip_bias, CUDA_TEXTURE_DESC, mipmapLevelBias);
TEXLATE_SAME_PLACE(TextureDescriptor, min_level, CUDA_TEXTURE_DESC, minMipmapLevelClamp);
TEXLATE_SAME_PLACE(TextureDescriptor, max_level, CUDA_TEXTURE_DESC, maxMipmapLevelClamp);
TEXLATE_SAME_PLACE(TextureDescriptor, border, CUDA_TEXTURE_DESC, borderColor);
TEXLATE_SAME_PLACE(ViewDescriptor, width, CUDA_RESOURCE_VIEW_DESC, width);
TEXLATE_SAME_PLACE(ViewDescriptor, depth, CUDA_RESOURCE_VIEW_DESC, depth);
TEXLATE_SAME_PLACE(ViewDescriptor, first_level, CUDA_RESOURCE_VIEW_DESC, firstMipmapLevel);
TEXLATE_SAME_PLACE(ViewDescriptor, last_level, CUDA_RESOURCE_VIEW_DESC, lastMipmapLevel);
TEXLATE_SAME_PLACE(ViewDescriptor, first_layer, CUDA_RESOURCE_VIEW_DESC, firstLayer);
TEXLATE_SAME_PLACE(ViewDescriptor, last_layer, CUDA_RESOURCE_VIEW_DESC, lastLayer);

#define TEXLATE_SAME_NUMBER(own, theirs) \
  static_assert(static_cast<long>(cuda::own) == static_cast<long>(theirs))
TEXLATE_SAME_NUMBER(kUnsigned8, CU_AD_FORMAT_UNSIGNED_INT8);
TEXLATE_SAME_NUMBER(kUnsigned16, CU_AD_FORMAT_UNSIGNED_INT16);
TEXLATE_SAME_NUMBER(kUnsigned32, CU_AD_FORMAT_UNSIGNED_INT32);
TEXLATE_SAME_NUMBER(kSigned8, CU_AD_FORMAT_SIGNED_INT8);
TEXLATE_SAME_NUMBER(kSigned16, CU_AD_FORMAT_SIGNED_INT16);
TEXLATE_SAME_NUMBER(kSigned32, CU_AD_FORMAT_SIGNED_INT32);
TEXLATE_SAME_NUMBER(kHalf, CU_AD_FORMAT_HALF);
TEXLATE_SAME_NUMBER(kFloat, CU_AD_FORMAT_FLOAT);
TEXLATE_SAME_NUMBER(kLayered, CUDA_ARRAY3D_LAYERED);
TEXLATE_SAME_NUMBER(kSurface, CUDA_ARRAY3D_SURFACE_LDST);
TEXLATE_SAME_NUMBER(kCubemap, CUDA_ARRAY3D_CUBEMAP);
TEXLATE_SAME_NUMBER(kGather, CUDA_ARRAY3D_TEXTURE_GATHER);
TEXLATE_SAME_NUMBER(kWrap, CU_TR_ADDRESS_MODE_WRAP);
TEXLATE_SAME_NUMBER(kClamp, CU_TR_ADDRESS_MODE_CLAMP);
TEXLATE_SAME_NUMBER(kMirror, CU_TR_ADDRESS_MODE_MIRROR);
TEXLATE_SAME_NUMBER(kBorder, CU_TR_ADDRESS_MODE_BORDER);
TEXLATE_SAME_NUMBER(kPoint, CU_TR_FILTER_MODE_POINT);
TEXLATE_SAME_NUMBER(kLinear, CU_TR_FILTER_MODE_LINEAR);
TEXLATE_SAME_NUMBER(kReadAsInteger, CU_TRSF_READ_AS_INTEGER);
TEXLATE_SAME_NUMBER(kNormalizedCoordinates, CU_TRSF_NORMALIZED_COORDINATES);
TEXLATE_SAME_NUMBER(kSrgb, CU_TRSF_SRGB);
TEXLATE_SAME_NUMBER(kExactTrilinear, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
TEXLATE_SAME_NUMBER(kSeamlessCube, CU_TRSF_SEAMLESS_CUBEMAP);
TEXLATE_SAME_NUMBER(kHostMemory, CU_MEMORYTYPE_HOST);
TEXLATE_SAME_NUMBER(kDeviceMemory, CU_MEMORYTYPE_DEVICE);
TEXLATE_SAME_NUMBER(kArrayMemory, CU_MEMORYTYPE_ARRAY);
TEXLATE_SAME_NUMBER(kResourceArray, CU_RESOURCE_TYPE_ARRAY);
TEXLATE_SAME_NUMBER(kResourceMipmapped, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
TEXLATE_SAME_NUMBER(kResourceLinear, CU_RESOURCE_TYPE_LINEAR);
TEXLATE_SAME_NUMBER(kTextureAlignment, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
TEXLATE_SAME_NUMBER(kLinearTexels, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
TEXLATE_SAME_NUMBER(kComputeMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
TEXLATE_SAME_NUMBER(kComputeMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
TEXLATE_SAME_NUMBER(kErrorLog, CU_JIT_ERROR_LOG_BUFFER);
TEXLATE_SAME_NUMBER(kErrorLogBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);

#define TEXLATE_QUOTE(name) #name
#define TEXLATE_EXPORTED(name) TEXLATE_QUOTE(name)

// The exported name is what cuda.h calls the function.
TEST(CudaDeclarations, AreThoseOfTheToolkit) {
#define TEXLATE_CHECK(function, symbol) EXPECT_STREQ(TEXLATE_EXPORTED(function), symbol);
  CUDA_DRIVER_FUNCTIONS(TEXLATE_CHECK)
#undef TEXLATE_CHECK
}

}  // namespace
}  // namespace texlate::executor
