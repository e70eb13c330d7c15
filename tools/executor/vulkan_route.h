// The third route: emitted SPIR-V on a Vulkan driver, with the interpreter's bindings.
#pragma once

#include <memory_resource>
#include <vector>

#include "backend/spirv/target.h"
#include "library/pipeline.h"
#include "sim/ir/interpreter.h"
#include "sim/vulkan/device.h"

namespace texlate::executor {

const backend::Target& spirv_target();

/// What distinguishes a shader of a whole draw from one that runs alone.
struct VulkanStage {
  uint32_t set = 0;              // one descriptor set for each stage
  bool feeds_rasterizer = true;  // no hull or geometry shader follows
  bool point_size = false;       // the rasterizer gets points
  bool dual_source = false;      // blending reads o1
};

struct VulkanShader {
  library::Emitted emitted;  // as `translate --to spirv` writes it with these options
  spirv::TargetOptions options;
  std::vector<backend::ViewFormat> view_formats;
  std::vector<spirv::BindingEntry> bindings;  // of a stage of a whole draw
  std::vector<uint32_t> words;                // of emitted.data
  sim::vulkan::Shader shader;                 // refers to `words`
};

/// Emits `module`, which must have been prepared for SPIR-V and this robustness, and describes the bindings
/// as descriptors at their default places. Uses the float controls that the device supports. Declares formats
/// of views from `bindings` if the device needs them, and what is in `result.options.emit.device` already.
bool make_vulkan_shader(const ir::Module& module, spirv::Robustness robustness,
                        const sim::vulkan::Device& device, const sim::Bindings& bindings,
                        uint32_t raster_samples, VulkanShader& result, Diagnostics& diagnostics,
                        const VulkanStage* stage = nullptr);

/// System values come from the device: false, with an error, if the inputs request others. `width`: of a
/// target, in pixels; 0 for vertices.
bool has_system_values_of_device(const ir::Module& module, const sim::StreamLaunch& launch, uint32_t width,
                                 Diagnostics& diagnostics);

/// Runs a vertex shader. `launch` is as in sim::StreamLaunch; `undefined` is not written.
bool run_vulkan_vertices(sim::vulkan::Device& device, const ir::Module& module, const VulkanShader& shader,
                         const sim::StreamLaunch& launch, Diagnostics& diagnostics);

/// Runs a pixel shader over a target of width x height. Elements are ordered quad by quad, as in a
/// scene.
bool run_vulkan_pixels(sim::vulkan::Device& device, const ir::Module& module, const VulkanShader& shader,
                       uint32_t width, uint32_t height, const sim::StreamLaunch& launch,
                       Diagnostics& diagnostics);

/// SPIR-V's number of the built-in variable for a system value; that of no built-in for others.
uint32_t builtin_of(ir::SystemValue value);

/// True if this output can be read back: not coverage masks, and not cull distances that Mesa captures
/// wrongly.
bool vulkan_reads_back(const ir::Module& module, const ir::Parameter& output);

}  // namespace texlate::executor
