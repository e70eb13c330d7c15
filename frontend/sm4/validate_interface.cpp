#include "frontend/sm4/validate_interface.h"

#include <algorithm>
#include <array>
#include <bit>

#include "frontend/sm4/validate_uses.h"
#include "ir/base/direct3d_limits.h"
#include "ir/base/input_primitive.h"

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
constexpr uint32_t kMaxGsScalars = 1024;  // Microsoft Learn, "dcl_maxOutputVertexCount (sm4 - asm)"

/// A register with a write mask, not a swizzle, which text would print as a mask.
bool has_declared_form(ValidationState& state, const Instruction& dcl, const Operand& operand) {
  const IndexCount allowed = index_count_of(state.program.version, operand.file);
  if (operand.index_count < allowed.least || operand.index_count > allowed.most) {
    state.error(dcl, "{} takes {} indices, found {}", info(operand.file).spelling, allowed.most,
                uint32_t{operand.index_count});
    return false;
  }
  if (operand.component_count != ComponentCount::four || operand.selection != Selection::mask) {
    state.error(dcl, "{} is declared without a write mask", spelled(operand));
    return false;
  }
  if (operand.components == 0) state.error(dcl, "{} is declared with an empty mask", spelled(operand));
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    if (operand.index[i].relative == kNoOperand) continue;
    state.error(dcl, "{} is declared with a computed index", spelled(operand));
    return false;
  }
  if (operand.index_count == 2 &&
      (operand.index[0].immediate == 0 || operand.index[0].immediate > kMaxVertices))
    state.error(dcl, "{} must have 1 to {} vertices", spelled(operand), kMaxVertices);
  return true;
}

/// The system values of those registers are outside all index ranges: in every stage, and in every stream of
/// a geometry shader (D3D11.3 functional specification 22.3.30, restrictions 5 and 7). Ranges of fxc have
/// masks: other components of the register may be system values.
void check_index_range(ValidationState& state, const Instruction& dcl, const Operand& operand, uint32_t first,
                       uint32_t count) {
  const DeclaredRegisters& registers = *state.registers(operand.file);
  for (uint32_t id = first; id < first + count; ++id) {
    if ((registers.ranged[id] & registers.system_values[id]) == 0) continue;
    return state.error(dcl, "{}{} is a system value, which an index range cannot contain",
                       info(operand.file).spelling, id);
  }
}

/// D3D11.3 functional specification 22.3.10 and 13.10: v[A][#] is declared with as many vertices or control
/// points as there are.
void check_vertices(ValidationState& state, const Instruction& dcl, uint32_t expected, RegisterFile file) {
  const uint32_t found = state.registers(file)->vertices;
  if (found != 0 && found != expected)
    state.error(dcl, "{}[{}][] is declared, but the number of vertices is {}", info(file).spelling, found,
                expected);
}

// D3D11.3 functional specification 10 (hull shader): 1 to 32 control points in, 0 to 32 out.
void check_control_points(ValidationState& state, const Instruction& dcl, uint32_t least) {
  const uint32_t count = declared_control_points(dcl);
  if (count < least || count > kMaxControlPoints)
    state.error(dcl, "{} control points: Direct3D allows {} to {}", count, least, kMaxControlPoints);
}

}  // namespace

void InterfaceChecker::declare(const Instruction& dcl) {
  switch (dcl.opcode) {
    case Opcode::dcl_input:
    case Opcode::dcl_input_sgv:
    case Opcode::dcl_input_siv:
    case Opcode::dcl_input_ps:
    case Opcode::dcl_input_ps_sgv:
    case Opcode::dcl_input_ps_siv:
    case Opcode::dcl_output:
    case Opcode::dcl_output_sgv:
    case Opcode::dcl_output_siv: declare_io(dcl); break;
    case Opcode::dcl_indexrange: declare_index_range(dcl); break;
    case Opcode::dcl_stream: declare_stream(dcl); break;
    case Opcode::dcl_maxout: declare_maxout(dcl); break;
    case Opcode::dcl_gs_instance_count: declare_gs_instances(dcl); break;
    case Opcode::dcl_inputprimitive: primitive_ = &dcl; break;
    case Opcode::dcl_input_control_point_count:
      input_points_ = &dcl;
      check_control_points(state_, dcl, 1);
      break;
    case Opcode::dcl_output_control_point_count:
      output_points_ = &dcl;
      check_control_points(state_, dcl, 0);
      break;
    case Opcode::dcl_tessellator_domain: tessellator_domain_ = &dcl; break;
    case Opcode::dcl_tessellator_output_primitive: tessellator_output_ = &dcl; break;
    default: break;
  }
}

void InterfaceChecker::start_outputs() {
  stream_outputs_ = {};
  declared_values_.reset();
  distances_[1] = 0;
}

void InterfaceChecker::declare_io(const Instruction& dcl) {
  const Operand& operand = state_.program.operands[dcl.first_operand];
  const Stage stage = state_.program.version.stage;
  const InterfaceFile& allowed = kInterface[static_cast<uint32_t>(operand.file)];
  const uint32_t stages = is_output(dcl.opcode) ? allowed.outputs : allowed.inputs;
  if (stages == 0) return state_.error(dcl, "{} cannot declare {}", name_of(dcl), spelled(operand));
  if ((stages >> static_cast<uint32_t>(stage) & 1) == 0) {
    state_.error(dcl, "{} is not an {} of a {} program", spelled(operand),
                 is_output(dcl.opcode) ? "output" : "input", state_.stage_name());
  }
  DeclaredRegisters* registers = state_.registers(operand.file);
  if (registers == nullptr) return declare_by_name(dcl, operand);
  // D3D11.3 functional specification 16.4: every v# has an interpolation mode.
  const bool is_attribute = operand.file == RegisterFile::input && stage == Stage::pixel;
  if (is_attribute && info(dcl.opcode).stages != kPixel)
    state_.error(dcl, "{} declares {} in a pixel program: dcl_input_ps has the interpolation mode",
                 name_of(dcl), spelled(operand));
  if (!has_declared_form(state_, dcl, operand)) return;
  const uint32_t id = operand.index[operand.index_count - 1u].immediate;
  const bool is_pixel_output = operand.file == RegisterFile::output && stage == Stage::pixel;
  const uint32_t limit = is_pixel_output ? kMaxPixelOutputs : stage == Stage::hull ? kMaxIo : kMaxRegisters;
  if (id >= limit) return state_.error(dcl, "{} is out of range", spelled(operand));
  if (operand.file == RegisterFile::output) {
    if ((stream_outputs_[id] & operand.components) != 0 && !start_next_stream())
      state_.error(dcl, "{} is declared twice", spelled(operand));
    stream_outputs_[id] |= operand.components;
  }
  // All declarations of one element of a pixel shader's input have the same interpolation.
  if (is_attribute && (registers->components[id] & operand.components) != 0)
    state_.error(dcl, "{} is declared twice", spelled(operand));
  if (is_attribute) note_interpolation(id, operand.components, declared_interpolation(dcl));
  registers->components[id] |= operand.components;
  if (operand.index_count == 2)
    registers->vertices = std::max(registers->vertices, operand.index[0].immediate);
  if (!has_system_value(dcl.opcode)) return;
  check_system_value(dcl, operand);
  if (is_tessellation_factor(declared_system_value(state_.program, dcl))) return;
  registers->system_values[id] |= operand.components;
  check_index_range(state_, dcl, operand, id, 1);
}

/// vkd3d's compiler declares all streams before all outputs: a repeated declaration belongs to another
/// stream.
bool InterfaceChecker::start_next_stream() {
  if (streams_without_outputs_ < 2) return false;
  --streams_without_outputs_;
  stream_outputs_ = {};
  declared_values_.reset();
  return true;
}

/// vThreadID, oDepth and other files with a single register.
void InterfaceChecker::declare_by_name(const Instruction& dcl, const Operand& operand) {
  if (operand.index_count != 0)
    return state_.error(dcl, "{} cannot have an index", info(operand.file).spelling);
  constexpr RegisterFile kDepths[] = {RegisterFile::output_depth, RegisterFile::output_depth_greater_equal,
                                      RegisterFile::output_depth_less_equal};
  uint8_t& declared = state_.scalars[static_cast<size_t>(operand.file)];
  if (declared != 0 && is_output(dcl.opcode)) state_.error(dcl, "{} is declared twice", spelled(operand));
  const bool is_mask =
      operand.component_count == ComponentCount::four && operand.selection == Selection::mask;
  declared |= is_mask ? operand.components : kFullMask;
  if (std::ranges::find(kDepths, operand.file) == std::end(kDepths)) return;
  for (const RegisterFile other : kDepths) {
    if (other != operand.file && state_.scalars[static_cast<size_t>(other)] != 0)
      state_.error(dcl, "{} and {} in one program", spelled(operand), info(other).spelling);
  }
}

void InterfaceChecker::check_system_value(const Instruction& dcl, const Operand& operand) {
  const SystemValue value = declared_system_value(state_.program, dcl);
  const SystemValueRule* rule = find_rule(value);
  if (rule == nullptr) return state_.error(dcl, "unknown system value {}", static_cast<uint32_t>(value));
  const std::string_view name = spell(kSystemValueNames, static_cast<uint32_t>(value));
  if (static_cast<uint32_t>(std::popcount(operand.components)) > rule->components) {
    state_.error(dcl, "{} has {} component{}, {} has more", name, rule->components,
                 rule->components == 1 ? "" : "s", spelled(operand));
  }
  const auto note_factor = [&] {
    if (rule->domain != kNoDomain && factors_[rule->domain] == nullptr) factors_[rule->domain] = &dcl;
  };
  const Stage stage = state_.program.version.stage;
  if (value == SystemValue::clip_distance || value == SystemValue::cull_distance)
    count_distances(dcl, operand);
  if (!is_output(dcl.opcode)) {
    if ((rule->inputs >> static_cast<uint32_t>(stage) & 1) == 0)
      return state_.error(dcl, "{} is not an input of a {} program", name, state_.stage_name());
    return note_factor();
  }
  const bool is_factor = rule->output == OutputOf::tessellator;
  if (rule->output == OutputOf::nothing || is_factor != state_.is_patch_phase || stage == Stage::pixel) {
    return state_.error(dcl, "{} is not an output of a {} {}", name, state_.stage_name(),
                        state_.is_patch_phase ? "fork or join phase" : "program");
  }
  note_factor();
  if (is_factor) declared_factors_.set(static_cast<size_t>(value));
  if (rule->once && declared_values_.test(static_cast<size_t>(value)))
    state_.error(dcl, "{} is declared twice", name);
  declared_values_.set(static_cast<size_t>(value));
}

/// D3D11.3 functional specification 15.4.3: clip and cull distances together. Vertices of an array repeat
/// them, and so do the phases of a hull shader.
void InterfaceChecker::count_distances(const Instruction& dcl, const Operand& operand) {
  if (operand.index_count == 2 || (state_.in_hull_phase && !is_output(dcl.opcode))) return;
  uint32_t& count = distances_[is_output(dcl.opcode) ? 1 : 0];
  count += static_cast<uint32_t>(std::popcount(operand.components));
  if (count > kMaxDistances)
    state_.error(dcl, "{} clip and cull distances: there are at most {}", count, kMaxDistances);
}

// Microsoft Learn, "dcl_indexRange (sm4 - asm)".
void InterfaceChecker::declare_index_range(const Instruction& dcl) {
  const Operand& operand = state_.program.operands[dcl.first_operand];
  const auto words = state_.program.words_of(dcl);
  const uint32_t count = words.empty() ? 0 : words[0];
  if (operand.index_count == 0 || count < 2)
    return state_.error(dcl, "an index range must have at least two registers");
  const uint32_t first = operand.index[operand.index_count - 1u].immediate;
  if (first >= kMaxIo || count > kMaxIo - first) return state_.error(dcl, "the index range is out of range");
  DeclaredRegisters* registers = state_.registers(operand.file);
  if (registers == nullptr) return state_.error(dcl, "{} cannot be indexed", spelled(operand));
  registers->has_range = true;
  const uint8_t mask = range_mask(operand);
  bool overlaps = false;
  for (uint32_t id = first; id < first + count; ++id) {
    // D3D11.3 functional specification 22.3.30, restriction 3. fxc obeys it component by component.
    if (!overlaps && (registers->ranged[id] & mask) != 0)
      state_.error(dcl, "{}{} is in two index ranges", info(operand.file).spelling, id);
    overlaps = overlaps || (registers->ranged[id] & mask) != 0;
    registers->ranged[id] |= mask;
  }
  check_index_range(state_, dcl, operand, first, count);
  if (operand.file == RegisterFile::input && state_.program.version.stage == Stage::pixel)
    pixel_ranges_.push_back(&dcl);
}

void InterfaceChecker::note_interpolation(uint32_t id, uint32_t mask, Interpolation interpolation) {
  for (uint32_t component = 0; component < 4; ++component) {
    if ((mask >> component & 1) != 0) interpolations_[id][component] = interpolation;
  }
}

/// D3D11.3 functional specification 22.3.30, restriction 6: all inputs of a range have one interpolation.
/// Called after all declarations.
void InterfaceChecker::check_range_interpolation(const Instruction& dcl) {
  const Operand& operand = state_.program.operands[dcl.first_operand];
  const uint32_t first = operand.index[operand.index_count - 1u].immediate;
  const uint32_t end = first + state_.program.words_of(dcl)[0];
  const auto spelling = [](Interpolation interpolation) {
    const std::string_view name = spell(kInterpolationNames, static_cast<uint32_t>(interpolation));
    return name.empty() ? std::string_view("undefined") : name;
  };
  uint32_t known = end;  // the first declared register, which the others are compared with
  Interpolation expected = Interpolation::undefined;
  for (uint32_t id = first; id < end; ++id) {
    const uint32_t mask = range_mask(operand) & state_.inputs.components[id];
    for (uint32_t component = 0; component < 4; ++component) {
      if ((mask >> component & 1) == 0) continue;
      const Interpolation interpolation = interpolations_[id][component];
      if (known == end) expected = interpolation;
      known = std::min(known, id);
      if (interpolation == expected) continue;
      return state_.error(
          dcl, "v{} is {} and v{} {}: the inputs of an index range must have the same interpolation", known,
          spelling(expected), id, spelling(interpolation));
    }
  }
}

// D3D11.3 functional specification 13 (geometry shader): each stream has separate outputs.
void InterfaceChecker::declare_stream(const Instruction& dcl) {
  const Operand& operand = state_.program.operands[dcl.first_operand];
  if (operand.file != RegisterFile::stream || operand.index_count == 0)
    return state_.error(dcl, "dcl_stream declares m#, not {}", spelled(operand));
  const uint32_t id = operand.index[0].immediate;
  if (id >= kMaxStreams)
    return state_.error(dcl, "no stream m{}: there are {}, starting with m0", id, kMaxStreams);
  if ((state_.streams >> id & 1) != 0) state_.error(dcl, "m{} is declared twice", id);
  state_.streams |= 1u << id;
  const bool has_outputs = stream_outputs_ != std::array<uint8_t, kMaxIo>{};
  streams_without_outputs_ = has_outputs ? 1 : streams_without_outputs_ + 1;
  start_outputs();
}

void InterfaceChecker::declare_maxout(const Instruction& dcl) {
  const auto words = state_.program.words_of(dcl);
  max_vertices_ = words.empty() ? 0 : words[0];
  if (max_vertices_ == 0 || max_vertices_ > kMaxGsVertices)
    return state_.error(dcl, "dcl_maxout {}: a geometry program may emit 1 to {} vertices", max_vertices_,
                        kMaxGsVertices);
  uint32_t scalars = 0;
  for (const uint8_t mask : stream_outputs_) scalars += static_cast<uint32_t>(std::popcount(mask));
  if (scalars * max_vertices_ > kMaxGsScalars) {
    state_.error(dcl, "{} vertices of {} components exceed the {} scalars that an invocation may emit",
                 max_vertices_, scalars, kMaxGsScalars);
  }
  check_gs_vertices(dcl);
}

void InterfaceChecker::declare_gs_instances(const Instruction& dcl) {
  const auto words = state_.program.words_of(dcl);
  gs_instances_ = words.empty() ? 0 : words[0];
  if (gs_instances_ == 0 || gs_instances_ > kMaxGsInstances) {
    state_.error(dcl, "{} instances: Direct3D allows 1 to {}", gs_instances_, kMaxGsInstances);
    gs_instances_ = 1;
  }
  check_gs_vertices(dcl);
}

/// Microsoft Learn, "dcl_input vGSInstanceID (sm5 - asm)": the product is limited; either may come first.
void InterfaceChecker::check_gs_vertices(const Instruction& dcl) {
  if (gs_instances_ * max_vertices_ > kMaxGsVertices)
    state_.error(dcl, "{} instances of {} vertices exceed the limit of {}", gs_instances_, max_vertices_,
                 kMaxGsVertices);
}

void InterfaceChecker::check_range_interpolations() {
  for (const Instruction* range : pixel_ranges_) check_range_interpolation(*range);
}

void InterfaceChecker::finish() {
  const uint32_t vertices =
      primitive_ != nullptr ? vertices_of_input_primitive(primitive_->controls & 0x3fu) : 0;
  if (vertices != 0) check_vertices(state_, *primitive_, vertices, RegisterFile::input);
  if (input_points_ != nullptr) {
    const uint32_t points = declared_control_points(*input_points_);
    check_vertices(state_, *input_points_, points, RegisterFile::input);
    check_vertices(state_, *input_points_, points, RegisterFile::input_control_point);
  }
  if (output_points_ != nullptr)
    check_vertices(state_, *output_points_, declared_control_points(*output_points_),
                   RegisterFile::output_control_point);
  check_tessellator();
}

/// The tessellator draws neither lines in triangles nor triangles on isolines, and the factors are those of
/// the domain (DirectXShaderCompiler, docs/DXIL.rst, "Validation rules":
/// SM.ISOLINEOUTPUTPRIMITIVEMISMATCH, SM.TRIOUTPUTPRIMITIVEMISMATCH, SM.TESSFACTORSIZEMATCHDOMAIN).
void InterfaceChecker::check_tessellator() {
  if (tessellator_domain_ == nullptr) return;
  const uint32_t domain = declared_tessellator_domain(*tessellator_domain_);
  const std::string_view name = spell(kTessellatorDomainNames, domain);
  if (tessellator_output_ != nullptr) {
    const uint32_t output = declared_tessellator_output(*tessellator_output_);
    const bool is_line = output == kLineOutput;
    const bool is_triangle = output == kClockwiseOutput || output == kCounterclockwiseOutput;
    if ((domain == kTriDomain && is_line) || (domain == kIsolineDomain && is_triangle))
      state_.error(*tessellator_output_, "{} of {}", spell(kTessellatorOutputNames, output), name);
  }
  for (uint32_t other = kIsolineDomain; other <= kQuadDomain; ++other) {
    if (other == domain || factors_[other] == nullptr) continue;
    const SystemValue value = declared_system_value(state_.program, *factors_[other]);
    state_.error(*factors_[other], "{} is not a factor of {}",
                 spell(kSystemValueNames, static_cast<uint32_t>(value)), name);
  }
  if (state_.program.version.stage == Stage::hull && factors_[domain] != nullptr)
    check_inside_factors(domain);
}

// Microsoft Learn, "SV_InsideTessFactor", requires them of triangles and quads, but Direct3D's own tools take
// listings without (tests of dxilconv).
void InterfaceChecker::check_inside_factors(uint32_t domain) {
  for (const auto& [of, value] :
       {std::pair(kTriDomain, SystemValue::tri_inside), std::pair(kQuadDomain, SystemValue::quad_inside_u),
        std::pair(kQuadDomain, SystemValue::quad_inside_v)}) {
    if (of != domain || declared_factors_.test(static_cast<size_t>(value))) continue;
    state_.report.warning(*tessellator_domain_, "no {}, which {} needs: it is 0",
                          spell(kSystemValueNames, static_cast<uint32_t>(value)),
                          spell(kTessellatorDomainNames, domain));
  }
}

}  // namespace texlate::sm4
