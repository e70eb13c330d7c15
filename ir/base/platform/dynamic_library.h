// Libraries that are found when the program runs.
#pragma once

namespace texlate::platform {

#if defined(_WIN32)
inline constexpr const char* kVulkanLibrary = "vulkan-1.dll";
inline constexpr const char* kCudaLibrary = "nvcuda.dll";
#elif defined(__APPLE__)
inline constexpr const char* kVulkanLibrary = "libvulkan.1.dylib";
inline constexpr const char* kCudaLibrary = "libcuda.dylib";
#else
inline constexpr const char* kVulkanLibrary = "libvulkan.so.1";
inline constexpr const char* kCudaLibrary = "libcuda.so.1";
#endif

/// Loads a library, which stays loaded; null if there is none of this name.
void* open_library(const char* name);
/// Null if the library has no such function.
void* find_symbol(void* library, const char* name);

}  // namespace texlate::platform
