// The description of one v# or vpc# in a scene, and what it is without one.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "ir/module.h"
#include "sim/scene/primitives.h"
#include "sim/scene/scene_reader.h"

namespace texlate::sim {

struct InputValues {
  std::optional<std::array<uint32_t, 4>> constant;
  bool is_gradient = false;
  std::array<float, 4> gradient{}, dx{}, dy{};
  std::vector<std::array<uint32_t, 4>> values;

  uint32_t word(uint32_t component, uint32_t element, std::array<uint32_t, 2> pixel) const;
};

/// Nothing if the register keeps its default, or after an error.
std::optional<InputValues> read_input(SceneReader& reader, const SceneValue& described);

struct DefaultInputs {
  ir::Stage stage;
  const ScenePrimitives& primitives;
  uint32_t width, height;  // of the viewport
  bool scatter;            // different numbers in each pixel

  /// `read_as_integer`: the shader reads the plane as integers, whatever its declared type.
  uint32_t word(const ir::Parameter& parameter, uint32_t component, uint32_t element,
                std::array<uint32_t, 2> pixel, bool read_as_integer) const;
};

}  // namespace texlate::sim
