// `--uav-format u0=rgba8_unorm`: the storage format of a typed view for unordered access.
#pragma once

#include <optional>
#include <string>

#include "texlate/texlate.h"

namespace texlate::cli {

/// Register, components, bits, kind: "u0=rgba8_unorm", "u1=r32_uint", "u2=r11g11b10_float". Empty if the text
/// does not have this form.
std::optional<texlate_uav_format> parse_uav_format(const std::string& text);

}  // namespace texlate::cli
