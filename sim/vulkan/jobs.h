// The kinds of jobs, and what they share.
#pragma once

#include "sim/vulkan/context.h"
#include "sim/vulkan/module_interface.h"

namespace texlate::sim::vulkan {

// All of them throw Failure.
void run_dispatch(const Context& context, const Shader& shader, std::array<uint32_t, 3> groups);
void run_pixels(const Context& context, const Shader& shader, PixelJob& pixels);
void run_vertices(const Context& context, const Shader& shader, VertexJob& vertices);
void run_single_stage(const Context& context, const Shader& shader, StageJob& stage);
void run_primitives(const Context& context, const Shader& vertex, const PrimitiveJob& primitives);
void run_draw(const Context& context, DrawJob& draw);

/// Fails with the feature's name if the device lacks what the module needs.
void require_capabilities(const Context& context, const ModuleInterface& interface);

/// Specialization constants in Vulkan's form. Must outlive the creation of the pipeline.
struct Specialization {
  explicit Specialization(const Shader& shader);
  VkSpecializationInfo info{};

 private:
  std::vector<VkSpecializationMapEntry> entries_;
};

}  // namespace texlate::sim::vulkan
