#include <fmt/format.h>

#include <array>

#include "frontend/sm4/validator.h"

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

// All files that hold values, for reading. No document makes o# readable, but fxc reads it back in hull
// shaders.
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
                                      RegisterFile::inner_coverage,
                                      RegisterFile::output});

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

/// The form of most operands: a temporary with a mask to write or a swizzle to read, without an absolute
/// value. Such operands need no further checks.
bool is_plain(OperandShape shape, const Operand& operand) {
  if (operand.component_count != ComponentCount::four || (static_cast<uint32_t>(operand.modifier) & 2) != 0)
    return false;
  const bool is_mask = operand.selection == Selection::mask;
  if (shape == OperandShape::destination) return is_mask && operand.components != 0;
  return (shape == OperandShape::source || shape == OperandShape::scalar) && !is_mask;
}

/// True if the operand may be `null`: one of several destinations (including a status), or the LOD clamp
/// (D3D11.3 functional specification 22.11, imul, udiv; 5.9.4, residency).
bool may_be_null(const OpcodeInfo& opcode, uint32_t i) {
  if (opcode.is_destination(i)) return opcode.is_destination(i == 0 ? 1 : 0);
  return opcode.has(kLodClamp) && i + 1u == opcode.operand_count;
}

}  // namespace

std::string Validator::spelled(const Operand& operand) const {
  std::string text(info(operand.file).spelling);
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    const bool bare = i == 0 && info(operand.file).indices == IndexSpelling::kSuffix &&
                      operand.index[0].relative == kNoOperand;
    const std::string number =
        operand.index[i].relative == kNoOperand ? fmt::format("{}", operand.index[i].immediate) : "...";
    text += bare ? number : "[" + number + "]";
  }
  return text;
}

SourceLocation Validator::error_place(const Instruction& at) const {
  return operand_ == nullptr ? at.location : program_.place_of(at, *operand_);
}

void Validator::note_declaration(const Operand& operand) {
  const uint32_t id = operand.index[0].immediate;
  for (const Instruction& dcl : program_.instructions) {
    const OpcodeInfo& opcode = info(dcl.opcode);
    if (!opcode.has(kDeclaration)) continue;
    bool found = dcl.opcode == Opcode::dcl_temps && operand.file == RegisterFile::temp;
    if (dcl.opcode == Opcode::dcl_indexable_temp && operand.file == RegisterFile::indexable_temp)
      found = dcl.word_count != 0 && program_.words_of(dcl)[0] == id;
    if (dcl.operand_count != 0) {
      const Operand& declared = program_.operands_of(dcl)[0];
      found = found || (declared.file == operand.file && declared.index[0].immediate == id);
    }
    if (!found) continue;
    const auto& list = diagnostics_.list();
    if (!list.empty() && list.back().location == dcl.location) return;  // already reported
    diagnostics_.note(dcl.location, "declared here");
    return;
  }
}

void Validator::check_controls(const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  if (instruction.saturate() && !opcode.has(kSaturate) && !opcode.has(kSync)) {
    error(instruction, "{} cannot saturate", opcode.mnemonic);
  }
  if (instruction.has_offset && !opcode.has(kOffset))
    error(instruction, "{} does not allow an immediate offset", opcode.mnemonic);
  if (instruction.has_dimension && !opcode.has(kTexture)) {
    error(instruction, "{} does not allow a resource dimension", opcode.mnemonic);
  }
  for (const int8_t texels : instruction.offset) {
    if (texels < -8 || texels > 7) error(instruction, "offset {} is outside -8..7", int{texels});
  }
  // D3D11.3 functional specification 22.17, sync: only compute shaders have thread groups.
  const bool needs_group = opcode.has(kSync) && (instruction.controls & kSyncOfGroup) != 0;
  if (needs_group && program_.version.stage != Stage::compute) {
    error(instruction, "a {} program has no thread group: sync allows only _uglobal",
          spell(kStageNames, static_cast<uint32_t>(program_.version.stage)));
  } else if (opcode.has(kSync) && program_.version.stage != Stage::compute && program_.version.model() < 50) {
    // It orders accesses to u#, which every stage has from 5.0 on, and only compute shaders in 4.0.
    error(instruction, "{} in a {} program needs shader model 5.0, but the program is {}.{}", opcode.mnemonic,
          spell(kStageNames, static_cast<uint32_t>(program_.version.stage)), uint32_t{program_.version.major},
          uint32_t{program_.version.minor});
  }
}

void Validator::check_operands(const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  const auto operands = program_.operands_of(instruction);
  if (operands.size() != opcode.operand_count) {
    return error(instruction, "{} takes {} operands, found {}", opcode.mnemonic,
                 uint32_t{opcode.operand_count}, operands.size());
  }
  for (uint32_t i = 0; i < operands.size(); ++i) {
    const Operand& operand = operands[i];
    const bool is_temp = is_declared_temp(operand);
    if (is_temp && is_plain(opcode.shapes[i], operand)) continue;
    operand_ = &operand;
    check_shape(instruction, i, operand);
    if (!is_temp) check_register(instruction, operand);
  }
  operand_ = nullptr;
}

// The most common case.
bool Validator::is_declared_temp(const Operand& operand) const {
  const OperandIndex& index = operand.index[0];
  return operand.file == RegisterFile::temp && operand.index_count == 1 && index.relative == kNoOperand &&
         index.immediate < temps_;
}

void Validator::check_shape(const Instruction& instruction, uint32_t i, const Operand& operand) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  const OperandShape shape = opcode.shapes[i];
  const ShapeRule* rule = kRuleOf[place_of(shape)];
  const bool unused = operand.file == RegisterFile::null && may_be_null(opcode, i);
  if (rule != nullptr && !unused && (rule->allowed >> static_cast<uint32_t>(operand.file) & 1) == 0) {
    return error(instruction, "operand {} of {} must be {}, found {}", i + 1, opcode.mnemonic, rule->what,
                 spelled(operand));
  }
  if (const std::string_view wrong = wrong_selection(shape, operand); !wrong.empty()) {
    error(instruction, "operand {} of {} has {}", i + 1, opcode.mnemonic, wrong);
  } else if (shape == OperandShape::uav_store || shape == OperandShape::memory_store) {
    check_store_mask(instruction, operand);
  }
  if (!unused) check_component_count(instruction, i, operand);
  const bool absolute = (static_cast<uint32_t>(operand.modifier) & 2) != 0;
  if (!absolute) return;
  const bool integer = opcode.types[i] == OperandType::signed_ || opcode.types[i] == OperandType::unsigned_;
  const bool float_result = instruction.opcode == Opcode::f16tof32;  // its modifiers apply to the float
  if (integer && !float_result)
    error(instruction, "operand {} of {} is an integer: it cannot have an absolute value", i + 1,
          opcode.mnemonic);
}

// The token format can express operands that text cannot and that have no meaning: r0 without components, or
// a vector register with one component.
void Validator::check_component_count(const Instruction& instruction, uint32_t i, const Operand& operand) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  if (operand.file == RegisterFile::immediate64 && opcode.types[i] != OperandType::double_) {
    if (opcode.types[i] != OperandType::untyped)
      return error(instruction, "operand {} of {} cannot be a double", i + 1, opcode.mnemonic);
    if (operand.modifier != OperandModifier::none)
      error(instruction, "operand {} of {} is the words of doubles: it cannot have a modifier", i + 1,
            opcode.mnemonic);
  }
  const bool is_vector = operand.is_immediate() || info(operand.file).default_count == ComponentCount::four;
  const bool wrong = operand.is_immediate() ? operand.component_count == ComponentCount::none
                     : is_vector            ? operand.component_count != ComponentCount::four
                                            : false;
  if (wrong)
    error(instruction, "operand {} of {} ({}) has no components", i + 1, opcode.mnemonic, spelled(operand));
}

IndexCount Validator::index_count_of(RegisterFile file) const {
  IndexCount count = kIndexCounts[static_cast<uint32_t>(file)];
  const bool has_vertices =
      program_.version.stage == Stage::geometry || program_.version.stage == Stage::hull;
  const bool is_range = sm51() && (kRanges >> static_cast<uint32_t>(file) & 1) != 0;
  if (is_range || (file == RegisterFile::input && has_vertices)) {
    ++count.least;
    ++count.most;
  }
  return count;
}

bool Validator::has_index_count(const Instruction& instruction, const Operand& operand) {
  const IndexCount allowed = index_count_of(operand.file);
  const uint32_t count = operand.index_count;
  if (count >= allowed.least && count <= allowed.most) return true;
  const std::string_view spelling = info(operand.file).spelling;
  if (count < allowed.least && info(operand.file).indices == IndexSpelling::kSuffix && count == 0) {
    error(instruction, "{} has no register number", spelling);
  } else {
    error(instruction, "{} takes {} {} in shader model {}.{}, found {}", spelling, allowed.most,
          allowed.most == 1 ? "index" : "indices", uint32_t{program_.version.major},
          uint32_t{program_.version.minor}, count);
  }
  return false;
}

// D3D11.3 functional specification 22.4: typed stores write all components, others x, xy, xyz or xyzw.
void Validator::check_store_mask(const Instruction& instruction, const Operand& operand) {
  const uint32_t mask = operand.component_count == ComponentCount::four ? operand.components : 0;
  if (instruction.opcode == Opcode::store_uav_typed) {
    if (mask != kFullMask) error(instruction, "store_uav_typed must write all four components");
  } else if (mask != 1 && mask != 3 && mask != 7 && mask != 15) {
    error(instruction, "{} must write x, xy, xyz or xyzw", name_of(instruction));
  }
}

void Validator::check_indices(const Instruction& instruction, const Operand& operand) {
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    if (operand.index[i].relative == kNoOperand) continue;
    const Operand& relative = program_.operands[operand.index[i].relative];
    operand_ = &relative;
    if ((kReadable >> static_cast<uint32_t>(relative.file) & 1) == 0) {
      error(instruction, "{} cannot be an index", spelled(relative));
    } else {
      check_register(instruction, relative);
    }
    operand_ = &operand;
  }
}

void Validator::check_register(const Instruction& instruction, const Operand& operand) {
  if (operand.is_immediate() || operand.file == RegisterFile::null) return;
  check_indices(instruction, operand);
  if (!has_index_count(instruction, operand)) return;
  const OperandIndex& first = operand.index[0];
  switch (operand.file) {
    case RegisterFile::temp:
      if (first.relative != kNoOperand) return error(instruction, "r# cannot be indexed");
      if (first.immediate >= temps_) {
        if (!temps_declared_) return error(instruction, "r{} without dcl_temps", first.immediate);
        error(instruction, "r{} is beyond dcl_temps {}", first.immediate, temps_);
        note_declaration(operand);
      }
      return;
    case RegisterFile::input:
      if (in_hull_phase_) return;  // the phases of a hull shader use each other's declarations of inputs
      return check_io(instruction, operand);
    case RegisterFile::output:
    case RegisterFile::input_patch_constant:
    case RegisterFile::input_control_point:
    case RegisterFile::output_control_point: return check_io(instruction, operand);
    case RegisterFile::indexable_temp:
      return check_sized(instruction, operand, indexable_temps_, 1, "dcl_indexableTemp");
    case RegisterFile::constant_buffer:
      return check_sized(instruction, operand, constant_buffers_, sm51() ? 2 : 1, "dcl_constantbuffer");
    case RegisterFile::immediate_constant_buffer:
      if (constant_rows_ == 0) return error(instruction, "icb without dcl_immediateConstantBuffer");
      if (first.relative == kNoOperand && first.immediate >= constant_rows_) {
        error(instruction, "icb[{}] is beyond its {} rows", first.immediate, constant_rows_);
      }
      return;
    case RegisterFile::sampler: return check_sampler(instruction, operand);
    case RegisterFile::thread_group_shared_memory: return check_shared_memory_use(instruction, operand);
    case RegisterFile::resource:
    case RegisterFile::unordered_access_view:
      // A class's resources are not declared: the instance provides them (7.19).
      if (has_interfaces_ && first.relative != kNoOperand) return;
      if (find_view(operand) == nullptr) error(instruction, "{} is not declared", spelled(operand));
      return;
    case RegisterFile::label:
    case RegisterFile::function_body:
    case RegisterFile::stream:
    case RegisterFile::rasterizer:
    case RegisterFile::interface_:
    case RegisterFile::this_pointer:
    case RegisterFile::function_input:
    case RegisterFile::function_output: return;
    default:  // vThreadID and similar, declared by name
      if (!scalars_.test(static_cast<size_t>(operand.file)))
        error(instruction, "{} is not declared", spelled(operand));
  }
}

void Validator::check_sized(const Instruction& instruction, const Operand& operand,
                            const DeclarationTable<DeclaredSize>& declared, uint32_t element_index,
                            std::string_view declaration) {
  const uint32_t id = operand.index[0].immediate;
  const DeclaredSize* at = declared.find(id);
  if (at == nullptr) return error(instruction, "{}{} is not declared", info(operand.file).spelling, id);
  if (sm51() && element_index == 2 && operand.index[1].relative == kNoOperand &&
      (operand.index[1].immediate < at->range.lower_bound ||
       operand.index[1].immediate > at->range.upper_bound)) {
    error(instruction, "{} is outside the range of its declaration", spelled(operand));
    note_declaration(operand);
  }
  const OperandIndex& element = operand.index[element_index];
  if (element.relative == kNoOperand && at->size != 0 && element.immediate >= at->size) {
    error(instruction, "{} is beyond the {} rows of its {}", spelled(operand), at->size, declaration);
    note_declaration(operand);
  }
}

}  // namespace texlate::sm4
