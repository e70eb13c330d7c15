// validate(): uses of registers against their declarations.
#include <algorithm>
#include <bit>

#include "frontend/sm4/validator.h"
#include "ir/base/direct3d_limits.h"

namespace texlate::sm4 {

namespace {

/// g# have no typed form: their atomics take a byte offset, or an index and a byte offset.
constexpr ResourceDimension dimension_of_shared(bool structured) {
  return structured ? ResourceDimension::structured_buffer : ResourceDimension::raw_buffer;
}

/// `(mask of results) -> lanes` for operands of doubles: a double takes two components.
uint32_t pairs(uint32_t results) {
  const uint32_t count = static_cast<uint32_t>(std::popcount(results));
  return (1u << std::min(2 * count, 4u)) - 1;
}
uint32_t halves(uint32_t results) {
  const uint32_t count = static_cast<uint32_t>(std::popcount(results));
  return (1u << (count / 2)) - 1;
}

}  // namespace

void Validator::check_indices(const Instruction& instruction, const Operand& operand) {
  constexpr PositionRule kIndex{PositionKind::value, 0, Lanes::x};
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    if (operand.index[i].relative == kNoOperand) continue;
    const Operand& relative = program_.operands[operand.index[i].relative];
    report_.set_operand(&relative);
    if (!is_readable(relative.file)) {
      error(instruction, "{} cannot be an index", spelled(relative));
    } else {
      check_register(instruction, relative, kIndex);
    }
    report_.set_operand(&operand);
  }
}

void Validator::check_register(const Instruction& instruction, const Operand& operand,
                               const PositionRule& position) {
  if (operand.is_immediate() || operand.file == RegisterFile::null) return;
  check_indices(instruction, operand);
  if (!has_index_count(instruction, operand)) return;
  switch (operand.file) {
    case RegisterFile::temp: return check_temporary(instruction, operand);
    case RegisterFile::input:
      if (in_hull_phase_) return;  // the phases of a hull shader use each other's declarations of inputs
      return check_io(instruction, operand, position);
    case RegisterFile::output:
    case RegisterFile::input_patch_constant:
    case RegisterFile::input_control_point:
    case RegisterFile::output_control_point: return check_io(instruction, operand, position);
    case RegisterFile::indexable_temp: return check_indexable_temp(instruction, operand, position);
    case RegisterFile::constant_buffer: return check_constant_buffer(instruction, operand);
    case RegisterFile::immediate_constant_buffer: {
      if (constant_rows_ == 0) return error(instruction, "icb without dcl_immediateConstantBuffer");
      const OperandIndex& row = operand.index[0];
      if (row.relative == kNoOperand && row.immediate >= constant_rows_)
        error(instruction, "icb[{}] is beyond its {} rows", row.immediate, constant_rows_);
      return;
    }
    case RegisterFile::sampler: return check_sampler(instruction, operand);
    case RegisterFile::thread_group_shared_memory: return check_shared_memory_use(instruction, operand);
    case RegisterFile::resource:
    case RegisterFile::unordered_access_view: return check_view(instruction, operand);
    case RegisterFile::interface_: return check_interface(instruction, operand);
    case RegisterFile::stream: return check_stream(instruction, operand);
    case RegisterFile::this_pointer:
      if (!has_interfaces_) error(instruction, "this[] without dcl_interface");
      return;
    case RegisterFile::label:
    case RegisterFile::function_body:
    case RegisterFile::rasterizer:
    case RegisterFile::function_input:
    case RegisterFile::function_output: return;
    default: return check_named(instruction, operand, position);
  }
}

void Validator::check_temporary(const Instruction& instruction, const Operand& operand) {
  const OperandIndex& index = operand.index[0];
  if (index.relative != kNoOperand) return error(instruction, "r# cannot be indexed");
  if (index.immediate < temps_) return;
  // Direct3D's drivers have all 4096 registers, whatever the program declares.
  if (program_.lenient && index.immediate < kMaxTemps) {
    if (!warned_of_temporaries_)
      report_.warning(instruction, "r{} is beyond dcl_temps {}: it is added", index.immediate, temps_);
    warned_of_temporaries_ = true;
    return;
  }
  if (!temps_declared_) return error(instruction, "r{} without dcl_temps", index.immediate);
  error(instruction, "r{} is beyond dcl_temps {}", index.immediate, temps_);
  report_.note_declaration(operand);
}

void Validator::check_row(const Instruction& instruction, const Operand& operand,
                          const DeclaredSize& declared, uint32_t element_index,
                          std::string_view declaration) {
  const OperandIndex& element = operand.index[element_index];
  if (element.relative != kNoOperand || declared.size == 0 || element.immediate < declared.size) return;
  error(instruction, "{} is beyond the {} rows of its {}", spelled(operand), declared.size, declaration);
  report_.note_declaration(operand);
}

void Validator::check_constant_buffer(const Instruction& instruction, const Operand& operand) {
  const OperandIndex& number = operand.index[0];
  DeclaredSize* const declared = constant_buffers_.find_for_change(number.immediate);
  // A class's constant buffers are not declared: the instance provides them (7.19).
  if (number.relative != kNoOperand) {
    if (!has_interfaces_) error(instruction, "cb# cannot have a computed number");
    return;
  }
  if (declared == nullptr) return error(instruction, "{} is not declared", spelled_number(operand));
  const uint32_t element = sm51() ? 2 : 1;
  if (sm51() && operand.index[1].relative == kNoOperand &&
      (operand.index[1].immediate < declared->range.lower_bound ||
       operand.index[1].immediate > declared->range.upper_bound)) {
    error(instruction, "{} is outside the range of its declaration", spelled(operand));
    report_.note_declaration(operand);
  }
  const OperandIndex& row = operand.index[element];
  const bool is_beyond = row.relative == kNoOperand && declared->size != 0 && row.immediate >= declared->size;
  if (!is_beyond || !program_.lenient || row.immediate >= kMaxBufferRows)
    return check_row(instruction, operand, *declared, element, "dcl_constantbuffer");
  // Reads are limited by the buffer that is bound, not by the declaration.
  report_.warning(instruction,
                  "{} is beyond the {} rows of its dcl_constantbuffer: it reads what the buffer has",
                  spelled(operand), declared->size);
  declared->size = 0;  // unknown from here on: one warning for a buffer
}

void Validator::check_indexable_temp(const Instruction& instruction, const Operand& operand,
                                     const PositionRule& position) {
  const OperandIndex& number = operand.index[0];
  if (number.relative != kNoOperand) return error(instruction, "x# cannot have a computed number");
  const DeclaredSize* declared = indexable_temps_.find(number.immediate);
  if (declared == nullptr) return error(instruction, "{} is not declared", spelled_number(operand));
  check_row(instruction, operand, *declared, 1, "dcl_indexableTemp");
  check_components(instruction, operand, position, declared->components);
}

/// vThreadID and similar, declared by name.
void Validator::check_named(const Instruction& instruction, const Operand& operand,
                            const PositionRule& position) {
  const uint32_t declared = scalars_[static_cast<size_t>(operand.file)];
  if (declared == 0) return error(instruction, "{} is not declared", spelled(operand));
  check_components(instruction, operand, position, declared);
}

/// The array that has the number: fp4[2] and fp5[1] are the same interface (D3D11.3 functional specification
/// 22.7.19).
const DeclaredFunctions* Validator::find_interface(uint32_t number) const {
  if (const DeclaredFunctions* declared = interfaces_.find(number)) return declared;
  for (const DeclaredFunctions& declared : interfaces_.all()) {
    if (number - declared.id < declared.length) return &declared;
  }
  return nullptr;
}

/// D3D11.3 functional specification 22.7.19
void Validator::check_interface(const Instruction& instruction, const Operand& operand) {
  const OperandIndex& number = operand.index[0];
  const DeclaredFunctions* declared = find_interface(number.immediate);
  if (declared == nullptr || number.relative != kNoOperand)
    return error(instruction, "{} is not declared", spelled_number(operand));
  if (operand.index_count < 2) return error(instruction, "{} has no array index", spelled(operand));
  const OperandIndex& index = operand.index[1];
  if (index.relative == kNoOperand && index.immediate >= declared->length - (number.immediate - declared->id))
    error(instruction, "{} is beyond the {} interfaces of its declaration", spelled(operand),
          declared->length);
  const auto words = program_.words_of(instruction);
  if (info(instruction.opcode).has(kCallSite) && !words.empty() && words[0] >= declared->call_sites)
    error(instruction, "call site {} of {}, which has {}", words[0], spelled_number(operand),
          declared->call_sites);
}

/// D3D11.3 functional specification 22.8: a stream is declared; without any declaration there is m0.
void Validator::check_stream(const Instruction& instruction, const Operand& operand) {
  const OperandIndex& number = operand.index[0];
  const uint32_t declared = streams_ == 0 ? 1 : streams_;
  if (number.relative != kNoOperand || number.immediate >= 32 || (declared >> number.immediate & 1) == 0)
    error(instruction, "{} is not declared", spelled(operand));
}

uint32_t Validator::result_lanes(const Instruction& instruction) const {
  const OpcodeInfo& opcode = info(instruction.opcode);
  uint32_t lanes = 0;
  const auto operands = program_.operands_of(instruction);
  for (uint32_t i = 0; i < operands.size() && opcode.is_destination(i); ++i) {
    if (operands[i].file != RegisterFile::null) lanes |= operands[i].write_mask();
  }
  return lanes;
}

ResourceDimension Validator::dimension_of_view(const Instruction& instruction) const {
  for (const Operand& operand : program_.operands_of(instruction)) {
    if (operand.file == RegisterFile::thread_group_shared_memory) {
      const DeclaredSize* declared = shared_memory_.find(operand.index[0].immediate);
      return declared == nullptr ? ResourceDimension::unknown : dimension_of_shared(declared->structured);
    }
    if (operand.file != RegisterFile::resource && operand.file != RegisterFile::unordered_access_view)
      continue;
    const DeclaredView* view = find_view(operand);
    return view == nullptr ? ResourceDimension::unknown : view->dimension;
  }
  return ResourceDimension::unknown;
}

uint32_t Validator::lanes_read(const Instruction& instruction, Lanes lanes) const {
  switch (lanes) {
    case Lanes::none: return 0;
    case Lanes::results: return result_lanes(instruction);
    case Lanes::x: return 0x1;
    case Lanes::xy: return 0x3;
    case Lanes::xyz: return 0x7;
    case Lanes::xyzw: return 0xf;
    case Lanes::address: return lanes_of(dimension_of_view(instruction)).address;
    case Lanes::texel: {
      constexpr uint32_t kMip = 0x8;
      const ResourceDimension dimension = dimension_of_view(instruction);
      return lanes_of(dimension).address | (dimension == ResourceDimension::buffer ? 0 : kMip);
    }
    case Lanes::coordinates: return lanes_of(dimension_of_view(instruction)).coordinates;
    case Lanes::pair_of_result: return pairs(result_lanes(instruction));
    case Lanes::half_of_result: return halves(result_lanes(instruction));
  }
  return 0;
}

/// Only components of the declaration's mask may be used (D3D11.3 functional specification 22.3.10, 22.3.31).
void Validator::check_components(const Instruction& instruction, const Operand& operand,
                                 const PositionRule& position, uint32_t declared) {
  if (declared == kFullMask) return;
  const bool is_swizzle =
      operand.component_count == ComponentCount::four && operand.selection == Selection::swizzle;
  uint32_t used = 1;  // of a scalar register
  if (operand.component_count == ComponentCount::four) {
    used = operand.selection == Selection::select ? 1u << operand.components : operand.components;
    if (is_swizzle) used = components_read(operand.components, kFullMask);
  }
  if ((used & ~declared) == 0) return;
  // The swizzle also names components for lanes that are not read.
  if (is_swizzle) used = components_read(operand.components, lanes_read(instruction, position.lanes));
  const uint32_t undeclared = used & ~declared & kFullMask;
  if (undeclared == 0) return;
  error(instruction, "{}{} is not declared, only {}", spelled(operand), spelled_components(undeclared),
        spelled_components(declared));
  report_.note_declaration(operand);
}

}  // namespace texlate::sm4
