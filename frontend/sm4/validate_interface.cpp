// validate(): inputs and outputs, their system values, and the ranges that may be indexed.
#include <algorithm>
#include <array>
#include <bit>

#include "frontend/sm4/validator.h"
#include "ir/base/direct3d_limits.h"

namespace texlate::sm4 {

namespace {

/// The kind of output that a system value may be, and its number of components (D3D11.3 functional
/// specification 23 and 24; hull shaders: 10).
enum class OutputOf : uint8_t {
  nothing,      // a generated value: input only
  position,     // read by the rasterizer: vertex, domain and geometry shaders, and control points
  tessellator,  // tessellation factors: fork and join phases
};
constexpr uint8_t kPatches = kHull | kDomain;
struct SystemValueRule {
  SystemValue value;
  OutputOf output;
  uint32_t components;
  bool once;       // at most one register of a program or stream
  uint8_t inputs;  // stages. An interpreted value may come from any stage; it is then a plain value.
  uint8_t domain = kNoDomain;  // whose tessellation factor it is
};
constexpr SystemValueRule kSystemValueRules[] = {
    {SystemValue::position, OutputOf::position, 4, true, kAll},
    {SystemValue::clip_distance, OutputOf::position, 4, false, kAll},
    {SystemValue::cull_distance, OutputOf::position, 4, false, kAll},
    {SystemValue::rendertarget_array_index, OutputOf::position, 1, true, kAll},
    {SystemValue::viewport_array_index, OutputOf::position, 1, true, kAll},
    {SystemValue::vertex_id, OutputOf::nothing, 1, true, kVertex},
    // A geometry shader passes it on. Other stages than pixel shaders read vPrim.
    {SystemValue::primitive_id, OutputOf::position, 1, true, kPixel},
    {SystemValue::instance_id, OutputOf::nothing, 1, true, kVertex},
    {SystemValue::is_front_face, OutputOf::position, 1, true, kPixel},  // 10.x geometry shaders write it
    {SystemValue::sample_index, OutputOf::nothing, 1, true, kPixel},
    {SystemValue::quad_edge_u0, OutputOf::tessellator, 1, true, kPatches, kQuadDomain},
    {SystemValue::quad_edge_v0, OutputOf::tessellator, 1, true, kPatches, kQuadDomain},
    {SystemValue::quad_edge_u1, OutputOf::tessellator, 1, true, kPatches, kQuadDomain},
    {SystemValue::quad_edge_v1, OutputOf::tessellator, 1, true, kPatches, kQuadDomain},
    {SystemValue::quad_inside_u, OutputOf::tessellator, 1, true, kPatches, kQuadDomain},
    {SystemValue::quad_inside_v, OutputOf::tessellator, 1, true, kPatches, kQuadDomain},
    {SystemValue::tri_edge_u, OutputOf::tessellator, 1, true, kPatches, kTriDomain},
    {SystemValue::tri_edge_v, OutputOf::tessellator, 1, true, kPatches, kTriDomain},
    {SystemValue::tri_edge_w, OutputOf::tessellator, 1, true, kPatches, kTriDomain},
    {SystemValue::tri_inside, OutputOf::tessellator, 1, true, kPatches, kTriDomain},
    {SystemValue::line_detail, OutputOf::tessellator, 1, true, kPatches, kIsolineDomain},
    {SystemValue::line_density, OutputOf::tessellator, 1, true, kPatches, kIsolineDomain},
};

const SystemValueRule* find_rule(SystemValue value) {
  for (const SystemValueRule& rule : kSystemValueRules) {
    if (rule.value == value) return &rule;
  }
  return nullptr;
}

bool is_tessellation_factor(SystemValue value) {
  const SystemValueRule* rule = find_rule(value);
  return rule != nullptr && rule->output == OutputOf::tessellator;
}

/// Of one program, or one stream: D3D11_CLIP_OR_CULL_DISTANCE_COUNT.
constexpr uint32_t kMaxDistances = 8;

bool is_output(Opcode opcode) {
  return opcode == Opcode::dcl_output || opcode == Opcode::dcl_output_siv || opcode == Opcode::dcl_output_sgv;
}

/// The stages that may declare a register file with dcl_input* and with dcl_output* (D3D11.3 functional
/// specification, the tables of registers in chapters 9, 10, 12, 13, 16 and 18, and 23).
struct InterfaceFile {
  RegisterFile file;
  uint8_t inputs;
  uint8_t outputs;
};
constexpr InterfaceFile kInterfaceFiles[] = {
    {RegisterFile::input, kPixel | kVertex | kGeometry | kHull, 0},
    {RegisterFile::input_primitive_id, kGeometry | kPatches, 0},
    {RegisterFile::output_control_point_id, kHull, 0},
    {RegisterFile::input_fork_instance_id, kHull, 0},
    {RegisterFile::input_join_instance_id, kHull, 0},
    {RegisterFile::input_control_point, kPatches, 0},
    {RegisterFile::output_control_point, kHull, 0},
    {RegisterFile::input_patch_constant, kPatches, 0},
    {RegisterFile::input_domain_point, kDomain, 0},
    {RegisterFile::input_thread_id, kCompute, 0},
    {RegisterFile::input_thread_group_id, kCompute, 0},
    {RegisterFile::input_thread_id_in_group, kCompute, 0},
    {RegisterFile::input_thread_id_in_group_flattened, kCompute, 0},
    {RegisterFile::input_coverage_mask, kPixel, 0},
    {RegisterFile::inner_coverage, kPixel, 0},
    {RegisterFile::input_gs_instance_id, kGeometry, 0},
    {RegisterFile::cycle_counter, kAll, 0},
    {RegisterFile::output, 0, kPixel | kVertex | kGeometry | kPatches},
    {RegisterFile::output_depth, 0, kPixel},
    {RegisterFile::output_depth_greater_equal, 0, kPixel},
    {RegisterFile::output_depth_less_equal, 0, kPixel},
    {RegisterFile::output_coverage_mask, 0, kPixel},
    {RegisterFile::output_stencil_ref, 0, kPixel},
};

constexpr std::array<InterfaceFile, kRegisterFileLimit> kInterface = [] {
  std::array<InterfaceFile, kRegisterFileLimit> table{};
  for (const InterfaceFile& row : kInterfaceFiles) table[static_cast<uint32_t>(row.file)] = row;
  return table;
}();

bool has_system_value(Opcode opcode) {
  return opcode == Opcode::dcl_input_siv || opcode == Opcode::dcl_input_sgv ||
         opcode == Opcode::dcl_input_ps_siv || opcode == Opcode::dcl_input_ps_sgv ||
         opcode == Opcode::dcl_output_siv || opcode == Opcode::dcl_output_sgv;
}

/// The components of a dcl_indexrange. Hand-written ones have no mask.
uint8_t range_mask(const Operand& operand) {
  return operand.selection == Selection::mask ? operand.components : kFullMask;
}

constexpr uint32_t kMaxPixelOutputs = 8;  // D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT
constexpr uint32_t kMaxVertices = 32;     // D3D11_GS_INPUT_REGISTER_VERTICES

}  // namespace

DeclaredRegisters* Validator::declared_registers(RegisterFile file) {
  switch (file) {
    case RegisterFile::input: return &inputs_;
    case RegisterFile::output: return &outputs_;
    case RegisterFile::input_patch_constant: return &patch_constants_;
    case RegisterFile::input_control_point: return &control_point_inputs_;
    case RegisterFile::output_control_point: return &control_point_outputs_;
    default: return nullptr;
  }
}

void Validator::declare_io(const Instruction& dcl) {
  const Operand& operand = program_.operands[dcl.first_operand];
  const Stage stage = program_.version.stage;
  const InterfaceFile& allowed = kInterface[static_cast<uint32_t>(operand.file)];
  const uint32_t stages = is_output(dcl.opcode) ? allowed.outputs : allowed.inputs;
  if (stages == 0) return error(dcl, "{} cannot declare {}", name_of(dcl), spelled(operand));
  if ((stages >> static_cast<uint32_t>(stage) & 1) == 0) {
    error(dcl, "{} is not an {} of a {} program", spelled(operand),
          is_output(dcl.opcode) ? "output" : "input", stage_name());
  }
  DeclaredRegisters* registers = declared_registers(operand.file);
  if (registers == nullptr) return declare_by_name(dcl, operand);
  // D3D11.3 functional specification 16.4: every v# has an interpolation mode.
  const bool is_attribute = operand.file == RegisterFile::input && stage == Stage::pixel;
  if (is_attribute && info(dcl.opcode).stages != kPixel)
    error(dcl, "{} declares {} in a pixel program: dcl_input_ps has the interpolation mode", name_of(dcl),
          spelled(operand));
  if (!has_declared_form(dcl, operand)) return;
  const uint32_t id = operand.index[operand.index_count - 1u].immediate;
  const bool is_pixel_output = operand.file == RegisterFile::output && stage == Stage::pixel;
  const uint32_t limit = is_pixel_output ? kMaxPixelOutputs : stage == Stage::hull ? kMaxIo : kMaxRegisters;
  if (id >= limit) return error(dcl, "{} is out of range", spelled(operand));
  if (operand.file == RegisterFile::output) {
    if ((stream_outputs_[id] & operand.components) != 0 && !start_next_stream())
      error(dcl, "{} is declared twice", spelled(operand));
    stream_outputs_[id] |= operand.components;
  }
  // All declarations of one element of a pixel shader's input have the same interpolation.
  if (is_attribute && (registers->components[id] & operand.components) != 0)
    error(dcl, "{} is declared twice", spelled(operand));
  if (is_attribute) note_interpolation(id, operand.components, declared_interpolation(dcl));
  registers->components[id] |= operand.components;
  if (operand.index_count == 2)
    registers->vertices = std::max(registers->vertices, operand.index[0].immediate);
  if (!has_system_value(dcl.opcode)) return;
  check_system_value(dcl, operand);
  if (is_tessellation_factor(declared_system_value(program_, dcl))) return;
  registers->system_values[id] |= operand.components;
  check_index_range(dcl, operand, id, 1);
}

/// vkd3d's compiler declares all streams before all outputs: a repeated declaration belongs to another
/// stream.
bool Validator::start_next_stream() {
  if (streams_without_outputs_ < 2) return false;
  --streams_without_outputs_;
  stream_outputs_ = {};
  declared_values_.reset();
  return true;
}

/// vThreadID, oDepth and other files with a single register.
void Validator::declare_by_name(const Instruction& dcl, const Operand& operand) {
  if (operand.index_count != 0) return error(dcl, "{} cannot have an index", info(operand.file).spelling);
  constexpr RegisterFile kDepths[] = {RegisterFile::output_depth, RegisterFile::output_depth_greater_equal,
                                      RegisterFile::output_depth_less_equal};
  uint8_t& declared = scalars_[static_cast<size_t>(operand.file)];
  if (declared != 0 && is_output(dcl.opcode)) error(dcl, "{} is declared twice", spelled(operand));
  const bool is_mask =
      operand.component_count == ComponentCount::four && operand.selection == Selection::mask;
  declared |= is_mask ? operand.components : kFullMask;
  if (std::ranges::find(kDepths, operand.file) == std::end(kDepths)) return;
  for (const RegisterFile other : kDepths) {
    if (other != operand.file && scalars_[static_cast<size_t>(other)] != 0)
      error(dcl, "{} and {} in one program", spelled(operand), info(other).spelling);
  }
}

/// A register with a write mask, not a swizzle, which text would print as a mask.
bool Validator::has_declared_form(const Instruction& dcl, const Operand& operand) {
  const IndexCount allowed = index_count_of(operand.file);
  if (operand.index_count < allowed.least || operand.index_count > allowed.most) {
    error(dcl, "{} takes {} indices, found {}", info(operand.file).spelling, allowed.most,
          uint32_t{operand.index_count});
    return false;
  }
  if (operand.component_count != ComponentCount::four || operand.selection != Selection::mask) {
    error(dcl, "{} is declared without a write mask", spelled(operand));
    return false;
  }
  if (operand.components == 0) error(dcl, "{} is declared with an empty mask", spelled(operand));
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    if (operand.index[i].relative == kNoOperand) continue;
    error(dcl, "{} is declared with a computed index", spelled(operand));
    return false;
  }
  if (operand.index_count == 2 &&
      (operand.index[0].immediate == 0 || operand.index[0].immediate > kMaxVertices))
    error(dcl, "{} must have 1 to {} vertices", spelled(operand), kMaxVertices);
  return true;
}

void Validator::check_system_value(const Instruction& dcl, const Operand& operand) {
  const SystemValue value = declared_system_value(program_, dcl);
  const SystemValueRule* rule = find_rule(value);
  if (rule == nullptr) return error(dcl, "unknown system value {}", static_cast<uint32_t>(value));
  const std::string_view name = spell(kSystemValueNames, static_cast<uint32_t>(value));
  if (static_cast<uint32_t>(std::popcount(operand.components)) > rule->components) {
    error(dcl, "{} has {} component{}, {} has more", name, rule->components, rule->components == 1 ? "" : "s",
          spelled(operand));
  }
  const auto note_factor = [&] {
    if (rule->domain != kNoDomain && factors_[rule->domain] == nullptr) factors_[rule->domain] = &dcl;
  };
  const Stage stage = program_.version.stage;
  if (value == SystemValue::clip_distance || value == SystemValue::cull_distance)
    count_distances(dcl, operand);
  if (!is_output(dcl.opcode)) {
    if ((rule->inputs >> static_cast<uint32_t>(stage) & 1) == 0)
      return error(dcl, "{} is not an input of a {} program", name, stage_name());
    return note_factor();
  }
  const bool is_factor = rule->output == OutputOf::tessellator;
  if (rule->output == OutputOf::nothing || is_factor != is_patch_phase_ || stage == Stage::pixel) {
    return error(dcl, "{} is not an output of a {} {}", name, stage_name(),
                 is_patch_phase_ ? "fork or join phase" : "program");
  }
  note_factor();
  if (is_factor) declared_factors_.set(static_cast<size_t>(value));
  if (rule->once && declared_values_.test(static_cast<size_t>(value)))
    error(dcl, "{} is declared twice", name);
  declared_values_.set(static_cast<size_t>(value));
}

/// The tessellator draws neither lines in triangles nor triangles on isolines, and the factors are those of
/// the domain (DirectXShaderCompiler, docs/DXIL.rst, "Validation rules":
/// SM.ISOLINEOUTPUTPRIMITIVEMISMATCH, SM.TRIOUTPUTPRIMITIVEMISMATCH, SM.TESSFACTORSIZEMATCHDOMAIN).
void Validator::check_tessellator() {
  if (tessellator_domain_ == nullptr) return;
  const uint32_t domain = declared_tessellator_domain(*tessellator_domain_);
  const std::string_view name = spell(kTessellatorDomainNames, domain);
  if (tessellator_output_ != nullptr) {
    const uint32_t output = declared_tessellator_output(*tessellator_output_);
    const bool is_line = output == kLineOutput;
    const bool is_triangle = output == kClockwiseOutput || output == kCounterclockwiseOutput;
    if ((domain == kTriDomain && is_line) || (domain == kIsolineDomain && is_triangle))
      error(*tessellator_output_, "{} of {}", spell(kTessellatorOutputNames, output), name);
  }
  for (uint32_t other = kIsolineDomain; other <= kQuadDomain; ++other) {
    if (other == domain || factors_[other] == nullptr) continue;
    const SystemValue value = declared_system_value(program_, *factors_[other]);
    error(*factors_[other], "{} is not a factor of {}",
          spell(kSystemValueNames, static_cast<uint32_t>(value)), name);
  }
  if (program_.version.stage == Stage::hull && factors_[domain] != nullptr) check_inside_factors(domain);
}

// Microsoft Learn, "SV_InsideTessFactor", requires them of triangles and quads, but Direct3D's own tools take
// listings without (tests of dxilconv).
void Validator::check_inside_factors(uint32_t domain) {
  for (const auto& [of, value] :
       {std::pair(kTriDomain, SystemValue::tri_inside), std::pair(kQuadDomain, SystemValue::quad_inside_u),
        std::pair(kQuadDomain, SystemValue::quad_inside_v)}) {
    if (of != domain || declared_factors_.test(static_cast<size_t>(value))) continue;
    report_.warning(*tessellator_domain_, "no {}, which {} needs: it is 0",
                    spell(kSystemValueNames, static_cast<uint32_t>(value)),
                    spell(kTessellatorDomainNames, domain));
  }
}

/// D3D11.3 functional specification 15.4.3: clip and cull distances together. Vertices of an array repeat
/// them, and so do the phases of a hull shader.
void Validator::count_distances(const Instruction& dcl, const Operand& operand) {
  if (operand.index_count == 2 || (in_hull_phase_ && !is_output(dcl.opcode))) return;
  uint32_t& count = distances_[is_output(dcl.opcode) ? 1 : 0];
  count += static_cast<uint32_t>(std::popcount(operand.components));
  if (count > kMaxDistances)
    error(dcl, "{} clip and cull distances: there are at most {}", count, kMaxDistances);
}

// Microsoft Learn, "dcl_indexRange (sm4 - asm)".
void Validator::declare_index_range(const Instruction& dcl) {
  const Operand& operand = program_.operands[dcl.first_operand];
  const auto words = program_.words_of(dcl);
  const uint32_t count = words.empty() ? 0 : words[0];
  if (operand.index_count == 0 || count < 2)
    return error(dcl, "an index range must have at least two registers");
  const uint32_t first = operand.index[operand.index_count - 1u].immediate;
  if (first >= kMaxIo || count > kMaxIo - first) return error(dcl, "the index range is out of range");
  DeclaredRegisters* registers = declared_registers(operand.file);
  if (registers == nullptr) return error(dcl, "{} cannot be indexed", spelled(operand));
  registers->has_range = true;
  const uint8_t mask = range_mask(operand);
  bool overlaps = false;
  for (uint32_t id = first; id < first + count; ++id) {
    // D3D11.3 functional specification 22.3.30, restriction 3. fxc obeys it component by component.
    if (!overlaps && (registers->ranged[id] & mask) != 0)
      error(dcl, "{}{} is in two index ranges", info(operand.file).spelling, id);
    overlaps = overlaps || (registers->ranged[id] & mask) != 0;
    registers->ranged[id] |= mask;
  }
  check_index_range(dcl, operand, first, count);
  if (operand.file == RegisterFile::input && program_.version.stage == Stage::pixel)
    pixel_ranges_.push_back(&dcl);
}

/// D3D11.3 functional specification 22.3.10 and 13.10: v[A][#] is declared with as many vertices or control
/// points as there are.
void Validator::check_vertices(const Instruction& dcl, uint32_t expected, RegisterFile file) {
  const uint32_t found = declared_registers(file)->vertices;
  if (found != 0 && found != expected)
    error(dcl, "{}[{}][] is declared, but the number of vertices is {}", info(file).spelling, found,
          expected);
}

void Validator::note_interpolation(uint32_t id, uint32_t mask, Interpolation interpolation) {
  for (uint32_t component = 0; component < 4; ++component) {
    if ((mask >> component & 1) != 0) interpolations_[id][component] = interpolation;
  }
}

/// D3D11.3 functional specification 22.3.30, restriction 6: all inputs of a range have one interpolation.
/// Called after all declarations.
void Validator::check_range_interpolation(const Instruction& dcl) {
  const Operand& operand = program_.operands[dcl.first_operand];
  const uint32_t first = operand.index[operand.index_count - 1u].immediate;
  const uint32_t end = first + program_.words_of(dcl)[0];
  const auto spelling = [](Interpolation interpolation) {
    const std::string_view name = spell(kInterpolationNames, static_cast<uint32_t>(interpolation));
    return name.empty() ? std::string_view("undefined") : name;
  };
  uint32_t known = end;  // the first declared register, which the others are compared with
  Interpolation expected = Interpolation::undefined;
  for (uint32_t id = first; id < end; ++id) {
    const uint32_t mask = range_mask(operand) & inputs_.components[id];
    for (uint32_t component = 0; component < 4; ++component) {
      if ((mask >> component & 1) == 0) continue;
      const Interpolation interpolation = interpolations_[id][component];
      if (known == end) expected = interpolation;
      known = std::min(known, id);
      if (interpolation == expected) continue;
      return error(dcl, "v{} is {} and v{} {}: the inputs of an index range must have the same interpolation",
                   known, spelling(expected), id, spelling(interpolation));
    }
  }
}

/// The system values of those registers are outside all index ranges: in every stage, and in every stream of
/// a geometry shader (D3D11.3 functional specification 22.3.30, restrictions 5 and 7). Ranges of fxc have
/// masks: other components of the register may be system values.
void Validator::check_index_range(const Instruction& dcl, const Operand& operand, uint32_t first,
                                  uint32_t count) {
  const DeclaredRegisters& registers = *declared_registers(operand.file);
  for (uint32_t id = first; id < first + count; ++id) {
    if ((registers.ranged[id] & registers.system_values[id]) == 0) continue;
    return error(dcl, "{}{} is a system value, which an index range cannot contain",
                 info(operand.file).spelling, id);
  }
}

/// A use of an input or output. D3D11.3 functional specification 22.3.30: with a computed index, the number
/// must be in a dcl_indexrange. A computed vertex index needs no range.
void Validator::check_io(const Instruction& instruction, const Operand& operand,
                         const PositionRule& position) {
  const DeclaredRegisters& declared = *declared_registers(operand.file);
  const OperandIndex& index = operand.index[operand.index_count - 1u];
  const std::string_view file = info(operand.file).spelling;
  if (index.relative != kNoOperand) {
    if (!declared.has_range) {
      error(instruction, "{} is indexed without dcl_indexrange", file);
    } else if (index.immediate >= kMaxIo || (!in_hull_phase_ && declared.ranged[index.immediate] == 0)) {
      error(instruction, "{}[... + {}] is outside the dcl_indexrange of {}", file, index.immediate, file);
    }
    return;
  }
  if (index.immediate >= kMaxIo || declared.components[index.immediate] == 0)
    return error(instruction, "{} is not declared", spelled(operand));
  check_components(instruction, operand, position, declared.components[index.immediate]);
  const OperandIndex& vertex = operand.index[0];
  if (operand.index_count == 2 && vertex.relative == kNoOperand && vertex.immediate >= declared.vertices) {
    error(instruction, "{} is beyond the {} vertices of its declaration", spelled(operand),
          declared.vertices);
    report_.note_declaration(operand);
  }
}

}  // namespace texlate::sm4
