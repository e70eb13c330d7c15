#include "tools/texlate/outputs_json.h"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "tools/executor/output_name.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/print_primitives.h"

namespace texlate::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

template <typename Words>
std::vector<uint32_t> part_of(const Words& words, size_t first, size_t count) {
  const auto begin = words.begin() + static_cast<ptrdiff_t>(first);
  return {begin, begin + static_cast<ptrdiff_t>(count)};
}

void add_emissions(const ir::Module& module, const sim::EmittedVertices& emitted, OrderedJson& json) {
  const size_t count = emitted.vertices.size();
  json["elements"] = count;
  OrderedJson& order = json["emitted"];
  for (const char* const name : {"primitive", "instance", "stream", "strip_start"})
    order[name] = OrderedJson::array();
  for (const sim::EmittedVertex& vertex : emitted.vertices) {
    order["primitive"].push_back(vertex.primitive);
    order["instance"].push_back(vertex.instance);
    order["stream"].push_back(vertex.stream);
    order["strip_start"].push_back(vertex.starts_strip ? 1 : 0);
  }
  for (const ir::Parameter& parameter : module.outputs) {
    const uint32_t reg = sim::output_plane_register(module, parameter);
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) == 0) continue;
      std::vector<uint32_t> words(count);
      for (size_t v = 0; v < count; ++v) words[v] = emitted.words[v * emitted.planes + size_t{reg} * 4 + c];
      json["outputs"][executor::output_name(module, parameter, c)] = std::move(words);
    }
  }
}

void add_patches(const Execution& execution, const executor::RouteResult& result, OrderedJson& json) {
  const uint32_t patches = execution.scene->primitives().count;
  for (const ir::Parameter& constant : execution.shader.contract.patch_constants) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((constant.mask >> c) & 1) == 0) continue;
      json["patch_constants"][executor::patch_constant_name(constant, c)] =
          part_of(result.patch_constants, (size_t{constant.reg} * 4 + c) * patches, patches);
    }
  }
  const TessellatedCounts counts = tessellated_counts(execution, result);
  json["tessellated"]["points"] = counts.points;
  json["tessellated"]["primitives"] = counts.primitives;
}

OrderedJson as_json(const Execution& execution, const executor::RouteResult& result) {
  OrderedJson json;
  json["schema"] = kSchema;
  const uint32_t count = execution.scene->element_count();
  const ir::Module& module = execution.shader.contract;
  if (module.stage == ir::Stage::geometry) {
    add_emissions(module, result.emitted, json);
  } else if (module.stage != ir::Stage::compute) {
    json["elements"] = count;
    json["written"] = result.written;
    for (const ir::Parameter& parameter : module.outputs) {
      const uint32_t reg = sim::output_plane_register(module, parameter);
      for (uint32_t c = 0; c < 4; ++c) {
        if (((parameter.mask >> c) & 1) == 0) continue;
        json["outputs"][executor::output_name(module, parameter, c)] =
            part_of(result.outputs, (size_t{reg} * 4 + c) * count, count);
      }
    }
  }
  if (module.stage == ir::Stage::hull) add_patches(execution, result, json);
  for (const auto& range : execution.scene->uav_ranges()) {
    json["uavs"][range.name] = part_of(result.uavs, range.first, range.count);
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
  for (const ir::Parameter& constant : module.patch_constants) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((constant.mask >> c) & 1) != 0)
        types.emplace(executor::patch_constant_name(constant, c), executor::type_of(constant));
    }
  }
  // Numbers of what was emitted and tessellated are no floats.
  for (const char* const name : {"primitive", "instance", "stream", "strip_start", "points", "primitives"})
    types.emplace(name, executor::WordType::integer);
  for (const auto& range : execution.scene->uav_ranges()) types.emplace(range.name, executor::type_of(range));
  return types;
}

/// Compares two objects that contain lists of words.
bool has_lists(const OrderedJson& expected, const OrderedJson& found, const Types& types,
               const executor::Tolerance& tolerance, std::string& difference) {
  if (!expected.is_object()) return true;
  for (const auto& [name, words] : expected.items()) {
    if (!found.is_object() || !found.contains(name))
      return difference = fmt::format("there is no {}", name), false;
    const OrderedJson& others = found[name];
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
  const OrderedJson wanted = OrderedJson::parse(expected, nullptr, false);
  if (!wanted.is_object()) return difference = "the expected outputs are not a JSON object", false;
  const OrderedJson found = as_json(execution, result);
  const Types types = types_of(execution);
  for (const char* const part : {"outputs", "emitted", "patch_constants", "tessellated", "uavs"}) {
    if (!wanted.contains(part)) continue;
    if (!has_lists(wanted[part], found.contains(part) ? found[part] : OrderedJson::object(), types, tolerance,
                   difference))
      return false;
  }
  return true;
}

}  // namespace texlate::cli
