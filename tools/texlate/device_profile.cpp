#include "tools/texlate/device_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/scene/json_parse.h"

namespace texlate::cli {

namespace {

using Json = nlohmann::json;
using Values = std::map<std::string, int64_t, std::less<>>;

/// Of denormBehaviorIndependence: floats of all widths keep their denormals, or all flush them.
constexpr std::string_view kOneModeName = "VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE";
constexpr int64_t kOneMode = 2;

/// A name that is given twice, by a structure and by the one that replaced it, has the greater value.
void note(Values& values, const std::string& name, const Json& value) {
  int64_t number = 0;
  if (value.is_boolean()) {
    number = value.get<bool>() ? 1 : 0;
  } else if (value.is_number_unsigned()) {
    constexpr uint64_t kMost = INT64_MAX - 1;
    number = static_cast<int64_t>(std::min(value.get<uint64_t>(), kMost));
  } else if (value.is_number_integer()) {
    number = value.get<int64_t>();
  } else if (value == kOneModeName) {
    number = kOneMode;
  } else {
    return;
  }
  const auto [entry, is_new] = values.emplace(name, number);
  if (!is_new) entry->second = std::max(entry->second, number);
}

/// The members of all structures in it; those of arrays as name.x, name.y ...
void collect(const Json& structures, Values& values) {
  for (const auto& [name, value] : structures.items()) {
    if (value.is_object()) {
      collect(value, values);
    } else if (value.is_array()) {
      for (size_t i = 0; i < value.size() && i < 4; ++i) note(values, name + "." + "xyzw"[i], value[i]);
    } else {
      note(values, name, value);
    }
  }
}

void collect_block(const Json& block, Values& values) {
  if (!block.is_object()) return;
  for (const char* const part : {"features", "properties"}) {
    if (block.contains(part) && block[part].is_object()) collect(block[part], values);
  }
  if (!block.contains("extensions") || !block["extensions"].is_object()) return;
  for (const auto& [name, revision] : block["extensions"].items()) values[name] = 1;
}

/// Vulkan 1.2 has two features in place of one extension, and 1.3 contains another.
void add_promoted(Values& values) {
  constexpr int64_t kVulkan13 = 0x403000;  // VK_MAKE_API_VERSION(0, 1, 3, 0)
  const auto has = [&values](std::string_view name) {
    const auto found = values.find(name);
    return found != values.end() && found->second != 0;
  };
  if (has("shaderOutputLayer") && has("shaderOutputViewportIndex"))
    values["VK_EXT_shader_viewport_index_layer"] = 1;
  const auto version = values.find(std::string_view("apiVersion"));
  if (version != values.end() && version->second >= kVulkan13) values["VK_KHR_shader_non_semantic_info"] = 1;
}

/// Modules flush the denormals of 32 bits if the device can. Where that holds for the other widths as well,
/// none can be kept.
void keep_no_denormals_beside_flushed(Values& values) {
  const auto value = [&values](std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? 0 : found->second;
  };
  if (value("denormBehaviorIndependence") != kOneMode || value("shaderDenormFlushToZeroFloat32") == 0) return;
  values["shaderDenormPreserveFloat16"] = 0;
  values["shaderDenormPreserveFloat64"] = 0;
}

/// Limits have such names in Vulkan; all others are features.
bool is_limit(std::string_view name) {
  return name.starts_with("max") || name.starts_with("min");
}

}  // namespace

bool parse_device_profile(std::string_view text, std::vector<texlate_device_property>& properties,
                          Diagnostics& diagnostics) {
  Json json;
  if (const auto error = parse_json(text, json)) {
    diagnostics.error(error->location, "{}", error->message);
    return false;
  }
  if (!json.is_object() || !json.contains("capabilities") || !json["capabilities"].is_object()) {
    diagnostics.error(
        {.line = 1, .column = 1},
        "this is no Vulkan profile: it has no object \"capabilities\" (vulkaninfo --json writes one)");
    return false;
  }
  Values values;
  for (const auto& [name, block] : json["capabilities"].items()) collect_block(block, values);
  add_promoted(values);
  keep_no_denormals_beside_flushed(values);
  for (uint32_t i = 0; const char* const name = texlate_device_property_name(i); ++i) {
    const auto found = values.find(std::string_view(name));
    if (found != values.end()) {
      properties.push_back({name, found->second});
    } else if (!is_limit(name)) {
      properties.push_back({name, 0});
    }
  }
  return true;
}

std::optional<std::string_view> parse_missing_features(std::string_view list,
                                                       std::vector<texlate_device_property>& properties) {
  for (bool more = !list.empty(); more;) {
    const std::string_view name = list.substr(0, list.find(','));
    more = name.size() != list.size();
    list.remove_prefix(name.size() + (more ? 1 : 0));
    const char* known = nullptr;
    for (uint32_t i = 0; const char* const one = texlate_device_property_name(i); ++i) {
      if (one == name && !is_limit(name)) known = one;
    }
    if (known == nullptr) return name;
    properties.push_back({known, 0});
  }
  return std::nullopt;
}

std::string unknown_feature(std::string_view name) {
  constexpr std::string_view kRobustness[] = {"robustBufferAccess2", "robustImageAccess2", "nullDescriptor",
                                              "VK_EXT_robustness2"};
  if (std::ranges::find(kRobustness, name) != std::end(kRobustness))
    return fmt::format("--without: '{}' is one of the features that --robustness shader does without", name);
  return fmt::format("--without: '{}' is not a feature that matters (docs/spirv.md lists them)", name);
}

}  // namespace texlate::cli
