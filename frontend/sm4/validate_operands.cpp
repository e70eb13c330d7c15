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
    {RegisterFile::temp, RegisterFile::output, RegisterFile::indexable_temp, RegisterFile::null,
     RegisterFile::output_depth, RegisterFile::output_coverage_mask, RegisterFile::output_depth_greater_equal,
     RegisterFile::output_depth_less_equal, RegisterFile::output_stencil_ref, RegisterFile::function_output});

// Everything that holds values, for reading. o# is readable by no document, but fxc reads it back in hull
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

/// The register files that an operand position takes, and what to call them.
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

/// What is wrong with the way an operand selects components; empty: nothing.
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
    default: return {};
  }
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

void Validator::check_controls(const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  if (instruction.saturate() && !opcode.has(kSaturate) && !opcode.has(kSync)) {
    error(instruction, "{} cannot saturate", opcode.mnemonic);
  }
  if (instruction.has_offset && !opcode.has(kOffset))
    error(instruction, "{} takes no immediate offset", opcode.mnemonic);
  if (instruction.has_dimension && !opcode.has(kTexture)) {
    error(instruction, "{} takes no resource dimension", opcode.mnemonic);
  }
  for (int8_t offset : instruction.offset) {
    if (offset < -8 || offset > 7) error(instruction, "offset {} is outside -8..7", int{offset});
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
    check_shape(instruction, i, operand);
    if (!is_declared_temp(operand)) check_register(instruction, operand);
  }
}

// Most operands are.
bool Validator::is_declared_temp(const Operand& operand) const {
  const OperandIndex& index = operand.index[0];
  return operand.file == RegisterFile::temp && operand.index_count == 1 && index.relative == kNoOperand &&
         index.immediate < temps_;
}

void Validator::check_shape(const Instruction& instruction, uint32_t i, const Operand& operand) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  const OperandShape shape = opcode.shapes[i];
  const ShapeRule* rule = kRuleOf[place_of(shape)];
  // A status or a LOD clamp that is not wanted is `null` (facts/d3d.md 1.2).
  const bool unused =
      operand.file == RegisterFile::null && (opcode.has(kFeedback) || opcode.is_destination(i));
  if (rule != nullptr && !unused && (rule->allowed >> static_cast<uint32_t>(operand.file) & 1) == 0) {
    return error(instruction, "operand {} of {} must be {}, found {}", i + 1, opcode.mnemonic, rule->what,
                 spelled(operand));
  }
  if (const std::string_view wrong = wrong_selection(shape, operand); !wrong.empty()) {
    error(instruction, "operand {} of {} has {}", i + 1, opcode.mnemonic, wrong);
  } else if (shape == OperandShape::uav_store || shape == OperandShape::memory_store) {
    check_store_mask(instruction, operand);
  }
  const bool absolute = (static_cast<uint32_t>(operand.modifier) & 2) != 0;
  if (!absolute) return;
  const bool integer = opcode.types[i] == OperandType::signed_ || opcode.types[i] == OperandType::unsigned_;
  const bool float_result = instruction.opcode == Opcode::f16tof32;  // its modifiers act on the float
  if (integer && !float_result)
    error(instruction, "operand {} of {} is an integer and has no absolute value", i + 1, opcode.mnemonic);
}

// D3D11.3 functional specification 22.4: typed stores write everything, the others x, xy, xyz or xyzw.
void Validator::check_store_mask(const Instruction& instruction, const Operand& operand) {
  const uint32_t mask = operand.component_count == ComponentCount::four ? operand.components : 0;
  if (instruction.opcode == Opcode::store_uav_typed) {
    if (mask != kFullMask) error(instruction, "store_uav_typed writes all four components");
  } else if (mask != 1 && mask != 3 && mask != 7 && mask != 15) {
    error(instruction, "{} writes x, xy, xyz or xyzw", name_of(instruction));
  }
}

void Validator::check_indices(const Instruction& instruction, const Operand& operand) {
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    if (operand.index[i].relative == kNoOperand) continue;
    const Operand& relative = program_.operands[operand.index[i].relative];
    if ((kReadable >> static_cast<uint32_t>(relative.file) & 1) == 0) {
      error(instruction, "{} cannot be an index", spelled(relative));
    } else {
      check_register(instruction, relative);
    }
  }
}

void Validator::check_register(const Instruction& instruction, const Operand& operand) {
  if (operand.is_immediate() || operand.file == RegisterFile::null) return;
  check_indices(instruction, operand);
  if (info(operand.file).indices == IndexSpelling::kSuffix && operand.index_count == 0) {
    return error(instruction, "{} lacks a register number", info(operand.file).spelling);
  }
  const OperandIndex& first = operand.index[0];
  switch (operand.file) {
    case RegisterFile::temp:
      if (first.relative != kNoOperand) return error(instruction, "r# cannot be indexed");
      if (first.immediate >= temps_) {
        if (!temps_declared_) return error(instruction, "r{} without dcl_temps", first.immediate);
        error(instruction, "r{} is beyond dcl_temps {}", first.immediate, temps_);
      }
      return;
    case RegisterFile::input:
      if (in_hull_phase_) return;  // a hull shader's phases take their inputs from one another's declarations
      return check_io(instruction, operand, inputs_);
    case RegisterFile::output: return check_io(instruction, operand, outputs_);
    case RegisterFile::input_patch_constant: return check_io(instruction, operand, patch_constants_);
    case RegisterFile::input_control_point: return check_io(instruction, operand, control_point_inputs_);
    case RegisterFile::output_control_point: return check_io(instruction, operand, control_point_outputs_);
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
      // A class's resources are not declared: they come with the instance (7.19).
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
    default:  // vThreadID and its like, declared by name
      if (!scalars_.test(static_cast<size_t>(operand.file)))
        error(instruction, "{} is not declared", spelled(operand));
  }
}

void Validator::check_io(const Instruction& instruction, const Operand& operand,
                         const std::bitset<kMaxIo>& declared) {
  if (operand.index_count == 0) return error(instruction, "{} lacks a register number", spelled(operand));
  const OperandIndex& index = operand.index[operand.index_count - 1u];
  if (index.relative != kNoOperand) return;  // inside its dcl_indexrange or undefined
  if (index.immediate >= kMaxIo || !declared.test(index.immediate)) {
    error(instruction, "{} is not declared", spelled(operand));
  }
}

void Validator::check_sized(const Instruction& instruction, const Operand& operand,
                            const DeclarationTable<DeclaredSize>& declared, uint32_t element_index,
                            std::string_view declaration) {
  if (operand.index_count != element_index + 1) {
    return error(instruction, "{} takes {} indices, found {}", info(operand.file).spelling, element_index + 1,
                 uint32_t{operand.index_count});
  }
  const uint32_t id = operand.index[0].immediate;
  const DeclaredSize* at = declared.find(id);
  if (at == nullptr) return error(instruction, "{}{} is not declared", info(operand.file).spelling, id);
  if (sm51() && element_index == 2 && operand.index[1].relative == kNoOperand &&
      (operand.index[1].immediate < at->range.lower_bound ||
       operand.index[1].immediate > at->range.upper_bound)) {
    error(instruction, "{} is outside the range of its declaration", spelled(operand));
  }
  const OperandIndex& element = operand.index[element_index];
  if (element.relative == kNoOperand && at->size != 0 && element.immediate >= at->size) {
    error(instruction, "{} is beyond the {} rows of its {}", spelled(operand), at->size, declaration);
  }
}

}  // namespace texlate::sm4
