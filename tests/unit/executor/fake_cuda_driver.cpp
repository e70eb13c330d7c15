#include "tests/unit/executor/fake_cuda_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ir/base/diagnostics.h"

namespace texlate::executor {

namespace {

using namespace cuda;

constexpr Result kSuccess = 0, kInvalid = 1, kUnknown = 999, kFaulted = 700;
FakeCuda* g_fake = nullptr;

FakeCuda::Array* array_of(MipmappedArray* handle) {
  return reinterpret_cast<FakeCuda::Array*>(handle);
}
FakeCuda::Level* level_of(cuda::Array* handle) {
  return reinterpret_cast<FakeCuda::Level*>(handle);
}

/// "r8g8b8a8_unorm" and similar.
sim::Format format_of(uint32_t array, uint32_t channels, uint32_t flags) {
  const bool integer = (flags & kReadAsInteger) != 0;
  uint32_t bits = 0;
  const char* kind = "";
  switch (array) {
    case kUnsigned8: bits = 8, kind = integer ? "uint" : "unorm"; break;
    case kUnsigned16: bits = 16, kind = integer ? "uint" : "unorm"; break;
    case kUnsigned32: bits = 32, kind = "uint"; break;
    case kSigned8: bits = 8, kind = integer ? "sint" : "snorm"; break;
    case kSigned16: bits = 16, kind = integer ? "sint" : "snorm"; break;
    case kSigned32: bits = 32, kind = "sint"; break;
    case kHalf: bits = 16, kind = "float"; break;
    case kFloat: bits = 32, kind = "float"; break;
    default: break;
  }
  std::string name;
  for (uint32_t c = 0; c < channels; ++c) name += fmt::format("{}{}", "rgba"[c], bits);
  return sim::find_format(name + "_" + kind + ((flags & kSrgb) != 0 ? "_srgb" : ""));
}

sim::Dimension dimension_of(const ArrayDescriptor& array) {
  const bool layered = (array.flags & kLayered) != 0;
  if ((array.flags & kCubemap) != 0)
    return layered ? sim::Dimension::texture_cube_array : sim::Dimension::texture_cube;
  if (layered) return sim::Dimension::texture2d_array;
  return array.depth != 0 ? sim::Dimension::texture3d : sim::Dimension::texture2d;
}

Result create_array(MipmappedArray** handle, const ArrayDescriptor* descriptor, unsigned levels) {
  if (const Result result = g_fake->begin("cuMipmappedArrayCreate"); result != 0) return result;
  const bool layers = (descriptor->flags & (kLayered | kCubemap)) != 0;
  // cuArray3DCreate: gathers are only for 2D arrays; a cube has six layers or a multiple of six.
  if ((descriptor->flags & kGather) != 0 && (layers || descriptor->depth != 0))
    return g_fake->forbid("gather flag");
  if ((descriptor->flags & kCubemap) != 0 &&
      (descriptor->depth % 6 != 0 || descriptor->width != descriptor->height ||
       (descriptor->depth != 6 && (descriptor->flags & kLayered) == 0)))
    return g_fake->forbid("cube");
  if (layers && descriptor->depth == 0) return g_fake->forbid("no layers");
  if (descriptor->channels != 1 && descriptor->channels != 2 && descriptor->channels != 4)
    return g_fake->forbid("channels");
  FakeCuda::Array array;
  array.descriptor = *descriptor;
  array.levels = levels;
  array.dimension = dimension_of(*descriptor);
  sim::TextureDesc desc;
  desc.dimension = array.dimension;
  desc.format = format_of(descriptor->format, descriptor->channels, 0);
  desc.size = {static_cast<uint32_t>(descriptor->width), static_cast<uint32_t>(descriptor->height),
               layers ? 1 : std::max<uint32_t>(1, static_cast<uint32_t>(descriptor->depth))};
  desc.mips = levels;
  desc.array_size = layers ? static_cast<uint32_t>(descriptor->depth) : 1;
  Diagnostics diagnostics;
  auto texture = sim::Texture::create(desc, diagnostics);
  if (!texture) return g_fake->forbid("extent");
  array.texture = std::make_unique<sim::Texture>(std::move(*texture));
  g_fake->array_descriptors.push_back(*descriptor);
  g_fake->arrays.push_back(std::move(array));
  ++g_fake->alive;
  *handle = reinterpret_cast<MipmappedArray*>(&g_fake->arrays.back());
  return kSuccess;
}

Result get_level(cuda::Array** handle, MipmappedArray* array, unsigned level) {
  if (const Result result = g_fake->begin("cuMipmappedArrayGetLevel"); result != 0) return result;
  if (level >= array_of(array)->levels) return g_fake->forbid("level");
  g_fake->levels.push_back({array_of(array), level});
  *handle = reinterpret_cast<cuda::Array*>(&g_fake->levels.back());
  return kSuccess;
}

Result copy_box(const Copy3d* copy) {
  if (const Result result = g_fake->begin("cuMemcpy3D"); result != 0) return result;
  const bool up = copy->source_type == kHostMemory && copy->target_type == kArrayMemory;
  if (!up && (copy->source_type != kArrayMemory || copy->target_type != kHostMemory))
    return g_fake->forbid("copy between other kinds of memory");
  const FakeCuda::Level* level = level_of(up ? copy->target_array : copy->source_array);
  sim::Texture& texture = *level->array->texture;
  const size_t z = up ? copy->target_z : copy->source_z;
  const size_t pitch = up ? copy->source_pitch : copy->target_pitch,
               rows = up ? copy->source_height : copy->target_height;
  const bool volume = level->array->dimension == sim::Dimension::texture3d;
  for (size_t d = 0; d < copy->depth; ++d) {
    for (size_t y = 0; y < copy->height; ++y) {
      const auto slice = static_cast<uint32_t>(volume ? 0 : z + d);
      std::byte* row = texture.texel(level->level, slice, 0, static_cast<uint32_t>(y),
                                     static_cast<uint32_t>(volume ? z + d : 0));
      const size_t at = (d * rows + y) * pitch;
      if (up) {
        std::memcpy(row, static_cast<const std::byte*>(copy->source_host) + at, copy->width_bytes);
      } else {
        std::memcpy(static_cast<std::byte*>(copy->target_host) + at, row, copy->width_bytes);
      }
    }
  }
  return kSuccess;
}

sim::AddressMode mode_of(uint32_t mode) {
  constexpr sim::AddressMode kModes[] = {sim::AddressMode::wrap, sim::AddressMode::clamp,
                                         sim::AddressMode::mirror, sim::AddressMode::border};
  return kModes[mode];
}

/// The bytes from an address on; null unless all of them are in one allocation.
std::byte* bytes_at(Address address, size_t count) {
  for (FakeCuda::Memory& memory : g_fake->memories) {
    const uint64_t offset = address - memory.address;
    if (offset <= memory.bytes.size() && memory.bytes.size() - offset >= count)
      return memory.bytes.data() + offset;
  }
  return nullptr;
}

Result create_texture(Object* handle, const ResourceDescriptor* resource, const TextureDescriptor* texture,
                      const ViewDescriptor* view) {
  if (const Result result = g_fake->begin("cuTexObjectCreate"); result != 0) return result;
  g_fake->texture_descriptors.push_back(*texture);
  sim::ptx::TextureObject object;
  for (int axis = 0; axis < 3; ++axis) object.address[axis] = mode_of(texture->address[axis]);
  object.filter = texture->filter == kLinear ? sim::Filter::linear : sim::Filter::point;
  object.mip_filter = texture->mip_filter == kLinear ? sim::Filter::linear : sim::Filter::point;
  object.normalized = (texture->flags & kNormalizedCoordinates) != 0;
  object.max_anisotropy = texture->max_anisotropy;
  object.mip_bias = texture->mip_bias;
  object.min_lod = texture->min_level;
  object.max_lod = texture->max_level;
  std::copy_n(texture->border, 4, object.border.begin());
  if (resource->type == kResourceLinear) {
    const std::byte* memory = bytes_at(resource->linear.address, resource->linear.bytes);
    if (memory == nullptr) return g_fake->forbid("linear memory");
    if (resource->linear.address % FakeCuda::kAlignment != 0) return g_fake->forbid("alignment");
    if (object.normalized) return g_fake->forbid("normalized coordinates of linear memory");
    sim::TextureDesc desc;
    desc.dimension = sim::Dimension::texture1d;
    desc.format = format_of(resource->linear.format, resource->linear.channels, texture->flags);
    desc.size = {static_cast<uint32_t>(resource->linear.bytes / sim::format_info(desc.format).bytes), 1, 1};
    desc.limited = false;
    Diagnostics diagnostics;
    auto texels = sim::Texture::create(desc, diagnostics);
    if (!texels) return g_fake->forbid("linear texture");
    std::memcpy(texels->memory().data(), memory, resource->linear.bytes);
    g_fake->buffers.push_back(std::move(*texels));
    object.view = sim::TextureView::whole(g_fake->buffers.back());
  } else {
    if (resource->type != kResourceMipmapped) return g_fake->forbid("resource");
    // CUDA_TEXTURE_DESC: mipmapped arrays are read with normalized coordinates.
    if (!object.normalized) return g_fake->forbid("unnormalized coordinates of a mipmapped array");
    const FakeCuda::Array* array = array_of(resource->mipmapped);
    if (((texture->flags & kSeamlessCube) != 0) != ((array->descriptor.flags & kCubemap) != 0))
      return g_fake->forbid("seamless cube");
    object.view = sim::TextureView::whole(*array->texture);
    object.view.format = format_of(array->descriptor.format, array->descriptor.channels, texture->flags);
    if (view != nullptr) {
      g_fake->view_descriptors.push_back(*view);
      object.view.first_mip = view->first_level;
      object.view.mip_count = view->last_level - view->first_level + 1;
      if ((array->descriptor.flags & kLayered) != 0) {
        object.view.first_slice = view->first_layer;
        object.view.slice_count = view->last_layer - view->first_layer + 1;
      }
    }
  }
  *handle = g_fake->machine->add_texture(object);
  ++g_fake->alive;
  return kSuccess;
}

Result create_surface(Object* handle, const ResourceDescriptor* resource) {
  if (const Result result = g_fake->begin("cuSurfObjectCreate"); result != 0) return result;
  if (resource->type != kResourceArray) return g_fake->forbid("surface of something else than an array");
  const FakeCuda::Level* level = level_of(resource->array);
  if ((level->array->descriptor.flags & kSurface) == 0) return g_fake->forbid("array without surfaces");
  sim::TextureView view = sim::TextureView::whole(*level->array->texture);
  view.first_mip = level->level;
  view.mip_count = 1;
  *handle = g_fake->machine->add_surface({view});
  ++g_fake->alive;
  return kSuccess;
}

Result load_module(Module** handle, const void* image, unsigned, JitOption*, void**) {
  if (const Result result = g_fake->begin("cuModuleLoadDataEx"); result != 0) return result;
  Diagnostics diagnostics;
  g_fake->module = sim::ptx::parse(static_cast<const char*>(image), diagnostics);
  if (g_fake->module == nullptr) return kInvalid;
  g_fake->machine = std::make_unique<sim::ptx::Machine>(*g_fake->module);
  *handle = reinterpret_cast<Module*>(g_fake->module.get());
  ++g_fake->alive;
  return kSuccess;
}

Result launch_kernel(Function*, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                     unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream*, void** parameters,
                     void**) {
  if (const Result result = g_fake->begin("cuLaunchKernel"); result != 0) return result;
  if (grid_x == 0 || grid_y == 0 || grid_z == 0) return g_fake->forbid("a grid without blocks");
  const sim::ptx::Function* entry = g_fake->module->find_entry(g_fake->entry);
  const auto* block = static_cast<const std::byte*>(parameters[0]);
  g_fake->parameters.assign(block, block + entry->parameter_bytes);
  g_fake->report = g_fake->machine->launch(g_fake->entry, {grid_x, grid_y, grid_z},
                                           {block_x, block_y, block_z}, g_fake->parameters, shared_bytes);
  return kSuccess;
}

}  // namespace

FakeCuda::FakeCuda() {
  g_fake = this;
}
FakeCuda::~FakeCuda() {
  g_fake = nullptr;
}

Result FakeCuda::begin(const char* name) {
  calls.emplace_back(name);
  return static_cast<int>(calls.size()) - 1 == fail_at ? kUnknown : kSuccess;
}
Result FakeCuda::forbid(std::string what) {
  if (misuse.empty()) misuse = calls.back() + ": " + what;
  return kInvalid;
}

Driver FakeCuda::table() const {
  Driver table{};
  table.cuInit = [](unsigned) { return g_fake->begin("cuInit"); };
  table.cuDeviceGetCount = [](int* count) {
    *count = g_fake->devices;
    return g_fake->begin("cuDeviceGetCount");
  };
  table.cuDeviceGet = [](Device* device, int ordinal) {
    *device = ordinal;
    return g_fake->begin("cuDeviceGet");
  };
  table.cuDeviceGetName = [](char* name, int length, Device) {
    std::snprintf(name, static_cast<size_t>(length), "a GPU that is not there");
    return g_fake->begin("cuDeviceGetName");
  };
  table.cuDeviceGetAttribute = [](int* value, DeviceAttribute attribute, Device) {
    switch (attribute) {
      case kTextureAlignment: *value = FakeCuda::kAlignment; break;
      case kLinearTexels: *value = g_fake->linear_texels; break;
      case kComputeMajor: *value = 7; break;
      case kComputeMinor: *value = 5; break;
    }
    return g_fake->begin("cuDeviceGetAttribute");
  };
  table.cuDevicePrimaryCtxRetain = [](Context** context, Device) {
    const Result result = g_fake->begin("cuDevicePrimaryCtxRetain");
    if (result != 0) return result;
    *context = reinterpret_cast<Context*>(g_fake);
    ++g_fake->alive;
    return kSuccess;
  };
  table.cuDevicePrimaryCtxRelease = [](Device) { return --g_fake->alive, kSuccess; };
  table.cuCtxSetCurrent = [](Context*) { return g_fake->begin("cuCtxSetCurrent"); };
  table.cuCtxSynchronize = [] {
    const Result result = g_fake->begin("cuCtxSynchronize");
    return result == 0 && !g_fake->report.ok() ? kFaulted : result;
  };
  table.cuModuleLoadDataEx = load_module;
  table.cuModuleUnload = [](Module*) { return --g_fake->alive, kSuccess; };
  table.cuModuleGetFunction = [](Function** function, Module*, const char* name) {
    g_fake->entry = name;
    *function = reinterpret_cast<Function*>(g_fake);
    const Result result = g_fake->begin("cuModuleGetFunction");
    return g_fake->module->find_entry(name) == nullptr ? kInvalid : result;
  };
  table.cuMipmappedArrayCreate = create_array;
  table.cuMipmappedArrayGetLevel = get_level;
  table.cuMipmappedArrayDestroy = [](MipmappedArray*) { return --g_fake->alive, kSuccess; };
  table.cuMemcpy3D = copy_box;
  table.cuTexObjectCreate = create_texture;
  table.cuTexObjectDestroy = [](Object) { return --g_fake->alive, kSuccess; };
  table.cuSurfObjectCreate = create_surface;
  table.cuSurfObjectDestroy = [](Object) { return --g_fake->alive, kSuccess; };
  table.cuMemAlloc = [](Address* address, size_t bytes) {
    const Result result = g_fake->begin("cuMemAlloc");
    if (result != 0 || bytes == 0) return result != 0 ? result : g_fake->forbid("no bytes");
    g_fake->memories.push_back({std::vector<std::byte>(bytes), 0});
    FakeCuda::Memory& memory = g_fake->memories.back();
    memory.address = *address = g_fake->machine->map_memory(memory.bytes);
    ++g_fake->alive;
    return kSuccess;
  };
  table.cuMemFree = [](Address) { return --g_fake->alive, kSuccess; };
  table.cuMemcpyHtoD = [](Address target, const void* source, size_t bytes) {
    const Result result = g_fake->begin("cuMemcpyHtoD");
    if (result == 0) std::memcpy(bytes_at(target, bytes), source, bytes);
    return result;
  };
  table.cuMemcpyDtoH = [](void* target, Address source, size_t bytes) {
    const Result result = g_fake->begin("cuMemcpyDtoH");
    if (result == 0) std::memcpy(target, bytes_at(source, bytes), bytes);
    return result;
  };
  table.cuLaunchKernel = launch_kernel;
  table.cuGetErrorString = [](Result result, const char** text) {
    *text = result == kFaulted ? "an illegal memory access was encountered" : "invalid argument";
    return kSuccess;
  };
  return table;
}

}  // namespace texlate::executor
