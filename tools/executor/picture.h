// Pictures of a run: one output register, and the contact sheet of several routes.
#pragma once

#include <optional>
#include <span>

#include "sim/scene/png_file.h"
#include "tools/executor/shader.h"

namespace texlate::executor {

/// The first o# that the shader writes, 0 to 1; discarded pixels are a grey checker, pixels that the route
/// reported as faulty (poison) magenta. Outputs of fewer than four components are opaque.
sim::Picture picture_of(const Shader& shader, const sim::Scene& scene, const RouteResult& result);

/// The first typed 2D view for unordered access, as a compute shader left it in the scene;
/// nothing where there is none.
std::optional<sim::Picture> picture_of_uav(const Shader& shader, const sim::Scene& scene);

/// Every texel `factor` times `factor` times.
sim::Picture enlarged(const sim::Picture& picture, uint32_t factor);

/// Absolute difference of colours times `gain`; opaque.
sim::Picture difference_of(const sim::Picture& a, const sim::Picture& b, uint32_t gain);

struct Labelled {
  sim::Picture picture;
  std::string label;  // letters, digits and simple punctuation; other characters leave a gap
};

/// Side by side with a dark gap, each under its label.
sim::Picture contact_sheet(std::span<const Labelled> pictures);

/// Texels of which a component is more than `steps` (of 255) apart. Pictures of different sizes: all of the
/// larger one.
uint64_t different_texels(const sim::Picture& a, const sim::Picture& b, uint32_t steps);

}  // namespace texlate::executor
