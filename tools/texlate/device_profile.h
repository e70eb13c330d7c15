// What a Vulkan device has, from the JSON that `vulkaninfo --json` writes (the Vulkan Profiles schema).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/base/diagnostics.h"
#include "texlate/texlate.h"

namespace texlate::cli {

/// Appends a property for each feature that matters, 0 if the profile does not have it, and for each limit
/// that it gives. Returns false with an error and its location in the text.
bool parse_device_profile(std::string_view json, std::vector<texlate_device_property>& properties,
                          Diagnostics& diagnostics);

/// Appends the features of a list "shaderFloat64,multiViewport" as missing. Returns the first name that is no
/// feature, which may be empty.
std::optional<std::string_view> parse_missing_features(std::string_view list,
                                                       std::vector<texlate_device_property>& properties);

/// Why parse_missing_features() refused a name.
std::string unknown_feature(std::string_view name);

}  // namespace texlate::cli
