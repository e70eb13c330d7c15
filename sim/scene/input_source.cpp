#include "sim/scene/input_source.h"

#include <bit>

namespace texlate::sim {

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

}  // namespace texlate::sim
