#include "backend/ptx/target.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ir/passes/texture_guarantees.h"
#include "ir/spelling.h"

namespace texlate::ptx {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kTexelKinds[] = {"float", "unorm", "snorm", "uint", "sint"};

template <typename Binding>
Json binding_json(const char* file, const Binding& binding, uint32_t offset) {
  Json json;
  json["name"] = fmt::format("{}{}", file, binding.id);
  if (binding.is_range()) {
    json["registers"] = {binding.lower_bound, binding.upper_bound};
    json["space"] = binding.space;
  }
  json["offset"] = offset;
  return json;
}

/// Has any access of this view an atomic? Then it is passed as linear memory.
bool has_atomics(const ir::Module& module, size_t resource) {
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op == ir::Op::surf_atomic && module.access_of(instruction).resource == resource)
      return true;
  }
  return false;
}

/// How the host passes a resource.
const char* binding_form(const ir::Module& module, size_t index) {
  const ir::Resource& resource = module.resources[index];
  if (resource.dimension == ir::Dimension::raw_buffer ||
      resource.dimension == ir::Dimension::structured_buffer) {
    return "memory";
  }
  if (!resource.is_uav) return resource.dimension == ir::Dimension::buffer ? "linear_texture" : "texture";
  return resource.dimension == ir::Dimension::buffer || has_atomics(module, index) ? "memory" : "surface";
}

Json resources_json(const ir::Module& module, const Launch& launch) {
  Json list = Json::array();
  for (size_t i = 0; i < module.resources.size(); ++i) {
    const ir::Resource& resource = module.resources[i];
    Json json = binding_json(resource.is_uav ? "u" : "t", resource, launch.layout.resources[i]);
    json["dimension"] = ir::spelling(resource.dimension);
    json["form"] = binding_form(module, i);
    if (resource.stride != 0) json["stride"] = resource.stride;
    const bool typed = resource.dimension != ir::Dimension::raw_buffer &&
                       resource.dimension != ir::Dimension::structured_buffer;
    if (resource.is_uav && typed) {
      const SurfaceFormat& format = launch.surface_formats[i];
      json["format"] = {{"components", format.count},
                        {"bits", format.bits},
                        {"kind", kTexelKinds[static_cast<int>(format.kind)]},
                        {"assumed", format.is_default}};
    }
    if (resource.has_counter) json["counter"] = true;
    list.push_back(json);
  }
  return list;
}

Json parameters_json(const ir::Module& module, const std::pmr::vector<ir::Parameter>& parameters,
                     bool outputs) {
  Json list = Json::array();
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    const ir::Parameter& parameter = parameters[i];
    Json json;
    json["register"] = outputs ? output_plane_register(module, i) : parameter.reg;
    json["mask"] = parameter.mask;
    if (parameter.system_value != ir::SystemValue::none) {
      json["system_value"] = static_cast<uint32_t>(parameter.system_value);
    }
    if (!outputs) json["interpolation"] = static_cast<uint32_t>(parameter.interpolation);
    if (parameter.semantic != ir::kNoValue) {
      json["semantic"] = module.name_at(parameter.semantic);
      json["semantic_index"] = parameter.semantic_index;
    }
    list.push_back(json);
  }
  return list;
}

}  // namespace

void reflect(const ir::Module& module, const Launch& launch, std::pmr::string& out) {
  const Layout& layout = launch.layout;
  Json json;
  json["target"] = "ptx";
  json["sm"] = launch.sm;
  json["entry"] = launch.entry;
  json["stage"] = ir::spelling(module.stage);
  json["shader_model"] = module.shader_model;
  json["parameter_bytes"] = layout.size == 0 ? 16 : layout.size;
  if (module.stage == ir::Stage::compute) {
    json["thread_group"] = {module.thread_group[0], module.thread_group[1], module.thread_group[2]};
  } else {
    json["inputs"] = parameters_json(module, module.inputs, false);
    json["outputs"] = parameters_json(module, module.outputs, true);
  }
  json["constant_buffers"] = Json::array();
  for (size_t i = 0; i < module.constant_buffers.size(); ++i) {
    Json buffer = binding_json("cb", module.constant_buffers[i], layout.constant_buffers[i]);
    buffer["rows"] = module.constant_buffers[i].rows;
    json["constant_buffers"].push_back(buffer);
  }
  json["resources"] = resources_json(module, launch);
  json["samplers"] = Json::array();
  for (size_t i = 0; i < module.samplers.size(); ++i) {
    if (layout.samplers[i] == Layout::kNotUsed) continue;
    json["samplers"].push_back(binding_json("s", module.samplers[i], layout.samplers[i]));
  }
  json["texture_objects"] = Json::array();
  for (const SampledPair& pair : layout.pairs) {
    json["texture_objects"].push_back({{"texture", fmt::format("t{}", module.resources[pair.resource].id)},
                                       {"sampler", fmt::format("s{}", module.samplers[pair.sampler].id)},
                                       {"offset", pair.offset}});
  }
  out.append(json.dump(2));
  out.push_back('\n');
}

}  // namespace texlate::ptx
