#include "sim/scene/input_source.h"

#include <bit>

#include "sim/pipeline/patch_factors.h"

namespace texlate::sim {

namespace {

uint32_t bits_of(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// Values from -1 to 2, different in each pixel: shaders that branch on them diverge within a quad.
float scattered(uint32_t plane, uint32_t element) {
  uint32_t hash = (element * 0x9e3779b1u) ^ (plane * 0x85ebca77u);
  hash = (hash ^ (hash >> 15)) * 0x2c1b3c6du;
  hash = (hash ^ (hash >> 12)) * 0x297a2d39u;
  return static_cast<float>(hash >> 8) * (3.0f / 16777216.0f) - 1.0f;
}

}  // namespace

uint32_t InputValues::word(uint32_t component, uint32_t element, std::array<uint32_t, 2> pixel) const {
  if (constant) return (*constant)[component];
  if (!is_gradient) return values[element % values.size()][component];
  return std::bit_cast<uint32_t>(gradient[component] + dx[component] * (static_cast<float>(pixel[0]) + 0.5f) +
                                 dy[component] * (static_cast<float>(pixel[1]) + 0.5f));
}

std::optional<InputValues> read_input(SceneReader& reader, const SceneValue& described) {
  const auto value = [&](const char* key) { return reader.member(described, key); };
  if (!reader.check_object(described, "constant gradient dx dy values")) return std::nullopt;
  InputValues read;
  if (value("constant").given()) reader.words(value("constant"), read.constant.emplace(), 1);
  reader.numbers(value("gradient"), read.gradient, 1);
  reader.numbers(value("dx"), read.dx, 1);
  reader.numbers(value("dy"), read.dy, 1);
  read.is_gradient = value("gradient").given() || value("dx").given() || value("dy").given();
  const SceneValue values = value("values");
  if (values.given() && !reader.check_list(values, 0, kAnyCount, "lists of up to 4 numbers"))
    return std::nullopt;
  for (size_t i = 0; i < values.size() && reader.good(); ++i)
    reader.words(reader.item(values, i), read.values.emplace_back(), 1);
  if (values.given() && values.size() == 0) reader.fail(values, "'values' has no values");
  if (int{read.constant.has_value()} + int{read.is_gradient} + int{values.given()} > 1)
    reader.fail(described, described.path[1] + " must have only one of constant, gradient and values");
  if (!reader.good()) return std::nullopt;
  return read.constant || read.is_gradient || values.given() ? std::optional(read) : std::nullopt;
}

uint32_t DefaultInputs::word(const ir::Parameter& parameter, uint32_t component, uint32_t element,
                             std::array<uint32_t, 2> pixel, bool read_as_integer) const {
  const bool is_pixel = stage == ir::Stage::pixel;
  const float x = is_pixel ? static_cast<float>(pixel[0]) + 0.5f : static_cast<float>(element);
  const float y = is_pixel ? static_cast<float>(pixel[1]) + 0.5f : static_cast<float>(element % 7);
  switch (parameter.system_value) {
    case ir::SystemValue::position:
      if (!is_pixel) break;
      return bits_of(component == 0 ? x : component == 1 ? y : component == 2 ? 0.5f : 1.0f);
    case ir::SystemValue::is_front_face: return 0xffffffffu;
    case ir::SystemValue::vertex_id: return element;
    case ir::SystemValue::primitive_id:
    case ir::SystemValue::instance_id:
    case ir::SystemValue::sample_index:
    case ir::SystemValue::render_target_array_index:
    case ir::SystemValue::viewport_array_index: return 0;
    default: break;
  }
  if (const auto place = factor_place(parameter.system_value); place && element < primitives.count) {
    const auto& factors = primitives.factors[element % primitives.factors.size()];
    return bits_of(place->inside ? factors.inside[place->index] : factors.edge[place->index]);
  }
  const bool is_integer = parameter.component_type == 1 || parameter.component_type == 2;
  if (is_integer || read_as_integer) return element % 4;
  if (scatter) return bits_of(scattered(parameter.reg * 4 + component, element));
  const float u = x / static_cast<float>(is_pixel ? width : 64),
              v = y / static_cast<float>(is_pixel ? height : 7);
  const float shift = static_cast<float>(parameter.reg % 8) / 16.0f;
  switch (component) {
    case 0: return bits_of(u + shift);
    case 1: return bits_of(v + shift);
    case 2: return bits_of(0.5f + (u - v) * 0.25f);
    default: return bits_of(1.0f);
  }
}

}  // namespace texlate::sim
