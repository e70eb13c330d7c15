// Reflection of the SPIR-V target (docs/spirv.md).

#include <fmt/format.h>

#include "backend/spirv/interface_elements.h"
#include "backend/spirv/register_places.h"
#include "backend/spirv/target.h"
#include "ir/base/json_writer.h"
#include "ir/module_json.h"
#include "ir/reliance_json.h"
#include "ir/spelling.h"

namespace texlate::spirv {

namespace {

/// For the JSON (docs/spirv.md): increases when a host that reads it must change.
constexpr uint32_t kSchema = 2;

/// What all register classes have in common: name, registers, space.
void write_registers(JsonWriter& json, const Registers& registers) {
  json.register_field("register", registers.letters, registers.lower_bound);
  json.field("space", registers.space);
  if (registers.lower_bound == registers.upper_bound) return;
  if (registers.upper_bound == 0xffffffffu) {
    json.field("count", "unbounded");
  } else {
    json.field("count", registers.upper_bound - registers.lower_bound + 1);
  }
}

void write_resource(JsonWriter& json, const ir::Module& module, const Options& options,
                    const Descriptor& descriptor) {
  const ir::Resource& resource = module.resources[descriptor.index];
  if (descriptor.register_class == RegisterClass::counter) {
    json.field("counter", true);
    return;
  }
  if (descriptor.kind == DescriptorKind::combined_image_sampler) {
    const CombinedEntry& pair = options.bindings.combined[descriptor.pair];
    if (pair.sampler != CombinedEntry::kNoSampler) {
      json.register_field("sampler", "s", pair.sampler);
      json.field("sampler_space", pair.sampler_space);
    }
  }
  json.field("dimension", ir::spelling(resource.dimension));
  if (resource.stride != 0) json.field("stride", resource.stride);
  if (!ir::is_untyped(resource.dimension))
    json.field("component_type", ir::spelling(resource.component_types[0]));
}

/// For a register that is an element of the host's array.
void write_array(JsonWriter& json, const Place& place) {
  if (place.array_size == 0) return;
  if (place.array_size == kUnsizedArray) {
    json.field("array_size", "unsized");
  } else {
    json.field("array_size", place.array_size);
  }
  json.field("element", place.element);
  if (place.offset_at != kNoOffset) json.field("element_offset_at", place.offset_at);
}

void write_descriptor(JsonWriter& json, const ir::Module& module, const Options& options,
                      const Descriptor& descriptor) {
  json.begin_object();
  write_registers(json, registers_of(module, descriptor.register_class, descriptor.index));
  switch (descriptor.register_class) {
    case RegisterClass::constant_buffer:
      json.field("rows", module.constant_buffers[descriptor.index].rows);
      break;
    case RegisterClass::sampler:
      json.field("comparison", module.samplers[descriptor.index].comparison);
      break;
    default: write_resource(json, module, options, descriptor); break;
  }
  json.field("kind", row_of(descriptor.kind).name);
  if (descriptor.kind == DescriptorKind::push_constants) {
    json.field("offset", descriptor.place.binding);
    if (descriptor.place.size != 0) json.field("size", descriptor.place.size);
  } else {
    json.field("set", descriptor.place.set);
    json.field("binding", descriptor.place.binding);
    write_array(json, descriptor.place);
  }
  json.end_object();
}

void write_specialization(JsonWriter& json, const ir::Module& module, const Specialization& constant) {
  json.begin_object();
  json.field("id", constant.id);
  if (constant.fact == Fact::raster_samples) {
    json.field("fact", "raster_samples");
    json.field("default", 1);
  } else if (constant.fact == Fact::word) {
    const ir::ConstantBuffer& buffer = module.constant_buffers[constant.index];
    json.register_field("register", "cb", buffer.lower_bound);
    json.field("space", buffer.space);
    json.field("word", constant.word);
    json.field("default", 0);
  } else if (constant.fact == Fact::known) {
    const ir::Specialized& known = module.specialized[constant.index];
    json.register_field("register", ir::letter_of(known.of.file), known.of.first);
    json.field("space", known.of.space);
    if (known.of.file == ir::RegisterFile::constant_buffer) {
      json.field("row", known.row);
      json.field("component", std::string_view("xyzw").substr(known.component, 1));
    } else {
      json.field("fact", ir::spelling(known.fact));
    }
    json.field("default", known.value);
  } else {
    const ir::Resource& resource = module.resources[constant.index];
    json.register_field("register", resource.is_uav ? "u" : "t", resource.lower_bound + constant.word);
    json.field("space", resource.space);
    const bool is_bound = constant.fact == Fact::bound;
    json.field("fact", is_bound ? "bound" : "missing_alpha");
    if (is_bound) {
      json.field("default", true);
    } else {
      json.field("default", 0);
    }
  }
  json.end_object();
}

/// The sides of the interface.
enum class Side : uint8_t { inputs, outputs, patch_constants };

void write_place(JsonWriter& json, const ir::Module& module, const Options& options, Side side,
                 const ir::Parameter& parameter) {
  const bool is_patch = side == Side::patch_constants;
  if (is_patch ? parameter.system_value != ir::SystemValue::none : is_system_value(parameter))
    return json.field("system_value", ir::spelling(parameter.system_value));
  if (is_patch) return json.field("location", location_of_patch_constant(parameter.reg, options));
  if (side == Side::outputs && module.stage == ir::Stage::pixel && options.dual_source_blending) {
    json.field("location", 0);
    return json.field("index", parameter.reg);
  }
  json.field("location", location_of(module, parameter));
  if (parameter.stream != 0) json.field("stream", uint32_t{parameter.stream});
}

/// Direct3D's type of the components, and how pixels get an input.
void write_type(JsonWriter& json, const ir::Module& module, Side side, const ir::Parameter& parameter) {
  static constexpr std::string_view kTypes[] = {"", "uint", "sint", "float"};
  if (parameter.component_type != 0 && parameter.component_type < std::size(kTypes))
    json.field("component_type", kTypes[parameter.component_type]);
  if (side == Side::inputs && module.stage == ir::Stage::pixel &&
      parameter.interpolation != ir::Interpolation::undefined)
    json.field("interpolation", ir::spelling(parameter.interpolation));
}

void write_parameters(JsonWriter& json, std::string_view title, const ir::Module& module,
                      const Options& options, Side side, const std::pmr::vector<ir::Parameter>& parameters) {
  json.begin_array(title);
  for (const ir::Parameter& parameter : parameters) {
    if (side == Side::outputs && parameter.reg == kPointSizeRegister) continue;  // of no concern to others
    json.begin_object();
    write_place(json, module, options, side, parameter);
    json.field("mask", parameter.mask);
    write_type(json, module, side, parameter);
    ir::write_semantic(json, module, parameter);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void reflect(const ir::Module& module, const Options& options, const HostInterface& host,
             std::pmr::string& out) {
  const auto version = static_cast<uint32_t>(options.version);
  JsonWriter json(out);
  json.begin_object();
  json.field("schema", kSchema);
  json.field("target", "spirv");
  json.field("version", fmt::format("{}.{}", version >> 16, version >> 8 & 0xf));
  json.field("entry", std::string_view(options.entry));
  ir::write_shader(json, module);
  json.field("robustness", options.robustness == Robustness::driver ? "driver" : "shader");
  json.array("capabilities", host.capabilities);
  json.array("extensions", host.extensions, [](std::string_view name) { return name; });
  json.array("features", host.features);
  if (module.stage == ir::Stage::compute) {
    json.array("thread_group", module.thread_group);
  } else {
    write_parameters(json, "inputs", module, options, Side::inputs, module.inputs);
    write_parameters(json, "outputs", module, options, Side::outputs, module.outputs);
    if (!module.patch_constants.empty())
      write_parameters(json, "patch_constants", module, options, Side::patch_constants,
                       module.patch_constants);
  }
  json.begin_array("descriptors");
  for (const Descriptor& descriptor : host.descriptors) write_descriptor(json, module, options, descriptor);
  json.end_array();
  json.begin_array("specialization_constants");
  for (const Specialization& constant : host.specializations) write_specialization(json, module, constant);
  json.end_array();
  ir::write_reliance(json, module.relied);
  json.end_object();
}

}  // namespace texlate::spirv
