// The JSON for a .dksh: which slot is which Direct3D register (docs/dksh.md).

#include "backend/launch/register_json.h"
#include "backend/maxwell/graphics/program.h"
#include "ir/reliance_json.h"

namespace texlate::maxwell::graphics {

namespace {

constexpr uint32_t kSchema = 2;

/// One slot for each pair of a texture and a sampler; textures that are only read with `ld` have no sampler.
void write_textures(JsonWriter& json, const ir::Module& module, const Layout& layout) {
  json.begin_array("textures");
  const auto begin = [&](uint32_t i, uint32_t slot) {
    json.begin_object();
    launch::write_binding(json, "t", module.resources[i], "slot", slot);
    json.field("dimension", ir::spelling(module.resources[i].dimension));
  };
  for (const TexturePair& pair : layout.pairs) {
    begin(pair.resource, pair.slot);
    const ir::Sampler& sampler = module.samplers[pair.sampler];
    json.register_field("sampler", "s", sampler.id);
    launch::write_numbers(json, "sampler_registers", "sampler_space", sampler);
    if (sampler.is_range()) json.field("samplers", launch::range_size(sampler));
    json.field("comparison", sampler.comparison);
    json.end_object();
  }
  for (uint32_t i = 0; i < module.resources.size(); ++i) {
    if (layout.resources[i].kind != SlotKind::texture) continue;
    bool sampled = false;
    for (const TexturePair& pair : layout.pairs) sampled |= pair.resource == i;
    if (sampled) continue;
    begin(i, layout.resources[i].slot);
    json.end_object();
  }
  json.end_array();
}

void write_slots(JsonWriter& json, std::string_view title, SlotKind kind, const ir::Module& module,
                 const Layout& layout) {
  json.begin_array(title);
  for (uint32_t i = 0; i < module.resources.size(); ++i) {
    const ir::Resource& resource = module.resources[i];
    if (layout.resources[i].kind != kind) continue;
    json.begin_object();
    launch::write_binding(json, resource.is_uav ? "u" : "t", resource, "slot", layout.resources[i].slot);
    json.field("dimension", ir::spelling(resource.dimension));
    if (resource.stride != 0) json.field("stride", resource.stride);
    if (layout.counters[i] != kNotUsed) json.field("counter_slot", layout.counters[i]);
    json.end_object();
  }
  json.end_array();
}

void write_parameters(JsonWriter& json, std::string_view title, bool inputs, const ir::Module& module,
                      const std::pmr::vector<ir::Parameter>& parameters,
                      const std::pmr::vector<Attribute>& attributes) {
  json.begin_array(title);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ir::Parameter& parameter = parameters[i];
    json.begin_object();
    if (parameter.reg < ir::kSpecialRegister) json.field("register", parameter.reg);
    launch::write_parameter(json, module, parameter, inputs);
    json.begin_array("attributes");
    for (uint32_t c = 0; c < 4; ++c) {
      if (parameter.has(c) && attributes[i][c] != kNotUsed) json.value(attributes[i][c]);
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

/// What hull, domain and geometry programs have besides.
void write_primitives(JsonWriter& json, const ir::Module& module, const Program& program) {
  const bool hull = module.stage == ir::Stage::hull;
  if (hull) json.field("output_control_points", uint32_t{program.dksh.header.threads});
  if (hull || module.stage == ir::Stage::domain)
    write_parameters(json, "patch_constants", false, module, module.patch_constants,
                     program.layout.patch_constants);
  if (module.stage != ir::Stage::geometry) return;
  json.field("instances", uint32_t{program.dksh.header.threads});
  json.field("max_vertices", uint32_t{program.dksh.header.max_vertices});
}

}  // namespace

void reflect(const ir::Module& module, const backend::Host& host, std::pmr::string& out) {
  const Program& program = program_of(host);
  const Layout& layout = program.layout;
  JsonWriter json(out);
  json.begin_object();
  json.field("schema", kSchema);
  json.field("target", "dksh");
  json.field("sm", kSm);
  ir::write_shader(json, module);
  json.field("registers", program.dksh.registers);
  json.field("instructions", program.instructions);
  json.field("spilled_values", program.spilled_values);
  json.field("constant_bytes", 4 * program.dksh.constants.size());
  json.field("scratch_bytes", scratch_bytes(program.dksh));
  if (module.stage == ir::Stage::compute) {
    json.array("thread_group", module.thread_group);
  } else {
    write_parameters(json, "inputs", true, module, module.inputs, layout.inputs);
    write_parameters(json, "outputs", false, module, module.outputs, layout.outputs);
    write_primitives(json, module, program);
  }
  launch::write_constant_buffers(json, "uniform_buffers", module, "slot", layout.uniforms);
  write_textures(json, module, layout);
  write_slots(json, "images", SlotKind::image, module, layout);
  write_slots(json, "storage_buffers", SlotKind::buffer, module, layout);
  ir::write_reliance(json, module.relied);
  json.end_object();
}

}  // namespace texlate::maxwell::graphics
