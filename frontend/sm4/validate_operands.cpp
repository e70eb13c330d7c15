#include <fmt/format.h>

#include <array>

#include "frontend/sm4/validate_uses.h"

namespace texlate::sm4 {

namespace {

using FileMask = uint64_t;

constexpr FileMask files(std::initializer_list<RegisterFile> list) {
  FileMask mask = 0;
  for (RegisterFile file : list) mask |= FileMask{1} << static_cast<uint32_t>(file);
  return mask;
}

constexpr FileMask kWritable = files(
    {RegisterFile::temp, RegisterFile::output, RegisterFile::indexable_temp, RegisterFile::output_depth,
     RegisterFile::output_coverage_mask, RegisterFile::output_depth_greater_equal,
     RegisterFile::output_depth_less_equal, RegisterFile::output_stencil_ref, RegisterFile::function_output});

// All files that hold values, for reading. Outputs can only be written (D3D11.3 functional specification, the
// tables of registers in chapters 9, 10, 12, 13 and 16).
constexpr FileMask kReadable = files({RegisterFile::temp,
                                      RegisterFile::input,
                                      RegisterFile::indexable_temp,
                                      RegisterFile::immediate32,
                                      RegisterFile::immediate64,
                                      RegisterFile::constant_buffer,
                                      RegisterFile::immediate_constant_buffer,
                                      RegisterFile::input_primitive_id,
                                      RegisterFile::function_input,
                                      RegisterFile::output_control_point_id,
                                      RegisterFile::input_fork_instance_id,
                                      RegisterFile::input_join_instance_id,
                                      RegisterFile::input_control_point,
                                      RegisterFile::output_control_point,
                                      RegisterFile::input_patch_constant,
                                      RegisterFile::input_domain_point,
                                      RegisterFile::this_pointer,
                                      RegisterFile::input_thread_id,
                                      RegisterFile::input_thread_group_id,
                                      RegisterFile::input_thread_id_in_group,
                                      RegisterFile::input_coverage_mask,
                                      RegisterFile::input_thread_id_in_group_flattened,
                                      RegisterFile::input_gs_instance_id,
                                      RegisterFile::cycle_counter,
                                      RegisterFile::inner_coverage});

constexpr RegisterFile kView = RegisterFile::resource;
constexpr RegisterFile kUav = RegisterFile::unordered_access_view;
constexpr RegisterFile kShared = RegisterFile::thread_group_shared_memory;

/// The register files that an operand position accepts, and their description in messages.
struct ShapeRule {
  OperandShape shape;
  FileMask allowed;
  std::string_view what;
};
constexpr ShapeRule kShapeRules[] = {
    {OperandShape::destination, kWritable, "a register that can be written"},
    {OperandShape::source, kReadable, "a value"},
    {OperandShape::scalar, kReadable, "a value"},
    {OperandShape::resource, files({kView}), "a resource t#"},
    {OperandShape::resource_or_uav, files({kView, kUav}), "a view t# or u#"},
    {OperandShape::memory, files({kView, kUav, kShared}), "t#, u# or g#"},
    {OperandShape::resource_or_rasterizer, files({kView, RegisterFile::rasterizer}), "t# or rasterizer"},
    {OperandShape::sampler, files({RegisterFile::sampler}), "a sampler s#"},
    {OperandShape::uav_store, files({kUav}), "a view u#"},
    {OperandShape::memory_store, files({kUav, kShared}), "u# or g#"},
    {OperandShape::atomic_target, files({kUav, kShared}), "u# or g#"},
    {OperandShape::counter, files({kUav}), "a view u#"},
    {OperandShape::label, files({RegisterFile::label, RegisterFile::function_body}), "a label l#"},
    {OperandShape::stream, files({RegisterFile::stream}), "a stream m#"},
    {OperandShape::interface_, files({RegisterFile::interface_}), "an interface fp#"},
    {OperandShape::input, files({RegisterFile::input}), "an input v#"},
};

/// Operand shapes are capital letters. This numbers them from 0 on.
constexpr uint32_t place_of(OperandShape shape) {
  return static_cast<uint32_t>(shape) - 'A';
}
constexpr uint32_t kShapeLimit = 26;

constexpr std::array<const ShapeRule*, kShapeLimit> kRuleOf = [] {
  std::array<const ShapeRule*, kShapeLimit> rules{};
  for (const ShapeRule& rule : kShapeRules) rules[place_of(rule.shape)] = &rule;
  return rules;
}();

/// The number of indices of a register; a file without a row has none. Before 5.1, views, samplers and
/// constant buffers lack the second index, that of ranges (D3D12 "Resource Binding", HLSL declarations).
struct IndexRule {
  RegisterFile file;
  IndexCount count;
};
constexpr IndexRule kIndexRules[] = {
    {RegisterFile::temp, {1, 1}},
    {RegisterFile::input, {1, 1}},  // v[vertex][#] if there are vertices
    {RegisterFile::output, {1, 1}},
    {RegisterFile::indexable_temp, {2, 2}},
    {RegisterFile::sampler, {1, 1}},
    {RegisterFile::resource, {1, 1}},
    {RegisterFile::unordered_access_view, {1, 1}},
    {RegisterFile::constant_buffer, {2, 2}},
    {RegisterFile::immediate_constant_buffer, {1, 1}},
    {RegisterFile::label, {1, 1}},
    {RegisterFile::stream, {1, 1}},
    {RegisterFile::function_body, {1, 1}},
    {RegisterFile::function_table, {1, 1}},
    {RegisterFile::interface_, {1, 3}},
    {RegisterFile::function_input, {1, 1}},
    {RegisterFile::function_output, {1, 1}},
    {RegisterFile::input_control_point, {2, 2}},
    {RegisterFile::output_control_point, {2, 2}},
    {RegisterFile::input_patch_constant, {1, 1}},
    {RegisterFile::this_pointer, {0, 3}},
    {RegisterFile::thread_group_shared_memory, {1, 1}},
};

constexpr std::array<IndexCount, kRegisterFileLimit> kIndexCounts = [] {
  std::array<IndexCount, kRegisterFileLimit> counts{};
  for (const IndexRule& rule : kIndexRules) counts[static_cast<uint32_t>(rule.file)] = rule.count;
  return counts;
}();

/// Files whose operands begin with a range in shader model 5.1.
constexpr FileMask kRanges = files({RegisterFile::sampler, RegisterFile::resource,
                                    RegisterFile::unordered_access_view, RegisterFile::constant_buffer});

/// Describes the error in an operand's component selection; empty if there is none.
std::string_view wrong_selection(OperandShape shape, const Operand& operand) {
  if (operand.component_count != ComponentCount::four) return {};
  switch (shape) {
    case OperandShape::destination:
      if (operand.selection != Selection::mask) return "a swizzle where a write mask belongs";
      return operand.components == 0 ? "an empty write mask" : std::string_view{};
    case OperandShape::source:
    case OperandShape::scalar:
      if (operand.selection == Selection::mask && !operand.is_immediate()) return "a mask on a source";
      return {};
    case OperandShape::resource:
    case OperandShape::resource_or_uav:
    case OperandShape::memory:
    case OperandShape::resource_or_rasterizer:
      if (operand.selection == Selection::mask && operand.components != kFullMask)
        return "a mask where a swizzle belongs";
      return {};
    default: return {};
  }
}

constexpr uint32_t kSyncOfGroup =
    controls::kSyncThreads | controls::kSyncGroupShared | controls::kSyncUavGroup;

/// A register with a mask to write or a swizzle to read, without a modifier that the position refuses.
bool has_plain_form(const Operand& operand, const PositionRule& position) {
  if (operand.component_count != ComponentCount::four ||
      (static_cast<uint32_t>(operand.modifier) & position.refused_modifiers) != 0)
    return false;
  const bool is_mask = operand.selection == Selection::mask;
  if (position.kind == PositionKind::value) return !is_mask;
  return position.kind == PositionKind::result && is_mask && operand.components != 0;
}

/// True if the operand may be `null`: one of several destinations (including a status), or the LOD clamp
/// (D3D11.3 functional specification 22.12, imul, udiv; 5.9.4.5, residency).
bool may_be_null(const OpcodeInfo& opcode, uint32_t i) {
  if (opcode.is_destination(i)) return opcode.is_destination(i == 0 ? 1 : 0);
  return opcode.has(kLodClamp) && i + 1u == opcode.operand_count;
}

void check_modifier(ValidationState& state, const Instruction& instruction, uint32_t i,
                    const Operand& operand) {
  const PositionRule& position = rule_of(instruction.opcode).positions[i];
  const uint32_t refused = static_cast<uint32_t>(operand.modifier) & position.refused_modifiers;
  if (refused == 0) return;
  if (position.kind != PositionKind::value)
    return state.error(instruction, "operand {} of {} cannot have a modifier", i + 1, name_of(instruction));
  if ((refused & static_cast<uint32_t>(OperandModifier::absolute)) != 0)
    return state.error(
        instruction, "operand {} of {} is {}: it cannot have an absolute value", i + 1, name_of(instruction),
        info(instruction.opcode).types[i] == OperandType::untyped ? "a condition" : "an integer");
  state.error(instruction, "operand {} of {} is unsigned: it cannot be negated", i + 1, name_of(instruction));
}

// The token format can express operands that text cannot and that have no meaning: r0 without components, or
// a vector register with one component.
void check_component_count(ValidationState& state, const Instruction& instruction, uint32_t i,
                           const Operand& operand) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  if (operand.file == RegisterFile::immediate64 && opcode.types[i] != OperandType::double_) {
    if (opcode.types[i] != OperandType::untyped)
      return state.error(instruction, "operand {} of {} cannot be a double", i + 1, opcode.mnemonic);
    if (operand.modifier != OperandModifier::none)
      state.error(instruction, "operand {} of {} is the words of doubles: it cannot have a modifier", i + 1,
                  opcode.mnemonic);
  }
  const bool is_vector = operand.is_immediate() || info(operand.file).default_count == ComponentCount::four;
  const bool wrong = operand.is_immediate() ? operand.component_count == ComponentCount::none
                     : is_vector            ? operand.component_count != ComponentCount::four
                                            : false;
  if (wrong)
    state.error(instruction, "operand {} of {} ({}) has no components", i + 1, opcode.mnemonic,
                spelled(operand));
}

// D3D11.3 functional specification 22.4: typed stores write all components, others x, xy, xyz or xyzw.
void check_store_mask(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const uint32_t mask = operand.component_count == ComponentCount::four ? operand.components : 0;
  if (instruction.opcode == Opcode::store_uav_typed) {
    if (mask != kFullMask) state.error(instruction, "store_uav_typed must write all four components");
  } else if (mask != 1 && mask != 3 && mask != 7 && mask != 15) {
    state.error(instruction, "{} must write x, xy, xyz or xyzw", name_of(instruction));
  }
}

void check_shape(ValidationState& state, const Instruction& instruction, uint32_t i, const Operand& operand) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  const OperandShape shape = opcode.shapes[i];
  const ShapeRule* rule = kRuleOf[place_of(shape)];
  const bool unused = operand.file == RegisterFile::null && may_be_null(opcode, i);
  if (rule != nullptr && !unused && (rule->allowed >> static_cast<uint32_t>(operand.file) & 1) == 0) {
    return state.error(instruction, "operand {} of {} must be {}, found {}", i + 1, opcode.mnemonic,
                       rule->what, spelled(operand));
  }
  if (const std::string_view wrong = wrong_selection(shape, operand); !wrong.empty()) {
    state.error(instruction, "operand {} of {} has {}", i + 1, opcode.mnemonic, wrong);
  } else if (shape == OperandShape::uav_store || shape == OperandShape::memory_store) {
    check_store_mask(state, instruction, operand);
  }
  if (unused) return;
  check_component_count(state, instruction, i, operand);
  check_modifier(state, instruction, i, operand);
}

// Not inlined: it would take registers from the loop over usual operands.
[[gnu::noinline]] void check_operand(ValidationState& state, const Instruction& instruction, uint32_t i,
                                     const Operand& operand) {
  const PositionRule& position = rule_of(instruction.opcode).positions[i];
  state.report.set_operand(&operand);
  // Inputs and other registers in their usual form only need their declaration.
  const bool is_plain = has_plain_form(operand, position) && !operand.is_immediate() &&
                        info(operand.file).default_count == ComponentCount::four;
  const FileMask allowed = position.kind == PositionKind::result ? kWritable : kReadable;
  if (!is_plain || (allowed >> static_cast<uint32_t>(operand.file) & 1) == 0)
    check_shape(state, instruction, i, operand);
  check_register(state, instruction, operand, position);
  state.report.set_operand(nullptr);
}

/// The most common operands: declared temporaries, literals and rows of constant buffers.
[[gnu::always_inline]] inline bool needs_no_check(const ValidationState& state, const Operand& operand,
                                                  const PositionRule& position) {
  if (operand.file == RegisterFile::temp) {
    const OperandIndex& index = operand.index[0];
    return operand.index_count == 1 && index.relative == kNoOperand && index.immediate < state.temps &&
           has_plain_form(operand, position);
  }
  if (operand.file == RegisterFile::immediate32) {
    return position.kind == PositionKind::value && operand.component_count != ComponentCount::none &&
           operand.modifier == OperandModifier::none;
  }
  if (operand.file != RegisterFile::constant_buffer || position.kind != PositionKind::value) return false;
  const OperandIndex& slot = operand.index[0];
  const OperandIndex& row = operand.index[1];
  return operand.index_count == 2 && slot.relative == kNoOperand && row.relative == kNoOperand &&
         slot.immediate < ValidationState::kQuickBuffers &&
         row.immediate < state.quick_rows[slot.immediate] && has_plain_form(operand, position);
}

}  // namespace

bool is_readable(RegisterFile file) {
  return (kReadable >> static_cast<uint32_t>(file) & 1) != 0;
}

IndexCount index_count_of(const ProgramVersion& version, RegisterFile file) {
  IndexCount count = kIndexCounts[static_cast<uint32_t>(file)];
  const bool has_vertices = version.stage == Stage::geometry || version.stage == Stage::hull;
  const bool is_range = version.model() >= 51 && (kRanges >> static_cast<uint32_t>(file) & 1) != 0;
  if (is_range || (file == RegisterFile::input && has_vertices)) {
    ++count.least;
    ++count.most;
  }
  return count;
}

void check_controls(ValidationState& state, const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  if (instruction.saturate() && !opcode.has(kSaturate) && !opcode.has(kSync)) {
    state.error(instruction, "{} cannot saturate", opcode.mnemonic);
  }
  if (instruction.has_offset && !opcode.has(kOffset))
    state.error(instruction, "{} does not allow an immediate offset", opcode.mnemonic);
  if (instruction.has_dimension && !opcode.has(kTexture)) {
    state.error(instruction, "{} does not allow a resource dimension", opcode.mnemonic);
  }
  for (const int8_t texels : instruction.offset) {
    if (texels < -8 || texels > 7) state.error(instruction, "offset {} is outside -8..7", int{texels});
  }
  // D3D11.3 functional specification 22.17.7, sync: only compute shaders have thread groups.
  const bool needs_group = opcode.has(kSync) && (instruction.controls & kSyncOfGroup) != 0;
  if (needs_group && state.program.version.stage != Stage::compute) {
    state.error(instruction, "a {} program has no thread group: sync allows only _uglobal",
                state.stage_name());
  } else if (opcode.has(kSync) && state.program.version.stage != Stage::compute &&
             state.program.version.model() < 50) {
    // It orders accesses to u#, which every stage has from 5.0 on, and only compute shaders in 4.0.
    state.error(instruction, "{} in a {} program needs shader model 5.0, but the program is {}.{}",
                opcode.mnemonic, state.stage_name(), uint32_t{state.program.version.major},
                uint32_t{state.program.version.minor});
  }
}

void check_operands(ValidationState& state, const Instruction& instruction) {
  const OpcodeRule& rule = rule_of(instruction.opcode);
  const uint32_t count = instruction.operand_count;
  if (count != rule.operand_count) {
    return state.error(instruction, "{} takes {} operands, found {}", name_of(instruction),
                       uint32_t{rule.operand_count}, count);
  }
  const Operand* const operands = state.program.operands.data() + instruction.first_operand;
  for (uint32_t i = 0; i < count; ++i) {
    if (!needs_no_check(state, operands[i], rule.positions[i]))
      check_operand(state, instruction, i, operands[i]);
  }
}

}  // namespace texlate::sm4
