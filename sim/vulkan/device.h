// A Vulkan device that runs SPIR-V without a window: dispatches, and draws of pixels and of vertices, over
// the textures, buffers and samplers of the texture unit. It knows modules only as words, so that any
// frontend's can be run.
//
//   auto device = Device::open({}, diagnostics);
//   Shader shader{words, "main", {}, {{.kind = DescriptorKind::texture, .binding = 32, .elements = {{.texture
//   = view}}}}}; device->dispatch(shader, {1, 1, 1}, diagnostics);
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/texture_unit/buffer.h"
#include "sim/texture_unit/sampler.h"
#include "sim/texture_unit/texture.h"

namespace texlate {
class Diagnostics;
}

namespace texlate::sim::vulkan {

enum class DescriptorKind : uint8_t {
  constant_buffer,  // uniform buffer
  sampler,
  texture,  // sampled image
  storage_texture,
  typed_buffer,  // uniform texel buffer
  storage_typed_buffer,
  words,    // storage buffer: raw and structured
  counter,  // storage buffer: the one word that BufferView::counter points at
};

/// What one register holds; nothing: the slot is empty.
struct Element {
  TextureView texture;
  BufferView buffer;
  Sampler sampler;
  std::span<const uint32_t> constants;
};

struct Descriptor {
  DescriptorKind kind = DescriptorKind::texture;
  uint32_t set = 0, binding = 0;
  // What the module declares, for a substitute if nothing is bound
  Dimension dimension = Dimension::texture2d;
  Kind texel = Kind::float_;      // float_, uint or sint
  bool compared = false;          // needs a depth format
  uint32_t least_bytes = 0;       // constant buffers: declared size; filled up with zeros
  std::vector<Element> elements;  // one a register
};

struct SpecializationConstant {
  uint32_t id = 0, value = 0;
};

struct Shader {
  std::span<const uint32_t> words;
  std::string entry = "main";
  std::vector<SpecializationConstant> constants;
  std::vector<Descriptor> descriptors;
  std::vector<uint32_t> push_constants = {};  // dispatches: what the shader's block begins with
};

/// A pixel shader over a whole target. Inputs: plane 4 * location + component, each of padded_width() *
/// padded_height() words row by row, as whole quads need them. Planes that are not there are 0.
struct PixelJob {
  uint32_t width = 0, height = 0;
  std::vector<uint32_t> inputs;
  uint32_t padded_width() const { return (width + 1) / 2 * 2; }
  uint32_t padded_height() const { return (height + 1) / 2 * 2; }

  // Results, row by row
  struct Target {
    uint32_t location;
    std::vector<uint32_t> texels;  // four words a pixel
  };
  std::vector<Target> targets;
  std::vector<uint32_t> depth;    // float bits; 0.5 where the shader writes none
  std::vector<uint32_t> stencil;  // where the shader exports it
  std::vector<uint32_t> written;  // 0: discarded
};

/// A vertex shader over vertices 0 to count - 1 of instance 0. Inputs: plane 4 * location + component of
/// count words.
struct VertexJob {
  uint32_t count = 0;
  std::vector<uint32_t> inputs;

  // Results: what the shader wrote, `words` for each vertex
  struct Output {
    bool is_builtin;
    uint32_t number;     // location or SPIR-V BuiltIn
    uint32_t component;  // of the location, that the first word is
    uint32_t words;
    std::vector<uint32_t> data;
  };
  std::vector<Output> outputs;
};

/// Points, or patches, of vertices that come from nothing but their number. Nothing is rasterized: what the
/// stages do, they write to unordered access views. The vertex shader's descriptors serve all of them.
struct PrimitiveJob {
  uint32_t vertices = 0;
  uint32_t patch_control_points = 0;  // patches need hull and domain
  std::span<const uint32_t> hull = {}, domain = {},
                            geometry = {};  // SPIR-V, entry points as the vertex shader's
};

struct DeviceOptions {
  std::string
      name;  // part of the device's name, or its number; empty: $TEXLATE_VULKAN_DEVICE, else the first one
  bool robust = true;  // enable robustBufferAccess2, robustImageAccess2 and nullDescriptor; otherwise no
                       // robustness at all
  uint32_t timeout_seconds = 120;
};

class Device {
 public:
  /// Null with one error that says what is missing: the loader, a device, a feature.
  static std::unique_ptr<Device> open(const DeviceOptions& options, Diagnostics& diagnostics);
  virtual ~Device() = default;

  virtual const std::string& name() const = 0;
  /// Typed unordered access views may be read without a format in the module
  /// (shaderStorageImageReadWithoutFormat).
  virtual bool reads_without_format() const = 0;
  /// All of VK_KHR_shader_float_controls that Direct3D's rules need; or, of it, only that -0, INF and NaN of
  /// 32 bits are as IEEE 754 says.
  virtual bool has_float_controls() const = 0;
  virtual bool preserves_specials() const = 0;

  // Unordered access views are read back into the memory that their views point at. False with errors.
  virtual bool dispatch(const Shader& shader, std::array<uint32_t, 3> groups, Diagnostics& diagnostics) = 0;
  virtual bool draw_pixels(const Shader& shader, PixelJob& job, Diagnostics& diagnostics) = 0;
  virtual bool draw_vertices(const Shader& shader, VertexJob& job, Diagnostics& diagnostics) = 0;
  virtual bool draw_primitives(const Shader& vertex, const PrimitiveJob& job, Diagnostics& diagnostics) = 0;
};

}  // namespace texlate::sim::vulkan
