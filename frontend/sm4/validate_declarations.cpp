// validate(): checks of declarations.
#include <algorithm>
#include <bit>
#include <tuple>

#include "frontend/sm4/validator.h"
#include "ir/base/direct3d_limits.h"

namespace texlate::sm4 {

namespace {

constexpr uint32_t kMaxThreads4 = 768;        // threads of a group, cs_4_0 and cs_4_1
constexpr uint32_t kMaxGroupDepth = 64;       // z of a group: D3D11_CS_THREAD_GROUP_MAX_Z
constexpr uint32_t kMaxGroupDepth4 = 1;       // Microsoft Learn, "numthreads"
constexpr uint32_t kMaxSharedBytes4 = 16384;  // cs_4_0, cs_4_1
constexpr uint32_t kMaxComponents = 4;
constexpr uint32_t kMaxConstantRows = 4096;  // D3D11_REQ_IMMEDIATE_CONSTANT_BUFFER_ELEMENT_COUNT
constexpr uint32_t kMaxGsScalars = 1024;     // Microsoft Learn, "dcl_maxOutputVertexCount (sm4 - asm)"

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

}  // namespace

/// Notes the declaration; a second one is an error where there can be only one.
void Validator::check_repetition(const Instruction& dcl) {
  const auto opcode = static_cast<size_t>(dcl.opcode);
  const bool again = (kOnce[opcode] && declarations_.test(opcode)) ||
                     (kOnceInPhase[opcode] && phase_declarations_.test(opcode));
  if (again) error(dcl, "a second {}", name_of(dcl));
  declarations_.set(opcode);
  phase_declarations_.set(opcode);
}

void Validator::declare(const Instruction& dcl) {
  check_place_of_declaration(dcl);
  check_repetition(dcl);
  if (!check_declared_file(dcl)) return;
  switch (dcl.opcode) {
    case Opcode::hs_control_point_phase:
    case Opcode::hs_fork_phase:
    case Opcode::hs_join_phase: start_phase(dcl); break;
    case Opcode::dcl_temps: declare_temporaries(dcl); break;
    case Opcode::dcl_indexable_temp: declare_indexable_temp(dcl); break;
    case Opcode::dcl_constantbuffer: declare_constant_buffer(dcl); break;
    case Opcode::dcl_sampler: declare_sampler(dcl); break;
    case Opcode::dcl_resource:
      check_declared_dimension(dcl);
      declare_view(dcl, views_, declared_dimension(dcl));
      break;
    case Opcode::dcl_resource_raw: declare_view(dcl, views_, ResourceDimension::raw_buffer); break;
    case Opcode::dcl_resource_structured:
      check_size(dcl, "structures", kMaxStride);
      declare_view(dcl, views_, ResourceDimension::structured_buffer);
      break;
    case Opcode::dcl_uav_typed:
      check_declared_dimension(dcl);
      declare_view(dcl, unordered_views_, declared_dimension(dcl));
      break;
    case Opcode::dcl_uav_raw: declare_view(dcl, unordered_views_, ResourceDimension::raw_buffer); break;
    case Opcode::dcl_uav_structured:
      check_size(dcl, "structures", kMaxStride);
      declare_view(dcl, unordered_views_, ResourceDimension::structured_buffer);
      break;
    case Opcode::dcl_tgsm_raw:
    case Opcode::dcl_tgsm_structured: declare_shared_memory(dcl); break;
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
    case Opcode::dcl_thread_group: check_thread_group(dcl); break;
    case Opcode::dcl_stream: declare_stream(dcl); break;
    case Opcode::dcl_maxout: declare_maxout(dcl); break;
    case Opcode::dcl_gs_instance_count: declare_gs_instances(dcl); break;
    case Opcode::dcl_inputprimitive: primitive_ = &dcl; break;
    case Opcode::dcl_input_control_point_count:
      input_points_ = &dcl;
      check_control_points(dcl, 1);
      break;
    case Opcode::dcl_output_control_point_count:
      output_points_ = &dcl;
      check_control_points(dcl, 0);
      break;
    case Opcode::dcl_tessellator_domain: tessellator_domain_ = &dcl; break;
    case Opcode::dcl_tessellator_output_primitive: tessellator_output_ = &dcl; break;
    case Opcode::dcl_hs_fork_phase_instance_count:
    case Opcode::dcl_hs_join_phase_instance_count:
      if (!is_patch_phase_) error(dcl, "{} is outside a fork or join phase", name_of(dcl));
      if (const auto words = program_.words_of(dcl); !words.empty() && words[0] == 0)
        error(dcl, "{} 0: a phase has at least one instance", name_of(dcl));
      break;
    case Opcode::dcl_global_flags: global_flags_ |= dcl.controls; break;
    case Opcode::dcl_function_body:
    case Opcode::dcl_function_table:
    case Opcode::dcl_interface: declare_functions(dcl); break;
    case Opcode::custom_data: declare_immediate_constants(dcl); break;
    default: break;
  }
}

namespace {

/// Adds the registers of one phase to those of others.
void add_registers(const DeclaredRegisters& from, DeclaredRegisters& to) {
  for (uint32_t i = 0; i < kMaxIo; ++i) {
    to.components[i] |= from.components[i];
    to.system_values[i] |= from.system_values[i];
    to.ranged[i] |= from.ranged[i];
  }
  to.vertices = std::max(to.vertices, from.vertices);
  to.has_range |= from.has_range;
}

}  // namespace

/// Adds what the phase before declares to what all do.
void Validator::keep_phase() {
  all_phases_.temps = std::max(all_phases_.temps, temps_);
  all_phases_.temps_declared |= temps_declared_;
  for (const DeclaredSize& array : indexable_temps_.all()) {
    if (all_phases_.indexable_temps.add(array)) continue;
    DeclaredSize& known = *all_phases_.indexable_temps.find_for_change(array.id);
    known.size = std::max(known.size, array.size);
    known.components |= array.components;
  }
  add_registers(outputs_, all_phases_.outputs);
}

/// Subroutines and function bodies follow the phases of a hull shader (D3D11.3 functional
/// specification 22.3.49) and use the registers of the phases that call them: what no phase declares is an
/// error.
void Validator::start_bodies() {
  keep_phase();
  temps_ = all_phases_.temps;
  temps_declared_ = all_phases_.temps_declared;
  indexable_temps_.clear();
  for (const DeclaredSize& array : all_phases_.indexable_temps.all()) indexable_temps_.add(array);
  outputs_ = all_phases_.outputs;
  in_bodies_ = true;
}

/// Every phase of a hull shader has separate registers.
void Validator::start_phase(const Instruction& dcl) {
  check_phase(dcl);
  if (in_hull_phase_ && !in_bodies_) keep_phase();
  in_bodies_ = false;
  flow_.start_phase();
  in_hull_phase_ = true;
  has_code_ = false;
  phase_declarations_.reset();
  temps_ = 0;
  temps_declared_ = false;
  indexable_temps_.clear();
  indexable_registers_ = 0;
  outputs_ = {};
  for (DeclaredRegisters* inputs :
       {&inputs_, &patch_constants_, &control_point_inputs_, &control_point_outputs_})
    inputs->ranged = {};
  stream_outputs_ = {};
  declared_values_.reset();
  distances_[1] = 0;
  is_patch_phase_ = dcl.opcode != Opcode::hs_control_point_phase;
}

void Validator::declare_temporaries(const Instruction& dcl) {
  const auto words = program_.words_of(dcl);
  temps_declared_ = true;
  temps_ = words.empty() ? 0 : words[0];
  check_temporaries(dcl, uint64_t{temps_} + indexable_registers_);
}

void Validator::declare_constant_buffer(const Instruction& dcl) {
  const Operand& operand = program_.operands[dcl.first_operand];
  const uint32_t id = operand.index[0].immediate;
  const uint32_t rows = declared_constant_buffer_size(program_, dcl);
  if (rows > kMaxBufferRows) error(dcl, "{} rows: a constant buffer has at most {}", rows, kMaxBufferRows);
  if (!constant_buffers_.add({id, rows, declared_range(program_, dcl)}))
    return error(dcl, "{} is declared twice", spelled(operand));
  if (!sm51() && id < kQuickBuffers) quick_rows_[id] = rows;
  note_range(dcl);
}

void Validator::declare_sampler(const Instruction& dcl) {
  const Operand& operand = program_.operands[dcl.first_operand];
  if (!samplers_.add(
          {operand.index[0].immediate, 0, declared_range(program_, dcl), declared_sampler_mode(dcl)}))
    return error(dcl, "{} is declared twice", spelled(operand));
  note_range(dcl);
}

void Validator::declare_shared_memory(const Instruction& dcl) {
  const auto words = program_.words_of(dcl);
  const auto word = [&](size_t i) { return i < words.size() ? words[i] : 0u; };
  const Operand& operand = program_.operands[dcl.first_operand];
  const bool structured = dcl.opcode == Opcode::dcl_tgsm_structured;
  check_size(dcl, structured ? "structures" : "group-shared memory");
  const uint64_t bytes = uint64_t{word(0)} * (structured ? word(1) : 1);
  const uint32_t limit = program_.version.major >= 5 ? kMaxSharedBytes : kMaxSharedBytes4;
  DeclaredSize shared{operand.index[0].immediate,
                      static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xffffffffu))};
  shared.structured = structured;
  if (!shared_memory_.add(shared)) error(dcl, "{} is declared twice", spelled(operand));
  if (bytes > limit || shared_bytes_ + bytes > limit) {
    error(dcl, "more than {} bytes of group-shared memory", limit);
  } else {
    shared_bytes_ += static_cast<uint32_t>(bytes);
  }
}

/// The tables that an interface lists have a body for each of its call sites (D3D11.3 functional
/// specification 7.19).
void Validator::declare_functions(const Instruction& dcl) {
  has_interfaces_ = true;
  const auto words = program_.words_of(dcl);
  constexpr uint32_t kTableHead = 2, kInterfaceHead = 3;
  if (dcl.opcode == Opcode::dcl_function_table && words.size() >= kTableHead) {
    if (!function_tables_.add({words[0], 0, static_cast<uint32_t>(words.size() - kTableHead)}))
      error(dcl, "ft{} is declared twice", words[0]);
  }
  if (dcl.opcode != Opcode::dcl_interface || words.size() < kInterfaceHead) return;
  if (!interfaces_.add({words[0], words[2] >> 16, words[1]})) error(dcl, "fp{} is declared twice", words[0]);
  for (const uint32_t table : words.subspan(kInterfaceHead)) {
    const DeclaredFunctions* declared = function_tables_.find(table);
    if (declared == nullptr) {
      error(dcl, "ft{} is not declared", table);
    } else if (declared->call_sites < words[1]) {
      error(dcl, "ft{} has {} bodies for {} call sites", table, declared->call_sites, words[1]);
    }
  }
}

/// D3D11.3 functional specification 22.3.4
void Validator::declare_immediate_constants(const Instruction& dcl) {
  if (dcl.controls != kImmediateConstantBuffer) return;
  const size_t words = program_.words_of(dcl).size();
  if (constant_rows_ != 0) error(dcl, "a second immediate constant buffer");
  if (words / 4 > kMaxConstantRows)
    error(dcl, "an immediate constant buffer has at most {} rows, found {}", kMaxConstantRows, words / 4);
  constant_rows_ = static_cast<uint32_t>(words / 4);
  if (words % 4 != 0) error(dcl, "the immediate constant buffer ends within a row");
}

void Validator::note_range(const Instruction& dcl) {
  if (!sm51()) return;
  const DeclaredRange range = declared_range(program_, dcl);
  ranges_.push_back(
      {program_.operands[dcl.first_operand].file, range.space, range.lower_bound, range.upper_bound, &dcl});
}

/// D3D12 "Resource Binding", "HLSL resource declarations": the ranges of a register space do not overlap.
void Validator::check_ranges() {
  std::stable_sort(ranges_.begin(), ranges_.end(), [](const RegisterRange& a, const RegisterRange& b) {
    return std::tie(a.file, a.space, a.first) < std::tie(b.file, b.space, b.first);
  });
  for (size_t i = 1; i < ranges_.size(); ++i) {
    const RegisterRange& before = ranges_[i - 1];
    RegisterRange& range = ranges_[i];
    if (range.file != before.file || range.space != before.space) continue;
    if (range.first <= before.last)
      error(*range.declaration, "{} overlaps {}",
            spelled(program_.operands[range.declaration->first_operand]),
            spelled(program_.operands[before.declaration->first_operand]));
    range.last = std::max(range.last, before.last);
  }
}

bool Validator::check_declared_file(const Instruction& dcl) {
  for (const DeclaredFile& declared : kDeclaredFiles) {
    if (declared.opcode != dcl.opcode) continue;
    const Operand& operand = program_.operands[dcl.first_operand];
    if (operand.file == declared.file && operand.index_count != 0) return is_within_limit(dcl, operand);
    error(dcl, "{} declares {}#, not {}", name_of(dcl), info(declared.file).spelling, spelled(operand));
    return false;
  }
  return true;
}

bool Validator::is_within_limit(const Instruction& dcl, const Operand& operand) {
  constexpr uint32_t kRangeIndices = 3;  // number of the range, first and last register
  const uint32_t indices = sm51() ? kRangeIndices : index_count_of(operand.file).most;
  const bool is_shared = operand.file == RegisterFile::thread_group_shared_memory;
  if (operand.index_count != (is_shared ? 1 : indices)) {
    error(dcl, "{} is declared with {} indices, not {}", spelled(operand), uint32_t{operand.index_count},
          indices);
    return false;
  }
  if (sm51() && !is_shared) {
    const DeclaredRange range = declared_range(program_, dcl);
    if (range.upper_bound >= range.lower_bound)
      return is_register_number(dcl, range.id, info(operand.file).spelling);
    error(dcl, "{} ends before it begins", spelled(operand));
    return false;
  }
  for (const RegisterLimit& limit : kRegisterLimits) {
    const uint32_t count = program_.version.major >= 5 ? limit.count : limit.count_4;
    if (limit.file != operand.file || operand.index[0].immediate < count) continue;
    error(dcl, "{}: shader model {}.{} has only {} register{} {}#", spelled(operand),
          uint32_t{program_.version.major}, uint32_t{program_.version.minor}, count, count == 1 ? "" : "s",
          info(limit.file).spelling);
    return false;
  }
  return is_register_number(dcl, operand.index[0].immediate, info(operand.file).spelling);
}

bool Validator::is_register_number(const Instruction& dcl, uint32_t number, std::string_view file) {
  if (number < kRegisterNumbers) return true;
  error(dcl, "{}{}: register numbers end at {}", file, number, kRegisterNumbers - 1);
  return false;
}

/// D3D11.3 functional specification 22.3.35 and 22.3.36: r# and x# together. In a hull shader, each phase has
/// its own.
bool Validator::check_temporaries(const Instruction& dcl, uint64_t registers) {
  if (registers <= kMaxTemps) return true;
  error(dcl, "{} temporary registers exceed the limit of {}", registers, kMaxTemps);
  return false;
}

// Microsoft Learn, "dcl_indexableTemp (sm4 - asm)": registers have up to four components.
void Validator::declare_indexable_temp(const Instruction& dcl) {
  const auto words = program_.words_of(dcl);
  if (words.size() < 3) return error(dcl, "dcl_indexableTemp takes three numbers");
  if (words[2] == 0 || words[2] > kMaxComponents)
    error(dcl, "x{} has {} components: a register must have 1 to {}", words[0], words[2], kMaxComponents);
  if (words[1] == 0) error(dcl, "x{} has no registers", words[0]);
  if (!is_register_number(dcl, words[0], "x")) return;
  DeclaredSize array{words[0], words[1]};
  array.components = static_cast<uint8_t>((1u << std::min(words[2], kMaxComponents)) - 1);
  if (!indexable_temps_.add(array)) return error(dcl, "x{} is declared twice", words[0]);
  if (check_temporaries(dcl, uint64_t{temps_} + indexable_registers_ + words[1]))
    indexable_registers_ += words[1];
}

// Shader model 4.0 reads multisampled textures only in pixel shaders. 4.1 allows them in all stages and adds
// arrays of cubes (Microsoft Learn, "Shader Model 4.1"; D3D11.3 functional specification 22.4, ld2dms).
void Validator::check_declared_dimension(const Instruction& dcl) {
  const ResourceDimension dimension = declared_dimension(dcl);
  const std::string_view name = spell(kDimensionNames, static_cast<uint32_t>(dimension));
  const bool is_uav = dcl.opcode == Opcode::dcl_uav_typed;
  if (name.empty() || dimension == ResourceDimension::unknown || dimension == ResourceDimension::raw_buffer ||
      dimension == ResourceDimension::structured_buffer || (is_uav && !is_typed_uav_dimension(dimension))) {
    return error(dcl, "{} cannot declare a view of dimension {}", name_of(dcl),
                 name.empty() ? fmt::format("{}", static_cast<uint32_t>(dimension)) : std::string(name));
  }
  if (program_.version.model() > 40) return;
  const bool multisampled =
      dimension == ResourceDimension::texture2dms || dimension == ResourceDimension::texture2dmsarray;
  if (multisampled && program_.version.stage != Stage::pixel)
    error(dcl, "{} in a {} program needs shader model 4.1, but the program is 4.0", name, stage_name());
  if (dimension == ResourceDimension::texturecubearray)
    error(dcl, "{} needs shader model 4.1, but the program is 4.0", name);
}

void Validator::declare_view(const Instruction& dcl, DeclarationTable<DeclaredView>& views,
                             ResourceDimension dimension) {
  const Operand& operand = program_.operands[dcl.first_operand];
  const bool typed = dcl.opcode == Opcode::dcl_resource || dcl.opcode == Opcode::dcl_uav_typed;
  const bool structured = dimension == ResourceDimension::structured_buffer;
  const DeclaredView view{operand.index[0].immediate, dimension,
                          typed ? declared_return_types(program_, dcl) : uint16_t{0},
                          declared_range(program_, dcl), structured ? declared_stride(program_, dcl) : 0};
  if (!views.add(view)) return error(dcl, "{} is declared twice", spelled(operand));
  // Shader model 4 has unordered access in compute shaders only (Microsoft Learn, "Compute Shader Overview").
  if (operand.file == RegisterFile::unordered_access_view && program_.version.major < 5 &&
      program_.version.stage != Stage::compute)
    error(dcl, "{} in a {} program needs shader model 5.0, but the program is {}.{}", spelled(operand),
          stage_name(), uint32_t{program_.version.major}, uint32_t{program_.version.minor});
  // The order is that of overlapping pixels (Microsoft Learn, "Rasterizer Order Views").
  if ((dcl.controls & controls::kUavRasterizerOrdered) != 0 && program_.version.stage != Stage::pixel)
    error(dcl, "rasterizer-ordered views are for ps programs: {} is in a {} program", spelled(operand),
          stage_name());
  note_range(dcl);
}

/// D3D11.3 functional specification 22.3.44 to 22.3.48: memory is addressed in words of 4 bytes. The size is
/// the first number of the declaration.
void Validator::check_size(const Instruction& dcl, std::string_view what, uint32_t most) {
  const auto words = program_.words_of(dcl);
  const uint32_t bytes = words.empty() ? 0 : words[0];
  if (bytes == 0 || bytes % 4 != 0)
    error(dcl, "{} of {} bytes: the size must be a multiple of 4, and not 0", what, bytes);
  if (bytes > most) error(dcl, "{} of {} bytes: the size is at most {}", what, bytes, most);
}

void Validator::check_thread_group(const Instruction& dcl) {
  const auto words = program_.words_of(dcl);
  if (words.size() < 3) return error(dcl, "dcl_thread_group takes three numbers");
  const uint64_t threads = uint64_t{words[0]} * words[1];
  const uint32_t limit = program_.version.major >= 5 ? kMaxThreads : kMaxThreads4;
  if (words[0] == 0 || words[1] == 0 || words[2] == 0) error(dcl, "a thread group without threads");
  if (threads > limit || threads * words[2] > limit)
    return error(dcl, "a thread group has at most {} threads", limit);
  const uint32_t depth = program_.version.major >= 5 ? kMaxGroupDepth : kMaxGroupDepth4;
  if (words[2] > depth) error(dcl, "z of a thread group is at most {}, found {}", depth, words[2]);
}

// D3D11.3 functional specification 10 (hull shader): 1 to 32 control points in, 0 to 32 out.
void Validator::check_control_points(const Instruction& dcl, uint32_t least) {
  const uint32_t count = declared_control_points(dcl);
  if (count < least || count > kMaxControlPoints)
    error(dcl, "{} control points: Direct3D allows {} to {}", count, least, kMaxControlPoints);
}

// D3D11.3 functional specification 13 (geometry shader): each stream has separate outputs.
void Validator::declare_stream(const Instruction& dcl) {
  const Operand& operand = program_.operands[dcl.first_operand];
  if (operand.file != RegisterFile::stream || operand.index_count == 0)
    return error(dcl, "dcl_stream declares m#, not {}", spelled(operand));
  const uint32_t id = operand.index[0].immediate;
  if (id >= kMaxStreams) return error(dcl, "no stream m{}: there are {}, starting with m0", id, kMaxStreams);
  if ((streams_ >> id & 1) != 0) error(dcl, "m{} is declared twice", id);
  streams_ |= 1u << id;
  const bool has_outputs = stream_outputs_ != std::array<uint8_t, kMaxIo>{};
  streams_without_outputs_ = has_outputs ? 1 : streams_without_outputs_ + 1;
  stream_outputs_ = {};
  declared_values_.reset();
  distances_[1] = 0;
}

void Validator::declare_maxout(const Instruction& dcl) {
  const auto words = program_.words_of(dcl);
  max_vertices_ = words.empty() ? 0 : words[0];
  if (max_vertices_ == 0 || max_vertices_ > kMaxGsVertices)
    return error(dcl, "dcl_maxout {}: a geometry program may emit 1 to {} vertices", max_vertices_,
                 kMaxGsVertices);
  uint32_t scalars = 0;
  for (const uint8_t mask : stream_outputs_) scalars += static_cast<uint32_t>(std::popcount(mask));
  if (scalars * max_vertices_ > kMaxGsScalars) {
    error(dcl, "{} vertices of {} components exceed the {} scalars that an invocation may emit",
          max_vertices_, scalars, kMaxGsScalars);
  }
  check_gs_vertices(dcl);
}

void Validator::declare_gs_instances(const Instruction& dcl) {
  const auto words = program_.words_of(dcl);
  gs_instances_ = words.empty() ? 0 : words[0];
  if (gs_instances_ == 0 || gs_instances_ > kMaxGsInstances) {
    error(dcl, "{} instances: Direct3D allows 1 to {}", gs_instances_, kMaxGsInstances);
    gs_instances_ = 1;
  }
  check_gs_vertices(dcl);
}

/// Microsoft Learn, "dcl_input vGSInstanceID (sm5 - asm)": the product is limited; either may come first.
void Validator::check_gs_vertices(const Instruction& dcl) {
  if (gs_instances_ * max_vertices_ > kMaxGsVertices)
    error(dcl, "{} instances of {} vertices exceed the limit of {}", gs_instances_, max_vertices_,
          kMaxGsVertices);
}

}  // namespace texlate::sm4
