// A whole draw on the device: shaders of up to five stages with Direct3D's state of the functions between and
// after them.
#pragma once

#include <optional>

#include "sim/pipeline/draw_state.h"
#include "sim/pipeline/primitive_assembly.h"
#include "sim/vulkan/device.h"

namespace texlate::sim::vulkan {

struct DrawJob {
  /// Null: the stage is not used. No descriptor of one may be at the place of another's.
  const Shader *vertex = nullptr, *hull = nullptr, *domain = nullptr, *geometry = nullptr, *pixel = nullptr;

  uint32_t vertex_count = 0;
  std::vector<uint32_t> inputs;  // as VertexJob::inputs
  Topology topology = Topology::triangle_list;
  uint32_t control_points = 1;                   // of patch_list
  std::optional<std::vector<uint32_t>> indices;  // 0xffffffff starts the topology anew

  uint32_t width = 1, height = 1, samples = 1;
  Format format = Format::r8g8b8a8_unorm;
  std::array<float, 4> clear{};  // integer formats: the integers as floats
  Viewport viewport;
  RasterState raster;
  bool draws_lines = false;  // lines reach the rasterizer
  DepthFormat depth_format = DepthFormat::none;
  float depth_clear = 1;
  uint8_t stencil_clear = 0;
  DepthState depth;
  BlendState blend;  // of target 0

  // Results, row by row
  std::vector<std::byte> texels;       // of target 0, resolved; in its format
  std::vector<uint32_t> depths;        // by sample: codes of D16 and D24, bits of D32; empty without a buffer
  std::vector<uint8_t> stencil_codes;  // by sample; 0 if the format has no stencil
};

}  // namespace texlate::sim::vulkan
