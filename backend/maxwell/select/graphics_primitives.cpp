// Hull, domain and geometry programs of deko3d: attributes of other vertices, of control points and of
// patches, and vertices that are emitted (docs/reference/maxwell-graphics.md 5).

#include <algorithm>
#include <bit>

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {

using ir::Op;
using ir::SystemValue;
using ir::Value;

// S2R (docs/reference/maxwell.md 6).
constexpr int32_t kLaneId = 0x00, kInvocationId = 0x11, kInvocationInfo = 0x1d;
/// Fields of SR_INVOCATION_INFO: the primitive's number in the batch, and the vertices of a primitive.
constexpr uint32_t kBatchPrimitiveAt = 0, kVertexCountAt = 16, kInfoFieldBits = 8;

constexpr uint32_t kGenericVectors = 0x080;
constexpr uint32_t kRegisters = 32, kVertices = 32;
/// In component_slot(): vertices by number, and those whose number is computed.
constexpr uint32_t kVertexSlots = kVertices + 1;

// Keys of Assembler::remember. A vertex that is computed at run time has its IR value for a number.
constexpr uint64_t kAttributeKey = uint64_t{1} << 62 | uint64_t{1} << 60;
constexpr uint64_t kHandleKey = uint64_t{1} << 62 | uint64_t{1} << 59;
constexpr uint64_t kLaneKey = uint64_t{1} << 62 | uint64_t{1} << 58;
constexpr uint64_t kFirstVertexKey = kHandleKey | uint64_t{1} << 40;
constexpr uint64_t kRunTimeVertex = uint64_t{1} << 32;

constexpr uint32_t kPointList = 1;       // D3D10_PRIMITIVE_TOPOLOGY
constexpr uint32_t kTriangleDomain = 2;  // D3D11_TESSELLATOR_DOMAIN

}  // namespace

// ---- which components are read

uint32_t Selector::component_slot(AttributeFile file, uint32_t vertex_slot, uint32_t reg) {
  return (static_cast<uint32_t>(file) * kVertexSlots + vertex_slot) * kRegisters + reg;
}

uint32_t Selector::vertex_slot(const ir::Instruction& instruction) const {
  const Value vertex = operand(instruction, 0);
  return module.is_constant(vertex) ? std::min(module.constant_bits(vertex), kVertices - 1) : kVertices;
}

void Selector::find_used_components() {
  const ir::Stage stage = module.stage;
  if (stage != ir::Stage::hull && stage != ir::Stage::domain && stage != ir::Stage::geometry) return;
  used_components_.assign(3 * kVertexSlots * kRegisters, 0);
  for (const ir::Instruction& instruction : module.code) {
    const bool is_point = instruction.op == Op::output_control_point;
    const bool is_vertex = is_point || (instruction.op == Op::input && instruction.has(ir::kVertexOperand));
    if (!is_vertex && instruction.op != Op::patch_input) continue;
    const uint32_t reg = instruction.payload / 4;
    if (instruction.has(ir::kIndexOperand) || reg >= kRegisters || !is_used(instruction.first_result))
      continue;
    const AttributeFile file = is_point    ? AttributeFile::control_point
                               : is_vertex ? AttributeFile::input
                                           : AttributeFile::patch;
    used_components_[component_slot(file, is_vertex ? vertex_slot(instruction) : 0, reg)] |=
        static_cast<uint8_t>(1u << (instruction.payload % 4));
  }
}

// ---- loads

/// input v#.c vertex(n), and vocp.
void Selector::select_vertex_attribute(const ir::Instruction& instruction) {
  if (!is_used(instruction.first_result)) return;
  const bool is_point = instruction.op == Op::output_control_point;
  const Value vertex = operand(instruction, 0);
  AttributeSource source;
  source.file = is_point ? AttributeFile::control_point : AttributeFile::input;
  source.parameters = is_point ? module.outputs : module.inputs;
  source.places = is_point ? options.graphics->outputs : options.graphics->inputs;
  source.vertex = is_point ? control_point_lane(vertex) : vertex_handle(vertex);
  source.vertex_key = module.is_constant(vertex) ? module.constant_bits(vertex) : kRunTimeVertex | vertex;
  source.vertex_slot = vertex_slot(instruction);
  if (instruction.has(ir::kIndexOperand)) source.index = operand(instruction, 1);
  load_attributes(instruction, source);
}

// In a hull program they are what earlier phases of the same lane have written.
void Selector::select_patch_input(const ir::Instruction& instruction) {
  if (!is_used(instruction.first_result)) return;
  if (module.stage == ir::Stage::domain) {
    AttributeSource source;
    source.file = AttributeFile::patch;
    source.parameters = module.patch_constants;
    source.places = options.graphics->patch_constants;
    if (instruction.has(ir::kIndexOperand)) source.index = operand(instruction, 0);
    return load_attributes(instruction, source);
  }
  const uint32_t base = kPatchFile + instruction.payload;
  const uint32_t variable = variable_of(base);
  const bool indexed = instruction.has(ir::kIndexOperand);
  if (!indexed) {
    if (variable >= variables_.size()) return refuse(instruction, "an undeclared patch constant");
    return define(instruction.first_result, variables_[variable].value);
  }
  Source result = Source::immediate(0);
  const Source index = Source::of(reg(operand(instruction, 0)));
  for (const Variable& candidate : variables_) {
    if (candidate.payload < base || candidate.payload >= kHandlePayload ||
        (candidate.payload - base) % 4 != 0)
      continue;
    const MachineValue is_this = assembler.predicate();
    emit({Opcode::isetp,
          {Predicate{is_this, false}, Arg(), index, Source::immediate((candidate.payload - base) / 4),
           Predicate::constant(true)},
          {{Modifier::integer_compare, IntegerCompare::eq}, {Modifier::is_signed, IsSigned::u32}}});
    result = Source::of(emit_select({is_this, false}, Source::of(candidate.value), result));
  }
  define(instruction.first_result, result);
}

void Selector::load_attributes(const ir::Instruction& instruction, const AttributeSource& source) {
  if (source.index != ir::kNoValue)
    return define(instruction.first_result, load_indexed(instruction, source));
  const uint32_t reg = instruction.payload / 4, component = instruction.payload % 4;
  for (size_t i = 0; i < source.parameters.size(); ++i) {
    const ir::Parameter& parameter = source.parameters[i];
    if (parameter.reg != reg || ((parameter.mask >> component) & 1) == 0) continue;
    return define(instruction.first_result, load_component(instruction, source, parameter, source.places[i]));
  }
  refuse(instruction, "an undeclared input");
}

/// Loads the components of a register that are read from this vertex, as few and as wide as alignment allows.
MachineValue Selector::load_component(const ir::Instruction& instruction, const AttributeSource& source,
                                      const ir::Parameter& parameter, const graphics::Attribute& place) {
  const uint64_t base = kAttributeKey | static_cast<uint64_t>(source.file) << 10 | source.vertex_key << 12;
  const uint32_t component = instruction.payload % 4;
  const MachineValue there = assembler.recall(base | place[component]);
  if (there != kNone) return there;
  const uint32_t used =
      used_components_[component_slot(source.file, source.vertex_slot, parameter.reg)] & parameter.mask;
  for (uint32_t first = 0, count = 1; first < 4; first += count) {
    count = 1;
    if (((used >> first) & 1) == 0) continue;
    const uint32_t most = std::min(4 - first, widest_attribute(place[first]));
    while (count < most && place[first + count] == place[first] + 4 * count) ++count;
    while (((used >> (first + count - 1)) & 1) == 0) --count;
    std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
    for (uint32_t c = 0; c < count; ++c) {
      if (((used >> (first + c)) & 1) == 0) continue;
      values[c] = assembler.general();
      assembler.remember(base | place[first + c], values[c]);
    }
    Draft load{Opcode::ald,
               {Arg::regs(std::span(values).first(count)), Arg::word(static_cast<int32_t>(place[first])),
                source.vertex != kNone ? Arg::reg(source.vertex) : Arg()},
               {{Modifier::attribute_size, static_cast<AttributeSize>(count - 1)}}};
    emit_load(load, source);
  }
  return assembler.recall(base | place[component]);
}

/// .P, .O and the order among accesses to what the program itself stores.
void Selector::emit_load(Draft& load, const AttributeSource& source) {
  if (source.file == AttributeFile::patch) load.spelled("P");
  const bool is_point = source.file == AttributeFile::control_point;
  if (is_point) load.with(Modifier::o, 1);
  machine::Instruction& code = emit(load);
  if (!is_point) return;
  code.effect = machine::Effect::read;
  code.space = kAttributeSpace;
}

MachineValue Selector::load_word_at(const AttributeSource& source, const Arg& address, bool physical) {
  const MachineValue result = assembler.general();
  Draft load{Opcode::ald,
             {Arg::reg(result), address, source.vertex != kNone ? Arg::reg(source.vertex) : Arg()}};
  if (physical) load.spelled("PHYS");
  emit_load(load, source);
  return result;
}

// A register number that is computed: AL2P gives the address of a generic vector for ALD.PHYS; those of
// patches need no conversion. Registers elsewhere (positions, distances, factors) are chosen one by one. A
// number beyond the last register is undefined in Direct3D; here it means the last.
MachineValue Selector::load_indexed(const ir::Instruction& instruction, const AttributeSource& source) {
  const uint32_t base = instruction.payload / 4, component = instruction.payload % 4;
  const bool patch = source.file == AttributeFile::patch;
  const uint32_t vectors = (patch ? graphics::kPatchVectors : kGenericVectors) + 4 * component;
  const auto reaches = [&](size_t i) {
    return source.parameters[i].reg >= base && ((source.parameters[i].mask >> component) & 1) != 0;
  };
  const auto is_generic = [&](size_t i) {
    return source.places[i][component] == vectors + 16 * source.parameters[i].reg;
  };
  const Source index = Source::of(reg(source.index));
  uint32_t last = graphics::kNotUsed;
  for (size_t i = 0; i < source.parameters.size(); ++i) {
    if (!reaches(i) || !is_generic(i)) continue;
    last = last == graphics::kNotUsed ? source.parameters[i].reg : std::max(last, source.parameters[i].reg);
  }
  Source result = Source::immediate(0);
  if (last != graphics::kNotUsed) {
    const Source inside = Source::of(
        assembler.emit_word({Opcode::imnmx,
                             {Arg(), index, Source::immediate(last - base), Predicate::constant(true)},
                             {{Modifier::is_signed, IsSigned::u32}}}));
    const MachineValue bytes = assembler.emit_word({Opcode::shl, {Arg(), inside, Source::immediate(4)}});
    const auto first = static_cast<int32_t>(vectors + 16 * base);
    if (patch) {
      result = Source::of(load_word_at(source, Arg::address(std::array{bytes}, first), false));
    } else {
      const bool is_point = source.file == AttributeFile::control_point;
      const MachineValue address = assembler.general();
      emit({Opcode::al2p,
            {Arg(), Arg::reg(address), Arg::reg(bytes), Arg::word(first)},
            {{Modifier::o, is_point ? 1 : 0}}});
      result = Source::of(load_word_at(source, Arg::address(std::array{address}, 0), true));
    }
  }
  for (size_t i = 0; i < source.parameters.size(); ++i) {
    if (!reaches(i) || is_generic(i)) continue;
    const MachineValue is_this = assembler.predicate();
    emit({Opcode::isetp,
          {Predicate{is_this, false}, Arg(), index, Source::immediate(source.parameters[i].reg - base),
           Predicate::constant(true)},
          {{Modifier::integer_compare, IntegerCompare::eq}, {Modifier::is_signed, IsSigned::u32}}});
    const MachineValue value =
        load_word_at(source, Arg::word(static_cast<int32_t>(source.places[i][component])), false);
    result = Source::of(emit_select({is_this, false}, Source::of(value), result));
  }
  return assembler.reg(result);
}

// ---- vertices

/// The number of this primitive's first vertex among those of the batch: 8 bits times 8 bits.
MachineValue Selector::first_vertex() {
  const MachineValue there = assembler.recall(kFirstVertexKey);
  if (there != kNone) return there;
  const Source info = Source::of(special_register(kInvocationInfo));
  // The other bits are not specified.
  const auto field = [&](uint32_t at) {
    return Source::of(assembler.emit_word({Opcode::bfe,
                                           {Arg(), info, Source::immediate(kInfoFieldBits << 8 | at)},
                                           {{Modifier::is_signed, IsSigned::u32}}}));
  };
  const Source primitive = field(kBatchPrimitiveAt), count = field(kVertexCountAt);
  const MachineValue product =
      assembler.emit_word({Opcode::xmad, {Arg(), primitive, count, Source::immediate(0)}});
  assembler.remember(kFirstVertexKey, product);
  return product;
}

/// What ALD takes for a vertex of the primitive.
MachineValue Selector::vertex_handle(Value vertex) {
  const bool constant = module.is_constant(vertex);
  const uint64_t key = kHandleKey | (constant ? module.constant_bits(vertex) : kRunTimeVertex | vertex);
  const MachineValue there = assembler.recall(key);
  if (there != kNone) return there;
  MachineValue number = first_vertex();
  if (!module.is_constant(vertex, 0)) number = emit_integer_sum(Source::of(number), word(vertex));
  const MachineValue handle =
      assembler.emit_word({Opcode::isberd, {Arg(), Arg::address(std::array{number}, 0)}});
  assembler.remember(key, handle);
  return handle;
}

/// The lane that has made an output control point. Fork and join phases run in the lane of point 0.
MachineValue Selector::control_point_lane(Value point) {
  const MachineValue first = special_register(kLaneId);
  if (module.is_constant(point, 0)) return first;
  const uint64_t key =
      kLaneKey | (module.is_constant(point) ? module.constant_bits(point) : kRunTimeVertex | point);
  MachineValue lane = assembler.recall(key);
  if (lane != kNone) return lane;
  lane = emit_integer_sum(Source::of(first), word(point));
  assembler.remember(key, lane);
  return lane;
}

void Selector::select_primitive_value(const ir::Instruction& instruction, SystemValue value) {
  const uint32_t component = instruction.payload % 4;
  const Value result = instruction.first_result;
  if (!is_used(result)) return;
  if (value == SystemValue::domain_point) return define(result, domain_point(component));
  if (component != 0) return define(result, Source::immediate(0));
  switch (value) {
    case SystemValue::gs_instance_id:
    case SystemValue::output_control_point_id: return define(result, special_register(kInvocationId));
    case SystemValue::fork_instance_id:
    case SystemValue::join_instance_id:
      if (phase_.instance == kNone) return define(result, Source::immediate(0));
      return define(result, phase_.instance);
    case SystemValue::primitive_register: {
      const uint64_t key = kAttributeKey | graphics::kPrimitiveId;
      MachineValue number = assembler.recall(key);
      if (number == kNone) {
        number = load_word_at({}, Arg::word(static_cast<int32_t>(graphics::kPrimitiveId)), false);
        assembler.remember(key, number);
      }
      return define(result, number);
    }
    default: return refuse(instruction, "this system value");
  }
}

/// u and v are what the tessellator left as outputs of this thread. The third coordinate of a triangle is
/// exact: the others are multiples of 2^-16 (D3D11.3 11.7.14).
Source Selector::domain_point(uint32_t component) {
  if (component > 2 || (component == 2 && module.tessellator_domain != kTriangleDomain))
    return Source::immediate(0);
  const uint64_t key = kAttributeKey | graphics::kDomainPoint;
  MachineValue u = assembler.recall(key), v = assembler.recall(key | 4);
  if (u == kNone) {
    u = assembler.general(), v = assembler.general();
    emit({Opcode::ald,
          {Arg::regs({u, v}), Arg::word(static_cast<int32_t>(graphics::kDomainPoint)),
           Arg::reg(special_register(kLaneId))},
          {{Modifier::attribute_size, AttributeSize::b64}, {Modifier::o, 1}}});
    assembler.remember(key, u);
    assembler.remember(key | 4, v);
  }
  if (component < 2) return Source::of(component == 0 ? u : v);
  constexpr uint32_t kOne = 0x3f800000;
  Source sum = Source::of(emit_sum(Source::of(u), Source::of(v), 0));
  sum.flags = kNegate;
  return Source::of(emit_sum(sum, Source::immediate(kOne), 0));
}

// ---- emission

// AST writes the vertex under construction, whose handle is the last OUT's result, 0 at the start. Cuts of
// points have no effect, and only points have several streams (D3D11.3 13.4 and 13.5).
void Selector::select_emission(const ir::Instruction& instruction) {
  const uint32_t stream = instruction.payload;
  const bool strips = module.output_topology != kPointList && stream == 0;
  if (instruction.op == Op::cut && !strips) return;
  MachineValue& handle = variables_[variable_of(kHandlePayload)].value;
  Emit how = Emit::cut;
  if (instruction.op == Op::emit) {
    store_attributes(module.outputs, options.graphics->outputs, stream, {false, handle});
    const uint32_t next = index_of(instruction) + 1;
    const bool cuts = strips && next < module.code.size() && module.code[next].op == Op::cut &&
                      module.code[next].payload == stream;
    if (cuts) skip(module.code[next]);
    how = cuts ? Emit::emit_then_cut : Emit::emit;
  }
  const MachineValue after = assembler.general();
  machine::Instruction& code = emit(
      {Opcode::out, {Arg::reg(after), Arg::reg(handle), Source::immediate(stream)}, {{Modifier::emit, how}}});
  code.effect = machine::Effect::write;
  code.space = kAttributeSpace;
  handle = after;
}

/// The hardware takes the last handle from R0.
void Selector::exit_geometry() {
  assembler.builder().exit(std::array{variables_[variable_of(kHandlePayload)].value});
}

}  // namespace texlate::maxwell::select
