#include "tools/executor/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/executor/cuda_texture.h"

namespace texlate::executor::cuda {

namespace {

std::string text_of(const Driver& driver, Result result) {
  const char* text = nullptr;
  if (driver.cuGetErrorString(result, &text) != 0 || text == nullptr)
    return fmt::format("CUDA error {}", result);
  return text;
}

}  // namespace

std::unique_ptr<Gpu> Gpu::open(std::string& why, const Driver* driver) {
  std::unique_ptr<Gpu> gpu(new Gpu);
  if (driver == nullptr) {
    const auto loaded = load_driver(why);
    if (!loaded) return nullptr;
    gpu->driver_ = *loaded;
  } else {
    gpu->driver_ = *driver;
  }
  const Driver& cu = gpu->driver_;
  int count = 0, major = 0, minor = 0, alignment = 1, texels = 0;
  char name[256] = "";
  Context* context = nullptr;
  Result result = cu.cuInit(0);
  if (result == 0) result = cu.cuDeviceGetCount(&count);
  if (result == 0 && count == 0) {
    why = "CUDA finds no GPU on this machine";
    return nullptr;
  }
  if (result == 0) result = cu.cuDeviceGet(&gpu->device_, 0);
  if (result == 0) result = cu.cuDeviceGetName(name, sizeof name, gpu->device_);
  if (result == 0) result = cu.cuDeviceGetAttribute(&major, kComputeMajor, gpu->device_);
  if (result == 0) result = cu.cuDeviceGetAttribute(&minor, kComputeMinor, gpu->device_);
  if (result == 0) result = cu.cuDeviceGetAttribute(&alignment, kTextureAlignment, gpu->device_);
  if (result == 0) result = cu.cuDeviceGetAttribute(&texels, kLinearTexels, gpu->device_);
  if (result == 0) result = cu.cuDevicePrimaryCtxRetain(&context, gpu->device_);
  gpu->retained_ = context != nullptr;
  if (result == 0) result = cu.cuCtxSetCurrent(context);
  if (result != 0) {
    why = fmt::format("the GPU cannot be used: {}", text_of(cu, result));
    return nullptr;
  }
  gpu->name_ = name;
  gpu->sm_ = static_cast<uint32_t>(major * 10 + minor);
  gpu->texture_alignment_ = static_cast<uint64_t>(std::max(alignment, 1));
  gpu->linear_texels_ = static_cast<uint64_t>(std::max(texels, 0));
  return gpu;
}

Gpu::~Gpu() {
  if (retained_) driver_.cuDevicePrimaryCtxRelease(device_);
}

LaunchOnGpu::~LaunchOnGpu() {
  for (const Object object : textures_) cu_.cuTexObjectDestroy(object);
  for (const Object object : surfaces_) cu_.cuSurfObjectDestroy(object);
  for (const auto& storage : storages_) {
    if (storage->array != nullptr) cu_.cuMipmappedArrayDestroy(storage->array);
  }
  for (const Address address : allocations_) cu_.cuMemFree(address);
  if (module_ != nullptr) cu_.cuModuleUnload(module_);
}

bool LaunchOnGpu::check(Result result, std::string_view what) {
  if (result == 0) return true;
  fail(fmt::format("{}: {}", what, text_of(cu_, result)));
  return false;
}

void LaunchOnGpu::load(std::string_view ptx, const char* entry) {
  if (gpu_.is_lost())
    return fail("the context is lost, because a kernel failed before: nothing more runs in this process");
  const std::string text(ptx);  // terminated by a zero, as the driver requires
  char log[4096] = "";
  JitOption names[] = {kErrorLog, kErrorLogBytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const Result result = cu_.cuModuleLoadDataEx(&module_, text.c_str(), 2, names, values);
  if (!check(result, "the driver rejects the PTX")) {
    if (log[0] != '\0') error_ += fmt::format("\n{}", log);
    return;
  }
  check(cu_.cuModuleGetFunction(&function_, module_, entry), fmt::format("there is no kernel {}", entry));
}

Address LaunchOnGpu::upload(std::span<const std::byte> bytes, uint64_t alignment) {
  Address address = 0;
  const size_t size = std::max<size_t>(bytes.size(), 16) + alignment - 1;
  if (!error_.empty() || !check(cu_.cuMemAlloc(&address, size), "cuMemAlloc")) return 0;
  allocations_.push_back(address);
  address = (address + alignment - 1) / alignment * alignment;
  if (!bytes.empty()) check(cu_.cuMemcpyHtoD(address, bytes.data(), bytes.size()), "cuMemcpyHtoD");
  return address;
}

uint64_t LaunchOnGpu::map_memory(std::span<std::byte> memory, bool writable) {
  for (Memory& known : memories_) {
    if (known.host.data() != memory.data() || known.host.size() != memory.size()) continue;
    known.writable |= writable;
    return known.address;
  }
  memories_.push_back({memory, upload(memory), writable});
  return memories_.back().address;
}

// Every mip and slice, including those outside the view: several views share one texture.
LaunchOnGpu::Storage* LaunchOnGpu::storage_of(const sim::TextureView& view, bool surface) {
  for (const auto& storage : storages_) {
    if (storage->texture == view.texture && storage->dimension == view.dimension &&
        storage->surface == surface)
      return storage.get();
  }
  const auto format = format_of(view.format);
  std::string why = beyond_views(view, surface);
  if (!format) why = fmt::format("a CUDA array cannot hold {}", sim::format_info(view.format).name);
  if (!why.empty()) fail(std::move(why));
  if (!error_.empty()) return nullptr;
  auto storage = std::make_unique<Storage>();
  storage->texture = view.texture;
  storage->dimension = view.dimension;
  storage->surface = surface;
  const ArrayDescriptor array = array_of(view, *format, surface);
  const uint32_t mips = view.texture->desc().mips;
  if (!check(cu_.cuMipmappedArrayCreate(&storage->array, &array, mips), "cuMipmappedArrayCreate"))
    return nullptr;
  storages_.push_back(std::move(storage));
  Storage& made = *storages_.back();
  made.levels.resize(mips);
  for (uint32_t mip = 0; mip < mips; ++mip) {
    if (!check(cu_.cuMipmappedArrayGetLevel(&made.levels[mip], made.array, mip), "cuMipmappedArrayGetLevel"))
      return nullptr;
  }
  copy(made, true);
  return error_.empty() ? &made : nullptr;
}

// Slice by slice: on the host, the mips of a slice are consecutive.
void LaunchOnGpu::copy(const Storage& storage, bool to_device) {
  sim::Texture& texture = *storage.texture;
  const size_t texel = sim::format_info(texture.desc().format).bytes;
  for (uint32_t slice = 0; slice < texture.desc().array_size; ++slice) {
    for (uint32_t mip = 0; mip < storage.levels.size() && error_.empty(); ++mip) {
      const sim::Extent size = texture.mip_size(mip);
      std::byte* const host = texture.texel(mip, slice, 0, 0, 0);
      const size_t row = size.width * texel;
      Copy3d copy{};
      copy.source_type = to_device ? kHostMemory : kArrayMemory;
      copy.target_type = to_device ? kArrayMemory : kHostMemory;
      (to_device ? copy.source_pitch : copy.target_pitch) = row;
      (to_device ? copy.source_height : copy.target_height) = size.height;
      (to_device ? copy.target_z : copy.source_z) = slice;
      (to_device ? copy.target_array : copy.source_array) = storage.levels[mip];
      copy.source_host = to_device ? host : nullptr;
      copy.target_host = to_device ? nullptr : host;
      copy.width_bytes = row;
      copy.height = size.height;
      copy.depth = size.depth;
      check(cu_.cuMemcpy3D(&copy), "cuMemcpy3D");
    }
  }
}

// Typed buffers are the only 1D textures of a launch; other 1D textures have height 1 (docs/launch_abi.md,
// "linear_texture").
uint64_t LaunchOnGpu::add_linear(const sim::TextureView& view) {
  const auto format = format_of(view.format);
  if (!format) {
    fail(fmt::format("CUDA cannot read a buffer of {}", sim::format_info(view.format).name));
    return 0;
  }
  ResourceDescriptor resource{};
  resource.type = kResourceLinear;
  const std::span<std::byte> texels = view.texture->memory();
  const uint64_t count = view.texture->desc().size.width;
  if (count > gpu_.linear_texels()) {
    fail(fmt::format("a buffer of {} elements: this GPU reads at most {}", count, gpu_.linear_texels()));
    return 0;
  }
  resource.linear.address = upload(texels, gpu_.texture_alignment());
  resource.linear.format = format->array;
  resource.linear.channels = format->channels;
  resource.linear.bytes = texels.size();
  TextureDescriptor texture{};
  for (uint32_t& address : texture.address) address = kClamp;
  texture.flags = format->flags;
  Object object = 0;
  if (!error_.empty() ||
      !check(cu_.cuTexObjectCreate(&object, &resource, &texture, nullptr), "cuTexObjectCreate"))
    return 0;
  textures_.push_back(object);
  return object;
}

uint64_t LaunchOnGpu::add_texture(const sim::ptx::TextureObject& object) {
  if (object.view.dimension == sim::Dimension::texture1d) return add_linear(object.view);
  const Storage* storage = storage_of(object.view, false);
  if (storage == nullptr) return 0;
  const Format format = *format_of(object.view.format);
  ResourceDescriptor resource{};
  resource.type = kResourceMipmapped;
  resource.mipmapped = storage->array;
  const TextureDescriptor texture = descriptor_of(object, format);
  const auto view = view_of(object.view, format);
  Object handle = 0;
  if (!check(cu_.cuTexObjectCreate(&handle, &resource, &texture, view ? &*view : nullptr),
             "cuTexObjectCreate"))
    return 0;
  textures_.push_back(handle);
  return handle;
}

uint64_t LaunchOnGpu::add_surface(const sim::TextureView& view) {
  const Storage* storage = storage_of(view, true);
  if (storage == nullptr) return 0;
  ResourceDescriptor resource{};
  resource.type = kResourceArray;
  resource.array = storage->levels[view.first_mip];
  Object handle = 0;
  if (!check(cu_.cuSurfObjectCreate(&handle, &resource), "cuSurfObjectCreate")) return 0;
  surfaces_.push_back(handle);
  return handle;
}

bool LaunchOnGpu::launch(const uint32_t (&grid)[3], const uint32_t (&block)[3],
                         std::span<std::byte> parameters) {
  if (!error_.empty()) return false;
  // The driver refuses a grid without blocks; Direct3D runs it, and it does nothing.
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) return true;
  void* arguments[] = {parameters.data()};
  if (!check(cu_.cuLaunchKernel(function_, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0,
                                nullptr, arguments, nullptr),
             "the kernel cannot be launched"))
    return false;
  // What fails here makes the context unusable (CUDA driver API, CUresult).
  if (check(cu_.cuCtxSynchronize(), "the kernel failed")) return true;
  gpu_.lose();
  return false;
}

void LaunchOnGpu::read_back() {
  for (const Memory& memory : memories_) {
    if (memory.writable && !memory.host.empty() && error_.empty())
      check(cu_.cuMemcpyDtoH(memory.host.data(), memory.address, memory.host.size()), "cuMemcpyDtoH");
  }
  for (const auto& storage : storages_) {
    if (storage->surface) copy(*storage, false);
  }
}

}  // namespace texlate::executor::cuda
