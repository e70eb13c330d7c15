#include "tools/texlate/uav_format.h"

#include <string_view>

#include "backend/view_format.h"
#include "ir/base/number_text.h"

namespace texlate::cli {

std::optional<texlate_uav_format> parse_uav_format(const std::string& text) {
  constexpr uint32_t kMostRegisters = 10'000;
  const size_t equals = text.find('=');
  if (equals == std::string::npos || text[0] != 'u') return std::nullopt;
  uint32_t uav = 0;
  if (!read_number(std::string_view(text).substr(1, equals - 1), uav) || uav >= kMostRegisters)
    return std::nullopt;
  for (const backend::NamedViewFormat& format : backend::kViewFormats) {
    if (format.name == std::string_view(text).substr(equals + 1))
      return texlate_uav_format{uav, 0, 0, TEXLATE_TEXEL_UNORM, static_cast<texlate_format>(format.number)};
  }
  return std::nullopt;
}

}  // namespace texlate::cli
