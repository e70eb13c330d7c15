#include "tools/texlate/uav_format.h"

namespace texlate::cli {

std::optional<texlate_uav_format> parse_uav_format(const std::string& text) {
  static constexpr const char* kKinds[] = {"float", "unorm", "snorm", "uint", "sint"};
  const size_t equals = text.find('=');
  const size_t underscore = text.find('_');
  if (equals == std::string::npos || underscore == std::string::npos || equals < 2 || underscore < equals ||
      text[0] != 'u') {
    return std::nullopt;
  }
  texlate_uav_format format{};
  const std::string number = text.substr(1, equals - 1);
  const std::string layout = text.substr(equals + 1, underscore - equals - 1);
  const size_t digits = layout.find_first_of("0123456789");
  if (digits == std::string::npos || number.find_first_not_of("0123456789") != std::string::npos ||
      number.size() > 4 || layout.find_first_not_of("0123456789", digits) != std::string::npos ||
      layout.size() - digits > 2) {
    return std::nullopt;
  }
  format.uav = static_cast<uint32_t>(std::stoul(number));
  format.bits = static_cast<uint32_t>(std::stoul(layout.substr(digits)));
  const std::string components = layout.substr(0, digits);
  if (components != "r" && components != "rg" && components != "rgba") return std::nullopt;
  format.components = static_cast<uint32_t>(components.size());
  for (int kind = 0; kind < 5; ++kind) {
    if (text.substr(underscore + 1) != kKinds[kind]) continue;
    format.kind = static_cast<texlate_texel_kind>(kind);
    return format;
  }
  return std::nullopt;
}

}  // namespace texlate::cli
