// A Vulkan device that runs SPIR-V without a window: dispatches and draws of pixels and vertices, with the
// textures, buffers and samplers of the texture unit. It sees a module only as words, so that modules of any
// frontend can be run.
//
//   auto device = Device::open({}, diagnostics);
//   Shader shader{words, "main", {}, {{.kind = DescriptorKind::texture, .binding = 32, .elements = {{.texture
//   = view}}}}}; device->dispatch(shader, {1, 1, 1}, diagnostics);
#pragma once

#include <array>
#include <functional>
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

/// The contents of one register. If all members are empty, the slot is empty.
struct Element {
  TextureView texture;
  BufferView buffer;
  Sampler sampler;
  std::span<const uint32_t> constants;
};

struct Descriptor {
  DescriptorKind kind = DescriptorKind::texture;
  uint32_t set = 0, binding = 0;
  // The module's declaration, used for a substitute if nothing is bound
  Dimension dimension = Dimension::texture2d;
  Kind texel = Kind::float_;      // float_, uint or sint
  bool compared = false;          // requires a depth format
  uint32_t least_bytes = 0;       // constant buffers: declared size; padded with zeros
  std::vector<Element> elements;  // one per register
};

struct SpecializationConstant {
  uint32_t id = 0, value = 0;
};

struct Shader {
  std::span<const uint32_t> words;
  std::string entry = "main";
  std::vector<SpecializationConstant> constants;
  std::vector<Descriptor> descriptors;
  std::vector<uint32_t> push_constants = {};  // dispatches: the start of the shader's block
};

/// A pixel shader over a whole target. Inputs: plane 4 * location + component, each with padded_width() *
/// padded_height() words row by row, because whole quads need them. Missing planes are 0.
struct PixelJob {
  uint32_t width = 0, height = 0;
  std::vector<uint32_t> inputs;
  uint32_t padded_width() const { return (width + 1) / 2 * 2; }
  uint32_t padded_height() const { return (height + 1) / 2 * 2; }

  // Results, row by row
  struct Target {
    uint32_t location;
    std::vector<uint32_t> texels;  // four words per pixel
  };
  std::vector<Target> targets;
  std::vector<uint32_t> depth;    // float bits; 0.5 if the shader writes none
  std::vector<uint32_t> stencil;  // if the shader exports it
  std::vector<uint32_t> written;  // 0: discarded
};

/// A vertex shader over vertices 0 to count - 1 of instance 0. Inputs: plane 4 * location + component, each
/// with count words.
struct VertexJob {
  uint32_t count = 0;
  std::vector<uint32_t> inputs;

  // Results: what the shader wrote, `words` words per vertex
  struct Output {
    bool is_builtin;
    uint32_t number;     // location or SPIR-V BuiltIn
    uint32_t component;  // component of the location to which the first word belongs
    uint32_t words;
    std::vector<uint32_t> data;
  };
  std::vector<Output> outputs;
};

/// Points or patches whose vertices have no attributes except their number. Nothing is rasterized: the stages
/// write their results to unordered access views. All stages use the vertex shader's descriptors.
struct PrimitiveJob {
  uint32_t vertices = 0;
  uint32_t patch_control_points = 0;  // patches require hull and domain
  std::span<const uint32_t> hull = {}, domain = {},
                            geometry = {};  // SPIR-V; same name of the entry point as in the vertex shader
};

enum class Spacing : uint8_t { equal, fractional_odd, fractional_even };

/// A hull, domain or geometry shader alone. Vertex v of primitive p has the number p * vertices + v.
struct StageJob {
  /// A word of an input: of the component `word` of a location, or word `word` of a SPIR-V BuiltIn.
  struct Place {
    bool is_builtin = false;
    uint32_t number = 0, word = 0;
  };
  uint32_t primitives = 0, vertices = 0;  // vertices or control points of each
  std::function<uint32_t(const Place&, uint32_t vertex)> vertex_word;
  // Domain shaders; each domain point is a point of its own. `levels` are the outer and inner tessellation
  // levels of each patch as bits; of hull shaders they are a result.
  std::function<uint32_t(const Place&, uint32_t patch)> patch_word = {};
  Spacing spacing = Spacing::equal;
  std::vector<std::array<uint32_t, 6>> levels = {};
  uint32_t output_points = 0;  // hull shaders
  /// Room for results: vertices of lists for each primitive (geometry), domain points (domain).
  uint64_t most_results = 0;

  // Results: `words` words per control point, patch, domain point, or vertex of a stream's lists
  struct Output {
    bool is_builtin, is_patch;
    uint32_t number;     // location or SPIR-V BuiltIn
    uint32_t component;  // component of the location to which the first word belongs
    uint32_t words;
    uint32_t stream;
    std::vector<uint32_t> data;
  };
  std::vector<Output> outputs = {};
  std::array<uint32_t, 4> results{};    // domain points; vertices by stream
  std::vector<uint32_t> observed = {};  // hull shaders: 0 for patches that were culled: nothing is known
};

struct DrawJob;  // sim/vulkan/draw_job.h

struct DeviceOptions {
  std::string
      name;  // part of the device's name, or its number; empty: $TEXLATE_VULKAN_DEVICE, else the first one
  bool robust = true;  // enable robustBufferAccess2, robustImageAccess2 and nullDescriptor; otherwise no
                       // robustness at all
  uint32_t timeout_seconds = 120;
};

class Device {
 public:
  /// Null with one error that names what is missing: the loader, a device, a feature.
  static std::unique_ptr<Device> open(const DeviceOptions& options, Diagnostics& diagnostics);
  virtual ~Device() = default;

  virtual const std::string& name() const = 0;
  /// True if typed unordered access views may be read without a format in the module
  /// (shaderStorageImageReadWithoutFormat).
  virtual bool reads_without_format() const = 0;
  /// has_float_controls(): all of VK_KHR_shader_float_controls that Direct3D's rules need.
  /// preserves_specials(): of these, that 32-bit -0, INF and NaN behave as in IEEE 754.
  virtual bool has_float_controls() const = 0;
  virtual bool preserves_specials() const = 0;
  /// If the last job failed because the device lacks a feature that it needs: the message. Otherwise empty.
  virtual const std::string& missing_feature() const = 0;

  // Unordered access views are read back into the memory of their views. Return false with errors.
  virtual bool dispatch(const Shader& shader, std::array<uint32_t, 3> groups, Diagnostics& diagnostics) = 0;
  virtual bool draw_pixels(const Shader& shader, PixelJob& job, Diagnostics& diagnostics) = 0;
  virtual bool draw_vertices(const Shader& shader, VertexJob& job, Diagnostics& diagnostics) = 0;
  virtual bool run_stage(const Shader& shader, StageJob& job, Diagnostics& diagnostics) = 0;
  virtual bool draw_primitives(const Shader& vertex, const PrimitiveJob& job, Diagnostics& diagnostics) = 0;
  virtual bool draw(DrawJob& job, Diagnostics& diagnostics) = 0;
};

}  // namespace texlate::sim::vulkan
