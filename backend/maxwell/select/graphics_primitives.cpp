#include <algorithm>
#include <bit>

#include "backend/maxwell/select/graphics_host.h"

namespace texlate::maxwell::select {

namespace {

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

uint32_t Primitives::component_slot(File file, uint32_t vertex_slot, uint32_t reg) {
  return (static_cast<uint32_t>(file) * kVertexSlots + vertex_slot) * kRegisters + reg;
}

uint32_t Primitives::vertex_slot(const ir::Instruction& instruction) const {
  const Value vertex = operand(instruction, 0);
  return module_.is_constant(vertex) ? std::min(module_.constant_bits(vertex), kVertices - 1) : kVertices;
}

uint64_t Primitives::key_of(Value vertex) const {
  return module_.is_constant(vertex) ? module_.constant_bits(vertex) : kRunTimeVertex | vertex.number();
}

void Primitives::begin() {
  used_components_.assign(3 * kVertexSlots * kRegisters, 0);
  for (const ir::Instruction& instruction : module_.code) {
    const bool is_point = instruction.op == Op::output_control_point;
    const bool is_vertex = is_point || (instruction.op == Op::input && instruction.has(ir::kVertexOperand));
    if (!is_vertex && instruction.op != Op::patch_input) continue;
    const uint32_t reg = instruction.payload / 4;
    if (instruction.has(ir::kIndexOperand) || reg >= kRegisters || !is_used(instruction.first_result))
      continue;
    const File file = is_point ? File::control_point : is_vertex ? File::input : File::patch;
    used_components_[component_slot(file, is_vertex ? vertex_slot(instruction) : 0, reg)] |=
        static_cast<uint8_t>(1u << (instruction.payload % 4));
  }
}

// ---- loads

/// input v#.c vertex(n), and vocp.
void Primitives::select_vertex_attribute(const ir::Instruction& instruction) {
  const bool is_point = instruction.op == Op::output_control_point;
  const Value vertex = operand(instruction, 0);
  Origin origin;
  origin.file = is_point ? File::control_point : File::input;
  origin.parameters = is_point ? module_.outputs : module_.inputs;
  origin.places = is_point ? options_.graphics->outputs : options_.graphics->inputs;
  origin.vertex = is_point ? control_point_lane(vertex) : vertex_handle(vertex);
  origin.vertex_key = key_of(vertex);
  origin.vertex_slot = vertex_slot(instruction);
  if (instruction.has(ir::kIndexOperand)) origin.index = operand(instruction, 1);
  load(instruction, origin);
}

// In a hull program they are what earlier phases of the same lane have written.
void Primitives::select_patch_input(const ir::Instruction& instruction) {
  if (module_.stage == ir::Stage::domain) {
    Origin origin;
    origin.file = File::patch;
    origin.parameters = module_.patch_constants;
    origin.places = options_.graphics->patch_constants;
    if (instruction.has(ir::kIndexOperand)) origin.index = operand(instruction, 0);
    return load(instruction, origin);
  }
  const uint32_t base = Variable::kPatchFile + instruction.payload;
  if (!instruction.has(ir::kIndexOperand)) {
    const Variable* const variable = variables_.find(base);
    if (variable == nullptr) return refuse(instruction, "an undeclared patch constant");
    return define(instruction.first_result, variable->value);
  }
  Source result = Source::immediate(0);
  const Source index = Source::of(reg(operand(instruction, 0)));
  for (const Variable& candidate : variables_.all()) {
    if (candidate.payload < base || candidate.payload >= Variable::kHandlePayload ||
        (candidate.payload - base) % 4 != 0)
      continue;
    const Predicate is_this =
        compare_words(index, IntegerCompare::eq, Source::immediate((candidate.payload - base) / 4));
    result = Source::of(emit_select(is_this, Source::of(candidate.value), result));
  }
  define(instruction.first_result, result);
}

void Primitives::load(const ir::Instruction& instruction, const Origin& origin) {
  if (origin.index != ir::kNoValue)
    return define(instruction.first_result, load_indexed(instruction, origin));
  const uint32_t reg = instruction.payload / 4, component = instruction.payload % 4;
  for (size_t i = 0; i < origin.parameters.size(); ++i) {
    const ir::Parameter& parameter = origin.parameters[i];
    if (parameter.reg != reg || ((parameter.mask >> component) & 1) == 0) continue;
    return define(instruction.first_result, load_component(instruction, origin, parameter, origin.places[i]));
  }
  refuse(instruction, "an undeclared input");
}

/// Loads the components of a register that are read from this vertex, as few and as wide as alignment allows.
MachineValue Primitives::load_component(const ir::Instruction& instruction, const Origin& origin,
                                        const ir::Parameter& parameter, const graphics::Attribute& place) {
  const uint64_t base = kAttributeKey | static_cast<uint64_t>(origin.file) << 10 | origin.vertex_key << 12;
  const uint32_t component = instruction.payload % 4;
  const MachineValue there = assembler_.recall(base | place[component]);
  if (there != kNone) return there;
  const uint32_t used =
      used_components_[component_slot(origin.file, origin.vertex_slot, parameter.reg)] & parameter.mask;
  for (uint32_t first = 0, count = 1; first < 4; first += count) {
    count = 1;
    if (((used >> first) & 1) == 0) continue;
    const uint32_t most = std::min(4 - first, widest_attribute(place[first]));
    while (count < most && place[first + count] == place[first] + 4 * count) ++count;
    while (((used >> (first + count - 1)) & 1) == 0) --count;
    std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
    for (uint32_t c = 0; c < count; ++c) {
      if (((used >> (first + c)) & 1) == 0) continue;
      values[c] = assembler_.general();
      assembler_.remember(base | place[first + c], values[c]);
    }
    Draft load{Opcode::ald,
               {Arg::regs(std::span(values).first(count)), Arg::word(static_cast<int32_t>(place[first])),
                origin.vertex != kNone ? Arg::reg(origin.vertex) : Arg()},
               {{Modifier::attribute_size, static_cast<AttributeSize>(count - 1)}}};
    emit_load(load, origin);
  }
  return assembler_.recall(base | place[component]);
}

/// .P, .O and the order among accesses to what the program itself stores.
void Primitives::emit_load(Draft& load, const Origin& origin) {
  if (origin.file == File::patch) load.spelled("P");
  const bool is_point = origin.file == File::control_point;
  if (is_point) load.with({Modifier::o, 1});
  machine::Instruction& code = emit(load);
  if (!is_point) return;
  code.effect = machine::Effect::read;
  code.space = kAttributeSpace;
}

MachineValue Primitives::load_word_at(const Origin& origin, const Arg& address, bool physical) {
  const MachineValue result = assembler_.general();
  Draft load{Opcode::ald,
             {Arg::reg(result), address, origin.vertex != kNone ? Arg::reg(origin.vertex) : Arg()}};
  if (physical) load.spelled("PHYS");
  emit_load(load, origin);
  return result;
}

// A register number that is computed: AL2P gives the address of a generic vector for ALD.PHYS; those of
// patches need no conversion. Registers elsewhere (positions, distances, factors) are chosen one by one. A
// number beyond the last register is undefined in Direct3D; here it means the last.
MachineValue Primitives::load_indexed(const ir::Instruction& instruction, const Origin& origin) {
  const uint32_t base = instruction.payload / 4, component = instruction.payload % 4;
  const bool patch = origin.file == File::patch;
  const uint32_t vectors = (patch ? graphics::kPatchVectors : kGenericVectors) + 4 * component;
  const auto reaches = [&](size_t i) {
    return origin.parameters[i].reg >= base && ((origin.parameters[i].mask >> component) & 1) != 0;
  };
  const auto is_generic = [&](size_t i) {
    return origin.places[i][component] == vectors + 16 * origin.parameters[i].reg;
  };
  const Source index = Source::of(reg(origin.index));
  uint32_t last = graphics::kNotUsed;
  for (size_t i = 0; i < origin.parameters.size(); ++i) {
    if (!reaches(i) || !is_generic(i)) continue;
    last = last == graphics::kNotUsed ? origin.parameters[i].reg : std::max(last, origin.parameters[i].reg);
  }
  Source result = Source::immediate(0);
  if (last != graphics::kNotUsed) {
    const Source inside =
        emit_source({Opcode::imnmx, {Arg(), index, Source::immediate(last - base), kAlways}, {kUnsigned}});
    const MachineValue bytes = emit_word({Opcode::shl, {Arg(), inside, Source::immediate(4)}});
    const auto first = static_cast<int32_t>(vectors + 16 * base);
    if (patch) {
      result = Source::of(load_word_at(origin, Arg::address(bytes, first), false));
    } else {
      const bool is_point = origin.file == File::control_point;
      const MachineValue address = assembler_.general();
      emit({Opcode::al2p,
            {Arg(), Arg::reg(address), Arg::reg(bytes), Arg::word(first)},
            {{Modifier::o, is_point ? 1 : 0}}});
      result = Source::of(load_word_at(origin, Arg::address(address, 0), true));
    }
  }
  for (size_t i = 0; i < origin.parameters.size(); ++i) {
    if (!reaches(i) || is_generic(i)) continue;
    const Predicate is_this =
        compare_words(index, IntegerCompare::eq, Source::immediate(origin.parameters[i].reg - base));
    const MachineValue value =
        load_word_at(origin, Arg::word(static_cast<int32_t>(origin.places[i][component])), false);
    result = Source::of(emit_select(is_this, Source::of(value), result));
  }
  return assembler_.reg(result);
}

// ---- vertices

/// The number of this primitive's first vertex among those of the batch: 8 bits times 8 bits.
MachineValue Primitives::first_vertex() {
  return assembler_.once(kFirstVertexKey, [&] {
    const Source info = Source::of(special_register(kInvocationInfo));
    // The other bits are not specified.
    const auto field = [&](uint32_t at) {
      return emit_source(
          {Opcode::bfe, {Arg(), info, Source::immediate(kInfoFieldBits << 8 | at)}, {kUnsigned}});
    };
    const Source primitive = field(kBatchPrimitiveAt), count = field(kVertexCountAt);
    return emit_word({Opcode::xmad, {Arg(), primitive, count, Source::immediate(0)}});
  });
}

/// What ALD takes for a vertex of the primitive.
MachineValue Primitives::vertex_handle(Value vertex) {
  return assembler_.once(kHandleKey | key_of(vertex), [&] {
    MachineValue number = first_vertex();
    if (!module_.is_constant(vertex, 0)) number = emit_integer_sum(Source::of(number), word(vertex));
    return emit_word({Opcode::isberd, {Arg(), Arg::address(number, 0)}});
  });
}

/// The lane that has made an output control point. Fork and join phases run in the lane of point 0.
MachineValue Primitives::control_point_lane(Value point) {
  const MachineValue first = special_register(kLaneId);
  if (module_.is_constant(point, 0)) return first;
  return assembler_.once(kLaneKey | key_of(point),
                         [&] { return emit_integer_sum(Source::of(first), word(point)); });
}

void Primitives::select_value(const ir::Instruction& instruction, SystemValue value) {
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
      return define(result,
                    phases_.instance() == kNone ? Source::immediate(0) : Source::of(phases_.instance()));
    case SystemValue::primitive_register:
      return define(result, assembler_.once(kAttributeKey | graphics::kPrimitiveId, [&] {
        return load_word_at({}, Arg::word(static_cast<int32_t>(graphics::kPrimitiveId)), false);
      }));
    default: return refuse(instruction, "this system value");
  }
}

/// u and v are what the tessellator left as outputs of this thread. The third coordinate of a triangle is
/// exact: the others are multiples of 2^-16 (D3D11.3 11.7.14).
Source Primitives::domain_point(uint32_t component) {
  if (component > 2 || (component == 2 && module_.tessellator_domain != kTriangleDomain))
    return Source::immediate(0);
  const uint64_t key = kAttributeKey | graphics::kDomainPoint;
  MachineValue u = assembler_.recall(key), v = assembler_.recall(key | 4);
  if (u == kNone) {
    u = assembler_.general(), v = assembler_.general();
    emit({Opcode::ald,
          {Arg::regs({u, v}), Arg::word(static_cast<int32_t>(graphics::kDomainPoint)),
           Arg::reg(special_register(kLaneId))},
          {{Modifier::attribute_size, AttributeSize::b64}, {Modifier::o, 1}}});
    assembler_.remember(key, u);
    assembler_.remember(key | 4, v);
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
void Primitives::select_emission(const ir::Instruction& instruction) {
  const uint32_t stream = instruction.payload;
  const bool strips = module_.output_topology != kPointList && stream == 0;
  if (instruction.op == Op::cut && !strips) return;
  MachineValue& handle = variables_.find(Variable::kHandlePayload)->value;
  Emit how = Emit::cut;
  if (instruction.op == Op::emit) {
    attributes_.store(module_.outputs, options_.graphics->outputs, stream, {false, handle});
    const uint32_t next = index_of(instruction) + 1;
    const bool cuts = strips && next < module_.code.size() && module_.code[next].op == Op::cut &&
                      module_.code[next].payload == stream;
    if (cuts) values_.skip(module_.code[next]);
    how = cuts ? Emit::emit_then_cut : Emit::emit;
  }
  const MachineValue after = assembler_.general();
  machine::Instruction& code = emit(
      {Opcode::out, {Arg::reg(after), Arg::reg(handle), Source::immediate(stream)}, {{Modifier::emit, how}}});
  code.effect = machine::Effect::write;
  code.space = kAttributeSpace;
  handle = after;
}

/// The hardware takes the last handle from R0.
void Primitives::exit_geometry() {
  assembler_.builder().exit(std::array{variables_.find(Variable::kHandlePayload)->value});
}

}  // namespace texlate::maxwell::select
