// Pictures of a run: an output register, or the contact sheet of several routes.
#pragma once

#include <optional>
#include <span>

#include "sim/scene/png_file.h"
#include "tools/executor/shader.h"

namespace texlate::executor {

/// The first o# that the shader writes, with components clamped to 0 to 1. Discarded pixels are a gray
/// checker; pixels that the route reported as faulty (poison) are magenta. Outputs of fewer than four
/// components are opaque.
sim::Picture picture_of(const Shader& shader, const sim::Scene& scene, const RouteResult& result);

/// The first typed 2D view for unordered access, as a compute shader left it in the scene; nothing if there
/// is none.
std::optional<sim::Picture> picture_of_uav(const Shader& shader, const sim::Scene& scene);

/// Enlarges every texel to `factor` x `factor`.
sim::Picture enlarged(const sim::Picture& picture, uint32_t factor);

/// Absolute difference of colors times `gain`; opaque.
sim::Picture difference_of(const sim::Picture& a, const sim::Picture& b, uint32_t gain);

struct Labeled {
  sim::Picture picture;
  std::string label;  // letters, digits and simple punctuation; other characters become gaps
};

/// Pictures side by side with a dark gap between them, each below its label.
sim::Picture contact_sheet(std::span<const Labeled> pictures);

/// The number of texels with a component that differs by more than `steps` (of 255). If the sizes differ, all
/// texels of the larger picture.
uint64_t different_texels(const sim::Picture& a, const sim::Picture& b, uint32_t steps);

}  // namespace texlate::executor
