#include "tools/texlate/uav_format.h"

#include <charconv>
#include <string_view>

#include "backend/view_format.h"

namespace texlate::cli {

std::optional<texlate_uav_format> parse_uav_format(const std::string& text) {
  constexpr uint32_t kMostRegisters = 10'000;
  const size_t equals = text.find('=');
  if (equals == std::string::npos || text[0] != 'u') return std::nullopt;
  uint32_t uav = 0;
  const auto [end, status] = std::from_chars(text.data() + 1, text.data() + equals, uav);
  if (status != std::errc() || end != text.data() + equals || uav >= kMostRegisters) return std::nullopt;
  for (const backend::NamedViewFormat& format : backend::kViewFormats) {
    if (format.name == std::string_view(text).substr(equals + 1))
      return texlate_uav_format{uav, 0, 0, TEXLATE_TEXEL_UNORM, static_cast<texlate_format>(format.number)};
  }
  return std::nullopt;
}

}  // namespace texlate::cli
