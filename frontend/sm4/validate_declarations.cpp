#include "frontend/sm4/validate_declarations.h"

#include <algorithm>
#include <tuple>

#include "frontend/sm4/validate_uses.h"
#include "ir/base/direct3d_limits.h"

namespace texlate::sm4 {

namespace {

constexpr uint32_t kMaxThreads4 = 768;        // threads of a group, cs_4_0 and cs_4_1
constexpr uint32_t kMaxGroupDepth = 64;       // z of a group: D3D11_CS_THREAD_GROUP_MAX_Z
constexpr uint32_t kMaxGroupDepth4 = 1;       // Microsoft Learn, "numthreads"
constexpr uint32_t kMaxSharedBytes4 = 16384;  // cs_4_0, cs_4_1
constexpr uint32_t kMaxComponents = 4;
constexpr uint32_t kMaxConstantRows = 4096;  // D3D11_REQ_IMMEDIATE_CONSTANT_BUFFER_ELEMENT_COUNT

/// How many registers of a file a program can use before shader model 5.1 (d3d11.h,
/// D3D11_COMMONSHADER_*_SLOT_COUNT, D3D11_1_UAV_SLOT_COUNT). 5.1 numbers ranges, not registers.
struct RegisterLimit {
  RegisterFile file;
  uint32_t count;    // model 5.0
  uint32_t count_4;  // models 4.0 and 4.1
};
constexpr RegisterLimit kRegisterLimits[] = {
    {RegisterFile::constant_buffer, 15, 15},  // CONSTANT_BUFFER_HW_SLOT_COUNT
    {RegisterFile::sampler, 16, 16},
    {RegisterFile::resource, 128, 128},
    {RegisterFile::unordered_access_view, 64, 1},  // D3D11_CS_4_X_UAV_REGISTER_COUNT
};

/// Numbers of x#, g# and ranges end here; compilers count them from 0.
constexpr uint32_t kRegisterNumbers = 4096;

/// Declarations of one register file only.
struct DeclaredFile {
  Opcode opcode;
  RegisterFile file;
};
constexpr DeclaredFile kDeclaredFiles[] = {
    {Opcode::dcl_constantbuffer, RegisterFile::constant_buffer},
    {Opcode::dcl_sampler, RegisterFile::sampler},
    {Opcode::dcl_resource, RegisterFile::resource},
    {Opcode::dcl_resource_raw, RegisterFile::resource},
    {Opcode::dcl_resource_structured, RegisterFile::resource},
    {Opcode::dcl_uav_typed, RegisterFile::unordered_access_view},
    {Opcode::dcl_uav_raw, RegisterFile::unordered_access_view},
    {Opcode::dcl_uav_structured, RegisterFile::unordered_access_view},
    {Opcode::dcl_tgsm_raw, RegisterFile::thread_group_shared_memory},
    {Opcode::dcl_tgsm_structured, RegisterFile::thread_group_shared_memory},
};

/// Declarations that stand at most once: in a program, or in a phase of a hull shader.
constexpr Opcode kOncePerProgram[] = {Opcode::dcl_global_flags,
                                      Opcode::dcl_thread_group,
                                      Opcode::dcl_inputprimitive,
                                      Opcode::dcl_maxout,
                                      Opcode::dcl_gs_instance_count,
                                      Opcode::dcl_input_control_point_count,
                                      Opcode::dcl_output_control_point_count,
                                      Opcode::dcl_tessellator_domain,
                                      Opcode::dcl_tessellator_partitioning,
                                      Opcode::dcl_tessellator_output_primitive,
                                      Opcode::dcl_hs_max_tessfactor,
                                      Opcode::hs_decls,
                                      Opcode::hs_control_point_phase};
constexpr Opcode kOncePerPhase[] = {Opcode::dcl_temps, Opcode::dcl_hs_fork_phase_instance_count,
                                    Opcode::dcl_hs_join_phase_instance_count};

using OpcodeSet = std::array<bool, kOpcodeLimit>;
constexpr OpcodeSet set_of(std::span<const Opcode> opcodes) {
  OpcodeSet set{};
  for (const Opcode opcode : opcodes) set[static_cast<size_t>(opcode)] = true;
  return set;
}
constexpr OpcodeSet kOnce = set_of(kOncePerProgram);
constexpr OpcodeSet kOnceInPhase = set_of(kOncePerPhase);

bool is_register_number(ValidationState& state, const Instruction& dcl, uint32_t number,
                        std::string_view file) {
  if (number < kRegisterNumbers) return true;
  state.error(dcl, "{}{}: register numbers end at {}", file, number, kRegisterNumbers - 1);
  return false;
}

bool is_within_limit(ValidationState& state, const Instruction& dcl, const Operand& operand) {
  constexpr uint32_t kRangeIndices = 3;  // number of the range, first and last register
  const uint32_t indices =
      state.sm51() ? kRangeIndices : index_count_of(state.program.version, operand.file).most;
  const bool is_shared = operand.file == RegisterFile::thread_group_shared_memory;
  if (operand.index_count != (is_shared ? 1 : indices)) {
    state.error(dcl, "{} is declared with {} indices, not {}", spelled(operand),
                uint32_t{operand.index_count}, indices);
    return false;
  }
  if (state.sm51() && !is_shared) {
    const DeclaredRange range = declared_range(state.program, dcl);
    if (range.upper_bound >= range.lower_bound)
      return is_register_number(state, dcl, range.id, info(operand.file).spelling);
    state.error(dcl, "{} ends before it begins", spelled(operand));
    return false;
  }
  for (const RegisterLimit& limit : kRegisterLimits) {
    const uint32_t count = state.program.version.major >= 5 ? limit.count : limit.count_4;
    if (limit.file != operand.file || operand.index[0].immediate < count) continue;
    state.error(dcl, "{}: shader model {}.{} has only {} register{} {}#", spelled(operand),
                uint32_t{state.program.version.major}, uint32_t{state.program.version.minor}, count,
                count == 1 ? "" : "s", info(limit.file).spelling);
    return false;
  }
  return is_register_number(state, dcl, operand.index[0].immediate, info(operand.file).spelling);
}

bool check_declared_file(ValidationState& state, const Instruction& dcl) {
  for (const DeclaredFile& declared : kDeclaredFiles) {
    if (declared.opcode != dcl.opcode) continue;
    const Operand& operand = state.program.operands[dcl.first_operand];
    if (operand.file == declared.file && operand.index_count != 0)
      return is_within_limit(state, dcl, operand);
    state.error(dcl, "{} declares {}#, not {}", name_of(dcl), info(declared.file).spelling, spelled(operand));
    return false;
  }
  return true;
}

/// D3D11.3 functional specification 22.3.35 and 22.3.36: r# and x# together. In a hull shader, each phase has
/// its own.
bool check_temporaries(ValidationState& state, const Instruction& dcl, uint64_t registers) {
  if (registers <= kMaxTemps) return true;
  state.error(dcl, "{} temporary registers exceed the limit of {}", registers, kMaxTemps);
  return false;
}

// Shader model 4.0 reads multisampled textures only in pixel shaders. 4.1 allows them in all stages and adds
// arrays of cubes (Microsoft Learn, "Shader Model 4.1"; D3D11.3 functional specification 22.4, ld2dms).
void check_declared_dimension(ValidationState& state, const Instruction& dcl) {
  const ResourceDimension dimension = declared_dimension(dcl);
  const std::string_view name = spell(kDimensionNames, static_cast<uint32_t>(dimension));
  const bool is_uav = dcl.opcode == Opcode::dcl_uav_typed;
  if (name.empty() || dimension == ResourceDimension::unknown || dimension == ResourceDimension::raw_buffer ||
      dimension == ResourceDimension::structured_buffer || (is_uav && !is_typed_uav_dimension(dimension))) {
    return state.error(
        dcl, "{} cannot declare a view of dimension {}", name_of(dcl),
        name.empty() ? fmt::format("{}", static_cast<uint32_t>(dimension)) : std::string(name));
  }
  if (state.program.version.model() > 40) return;
  const bool multisampled =
      dimension == ResourceDimension::texture2dms || dimension == ResourceDimension::texture2dmsarray;
  if (multisampled && state.program.version.stage != Stage::pixel)
    state.error(dcl, "{} in a {} program needs shader model 4.1, but the program is 4.0", name,
                state.stage_name());
  if (dimension == ResourceDimension::texturecubearray)
    state.error(dcl, "{} needs shader model 4.1, but the program is 4.0", name);
}

/// D3D11.3 functional specification 22.3.44 to 22.3.48: memory is addressed in words of 4 bytes. The size is
/// the first number of the declaration.
void check_size(ValidationState& state, const Instruction& dcl, std::string_view what,
                uint32_t most = UINT32_MAX) {
  const auto words = state.program.words_of(dcl);
  const uint32_t bytes = words.empty() ? 0 : words[0];
  if (bytes == 0 || bytes % 4 != 0)
    state.error(dcl, "{} of {} bytes: the size must be a multiple of 4, and not 0", what, bytes);
  if (bytes > most) state.error(dcl, "{} of {} bytes: the size is at most {}", what, bytes, most);
}

void check_thread_group(ValidationState& state, const Instruction& dcl) {
  const auto words = state.program.words_of(dcl);
  if (words.size() < 3) return state.error(dcl, "dcl_thread_group takes three numbers");
  const uint64_t threads = uint64_t{words[0]} * words[1];
  const uint32_t limit = state.program.version.major >= 5 ? kMaxThreads : kMaxThreads4;
  if (words[0] == 0 || words[1] == 0 || words[2] == 0) state.error(dcl, "a thread group without threads");
  if (threads > limit || threads * words[2] > limit)
    return state.error(dcl, "a thread group has at most {} threads", limit);
  const uint32_t depth = state.program.version.major >= 5 ? kMaxGroupDepth : kMaxGroupDepth4;
  if (words[2] > depth) state.error(dcl, "z of a thread group is at most {}, found {}", depth, words[2]);
}

}  // namespace

/// Notes the declaration; a second one is an error where there can be only one.
void DeclarationChecker::check_repetition(const Instruction& dcl) {
  const auto opcode = static_cast<size_t>(dcl.opcode);
  const bool again = (kOnce[opcode] && declarations_.test(opcode)) ||
                     (kOnceInPhase[opcode] && phase_declarations_.test(opcode));
  if (again) state_.error(dcl, "a second {}", name_of(dcl));
  declarations_.set(opcode);
  phase_declarations_.set(opcode);
}

void DeclarationChecker::declare(const Instruction& dcl) {
  check_repetition(dcl);
  if (!check_declared_file(state_, dcl)) return;
  switch (dcl.opcode) {
    case Opcode::dcl_temps: declare_temporaries(dcl); break;
    case Opcode::dcl_indexable_temp: declare_indexable_temp(dcl); break;
    case Opcode::dcl_constantbuffer: declare_constant_buffer(dcl); break;
    case Opcode::dcl_sampler: declare_sampler(dcl); break;
    case Opcode::dcl_resource:
      check_declared_dimension(state_, dcl);
      declare_view(dcl, state_.views, declared_dimension(dcl));
      break;
    case Opcode::dcl_resource_raw: declare_view(dcl, state_.views, ResourceDimension::raw_buffer); break;
    case Opcode::dcl_resource_structured:
      check_size(state_, dcl, "structures", kMaxStride);
      declare_view(dcl, state_.views, ResourceDimension::structured_buffer);
      break;
    case Opcode::dcl_uav_typed:
      check_declared_dimension(state_, dcl);
      declare_view(dcl, state_.unordered_views, declared_dimension(dcl));
      break;
    case Opcode::dcl_uav_raw: declare_view(dcl, state_.unordered_views, ResourceDimension::raw_buffer); break;
    case Opcode::dcl_uav_structured:
      check_size(state_, dcl, "structures", kMaxStride);
      declare_view(dcl, state_.unordered_views, ResourceDimension::structured_buffer);
      break;
    case Opcode::dcl_tgsm_raw:
    case Opcode::dcl_tgsm_structured: declare_shared_memory(dcl); break;
    case Opcode::dcl_thread_group: check_thread_group(state_, dcl); break;
    case Opcode::dcl_hs_fork_phase_instance_count:
    case Opcode::dcl_hs_join_phase_instance_count:
      if (!state_.is_patch_phase) state_.error(dcl, "{} is outside a fork or join phase", name_of(dcl));
      if (const auto words = state_.program.words_of(dcl); !words.empty() && words[0] == 0)
        state_.error(dcl, "{} 0: a phase has at least one instance", name_of(dcl));
      break;
    case Opcode::dcl_global_flags: state_.global_flags |= dcl.controls; break;
    case Opcode::dcl_function_body:
    case Opcode::dcl_function_table:
    case Opcode::dcl_interface: declare_functions(dcl); break;
    case Opcode::custom_data: declare_immediate_constants(dcl); break;
    default: break;  // hull phases: validate.cpp; inputs and outputs: validate_interface.cpp
  }
}

void DeclarationChecker::declare_temporaries(const Instruction& dcl) {
  const auto words = state_.program.words_of(dcl);
  state_.temps_declared = true;
  state_.temps = words.empty() ? 0 : words[0];
  check_temporaries(state_, dcl, uint64_t{state_.temps} + indexable_registers_);
}

void DeclarationChecker::declare_constant_buffer(const Instruction& dcl) {
  const Operand& operand = state_.program.operands[dcl.first_operand];
  const uint32_t id = operand.index[0].immediate;
  const uint32_t rows = declared_constant_buffer_size(state_.program, dcl);
  if (rows > kMaxBufferRows)
    state_.error(dcl, "{} rows: a constant buffer has at most {}", rows, kMaxBufferRows);
  if (!state_.constant_buffers.add({id, rows, declared_range(state_.program, dcl)}))
    return state_.error(dcl, "{} is declared twice", spelled(operand));
  if (!state_.sm51() && id < ValidationState::kQuickBuffers) state_.quick_rows[id] = rows;
  note_range(dcl);
}

void DeclarationChecker::declare_sampler(const Instruction& dcl) {
  const Operand& operand = state_.program.operands[dcl.first_operand];
  if (!state_.samplers.add(
          {operand.index[0].immediate, 0, declared_range(state_.program, dcl), declared_sampler_mode(dcl)}))
    return state_.error(dcl, "{} is declared twice", spelled(operand));
  note_range(dcl);
}

void DeclarationChecker::declare_shared_memory(const Instruction& dcl) {
  const auto words = state_.program.words_of(dcl);
  const auto word = [&](size_t i) { return i < words.size() ? words[i] : 0u; };
  const Operand& operand = state_.program.operands[dcl.first_operand];
  const bool structured = dcl.opcode == Opcode::dcl_tgsm_structured;
  check_size(state_, dcl, structured ? "structures" : "group-shared memory");
  const uint64_t bytes = uint64_t{word(0)} * (structured ? word(1) : 1);
  const uint32_t limit = state_.program.version.major >= 5 ? kMaxSharedBytes : kMaxSharedBytes4;
  DeclaredSize shared{operand.index[0].immediate,
                      static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xffffffffu))};
  shared.structured = structured;
  if (!state_.shared_memory.add(shared)) state_.error(dcl, "{} is declared twice", spelled(operand));
  if (bytes > limit || shared_bytes_ + bytes > limit) {
    state_.error(dcl, "more than {} bytes of group-shared memory", limit);
  } else {
    shared_bytes_ += static_cast<uint32_t>(bytes);
  }
}

/// The tables that an interface lists have a body for each of its call sites (D3D11.3 functional
/// specification 7.19).
void DeclarationChecker::declare_functions(const Instruction& dcl) {
  state_.has_interfaces = true;
  const auto words = state_.program.words_of(dcl);
  constexpr uint32_t kTableHead = 2, kInterfaceHead = 3;
  if (dcl.opcode == Opcode::dcl_function_table && words.size() >= kTableHead) {
    if (!function_tables_.add({words[0], 0, static_cast<uint32_t>(words.size() - kTableHead)}))
      state_.error(dcl, "ft{} is declared twice", words[0]);
  }
  if (dcl.opcode != Opcode::dcl_interface || words.size() < kInterfaceHead) return;
  if (!state_.interfaces.add({words[0], words[2] >> 16, words[1]}))
    state_.error(dcl, "fp{} is declared twice", words[0]);
  for (const uint32_t table : words.subspan(kInterfaceHead)) {
    const DeclaredFunctions* declared = function_tables_.find(table);
    if (declared == nullptr) {
      state_.error(dcl, "ft{} is not declared", table);
    } else if (declared->call_sites < words[1]) {
      state_.error(dcl, "ft{} has {} bodies for {} call sites", table, declared->call_sites, words[1]);
    }
  }
}

/// D3D11.3 functional specification 22.3.4
void DeclarationChecker::declare_immediate_constants(const Instruction& dcl) {
  if (dcl.controls != kImmediateConstantBuffer) return;
  const size_t words = state_.program.words_of(dcl).size();
  if (state_.constant_rows != 0) state_.error(dcl, "a second immediate constant buffer");
  if (words / 4 > kMaxConstantRows)
    state_.error(dcl, "an immediate constant buffer has at most {} rows, found {}", kMaxConstantRows,
                 words / 4);
  state_.constant_rows = static_cast<uint32_t>(words / 4);
  if (words % 4 != 0) state_.error(dcl, "the immediate constant buffer ends within a row");
}

void DeclarationChecker::note_range(const Instruction& dcl) {
  if (!state_.sm51()) return;
  const DeclaredRange range = declared_range(state_.program, dcl);
  ranges_.push_back({state_.program.operands[dcl.first_operand].file, range.space, range.lower_bound,
                     range.upper_bound, &dcl});
}

/// D3D12 "Resource Binding", "HLSL resource declarations": the ranges of a register space do not overlap.
void DeclarationChecker::check_ranges() {
  std::stable_sort(ranges_.begin(), ranges_.end(), [](const RegisterRange& a, const RegisterRange& b) {
    return std::tie(a.file, a.space, a.first) < std::tie(b.file, b.space, b.first);
  });
  for (size_t i = 1; i < ranges_.size(); ++i) {
    const RegisterRange& before = ranges_[i - 1];
    RegisterRange& range = ranges_[i];
    if (range.file != before.file || range.space != before.space) continue;
    if (range.first <= before.last)
      state_.error(*range.declaration, "{} overlaps {}",
                   spelled(state_.program.operands[range.declaration->first_operand]),
                   spelled(state_.program.operands[before.declaration->first_operand]));
    range.last = std::max(range.last, before.last);
  }
}

// Microsoft Learn, "dcl_indexableTemp (sm4 - asm)": registers have up to four components.
void DeclarationChecker::declare_indexable_temp(const Instruction& dcl) {
  const auto words = state_.program.words_of(dcl);
  if (words.size() < 3) return state_.error(dcl, "dcl_indexableTemp takes three numbers");
  if (words[2] == 0 || words[2] > kMaxComponents)
    state_.error(dcl, "x{} has {} components: a register must have 1 to {}", words[0], words[2],
                 kMaxComponents);
  if (words[1] == 0) state_.error(dcl, "x{} has no registers", words[0]);
  if (!is_register_number(state_, dcl, words[0], "x")) return;
  DeclaredSize array{words[0], words[1]};
  array.components = static_cast<uint8_t>((1u << std::min(words[2], kMaxComponents)) - 1);
  if (!state_.indexable_temps.add(array)) return state_.error(dcl, "x{} is declared twice", words[0]);
  if (check_temporaries(state_, dcl, uint64_t{state_.temps} + indexable_registers_ + words[1]))
    indexable_registers_ += words[1];
}

void DeclarationChecker::declare_view(const Instruction& dcl, DeclarationTable<DeclaredView>& views,
                                      ResourceDimension dimension) {
  const Operand& operand = state_.program.operands[dcl.first_operand];
  const bool typed = dcl.opcode == Opcode::dcl_resource || dcl.opcode == Opcode::dcl_uav_typed;
  const bool structured = dimension == ResourceDimension::structured_buffer;
  const DeclaredView view{
      operand.index[0].immediate, dimension, typed ? declared_return_types(state_.program, dcl) : uint16_t{0},
      declared_range(state_.program, dcl), structured ? declared_stride(state_.program, dcl) : 0};
  if (!views.add(view)) return state_.error(dcl, "{} is declared twice", spelled(operand));
  // Shader model 4 has unordered access in compute shaders only (Microsoft Learn, "Compute Shader Overview").
  if (operand.file == RegisterFile::unordered_access_view && state_.program.version.major < 5 &&
      state_.program.version.stage != Stage::compute)
    state_.error(dcl, "{} in a {} program needs shader model 5.0, but the program is {}.{}", spelled(operand),
                 state_.stage_name(), uint32_t{state_.program.version.major},
                 uint32_t{state_.program.version.minor});
  // The order is that of overlapping pixels (Microsoft Learn, "Rasterizer Order Views").
  if ((dcl.controls & controls::kUavRasterizerOrdered) != 0 && state_.program.version.stage != Stage::pixel)
    state_.error(dcl, "rasterizer-ordered views are for ps programs: {} is in a {} program", spelled(operand),
                 state_.stage_name());
  note_range(dcl);
}

}  // namespace texlate::sm4
