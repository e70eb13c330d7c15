#include "frontend/sm4/validate.h"

#include <algorithm>

#include "frontend/sm4/validate_declarations.h"
#include "frontend/sm4/validate_flow.h"
#include "frontend/sm4/validate_interface.h"
#include "frontend/sm4/validate_uses.h"

namespace texlate::sm4 {

namespace {

/// True if check_controls() has something to check in the instruction.
bool has_controls(const Instruction& instruction) {
  const auto& offset = instruction.offset;
  return (instruction.controls & controls::kSaturate) != 0 || instruction.has_offset ||
         instruction.has_dimension || (offset[0] | offset[1] | offset[2]) != 0 ||
         instruction.opcode == Opcode::sync;
}

/// Declarations that a stage cannot do without (D3D11.3 functional specification 22.1.4.1, 22.1.5.1, 22.3.5,
/// 22.3.6, 22.3.40).
struct Required {
  Stage stage;
  std::string_view name;
  Opcode declaration;
};
constexpr Required kRequired[] = {
    {Stage::compute, "compute", Opcode::dcl_thread_group},
    {Stage::geometry, "geometry", Opcode::dcl_inputprimitive},
    {Stage::geometry, "geometry", Opcode::dcl_maxout},
    {Stage::hull, "hull", Opcode::dcl_input_control_point_count},
    {Stage::hull, "hull", Opcode::dcl_output_control_point_count},
    {Stage::hull, "hull", Opcode::dcl_tessellator_domain},
    {Stage::hull, "hull", Opcode::dcl_tessellator_partitioning},
    {Stage::hull, "hull", Opcode::dcl_tessellator_output_primitive},
    {Stage::domain, "domain", Opcode::dcl_input_control_point_count},
    {Stage::domain, "domain", Opcode::dcl_tessellator_domain},
};

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

/// The order of a program, its stage and the phases of a hull shader.
class Validator {
 public:
  Validator(const Program& program, Diagnostics& diagnostics) : state_(program, diagnostics) {}

  void run();

 private:
  void declare(const Instruction& dcl);
  void refuse_stage_or_model(const Instruction& instruction);
  void check_place_of_declaration(const Instruction& dcl);
  void start_phase(const Instruction& marker);
  void keep_phase();
  void start_bodies();
  void check_required();
  void check_end();

  /// What the phases of a hull shader declare together.
  struct AllPhases {
    explicit AllPhases(std::pmr::monotonic_buffer_resource* memory) : indexable_temps(memory) {}
    DeclarationTable<DeclaredSize> indexable_temps;
    DeclaredRegisters outputs;
    uint32_t temps = 0;
    bool temps_declared = false;
  };

  ValidationState state_;
  FlowChecker flow_{state_.program, state_.report, &state_.scratch};
  DeclarationChecker declarations_{state_};
  InterfaceChecker interface_{state_};
  AllPhases all_phases_{&state_.scratch};
  bool has_code_ = false;         // an instruction preceded, in this phase of a hull shader
  bool ended_ = false;            // the last instruction was a ret at the outermost level
  bool in_bodies_ = false;        // of subroutines, after the phases of a hull shader
  bool warned_of_order_ = false;  // lenient: one warning of a kind
};

void Validator::run() {
  const Program& program = state_.program;
  const uint32_t version = version_bit(program.version.stage, program.version.model());
  const bool is_hull = program.version.stage == Stage::hull;
  for (const Instruction& instruction : program.instructions) {
    if (state_.report.full()) return;
    const OpcodeRule& rule = rule_of(instruction.opcode);
    if ((rule.versions & version) == 0) refuse_stage_or_model(instruction);
    if ((rule.tasks & kDeclares) != 0) {
      declare(instruction);
      continue;
    }
    if (has_controls(instruction)) check_controls(state_, instruction);
    if (flow_.is_in_bare_switch()) flow_.check_bare_switch(instruction);
    if ((rule.tasks & kStructures) != 0) flow_.check(instruction, ended_);
    ended_ = instruction.opcode == Opcode::ret && !flow_.is_in_block();
    if (is_hull && !state_.in_hull_phase && !has_code_)
      state_.error(instruction, "{} is outside the phases of a hull program", name_of(instruction));
    if (is_hull && instruction.opcode == Opcode::label && !in_bodies_) start_bodies();
    has_code_ = true;
    check_operands(state_, instruction);
    constexpr uint32_t kResultTasks = kHasTwoResults | kHasDoubles | kNeedsExtension;
    if ((rule.tasks & kResultTasks) != 0) check_results(state_, instruction);
    if ((rule.tasks & kUsesViews) != 0) check_texture(state_, instruction);
  }
  check_end();
}

void Validator::declare(const Instruction& dcl) {
  check_place_of_declaration(dcl);
  declarations_.declare(dcl);
  interface_.declare(dcl);
  if (info(dcl.opcode).has(kHullPhase) && dcl.opcode != Opcode::hs_decls) start_phase(dcl);
}

void Validator::refuse_stage_or_model(const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  const ProgramVersion& version = state_.program.version;
  const uint32_t needed = needed_model(opcode);
  if (version.model() < needed) {
    state_.error(instruction, "{} needs shader model {}.{}, but the program is {}.{}", opcode.mnemonic,
                 needed / 10, needed % 10, uint32_t{version.major}, uint32_t{version.minor});
  }
  const auto stage = static_cast<uint32_t>(version.stage);
  if ((opcode.stages >> stage & 1) == 0)
    state_.error(instruction, "{} is not allowed in a {} program", opcode.mnemonic, state_.stage_name());
}

/// D3D11.3 functional specification 22.3.1: declarations precede the instructions, in a hull shader those of
/// the phase. Mod tools add them anywhere.
void Validator::check_place_of_declaration(const Instruction& dcl) {
  // Other custom data may be a message to Direct3D's debug layer (HLSL's printf()), which is in the code.
  if (dcl.opcode == Opcode::custom_data && dcl.controls != kImmediateConstantBuffer) return;
  if (flow_.is_in_block()) return state_.error(dcl, "{} inside a block", name_of(dcl));
  if (!has_code_ || info(dcl.opcode).has(kHullPhase)) return;
  if (!state_.program.lenient) return state_.error(dcl, "{} after the first instruction", name_of(dcl));
  if (!warned_of_order_) state_.report.warning(dcl, "{} after the first instruction", name_of(dcl));
  warned_of_order_ = true;
}

void Validator::check_required() {
  const SourceLocation& at = state_.program.version_location;
  const Stage stage = state_.program.version.stage;
  for (const Required& required : kRequired) {
    if (required.stage == stage && !declarations_.has(required.declaration))
      state_.report.diagnostics().error(at, "a {} program needs {}", required.name,
                                        info(required.declaration).mnemonic);
  }
  if (stage == Stage::hull && !state_.in_hull_phase)
    state_.report.diagnostics().error(at, "a hull program needs a phase");
}

void Validator::check_end() {
  interface_.check_range_interpolations();
  declarations_.check_ranges();
  flow_.finish();
  check_required();
  interface_.finish();
  if (!ended_ && !flow_.is_in_block()) {
    const auto& instructions = state_.program.instructions;
    const SourceLocation at = instructions.empty() ? SourceLocation{} : instructions.back().location;
    state_.report.diagnostics().warning(at, "the program does not end with ret: it may be truncated");
  }
}

/// Adds what the phase before declares to what all do.
void Validator::keep_phase() {
  all_phases_.temps = std::max(all_phases_.temps, state_.temps);
  all_phases_.temps_declared |= state_.temps_declared;
  for (const DeclaredSize& array : state_.indexable_temps.all()) {
    if (all_phases_.indexable_temps.add(array)) continue;
    DeclaredSize& known = *all_phases_.indexable_temps.find_for_change(array.id);
    known.size = std::max(known.size, array.size);
    known.components |= array.components;
  }
  add_registers(state_.outputs, all_phases_.outputs);
}

/// Subroutines and function bodies follow the phases of a hull shader (D3D11.3 functional
/// specification 22.3.49) and use the registers of the phases that call them: what no phase declares is an
/// error.
void Validator::start_bodies() {
  keep_phase();
  state_.temps = all_phases_.temps;
  state_.temps_declared = all_phases_.temps_declared;
  state_.indexable_temps.clear();
  for (const DeclaredSize& array : all_phases_.indexable_temps.all()) state_.indexable_temps.add(array);
  state_.outputs = all_phases_.outputs;
  in_bodies_ = true;
}

/// Every phase of a hull shader has separate registers. D3D11.3 functional specification 10.6: at most one
/// control-point phase, then fork phases, join phases.
void Validator::start_phase(const Instruction& marker) {
  state_.is_patch_phase = marker.opcode != Opcode::hs_control_point_phase;
  if (state_.in_hull_phase && !state_.is_patch_phase)
    state_.error(marker, "hs_control_point_phase is not the first phase");
  if (state_.in_hull_phase && !in_bodies_) keep_phase();
  state_.in_hull_phase = true;
  in_bodies_ = false;
  has_code_ = false;
  flow_.start_phase();
  declarations_.start_phase();
  interface_.start_outputs();
  state_.temps = 0;
  state_.temps_declared = false;
  state_.indexable_temps.clear();
  state_.outputs = {};
  for (DeclaredRegisters* inputs :
       {&state_.inputs, &state_.patch_constants, &state_.control_point_inputs, &state_.control_point_outputs})
    inputs->ranged = {};
}

}  // namespace

bool validate(const Program& program, Diagnostics& diagnostics) {
  const uint32_t errors = diagnostics.error_count();
  Validator(program, diagnostics).run();
  return diagnostics.error_count() == errors;
}

}  // namespace texlate::sm4
