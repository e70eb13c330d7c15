#include "backend/launch/buffer_alignment.h"
#include "backend/launch/launch.h"
#include "backend/launch/lower_primitives.h"
#include "backend/launch/register_json.h"
#include "ir/reliance_json.h"

namespace texlate::launch {

namespace {

/// For docs/launch_reflection.schema.json: increases when a host that reads the JSON must change.
constexpr uint32_t kSchema = 4;

constexpr std::string_view kTexelKinds[] = {"float", "unorm", "snorm", "uint", "sint"};
constexpr std::string_view kForms[] = {"texture", "linear_texture", "surface", "memory"};  // BindingForm

void write_resources(JsonWriter& json, const ir::Module& module, const Launch& launch) {
  json.begin_array("resources");
  for (size_t i = 0; i < module.resources.size(); ++i) {
    const ir::Resource& resource = module.resources[i];
    json.begin_object();
    write_binding(json, resource.is_uav ? "u" : "t", resource, "offset", launch.layout.resources[i]);
    json.field("dimension", ir::spelling(resource.dimension));
    json.field("form", kForms[static_cast<size_t>(launch.layout.forms[i])]);
    if (resource.stride != 0) json.field("stride", resource.stride);
    const bool typed = !ir::is_untyped(resource.dimension);
    if (!typed) json.field("alignment", buffer_alignment(resource));
    if (typed) {
      json.array("component_types", resource.component_types,
                 [](ir::ComponentType type) { return ir::spelling(type); });
    }
    if (resource.is_uav && typed) {
      const SurfaceFormat& format = launch.surface_formats[i];
      json.begin_object("format");
      json.field("components", format.components);
      json.field("bits", format.bits);
      json.field("kind", kTexelKinds[static_cast<size_t>(format.kind)]);
      json.field("packing", backend::spelling(format.packing));
      json.field("assumed", format.is_default);
      json.end_object();
    }
    if (resource.has_counter) json.field("counter", true);
    if (resource.rasterizer_ordered) json.field("rasterizer_ordered", true);
    json.end_object();
  }
  json.end_array();
}

void write_parameters(JsonWriter& json, std::string_view title, const ir::Module& module,
                      const std::pmr::vector<ir::Parameter>& parameters, bool outputs) {
  json.begin_array(title);
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    const ir::Parameter& parameter = parameters[i];
    json.begin_object();
    json.field("register", outputs ? output_plane_register(module, i) : uint32_t{parameter.reg});
    write_parameter(json, module, parameter, !outputs && !reads_primitives(module.stage));
    json.end_object();
  }
  json.end_array();
}

// Values of D3D10_SB_PRIMITIVE_TOPOLOGY and the D3D11_SB_TESSELLATOR enumerations
// (d3d12TokenizedProgramFormat.hpp).
std::string_view topology_name(uint32_t topology) {
  return topology == 5 ? "triangle_strip" : topology == 3 ? "line_strip" : "point_list";
}
std::string_view name_of(std::span<const std::string_view> names, uint32_t number) {
  return number < names.size() ? names[number] : names[0];
}
constexpr std::string_view kDomains[] = {"undefined", "isoline", "tri", "quad"};
constexpr std::string_view kPartitionings[] = {"undefined", "integer", "pow2", "fractional_odd",
                                               "fractional_even"};
constexpr std::string_view kOutputPrimitives[] = {"undefined", "point", "line", "triangle_cw",
                                                  "triangle_ccw"};

/// What a host must know of a stage that reads primitives.
void write_primitives(JsonWriter& json, const ir::Module& module) {
  if (module.stage != ir::Stage::geometry)
    write_parameters(json, "patch_constants", module, module.patch_constants, false);
  json.begin_object("primitives");
  json.field("vertices", vertices_per_primitive(module));
  switch (module.stage) {
    case ir::Stage::hull:
      json.field("output_control_points", module.output_control_points);
      json.field("domain", name_of(kDomains, module.tessellator_domain));
      json.field("partitioning", name_of(kPartitionings, module.tessellator_partitioning));
      json.field("output_primitive", name_of(kOutputPrimitives, module.tessellator_output));
      json.field("patches_per_block", hull_block(module).patches);
      break;
    case ir::Stage::geometry:
      json.field("instances", std::max(module.gs_instances, 1u));
      json.field("max_vertices", module.max_vertex_count);
      json.field("topology", topology_name(module.output_topology));
      break;
    default: json.field("domain", name_of(kDomains, module.tessellator_domain)); break;
  }
  json.end_object();
}

/// The block of a kernel whose host cannot choose it.
void write_thread_group(JsonWriter& json, const ir::Module& module) {
  const HullBlock block = module.stage == ir::Stage::hull ? hull_block(module) : HullBlock{};
  const uint32_t own[3] = {block.threads, block.patches, 1};
  json.array("thread_group", module.stage == ir::Stage::hull ? own : module.thread_group);
}

void write_texture_objects(JsonWriter& json, const ir::Module& module, const Layout& layout) {
  json.begin_array("texture_objects");
  for (const SampledPair& pair : layout.pairs) {
    json.begin_object();
    json.register_field("texture", "t", module.resources[pair.resource].id);
    json.register_field("sampler", "s", module.samplers[pair.sampler].id);
    write_numbers(json, "sampler_registers", "sampler_space", module.samplers[pair.sampler]);
    json.field("offset", pair.offset);
    if (pair.compares) json.field("comparison", true);
    if (pair.is_table) {
      json.field("table", true);
    } else {
      json.field("textures", range_size(module.resources[pair.resource]));
      json.field("samplers", range_size(module.samplers[pair.sampler]));
    }
    json.end_object();
  }
  json.end_array();
}

void write_code(JsonWriter& json, const CodeFacts& code) {
  json.field("registers", code.registers);
  json.field("local_bytes", code.local_bytes);
  json.field("shared_bytes", code.shared_bytes);
  json.field("instructions", code.instructions);
  if (!code.constants.empty()) json.array("constant_bank_3", code.constants);
}

/// What the caller gives, or by default 32 bits for each component; atomics have one.
SurfaceFormat format_of(const ir::Resource& resource, bool atomic,
                        std::span<const backend::ViewFormat> named) {
  using backend::TexelKind;
  const backend::ViewFormat* const given = backend::find_format(named, resource.id);
  if (resource.is_uav && given != nullptr) return {*given, false};
  SurfaceFormat format;
  format.components = atomic ? 1 : 4;
  switch (resource.component_types[0]) {
    case ir::ComponentType::uint: format.kind = TexelKind::uint; break;
    case ir::ComponentType::sint: format.kind = TexelKind::sint; break;
    case ir::ComponentType::unorm: return {{0, 4, 8, TexelKind::unorm}};
    case ir::ComponentType::snorm: return {{0, 4, 8, TexelKind::snorm}};
    default: break;
  }
  return format;
}

}  // namespace

void reflect(const ir::Module& module, const backend::Host& host, std::pmr::string& out) {
  const Launch& launch = launch_of(host);
  const Layout& layout = launch.layout;
  JsonWriter json(out);
  json.begin_object();
  json.field("schema", kSchema);
  json.field("target", std::string_view(launch.target));
  json.field("sm", launch.sm);
  json.field("entry", std::string_view(launch.entry));
  ir::write_shader(json, module);
  if (writes_all_pixels(module)) json.field("all_written", true);
  if (launch.is_function) json.field("function", true);
  if (launch.max_threads != 0) json.field("max_threads", launch.max_threads);
  if (launch.code) write_code(json, *launch.code);
  json.field("parameter_bytes", layout.size == 0 ? 16 : layout.size);
  if (layout.in_memory) json.field("parameters_in_memory", true);
  if (!has_free_blocks(module.stage)) write_thread_group(json, module);
  if (module.stage != ir::Stage::compute) {
    write_parameters(json, "inputs", module, module.inputs, false);
    write_parameters(json, "outputs", module, module.outputs, true);
  }
  if (reads_primitives(module.stage)) write_primitives(json, module);
  write_constant_buffers(json, "constant_buffers", module, "offset", layout.constant_buffers);
  write_resources(json, module, launch);
  json.begin_array("samplers");
  for (size_t i = 0; i < module.samplers.size(); ++i) {
    if (layout.samplers[i] == Layout::kNotUsed) continue;
    json.begin_object();
    write_binding(json, "s", module.samplers[i], "offset", layout.samplers[i]);
    json.end_object();
  }
  json.end_array();
  write_texture_objects(json, module, layout);
  ir::write_reliance(json, module.relied);
  json.end_object();
}

bool prepare_launch(const ir::Module& module, const backend::Options& options, std::string_view target,
                    bool comparing_objects, Launch& launch, Diagnostics& diagnostics) {
  launch.target = target;
  launch.entry = options.entry;
  make_layout(module, comparing_objects, launch.layout);
  for (size_t i = 0; i < module.resources.size(); ++i) {
    const bool atomic = launch.layout.atomic[i] != 0;
    const SurfaceFormat format = format_of(module.resources[i], atomic, options.view_formats);
    launch.surface_formats.push_back(format);
    // Direct3D has atomics on R32_UINT and R32_SINT, and exchange on R32_FLOAT (D3D11.3 functional
    // specification 22.17.8 to 22.17.28).
    if (!atomic || (format.components == 1 && format.bits == 32)) continue;
    diagnostics.error({},
                      "u{} has atomics: on {} its format must have one 32-bit component, not {} of {} bits",
                      module.resources[i].id, target, format.components, format.bits);
    return false;
  }
  return true;
}

}  // namespace texlate::launch
