// Reflection of the SPIR-V target (docs/spirv.md).

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "backend/spirv/target.h"
#include "ir/spelling.h"

namespace texlate::spirv {

namespace {

using Json = nlohmann::ordered_json;

const char* kind_name(DescriptorKind kind) {
  switch (kind) {
    case DescriptorKind::sampler: return "sampler";
    case DescriptorKind::combined_image_sampler: return "combined_image_sampler";
    case DescriptorKind::sampled_image: return "sampled_image";
    case DescriptorKind::storage_image: return "storage_image";
    case DescriptorKind::uniform_texel_buffer: return "uniform_texel_buffer";
    case DescriptorKind::storage_texel_buffer: return "storage_texel_buffer";
    case DescriptorKind::uniform_buffer: return "uniform_buffer";
    case DescriptorKind::storage_buffer: return "storage_buffer";
    case DescriptorKind::push_constants: return "push_constants";
  }
  return "";
}

/// What all register classes have in common: name, registers, space.
template <typename Declared>
void add_register(Json& json, const char* file, const Declared& declared) {
  json["register"] = fmt::format("{}{}", file, declared.lower_bound);
  json["space"] = declared.space;
  if (!declared.is_range()) return;
  if (declared.upper_bound == 0xffffffffu) {
    json["count"] = "unbounded";
  } else {
    json["count"] = declared.upper_bound - declared.lower_bound + 1;
  }
}

void add_resource(Json& json, const ir::Module& module, const Options& options,
                  const Descriptor& descriptor) {
  const ir::Resource& resource = module.resources[descriptor.index];
  add_register(json, resource.is_uav ? "u" : "t", resource);
  if (descriptor.register_class == RegisterClass::counter) {
    json["counter"] = true;
    return;
  }
  if (descriptor.kind == DescriptorKind::combined_image_sampler) {
    const CombinedEntry& pair = options.bindings.combined[descriptor.pair];
    json["sampler"] = fmt::format("s{}", pair.sampler);
    json["sampler_space"] = pair.sampler_space;
  }
  json["dimension"] = ir::spelling(resource.dimension);
  if (resource.stride != 0) json["stride"] = resource.stride;
  if (resource.dimension != ir::Dimension::raw_buffer &&
      resource.dimension != ir::Dimension::structured_buffer) {
    json["component_type"] = ir::spelling(resource.component_types[0]);
  }
}

Json descriptor_json(const ir::Module& module, const Options& options, const Descriptor& descriptor) {
  Json json;
  switch (descriptor.register_class) {
    case RegisterClass::constant_buffer:
      add_register(json, "cb", module.constant_buffers[descriptor.index]);
      json["rows"] = module.constant_buffers[descriptor.index].rows;
      break;
    case RegisterClass::sampler: {
      const ir::Sampler& sampler = module.samplers[descriptor.index];
      add_register(json, "s", sampler);
      json["comparison"] = sampler.comparison;
      break;
    }
    default: add_resource(json, module, options, descriptor); break;
  }
  json["kind"] = kind_name(descriptor.kind);
  if (descriptor.kind == DescriptorKind::push_constants) {
    json["offset"] = descriptor.place.binding;
  } else {
    json["set"] = descriptor.place.set;
    json["binding"] = descriptor.place.binding;
  }
  return json;
}

Json specialization_json(const ir::Module& module, uint32_t id) {
  Json json;
  json["id"] = id;
  if (id == kRasterSamplesId) {
    json["fact"] = "raster_samples";
    json["default"] = 1;
    return json;
  }
  const uint32_t index = (id - bound_id(0)) / 2;
  const ir::Resource& resource = module.resources[index];
  json["register"] = fmt::format("{}{}", resource.is_uav ? 'u' : 't', resource.lower_bound);
  json["space"] = resource.space;
  const bool is_bound = id == bound_id(index);
  json["fact"] = is_bound ? "bound" : "missing_alpha";
  if (is_bound) {
    json["default"] = true;
  } else {
    json["default"] = 0;
  }
  return json;
}

Json parameters_json(const ir::Module& module, const std::pmr::vector<ir::Parameter>& parameters) {
  Json list = Json::array();
  for (const ir::Parameter& parameter : parameters) {
    Json json;
    if (parameter.system_value == ir::SystemValue::none) {
      json["location"] = parameter.reg;
    } else {
      json["system_value"] = ir::spelling(parameter.system_value);
    }
    json["mask"] = parameter.mask;
    if (parameter.semantic != ir::kNoValue) {
      json["semantic"] = module.name_at(parameter.semantic);
      json["semantic_index"] = parameter.semantic_index;
    }
    list.push_back(json);
  }
  return list;
}

}  // namespace

void reflect(const ir::Module& module, const Options& options, const HostInterface& host,
             std::pmr::string& out) {
  Json json;
  const uint32_t version = static_cast<uint32_t>(options.version);
  json["target"] = "spirv";
  json["version"] = fmt::format("{}.{}", version >> 16, version >> 8 & 0xff);
  json["entry"] = options.entry;
  json["stage"] = ir::spelling(module.stage);
  json["shader_model"] = module.shader_model;
  json["robustness"] = options.robustness == Robustness::driver ? "driver" : "shader";
  if (module.stage == ir::Stage::compute) {
    json["thread_group"] = {module.thread_group[0], module.thread_group[1], module.thread_group[2]};
  } else {
    json["inputs"] = parameters_json(module, module.inputs);
    json["outputs"] = parameters_json(module, module.outputs);
    if (!module.patch_constants.empty())
      json["patch_constants"] = parameters_json(module, module.patch_constants);
  }
  json["descriptors"] = Json::array();
  for (const Descriptor& descriptor : host.descriptors) {
    json["descriptors"].push_back(descriptor_json(module, options, descriptor));
  }
  json["specialization_constants"] = Json::array();
  for (const uint32_t id : host.specialization_ids) {
    json["specialization_constants"].push_back(specialization_json(module, id));
  }
  out.append(json.dump(2));
  out.push_back('\n');
}

}  // namespace texlate::spirv
