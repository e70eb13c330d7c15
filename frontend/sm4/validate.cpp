#include "frontend/sm4/validate.h"

#include "frontend/sm4/validator.h"
#include "ir/base/input_primitive.h"

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

}  // namespace

bool validate(const Program& program, Diagnostics& diagnostics) {
  const uint32_t errors = diagnostics.error_count();
  Validator(program, diagnostics).run();
  return diagnostics.error_count() == errors;
}

void Validator::run() {
  const uint32_t version = version_bit(program_.version.stage, program_.version.model());
  const bool is_hull = program_.version.stage == Stage::hull;
  for (const Instruction& instruction : program_.instructions) {
    if (report_.full()) return;
    const OpcodeRule& rule = rule_of(instruction.opcode);
    if ((rule.versions & version) == 0) refuse_stage_or_model(instruction);
    if ((rule.tasks & kDeclares) != 0) {
      declare(instruction);
      continue;
    }
    if (has_controls(instruction)) check_controls(instruction);
    if (flow_.is_in_bare_switch()) flow_.check_bare_switch(instruction);
    if ((rule.tasks & kStructures) != 0) flow_.check(instruction, ended_);
    ended_ = instruction.opcode == Opcode::ret && !flow_.is_in_block();
    if (is_hull && !in_hull_phase_ && !has_code_)
      error(instruction, "{} is outside the phases of a hull program", name_of(instruction));
    if (is_hull && instruction.opcode == Opcode::label && !in_bodies_) start_bodies();
    has_code_ = true;
    check_operands(instruction);
    constexpr uint32_t kResultTasks = kHasTwoResults | kHasDoubles | kNeedsExtension;
    if ((rule.tasks & kResultTasks) != 0) check_results(instruction);
    if ((rule.tasks & kUsesViews) != 0) check_texture(instruction);
  }
  check_end();
}

void Validator::refuse_stage_or_model(const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  const uint32_t needed = needed_model(opcode);
  if (program_.version.model() < needed) {
    error(instruction, "{} needs shader model {}.{}, but the program is {}.{}", opcode.mnemonic, needed / 10,
          needed % 10, uint32_t{program_.version.major}, uint32_t{program_.version.minor});
  }
  const auto stage = static_cast<uint32_t>(program_.version.stage);
  if ((opcode.stages >> stage & 1) == 0)
    error(instruction, "{} is not allowed in a {} program", opcode.mnemonic, stage_name());
}

/// D3D11.3 functional specification 22.3.1: declarations precede the instructions, in a hull shader those of
/// the phase. Mod tools add them anywhere.
void Validator::check_place_of_declaration(const Instruction& dcl) {
  // Other custom data may be a message to Direct3D's debug layer (HLSL's printf()), which is in the code.
  if (dcl.opcode == Opcode::custom_data && dcl.controls != kImmediateConstantBuffer) return;
  if (flow_.is_in_block()) return error(dcl, "{} inside a block", name_of(dcl));
  if (!has_code_ || info(dcl.opcode).has(kHullPhase)) return;
  if (!program_.lenient) return error(dcl, "{} after the first instruction", name_of(dcl));
  if (!warned_of_order_) report_.warning(dcl, "{} after the first instruction", name_of(dcl));
  warned_of_order_ = true;
}

/// D3D11.3 functional specification 10.6: declarations, at most one control-point phase, fork phases, join
/// phases.
void Validator::check_phase(const Instruction& marker) {
  if (marker.opcode == Opcode::hs_control_point_phase && in_hull_phase_)
    error(marker, "hs_control_point_phase is not the first phase");
}

void Validator::check_required() {
  const SourceLocation& at = program_.version_location;
  for (const Required& required : kRequired) {
    if (required.stage == program_.version.stage &&
        !declarations_.test(static_cast<size_t>(required.declaration)))
      report_.diagnostics().error(at, "a {} program needs {}", required.name,
                                  info(required.declaration).mnemonic);
  }
  if (program_.version.stage == Stage::hull && !in_hull_phase_)
    report_.diagnostics().error(at, "a hull program needs a phase");
  const uint32_t vertices =
      primitive_ != nullptr ? vertices_of_input_primitive(primitive_->controls & 0x3fu) : 0;
  if (vertices != 0) check_vertices(*primitive_, vertices, RegisterFile::input);
  if (input_points_ != nullptr) {
    check_vertices(*input_points_, declared_control_points(*input_points_), RegisterFile::input);
    check_vertices(*input_points_, declared_control_points(*input_points_),
                   RegisterFile::input_control_point);
  }
  if (output_points_ != nullptr)
    check_vertices(*output_points_, declared_control_points(*output_points_),
                   RegisterFile::output_control_point);
}

void Validator::check_end() {
  for (const Instruction* range : pixel_ranges_) check_range_interpolation(*range);
  check_ranges();
  flow_.finish();
  check_required();
  check_tessellator();
  if (!ended_ && !flow_.is_in_block()) {
    const SourceLocation at =
        program_.instructions.empty() ? SourceLocation{} : program_.instructions.back().location;
    report_.diagnostics().warning(at, "the program does not end with ret: it may be truncated");
  }
}

}  // namespace texlate::sm4
