#include "tools/texlate/outputs_json.h"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "tools/executor/output_name.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

using Json = nlohmann::ordered_json;

Json as_json(const Execution& execution, const executor::RouteResult& result) {
  Json json;
  json["schema"] = kSchema;
  const uint32_t count = execution.scene->element_count();
  const ir::Module& module = execution.shader.contract;
  if (module.stage != ir::Stage::compute) {
    json["elements"] = count;
    json["written"] = result.written;
    for (const ir::Parameter& parameter : module.outputs) {
      const uint32_t reg = sim::output_plane_register(module, parameter);
      for (uint32_t c = 0; c < 4; ++c) {
        if (((parameter.mask >> c) & 1) == 0) continue;
        const auto first = result.outputs.begin() + static_cast<ptrdiff_t>((size_t{reg} * 4 + c) * count);
        json["outputs"][executor::output_name(module, parameter, c)] =
            std::vector<uint32_t>(first, first + count);
      }
    }
  }
  for (const auto& range : execution.scene->uav_ranges()) {
    const auto first = result.uavs.begin() + static_cast<ptrdiff_t>(range.first);
    json["uavs"][range.name] = std::vector<uint32_t>(first, first + static_cast<ptrdiff_t>(range.count));
  }
  json["undefined"] = result.any_undefined;
  return json;
}

using Types = std::map<std::string, executor::WordType, std::less<>>;

/// The types of the lists' words.
Types types_of(const Execution& execution) {
  Types types;
  const ir::Module& module = execution.shader.contract;
  for (const ir::Parameter& parameter : module.outputs) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0)
        types.emplace(executor::output_name(module, parameter, c), executor::type_of(parameter));
    }
  }
  for (const auto& range : execution.scene->uav_ranges()) types.emplace(range.name, executor::type_of(range));
  return types;
}

/// Compares two objects that contain lists of words.
bool has_lists(const Json& expected, const Json& found, const Types& types,
               const executor::Tolerance& tolerance, std::string& difference) {
  if (!expected.is_object()) return true;
  for (const auto& [name, words] : expected.items()) {
    if (!found.is_object() || !found.contains(name))
      return difference = fmt::format("there is no {}", name), false;
    const Json& others = found[name];
    if (!words.is_array() || words.size() != others.size())
      return difference = fmt::format("{} has {} words, not {}", name, others.size(), words.size()), false;
    const auto type = types.find(name);
    for (size_t i = 0; i < words.size(); ++i) {
      if (!words[i].is_number_unsigned())
        return difference = fmt::format("word {} of {} is expected to be {}", i, name, words[i].dump()),
               false;
      const auto a = words[i].get<uint32_t>(), b = others[i].get<uint32_t>();
      if (executor::is_near(a, b, type == types.end() ? executor::WordType::any : type->second, tolerance))
        continue;
      difference = fmt::format("word {} of {} is {:g} ({:08x}), expected {:g} ({:08x})", i, name,
                               std::bit_cast<float>(b), b, std::bit_cast<float>(a), a);
      return false;
    }
  }
  return true;
}

}  // namespace

std::string outputs_json(const Execution& execution, const executor::RouteResult& result) {
  return as_json(execution, result).dump(1) + "\n";
}

bool has_outputs(std::string_view expected, const Execution& execution, const executor::RouteResult& result,
                 const executor::Tolerance& tolerance, std::string& difference) {
  const Json wanted = Json::parse(expected, nullptr, false);
  if (!wanted.is_object()) return difference = "the expected outputs are not a JSON object", false;
  const Json found = as_json(execution, result);
  const Types types = types_of(execution);
  for (const char* const part : {"outputs", "uavs"}) {
    if (!wanted.contains(part)) continue;
    if (!has_lists(wanted[part], found.contains(part) ? found[part] : Json::object(), types, tolerance,
                   difference))
      return false;
  }
  return true;
}

}  // namespace texlate::cli
