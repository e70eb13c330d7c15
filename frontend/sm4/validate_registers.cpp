// validate(): uses of registers against their declarations.
#include <algorithm>
#include <bit>

#include "frontend/sm4/validate_uses.h"
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

uint32_t result_lanes(const Program& program, const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  uint32_t lanes = 0;
  const auto operands = program.operands_of(instruction);
  for (uint32_t i = 0; i < operands.size() && opcode.is_destination(i); ++i) {
    if (operands[i].file != RegisterFile::null) lanes |= operands[i].write_mask();
  }
  return lanes;
}

ResourceDimension dimension_of_view(const ValidationState& state, const Instruction& instruction) {
  for (const Operand& operand : state.program.operands_of(instruction)) {
    if (operand.file == RegisterFile::thread_group_shared_memory) {
      const DeclaredSize* declared = state.shared_memory.find(operand.index[0].immediate);
      return declared == nullptr ? ResourceDimension::unknown : dimension_of_shared(declared->structured);
    }
    if (operand.file != RegisterFile::resource && operand.file != RegisterFile::unordered_access_view)
      continue;
    const DeclaredView* view = find_view(state, operand);
    return view == nullptr ? ResourceDimension::unknown : view->dimension;
  }
  return ResourceDimension::unknown;
}

uint32_t lanes_read(const ValidationState& state, const Instruction& instruction, Lanes lanes) {
  switch (lanes) {
    case Lanes::none: return 0;
    case Lanes::results: return result_lanes(state.program, instruction);
    case Lanes::x: return 0x1;
    case Lanes::xy: return 0x3;
    case Lanes::xyz: return 0x7;
    case Lanes::xyzw: return 0xf;
    case Lanes::address: return lanes_of(dimension_of_view(state, instruction)).address;
    case Lanes::texel: {
      constexpr uint32_t kMip = 0x8;
      const ResourceDimension dimension = dimension_of_view(state, instruction);
      return lanes_of(dimension).address | (dimension == ResourceDimension::buffer ? 0 : kMip);
    }
    case Lanes::coordinates: return lanes_of(dimension_of_view(state, instruction)).coordinates;
    case Lanes::pair_of_result: return pairs(result_lanes(state.program, instruction));
    case Lanes::half_of_result: return halves(result_lanes(state.program, instruction));
  }
  return 0;
}

/// Only components of the declaration's mask may be used (D3D11.3 functional specification 22.3.10, 22.3.31).
void check_components(ValidationState& state, const Instruction& instruction, const Operand& operand,
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
  if (is_swizzle) used = components_read(operand.components, lanes_read(state, instruction, position.lanes));
  const uint32_t undeclared = used & ~declared & kFullMask;
  if (undeclared == 0) return;
  state.error(instruction, "{}{} is not declared, only {}", spelled(operand), spelled_components(undeclared),
              spelled_components(declared));
  state.report.note_declaration(operand);
}

bool has_index_count(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const IndexCount allowed = index_count_of(state.program.version, operand.file);
  const uint32_t count = operand.index_count;
  if (count >= allowed.least && count <= allowed.most) return true;
  const std::string_view spelling = info(operand.file).spelling;
  if (count < allowed.least && info(operand.file).indices == IndexSpelling::kSuffix && count == 0) {
    state.error(instruction, "{} has no register number", spelling);
  } else {
    state.error(instruction, "{} takes {} {} in shader model {}.{}, found {}", spelling, allowed.most,
                allowed.most == 1 ? "index" : "indices", uint32_t{state.program.version.major},
                uint32_t{state.program.version.minor}, count);
  }
  return false;
}

void check_indices(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  constexpr PositionRule kIndex{PositionKind::value, 0, Lanes::x};
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    if (operand.index[i].relative == kNoOperand) continue;
    const Operand& relative = state.program.operands[operand.index[i].relative];
    state.report.set_operand(&relative);
    if (!is_readable(relative.file)) {
      state.error(instruction, "{} cannot be an index", spelled(relative));
    } else {
      check_register(state, instruction, relative, kIndex);
    }
    state.report.set_operand(&operand);
  }
}

void check_temporary(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const OperandIndex& index = operand.index[0];
  if (index.relative != kNoOperand) return state.error(instruction, "r# cannot be indexed");
  if (index.immediate < state.temps) return;
  // Direct3D's drivers have all 4096 registers, whatever the program declares.
  if (state.program.lenient && index.immediate < kMaxTemps) {
    if (!state.warned_of_temporaries)
      state.report.warning(instruction, "r{} is beyond dcl_temps {}: it is added", index.immediate,
                           state.temps);
    state.warned_of_temporaries = true;
    return;
  }
  if (!state.temps_declared) return state.error(instruction, "r{} without dcl_temps", index.immediate);
  state.error(instruction, "r{} is beyond dcl_temps {}", index.immediate, state.temps);
  state.report.note_declaration(operand);
}

void check_row(ValidationState& state, const Instruction& instruction, const Operand& operand,
               const DeclaredSize& declared, uint32_t element_index, std::string_view declaration) {
  const OperandIndex& element = operand.index[element_index];
  if (element.relative != kNoOperand || declared.size == 0 || element.immediate < declared.size) return;
  state.error(instruction, "{} is beyond the {} rows of its {}", spelled(operand), declared.size,
              declaration);
  state.report.note_declaration(operand);
}

void check_constant_buffer(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const OperandIndex& number = operand.index[0];
  DeclaredSize* const declared = state.constant_buffers.find_for_change(number.immediate);
  // A class's constant buffers are not declared: the instance provides them (7.19).
  if (number.relative != kNoOperand) {
    if (!state.has_interfaces) state.error(instruction, "cb# cannot have a computed number");
    return;
  }
  if (declared == nullptr) return state.error(instruction, "{} is not declared", spelled_number(operand));
  const uint32_t element = state.sm51() ? 2 : 1;
  if (state.sm51() && operand.index[1].relative == kNoOperand &&
      (operand.index[1].immediate < declared->range.lower_bound ||
       operand.index[1].immediate > declared->range.upper_bound)) {
    state.error(instruction, "{} is outside the range of its declaration", spelled(operand));
    state.report.note_declaration(operand);
  }
  const OperandIndex& row = operand.index[element];
  const bool is_beyond = row.relative == kNoOperand && declared->size != 0 && row.immediate >= declared->size;
  if (!is_beyond || !state.program.lenient || row.immediate >= kMaxBufferRows)
    return check_row(state, instruction, operand, *declared, element, "dcl_constantbuffer");
  // Reads are limited by the buffer that is bound, not by the declaration.
  state.report.warning(instruction,
                       "{} is beyond the {} rows of its dcl_constantbuffer: it reads what the buffer has",
                       spelled(operand), declared->size);
  declared->size = 0;  // unknown from here on: one warning for a buffer
}

void check_indexable_temp(ValidationState& state, const Instruction& instruction, const Operand& operand,
                          const PositionRule& position) {
  const OperandIndex& number = operand.index[0];
  if (number.relative != kNoOperand) return state.error(instruction, "x# cannot have a computed number");
  const DeclaredSize* declared = state.indexable_temps.find(number.immediate);
  if (declared == nullptr) return state.error(instruction, "{} is not declared", spelled_number(operand));
  check_row(state, instruction, operand, *declared, 1, "dcl_indexableTemp");
  check_components(state, instruction, operand, position, declared->components);
}

/// A use of an input or output. D3D11.3 functional specification 22.3.30: with a computed index, the number
/// must be in a dcl_indexrange. A computed vertex index needs no range.
void check_io(ValidationState& state, const Instruction& instruction, const Operand& operand,
              const PositionRule& position) {
  const DeclaredRegisters& declared = *state.registers(operand.file);
  const OperandIndex& index = operand.index[operand.index_count - 1u];
  const std::string_view file = info(operand.file).spelling;
  if (index.relative != kNoOperand) {
    if (!declared.has_range) {
      state.error(instruction, "{} is indexed without dcl_indexrange", file);
    } else if (index.immediate >= kMaxIo || (!state.in_hull_phase && declared.ranged[index.immediate] == 0)) {
      state.error(instruction, "{}[... + {}] is outside the dcl_indexrange of {}", file, index.immediate,
                  file);
    }
    return;
  }
  if (index.immediate >= kMaxIo || declared.components[index.immediate] == 0)
    return state.error(instruction, "{} is not declared", spelled(operand));
  check_components(state, instruction, operand, position, declared.components[index.immediate]);
  const OperandIndex& vertex = operand.index[0];
  if (operand.index_count == 2 && vertex.relative == kNoOperand && vertex.immediate >= declared.vertices) {
    state.error(instruction, "{} is beyond the {} vertices of its declaration", spelled(operand),
                declared.vertices);
    state.report.note_declaration(operand);
  }
}

/// vThreadID and similar, declared by name.
void check_named(ValidationState& state, const Instruction& instruction, const Operand& operand,
                 const PositionRule& position) {
  const uint32_t declared = state.scalars[static_cast<size_t>(operand.file)];
  if (declared == 0) return state.error(instruction, "{} is not declared", spelled(operand));
  check_components(state, instruction, operand, position, declared);
}

/// The array that has the number: fp4[2] and fp5[1] are the same interface (D3D11.3 functional specification
/// 22.7.19).
const DeclaredFunctions* find_interface(const ValidationState& state, uint32_t number) {
  if (const DeclaredFunctions* declared = state.interfaces.find(number)) return declared;
  for (const DeclaredFunctions& declared : state.interfaces.all()) {
    if (number - declared.id < declared.length) return &declared;
  }
  return nullptr;
}

/// D3D11.3 functional specification 22.7.19
void check_interface(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const OperandIndex& number = operand.index[0];
  const DeclaredFunctions* declared = find_interface(state, number.immediate);
  if (declared == nullptr || number.relative != kNoOperand)
    return state.error(instruction, "{} is not declared", spelled_number(operand));
  if (operand.index_count < 2) return state.error(instruction, "{} has no array index", spelled(operand));
  const OperandIndex& index = operand.index[1];
  if (index.relative == kNoOperand && index.immediate >= declared->length - (number.immediate - declared->id))
    state.error(instruction, "{} is beyond the {} interfaces of its declaration", spelled(operand),
                declared->length);
  const auto words = state.program.words_of(instruction);
  if (info(instruction.opcode).has(kCallSite) && !words.empty() && words[0] >= declared->call_sites)
    state.error(instruction, "call site {} of {}, which has {}", words[0], spelled_number(operand),
                declared->call_sites);
}

/// D3D11.3 functional specification 22.8: a stream is declared; without any declaration there is m0.
void check_stream(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const OperandIndex& number = operand.index[0];
  const uint32_t declared = state.streams == 0 ? 1 : state.streams;
  if (number.relative != kNoOperand || number.immediate >= 32 || (declared >> number.immediate & 1) == 0)
    state.error(instruction, "{} is not declared", spelled(operand));
}

}  // namespace

void check_register(ValidationState& state, const Instruction& instruction, const Operand& operand,
                    const PositionRule& position) {
  if (operand.is_immediate() || operand.file == RegisterFile::null) return;
  check_indices(state, instruction, operand);
  if (!has_index_count(state, instruction, operand)) return;
  switch (operand.file) {
    case RegisterFile::temp: return check_temporary(state, instruction, operand);
    case RegisterFile::input:
      if (state.in_hull_phase) return;  // the phases of a hull shader use each other's declarations of inputs
      return check_io(state, instruction, operand, position);
    case RegisterFile::output:
    case RegisterFile::input_patch_constant:
    case RegisterFile::input_control_point:
    case RegisterFile::output_control_point: return check_io(state, instruction, operand, position);
    case RegisterFile::indexable_temp: return check_indexable_temp(state, instruction, operand, position);
    case RegisterFile::constant_buffer: return check_constant_buffer(state, instruction, operand);
    case RegisterFile::immediate_constant_buffer: {
      if (state.constant_rows == 0)
        return state.error(instruction, "icb without dcl_immediateConstantBuffer");
      const OperandIndex& row = operand.index[0];
      if (row.relative == kNoOperand && row.immediate >= state.constant_rows)
        state.error(instruction, "icb[{}] is beyond its {} rows", row.immediate, state.constant_rows);
      return;
    }
    case RegisterFile::sampler: return check_sampler(state, instruction, operand);
    case RegisterFile::thread_group_shared_memory:
      return check_shared_memory_use(state, instruction, operand);
    case RegisterFile::resource:
    case RegisterFile::unordered_access_view: return check_view(state, instruction, operand);
    case RegisterFile::interface_: return check_interface(state, instruction, operand);
    case RegisterFile::stream: return check_stream(state, instruction, operand);
    case RegisterFile::this_pointer:
      if (!state.has_interfaces) state.error(instruction, "this[] without dcl_interface");
      return;
    case RegisterFile::label:
    case RegisterFile::function_body:
    case RegisterFile::rasterizer:
    case RegisterFile::function_input:
    case RegisterFile::function_output: return;
    default: return check_named(state, instruction, operand, position);
  }
}

}  // namespace texlate::sm4
