// Lowers declarations to the tables of the module.

#include <bit>

#include "frontend/lower/families.h"
#include "frontend/lower/patch_constants.h"

namespace texlate::lower {

using sm4::ResourceDimension;

ir::Dimension dimension_of(ResourceDimension dimension) {
  switch (dimension) {
    case ResourceDimension::buffer: return ir::Dimension::buffer;
    case ResourceDimension::texture1d: return ir::Dimension::texture1d;
    case ResourceDimension::texture1darray: return ir::Dimension::texture1d_array;
    case ResourceDimension::texture2darray: return ir::Dimension::texture2d_array;
    case ResourceDimension::texture2dms: return ir::Dimension::texture2d_ms;
    case ResourceDimension::texture2dmsarray: return ir::Dimension::texture2d_ms_array;
    case ResourceDimension::texture3d: return ir::Dimension::texture3d;
    case ResourceDimension::texturecube: return ir::Dimension::texture_cube;
    case ResourceDimension::texturecubearray: return ir::Dimension::texture_cube_array;
    case ResourceDimension::raw_buffer: return ir::Dimension::raw_buffer;
    case ResourceDimension::structured_buffer: return ir::Dimension::structured_buffer;
    case ResourceDimension::texture2d:
    case ResourceDimension::unknown: break;
  }
  return ir::Dimension::texture2d;
}

ir::ComponentType component_type_of(sm4::ReturnType type) {
  switch (type) {
    case sm4::ReturnType::unorm: return ir::ComponentType::unorm;
    case sm4::ReturnType::snorm: return ir::ComponentType::snorm;
    case sm4::ReturnType::sint: return ir::ComponentType::sint;
    case sm4::ReturnType::uint: return ir::ComponentType::uint;
    case sm4::ReturnType::mixed: return ir::ComponentType::mixed;
    case sm4::ReturnType::double_: return ir::ComponentType::double_;
    case sm4::ReturnType::float_:
    case sm4::ReturnType::none:
    case sm4::ReturnType::continued:
    case sm4::ReturnType::unused: break;
  }
  return ir::ComponentType::float_;
}

namespace {

using sm4::Instruction;

void add_resource(Lowering& lowering, const Instruction& dcl, ir::Dimension dimension, bool is_uav) {
  const sm4::DeclaredRange range = sm4::declared_range(lowering.program, dcl);
  ir::Resource resource;
  resource.id = range.id;
  resource.lower_bound = range.lower_bound;
  resource.upper_bound = range.upper_bound;
  resource.space = range.space;
  resource.dimension = dimension;
  resource.is_uav = is_uav;
  if (dimension == ir::Dimension::structured_buffer) {
    resource.stride = sm4::declared_stride(lowering.program, dcl);
  }
  if (!is_uav && dcl.opcode == Opcode::dcl_resource) {
    resource.sample_count = static_cast<uint8_t>(sm4::declared_sample_count(dcl));
  }
  const bool typed = dcl.opcode == Opcode::dcl_resource || dcl.opcode == Opcode::dcl_uav_typed;
  const uint16_t types =
      typed ? sm4::declared_return_types(lowering.program, dcl) : uint16_t{0x6666};  // 0x6666: mixed
  for (uint32_t i = 0; i < 4; ++i)
    resource.component_types[i] = component_type_of(sm4::return_type(types, i));
  if (is_uav) {
    resource.globally_coherent = (dcl.controls & sm4::controls::kUavGloballyCoherent) != 0;
    resource.rasterizer_ordered = (dcl.controls & sm4::controls::kUavRasterizerOrdered) != 0;
    resource.ordered_counter = (dcl.controls & sm4::controls::kUavOrderedCounter) != 0;
  }
  SlotMap& map = is_uav ? lowering.views : lowering.resources;
  if (!map.set(range.id, static_cast<uint32_t>(lowering.module.resources.size()))) {
    lowering.unsupported(dcl, "register number is too large");
    return;
  }
  lowering.module.resources.push_back(resource);
}

void add_sampler(Lowering& lowering, const Instruction& dcl) {
  const sm4::DeclaredRange range = sm4::declared_range(lowering.program, dcl);
  ir::Sampler sampler{range.id, range.lower_bound, range.upper_bound, range.space,
                      sm4::declared_sampler_mode(dcl) == sm4::SamplerMode::comparison};
  if (!lowering.samplers.set(range.id, static_cast<uint32_t>(lowering.module.samplers.size()))) {
    lowering.unsupported(dcl, "register number is too large");
    return;
  }
  lowering.module.samplers.push_back(sampler);
}

void add_constant_buffer(Lowering& lowering, const Instruction& dcl) {
  const sm4::DeclaredRange range = sm4::declared_range(lowering.program, dcl);
  ir::ConstantBuffer buffer{range.id,
                            range.lower_bound,
                            range.upper_bound,
                            range.space,
                            sm4::declared_constant_buffer_size(lowering.program, dcl),
                            sm4::declared_dynamic_indexed(dcl)};
  if (!lowering.constant_buffers.set(range.id,
                                     static_cast<uint32_t>(lowering.module.constant_buffers.size()))) {
    lowering.unsupported(dcl, "register number is too large");
    return;
  }
  lowering.module.constant_buffers.push_back(buffer);
}

void add_immediate_constant_buffer(Lowering& lowering, const Instruction& dcl) {
  if (dcl.controls != 3) return;  // other custom data: comments, debug information
  const auto words = lowering.program.words_of(dcl);
  lowering.icb_table = static_cast<uint32_t>(lowering.module.tables.size());
  lowering.module.tables.push_back(
      {static_cast<uint32_t>(lowering.module.table_words.size()), static_cast<uint32_t>(words.size() / 4)});
  lowering.module.table_words.insert(lowering.module.table_words.end(), words.begin(), words.end());
}

/// Special registers that are declared like inputs and outputs but are separate system values.
bool is_signature_register(sm4::RegisterFile file) {
  return file == sm4::RegisterFile::input || file == sm4::RegisterFile::output ||
         file == sm4::RegisterFile::input_control_point || file == sm4::RegisterFile::output_control_point ||
         file == sm4::RegisterFile::input_patch_constant;
}

}  // namespace

void name_parameter(Lowering& lowering, ir::Parameter& parameter,
                    const std::pmr::vector<sm4::SignatureElement>& signature) {
  for (const sm4::SignatureElement& element : signature) {
    if (element.register_index != parameter.reg || (element.mask & parameter.mask) == 0) continue;
    parameter.semantic = static_cast<uint32_t>(lowering.module.names.size());
    lowering.module.names.insert(lowering.module.names.end(), element.semantic_name.begin(),
                                 element.semantic_name.end());
    lowering.module.names.push_back('\0');
    parameter.semantic_index = element.semantic_index;
    parameter.component_type = static_cast<uint8_t>(element.component_type);
    return;
  }
}

void add_parameter(Lowering& lowering, const Instruction& dcl, bool is_input) {
  const sm4::Operand& operand = lowering.operand(dcl, 0);
  if (is_signature_register(operand.file) && operand.index_count == 0)
    return lowering.unsupported(dcl, "has no register number");
  if (sm4::declared_system_value(lowering.program, dcl) > sm4::SystemValue::line_density)
    return lowering.unsupported(dcl, "names an unknown system value");
  if (lowering.part != Part::whole) return add_hull_parameter(lowering, dcl);
  if (is_input && !is_signature_register(operand.file)) return;  // vThreadID and similar are read by sysval
  ir::Parameter parameter;
  parameter.mask = operand.write_mask();
  parameter.system_value = static_cast<ir::SystemValue>(sm4::declared_system_value(lowering.program, dcl));
  parameter.interpolation = static_cast<ir::Interpolation>(sm4::declared_interpolation(dcl));
  if (is_signature_register(operand.file)) {
    parameter.reg = operand.index[operand.index_count - 1].immediate;
    parameter.array_size = operand.index_count == 2 ? operand.index[0].immediate : 0;
    const bool patch = operand.file == sm4::RegisterFile::input_patch_constant;
    // A domain shader's control points are the plain outputs of the hull shader (see add_hull_parameter),
    // although their declarations may name system values (D3D11.3 22.3.11).
    if (operand.file == sm4::RegisterFile::input_control_point)
      parameter.system_value = ir::SystemValue::none;
    if (!is_input) parameter.stream = static_cast<uint8_t>(lowering.stream);
    if (patch) {
      for (ir::Parameter part : split_patch_constant(lowering, parameter)) {
        if (part.mask == 0) continue;
        name_parameter(lowering, part, lowering.program.patch_constant_signature);
        lowering.module.patch_constants.push_back(part);
      }
      return;
    }
    name_parameter(lowering, parameter,
                   is_input ? lowering.program.input_signature : lowering.program.output_signature);
  } else {
    parameter.system_value = special_register(operand.file);
    parameter.reg = ir::kSpecialRegister + static_cast<uint32_t>(parameter.system_value);
    parameter.mask = 1;
    parameter.component_type = parameter.system_value == ir::SystemValue::coverage_out ||
                                       parameter.system_value == ir::SystemValue::stencil_ref
                                   ? 1
                                   : 3;
  }
  (is_input ? lowering.module.inputs : lowering.module.outputs).push_back(parameter);
}

namespace {

uint32_t word(Lowering& lowering, const Instruction& dcl, uint32_t i) {
  return i < dcl.word_count ? lowering.program.words[dcl.first_word + i] : 0;
}

constexpr uint32_t kMostTemporaries = 4096;  // r# and x# together (D3D11.3 22.3.35, 22.3.36)
constexpr uint32_t kStreams = 4;

void add_indexable_temp(Lowering& lowering, const Instruction& dcl) {
  ir::Module& module = lowering.module;
  if (word(lowering, dcl, 1) > kMostTemporaries)
    return lowering.unsupported(dcl, "exceeds the number of registers");
  if (!lowering.locals.set(word(lowering, dcl, 0), static_cast<uint32_t>(module.locals.size())))
    return lowering.unsupported(dcl, "register number is too large");
  module.locals.push_back({word(lowering, dcl, 1), word(lowering, dcl, 2)});
}

void add_shared_array(Lowering& lowering, const Instruction& dcl) {
  ir::Module& module = lowering.module;
  const uint32_t number = lowering.operand(dcl, 0).index[0].immediate;
  if (!lowering.shared.set(number, static_cast<uint32_t>(module.shared.size())))
    return lowering.unsupported(dcl, "register number is too large");
  const uint32_t first = word(lowering, dcl, 0);
  const bool is_raw = dcl.opcode == Opcode::dcl_tgsm_raw;
  module.shared.push_back(is_raw ? ir::SharedArray{first, 0}
                                 : ir::SharedArray{first * word(lowering, dcl, 1), first});
}

void add_index_range(Lowering& lowering, const Instruction& dcl) {
  const sm4::Operand& first = lowering.operand(dcl, 0);
  if (first.index_count == 0) return;
  const uint32_t reg = first.index[first.index_count - 1u].immediate;
  lowering.index_ranges.push_back({first.file, reg, std::min(word(lowering, dcl, 0), 32u)});
}

void lower_declaration(Lowering& lowering, const Instruction& dcl) {
  ir::Module& module = lowering.module;
  switch (dcl.opcode) {
    case Opcode::dcl_resource:
    case Opcode::dcl_uav_typed:
      add_resource(lowering, dcl, dimension_of(sm4::declared_dimension(dcl)),
                   dcl.opcode == Opcode::dcl_uav_typed);
      break;
    case Opcode::dcl_resource_raw:
    case Opcode::dcl_uav_raw:
      add_resource(lowering, dcl, ir::Dimension::raw_buffer, dcl.opcode == Opcode::dcl_uav_raw);
      break;
    case Opcode::dcl_resource_structured:
    case Opcode::dcl_uav_structured:
      add_resource(lowering, dcl, ir::Dimension::structured_buffer, dcl.opcode == Opcode::dcl_uav_structured);
      break;
    case Opcode::dcl_sampler: add_sampler(lowering, dcl); break;
    case Opcode::dcl_constantbuffer: add_constant_buffer(lowering, dcl); break;
    case Opcode::custom_data: add_immediate_constant_buffer(lowering, dcl); break;
    case Opcode::dcl_input:
    case Opcode::dcl_input_sgv:
    case Opcode::dcl_input_siv:
    case Opcode::dcl_input_ps:
    case Opcode::dcl_input_ps_sgv:
    case Opcode::dcl_input_ps_siv: add_parameter(lowering, dcl, true); break;
    case Opcode::dcl_output:
    case Opcode::dcl_output_sgv:
    case Opcode::dcl_output_siv: add_parameter(lowering, dcl, false); break;
    case Opcode::dcl_temps:
      module.register_count = std::max(module.register_count, word(lowering, dcl, 0));
      break;
    case Opcode::dcl_indexable_temp: add_indexable_temp(lowering, dcl); break;
    case Opcode::dcl_tgsm_raw:
    case Opcode::dcl_tgsm_structured: add_shared_array(lowering, dcl); break;
    case Opcode::dcl_thread_group:
      for (uint32_t i = 0; i < 3; ++i) module.thread_group[i] = word(lowering, dcl, i);
      break;
    case Opcode::dcl_global_flags:
      module.early_depth_stencil = (dcl.controls & sm4::kForceEarlyDepthStencil) != 0;
      module.refactoring_allowed = (dcl.controls & sm4::kRefactoringAllowed) != 0;
      break;
    case Opcode::dcl_inputprimitive: module.input_primitive = sm4::declared_control_points(dcl); break;
    case Opcode::dcl_outputtopology: module.output_topology = sm4::declared_output_topology(dcl); break;
    case Opcode::dcl_maxout: module.max_vertex_count = word(lowering, dcl, 0); break;
    case Opcode::dcl_gs_instance_count: module.gs_instances = word(lowering, dcl, 0); break;
    case Opcode::dcl_stream:
      lowering.stream = lowering.operand(dcl, 0).index[0].immediate;
      if (lowering.stream >= kStreams) lowering.unsupported(dcl, "names a stream beyond m3");
      break;
    case Opcode::dcl_input_control_point_count:
      module.input_control_points = sm4::declared_control_points(dcl);
      break;
    case Opcode::dcl_output_control_point_count:
      module.output_control_points = sm4::declared_control_points(dcl);
      break;
    case Opcode::dcl_tessellator_domain:
      module.tessellator_domain = sm4::declared_tessellator_domain(dcl);
      break;
    case Opcode::dcl_tessellator_partitioning:
      module.tessellator_partitioning = sm4::declared_tessellator_partitioning(dcl);
      break;
    case Opcode::dcl_tessellator_output_primitive:
      module.tessellator_output = sm4::declared_tessellator_output(dcl);
      break;
    case Opcode::dcl_hs_max_tessfactor:
      module.max_tessellation_factor = std::bit_cast<float>(word(lowering, dcl, 0));
      break;
    case Opcode::dcl_hs_fork_phase_instance_count:
    case Opcode::dcl_hs_join_phase_instance_count:
      if (lowering.part != Part::patch) {
        lowering.unsupported(dcl, "is outside a fork or join phase");
        break;
      }
      module.phases.back().instance_count = word(lowering, dcl, 0);
      break;
    case Opcode::hs_decls:
    case Opcode::dcl_function_body:  // read by fcall
    case Opcode::dcl_function_table:
    case Opcode::dcl_interface: break;
    case Opcode::dcl_indexrange: add_index_range(lowering, dcl); break;
    default: lowering.unsupported(dcl, "is not supported"); break;
  }
}

}  // namespace

// The clip and cull distances of an interface are one array on targets, so the array's length matters even if
// a shader declares only a part. Distances that are in the signature but not declared are added. On deko3d
// clip distances come before cull distances, so a cull distance of a vertex needs them, too.
void complete_distances(Lowering& lowering) {
  auto& inputs = lowering.module.inputs;
  for (const sm4::SignatureElement& element : lowering.program.input_signature) {
    const auto value = static_cast<ir::SystemValue>(element.system_value);
    if (value != ir::SystemValue::clip_distance && value != ir::SystemValue::cull_distance) continue;
    ir::Parameter missing;
    bool some = false;
    uint8_t declared = 0;
    for (const ir::Parameter& input : inputs) {
      const bool follows = value == ir::SystemValue::clip_distance && input.array_size != 0 &&
                           input.system_value == ir::SystemValue::cull_distance;
      if (input.system_value != value && !follows) continue;
      if (!some) missing = input;
      some = true;
      if (input.reg == element.register_index && !follows) declared |= input.mask;
    }
    missing.system_value = value;
    missing.reg = element.register_index;
    missing.mask = static_cast<uint8_t>(element.mask & ~declared);
    if (some && missing.mask != 0) inputs.push_back(missing);
  }
}

// What sm4::validate() accepts in a lenient program: temporaries beyond dcl_temps exist, and rows beyond the
// declaration of a constant buffer read what the buffer has, as in Direct3D's drivers.
void extend_declarations(Lowering& lowering) {
  ir::Module& module = lowering.module;
  for (const sm4::Operand& operand : lowering.program.operands) {
    const sm4::OperandIndex& number = operand.index[0];
    if (operand.file == sm4::RegisterFile::temp && operand.index_count == 1)
      module.register_count = std::max(module.register_count, number.immediate + 1);
    if (operand.file != sm4::RegisterFile::constant_buffer || operand.index_count < 2) continue;
    const sm4::OperandIndex& row = operand.index[operand.index_count - 1u];
    if (number.relative != sm4::kNoOperand || row.relative != sm4::kNoOperand ||
        !lowering.constant_buffers.has(number.immediate))
      continue;
    uint32_t& rows = module.constant_buffers[lowering.constant_buffers[number.immediate]].rows;
    if (rows != 0) rows = std::max(rows, row.immediate + 1);
  }
}

void lower_declarations(Lowering& lowering, size_t first) {
  for (const Instruction& instruction : std::span(lowering.program.instructions).subspan(first)) {
    if (starts_phase(instruction.opcode)) return;
    if (sm4::info(instruction.opcode).has(sm4::kDeclaration)) lower_declaration(lowering, instruction);
  }
}

}  // namespace texlate::lower
