#include "tools/texlate/uav_format.h"

#include <cstdint>
#include <string_view>

namespace texlate::cli {

namespace {

/// Formats whose components have different widths, or a different order.
struct NamedFormat {
  std::string_view name;
  uint32_t components, bits;
  texlate_texel_kind kind;
};
constexpr NamedFormat kNamedFormats[] = {
    {"rgb10a2_unorm", 4, 10, TEXLATE_TEXEL_UNORM},      {"rgb10a2_uint", 4, 10, TEXLATE_TEXEL_UINT},
    {"r11g11b10_float", 3, 11, TEXLATE_TEXEL_FLOAT},    {"bgra8_unorm", 4, 8, TEXLATE_TEXEL_UNORM_BGRA},
    {"bgrx8_unorm", 3, 8, TEXLATE_TEXEL_UNORM_BGRA},    {"b5g6r5_unorm", 3, 5, TEXLATE_TEXEL_UNORM_BGRA},
    {"b5g5r5a1_unorm", 4, 5, TEXLATE_TEXEL_UNORM_BGRA}, {"bgra4_unorm", 4, 4, TEXLATE_TEXEL_UNORM_BGRA},
    {"a8_unorm", 1, 8, TEXLATE_TEXEL_UNORM_ALPHA},
};

/// Components of the same width: what DXGI_FORMAT has.
bool exists(const texlate_uav_format& format) {
  const bool normalized = format.kind == TEXLATE_TEXEL_UNORM || format.kind == TEXLATE_TEXEL_SNORM;
  if (format.bits == 8) return format.kind != TEXLATE_TEXEL_FLOAT;
  return format.bits == 16 || (format.bits == 32 && !normalized);
}

}  // namespace

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
  for (const NamedFormat& named : kNamedFormats) {
    if (std::string_view(text).substr(equals + 1) != named.name || number.size() > 4 ||
        number.find_first_not_of("0123456789") != std::string::npos)
      continue;
    return texlate_uav_format{static_cast<uint32_t>(std::stoul(number)), named.components, named.bits,
                              named.kind};
  }
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
    return exists(format) ? std::optional(format) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace texlate::cli
