#include <algorithm>

#include <bit>

#include "frontend/sm4/validate_uses.h"

namespace texlate::sm4 {

namespace {

using DimensionMask = uint32_t;
using Dim = ResourceDimension;

constexpr DimensionMask dimensions(std::initializer_list<Dim> list) {
  DimensionMask mask = 0;
  for (Dim dimension : list) mask |= 1u << static_cast<uint32_t>(dimension);
  return mask;
}

constexpr DimensionMask kMultisampled = dimensions({Dim::texture2dms, Dim::texture2dmsarray});
constexpr DimensionMask kCubes = dimensions({Dim::texturecube, Dim::texturecubearray});
constexpr DimensionMask kFlat =
    dimensions({Dim::texture1d, Dim::texture1darray, Dim::texture2d, Dim::texture2darray});
constexpr DimensionMask kRaw = dimensions({Dim::raw_buffer});
constexpr DimensionMask kStructured = dimensions({Dim::structured_buffer});
constexpr DimensionMask kTypedUav = kFlat | dimensions({Dim::buffer, Dim::texture3d});
constexpr DimensionMask kNoOffset = kCubes | kRaw | kStructured | dimensions({Dim::buffer});

constexpr DimensionMask kSampled = kFlat | kCubes | dimensions({Dim::texture3d});
constexpr DimensionMask kCompared = kFlat | kCubes;
constexpr DimensionMask kFetched = kFlat | dimensions({Dim::buffer, Dim::texture3d});
constexpr DimensionMask kGatheredAtOffset = dimensions({Dim::texture2d, Dim::texture2darray});
constexpr DimensionMask kGathered = kGatheredAtOffset | kCubes;

/// The views to which an instruction, and its form with feedback, can be applied (docs/reference/direct3d.md
/// 1.1, D3D11.3 functional specification 22.4).
struct DimensionRule {
  Opcode opcode;
  Opcode with_feedback;  // the same opcode if there is no such form
  DimensionMask allowed;
};
constexpr DimensionRule kDimensionRules[] = {
    {Opcode::ld, Opcode::ld_s, kFetched},
    {Opcode::ldms, Opcode::ldms_s, kMultisampled},
    {Opcode::sample, Opcode::sample_cl_s, kSampled},
    {Opcode::sample_b, Opcode::sample_b_cl_s, kSampled},
    {Opcode::sample_d, Opcode::sample_d_cl_s, kSampled},
    {Opcode::sample_l, Opcode::sample_l_s, kSampled},
    {Opcode::sample_c, Opcode::sample_c_cl_s, kCompared},
    {Opcode::sample_c_lz, Opcode::sample_c_lz_s, kCompared},
    {Opcode::lod, Opcode::lod, kSampled},
    {Opcode::gather4, Opcode::gather4_s, kGathered},
    {Opcode::gather4_c, Opcode::gather4_c_s, kGathered},
    {Opcode::gather4_po, Opcode::gather4_po_s, kGatheredAtOffset},
    {Opcode::gather4_po_c, Opcode::gather4_po_c_s, kGatheredAtOffset},
    {Opcode::resinfo, Opcode::resinfo, kSampled | kMultisampled},
    {Opcode::bufinfo, Opcode::bufinfo, kRaw | kStructured | dimensions({Dim::buffer})},
    {Opcode::sampleinfo, Opcode::sampleinfo, kMultisampled},
    {Opcode::samplepos, Opcode::samplepos, kMultisampled},
    {Opcode::ld_uav_typed, Opcode::ld_uav_typed_s, kTypedUav},
    {Opcode::store_uav_typed, Opcode::store_uav_typed, kTypedUav},
    {Opcode::ld_raw, Opcode::ld_raw_s, kRaw},
    {Opcode::store_raw, Opcode::store_raw, kRaw},
    {Opcode::ld_structured, Opcode::ld_structured_s, kStructured},
    {Opcode::store_structured, Opcode::store_structured, kStructured},
    {Opcode::imm_atomic_alloc, Opcode::imm_atomic_alloc, kStructured},
    {Opcode::imm_atomic_consume, Opcode::imm_atomic_consume, kStructured},
};

/// 0: the opcode takes no view, or any.
constexpr std::array<DimensionMask, kOpcodeLimit> kAllowedDimensions = [] {
  std::array<DimensionMask, kOpcodeLimit> table{};
  for (const DimensionRule& rule : kDimensionRules) {
    table[static_cast<uint32_t>(rule.opcode)] = rule.allowed;
    table[static_cast<uint32_t>(rule.with_feedback)] = rule.allowed;
  }
  return table;
}();
DimensionMask allowed_dimensions(Opcode opcode) {
  return kAllowedDimensions[static_cast<uint32_t>(opcode)];
}

/// Instructions that filter (D3D11.3 functional specification 22.4.15 to 22.4.18, 19.1.4): integers cannot
/// be.
constexpr bool filters(Opcode opcode) {
  using enum Opcode;
  return opcode == sample || opcode == sample_b || opcode == sample_d || opcode == sample_l ||
         opcode == sample_cl_s || opcode == sample_b_cl_s || opcode == sample_d_cl_s || opcode == sample_l_s;
}

/// True if any component of the packed return types is in `mask`, a set of ReturnType bits.
bool has_type(uint16_t types, uint32_t mask) {
  for (uint32_t i = 0; i < 4; ++i) {
    if ((mask >> static_cast<uint32_t>(return_type(types, i)) & 1) != 0) return true;
  }
  return false;
}

constexpr uint32_t bit_of(ReturnType type) {
  return 1u << static_cast<uint32_t>(type);
}
constexpr uint32_t kIntegerTypes = bit_of(ReturnType::sint) | bit_of(ReturnType::uint);
constexpr uint32_t kNormalizedTypes = bit_of(ReturnType::unorm) | bit_of(ReturnType::snorm);
constexpr uint32_t kFloatTypes = bit_of(ReturnType::float_) | kNormalizedTypes;

/// Does a shader see the same numbers? Normalized texels are floats to it.
constexpr bool agree(uint16_t types, uint16_t others) {
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t both = bit_of(return_type(types, i)) | bit_of(return_type(others, i));
    if (!std::has_single_bit(both) && (both & ~kFloatTypes) != 0) return false;
  }
  return true;
}

/// `(float,float,float,float)`, as instructions and declarations have them.
std::string spelled_types(uint16_t packed) {
  const auto name = [&](uint32_t i) {
    return spell(kReturnTypeNames, static_cast<uint32_t>(return_type(packed, i)));
  };
  return fmt::format("({},{},{},{})", name(0), name(1), name(2), name(3));
}

// Microsoft Learn, "imm_atomic_alloc (sm5 - asm)": a program increments or decrements a counter, not both.
void check_counter(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const uint32_t direction = instruction.opcode == Opcode::imm_atomic_alloc ? 0 : 1;
  const uint32_t id = operand.index[0].immediate;
  const DeclaredSize* used = state.counters.find(id);
  if (used == nullptr) {
    state.counters.add({id, direction});
  } else if (used->size != direction) {
    state.error(instruction, "imm_atomic_alloc and imm_atomic_consume of {} in one program",
                spelled_number(operand));
  }
}

// D3D11.3 functional specification 22.4: comparisons (sample_c) apply to depths, and atomics to typed views
// of 32-bit integers; imm_atomic_exch moves bits, of R32_FLOAT too (Microsoft Learn,
// "D3D11_FORMAT_SUPPORT2"). No normalized format has one component of 32 bits.
void check_return_type(ValidationState& state, const Instruction& instruction, const Operand& operand,
                       const DeclaredView& view) {
  if (view.return_types == 0) return;  // raw and structured
  const OpcodeInfo& opcode = info(instruction.opcode);
  if (opcode.has(kCompare) && has_type(view.return_types, kIntegerTypes)) {
    state.error(instruction, "{} compares depth values, but {} holds integers", name_of(instruction),
                spelled(operand));
  }
  if (filters(instruction.opcode) && has_type(view.return_types, kIntegerTypes)) {
    state.error(instruction, "{} filters, but {} holds integers", name_of(instruction), spelled(operand));
  }
  const bool moves_bits = instruction.opcode == Opcode::imm_atomic_exch;
  if (opcode.has(kAtomic) && has_type(view.return_types, moves_bits ? kNormalizedTypes : kFloatTypes)) {
    state.error(instruction, "{} needs {}, but {} does not hold {}", name_of(instruction),
                moves_bits ? "whole words" : "integers", spelled(operand), moves_bits ? "them" : "integers");
  }
}

void check_dimension(ValidationState& state, const Instruction& instruction, const Operand& operand,
                     ResourceDimension dimension) {
  const uint32_t bit = 1u << static_cast<uint32_t>(dimension);
  const DimensionMask allowed = allowed_dimensions(instruction.opcode);
  if (allowed != 0 && (allowed & bit) == 0) {
    return state.error(instruction, "{} cannot be applied to {}, a {}", name_of(instruction),
                       spelled(operand), spell(kDimensionNames, static_cast<uint32_t>(dimension)));
  }
  if (instruction.has_offset && (kNoOffset & bit) != 0) {
    state.error(instruction, "{} of {}, a {}, cannot have an offset", name_of(instruction), spelled(operand),
                spell(kDimensionNames, static_cast<uint32_t>(dimension)));
  }
}

// The address of an atomic is the index of a structure and a byte offset in it (Microsoft Learn, "atomic_iadd
// (sm5 - asm)": as many components as dst has dimensions). A single component stands for both, which no
// document refuses, and hardly anybody means.
void check_structured_address(ValidationState& state, const Instruction& instruction,
                              const Operand& operand) {
  if (!info(instruction.opcode).has(kAtomic)) return;
  const std::span<const Operand> operands = state.program.operands_of(instruction);
  for (size_t i = 0; i + 1 < operands.size(); ++i) {
    if (&operands[i] != &operand) continue;
    const Operand& address = operands[i + 1];
    const bool is_single = address.component_count != ComponentCount::four ||
                           (!address.is_immediate() && address.selection == Selection::select);
    if (is_single)
      state.report.warning(instruction,
                           "the address of {} in {} has one component, which is index and byte offset",
                           name_of(instruction), spelled(operand));
  }
}

void check_view_use(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const DeclaredView* view = find_view(state, operand);
  if (view == nullptr || operand.index_count != index_count_of(state.program.version, operand.file).most)
    return;  // reported already
  if (state.sm51()) {
    const OperandIndex& index = operand.index[1];
    if (index.relative == kNoOperand &&
        (index.immediate < view->range.lower_bound || index.immediate > view->range.upper_bound)) {
      state.error(instruction, "{} is outside the range of its declaration", spelled(operand));
    }
  }
  if (instruction.has_dimension && instruction.dimension != view->dimension &&
      operand.index[0].relative == kNoOperand) {
    state.error(instruction, "{} is written for {}, but {} is declared as {}", name_of(instruction),
                spell(kDimensionNames, static_cast<uint32_t>(instruction.dimension)), spelled(operand),
                spell(kDimensionNames, static_cast<uint32_t>(view->dimension)));
  }
  if (instruction.stride != 0 && view->stride != 0 && instruction.stride != view->stride) {
    state.report.warning(instruction,
                         "{} is written for structures of {} bytes, but those of {} have {}, which is used",
                         name_of(instruction), instruction.stride, spelled(operand), view->stride);
  }
  if (instruction.has_return_type && view->return_types != 0 &&
      !agree(instruction.return_types, view->return_types) && operand.index[0].relative == kNoOperand) {
    state.report.warning(instruction, "{} is written for texels of {}, but those of {} are {}, which is used",
                         name_of(instruction), spelled_types(instruction.return_types), spelled(operand),
                         spelled_types(view->return_types));
  }
  if (view->dimension == ResourceDimension::structured_buffer)
    check_structured_address(state, instruction, operand);
  check_dimension(state, instruction, operand, view->dimension);
  check_return_type(state, instruction, operand, *view);
  if (instruction.opcode == Opcode::imm_atomic_alloc || instruction.opcode == Opcode::imm_atomic_consume)
    check_counter(state, instruction, operand);
}

}  // namespace

bool is_typed_uav_dimension(ResourceDimension dimension) {
  return (kTypedUav >> static_cast<uint32_t>(dimension) & 1) != 0;
}

const DeclaredView* find_view(const ValidationState& state, const Operand& operand) {
  const auto& views = operand.file == RegisterFile::resource ? state.views : state.unordered_views;
  const OperandIndex& index = operand.index[0];
  if (const DeclaredView* view = views.find(index.immediate)) return view;
  // 5.0 allows any slot in `t[r0.x + 2]`. The dimension is taken from the declaration at the base, or the
  // first one.
  return index.relative != kNoOperand ? views.first() : nullptr;
}

void check_texture(ValidationState& state, const Instruction& instruction) {
  const auto operands = state.program.operands_of(instruction);
  if (operands.size() != rule_of(instruction.opcode).operand_count) return;
  const OpcodeInfo& opcode = info(instruction.opcode);
  // D3D11.3 functional specification 22.17.6.1, imm_atomic_*: the result is one component.
  if (opcode.has(kAtomic) && opcode.is_destination(0) && std::popcount(operands[0].write_mask()) > 1) {
    state.report.set_operand(&operands[0]);
    state.error(instruction, "{} has one result, but {} components", name_of(instruction),
                std::popcount(operands[0].write_mask()));
  }
  for (const Operand& operand : operands) {
    if (operand.file != RegisterFile::resource && operand.file != RegisterFile::unordered_access_view)
      continue;
    state.report.set_operand(&operand);
    const uint32_t errors = state.report.error_count();
    check_view_use(state, instruction, operand);
    if (state.report.error_count() != errors) state.report.note_declaration(operand);
  }
  state.report.set_operand(nullptr);
}

/// Before 5.1, only the methods of classes compute the number of a view or sampler: the instance provides it,
/// and nothing is declared (D3D11.3 functional specification 7.19; D3D12 "Resource Binding").
void check_view(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const OperandIndex& number = operand.index[0];
  if (number.relative != kNoOperand) {
    if (!state.has_interfaces)
      state.error(instruction, "{} has a computed number, which needs shader model 5.1 or dcl_interface",
                  spelled(operand));
    return;
  }
  if (find_view(state, operand) != nullptr) return;
  const bool is_texture = operand.file == RegisterFile::resource && instruction.has_dimension;
  constexpr uint32_t kTextures = 128;
  if (!state.program.lenient || !is_texture || state.sm51() || number.immediate >= kTextures)
    return state.error(instruction, "{} is not declared", spelled(operand));
  state.report.warning(instruction, "{} is not declared: the dimension of the instruction is assumed",
                       spelled(operand));
  state.views.add({number.immediate,
                   instruction.dimension,
                   instruction.return_types,
                   {number.immediate, number.immediate, number.immediate, 0},
                   instruction.stride});
}

void check_sampler(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const uint32_t id = operand.index[0].immediate;
  const DeclaredSize* at = state.samplers.find(id);
  if (operand.index[0].relative != kNoOperand) {
    if (!state.has_interfaces)
      state.error(instruction, "{} has a computed number, which needs shader model 5.1 or dcl_interface",
                  spelled(operand));
    return;
  }
  if (at == nullptr) return state.error(instruction, "s{} is not declared", id);
  const bool compares = info(instruction.opcode).has(kCompare);
  if (compares && at->mode != SamplerMode::comparison) {
    state.error(instruction, "{} needs a sampler of mode_comparison, but s{} is {}", name_of(instruction), id,
                spell(kSamplerModeNames, static_cast<uint32_t>(at->mode)));
    state.report.note_declaration(operand);
  } else if (!compares && at->mode == SamplerMode::comparison) {
    state.error(instruction, "{} cannot use s{}, a sampler of mode_comparison", name_of(instruction), id);
    state.report.note_declaration(operand);
  }
}

void check_shared_memory_use(ValidationState& state, const Instruction& instruction, const Operand& operand) {
  const uint32_t id = operand.index[0].immediate;
  const DeclaredSize* at = state.shared_memory.find(id);
  if (at == nullptr) return state.error(instruction, "g{} is not declared", id);
  if (at->structured) check_structured_address(state, instruction, operand);
  const DimensionMask allowed = allowed_dimensions(instruction.opcode);
  if (allowed == 0) return;
  if ((allowed & (at->structured ? kStructured : kRaw)) == 0) {
    state.error(instruction, "{} cannot be applied to g{}, which is {}", name_of(instruction), id,
                at->structured ? "structured" : "raw");
  }
}

}  // namespace texlate::sm4
