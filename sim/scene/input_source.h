// The description of one v# or vpc# in a scene.
#pragma once

#include <array>
#include <optional>
#include <vector>

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

}  // namespace texlate::sim
