#include "frontend/sm4/validate.h"

#include "frontend/sm4/validator.h"

namespace texlate::sm4 {

namespace {

/// The 11.1 extensions, which are bits of dcl_globalFlags.
constexpr uint32_t needed_model(const OpcodeInfo& opcode) {
  return opcode.model == 111 ? 50 : opcode.model;
}

/// True if check_controls() has something to check in the instruction.
bool has_controls(const Instruction& instruction, const OpcodeInfo& opcode) {
  const auto& offset = instruction.offset;
  return instruction.saturate() || instruction.has_offset || instruction.has_dimension || opcode.has(kSync) ||
         (offset[0] | offset[1] | offset[2]) != 0;
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

/// Vertices of an input primitive (D3D10_SB_PRIMITIVE); 0: unknown.
constexpr uint32_t vertices_of(uint32_t primitive) {
  constexpr uint32_t kVertices[] = {0, 1, 2, 3, 0, 0, 4, 6};
  constexpr uint32_t kPatch1 = 8;
  return primitive < kPatch1 ? kVertices[primitive] : primitive - kPatch1 + 1;
}

/// Instructions that open, divide, leave or close a block, or that may not be inside blocks.
constexpr std::array<bool, kOpcodeLimit> kStructural = [] {
  std::array<bool, kOpcodeLimit> structural{};
  using enum Opcode;
  for (const Opcode opcode : {if_, else_, endif, loop, endloop, switch_, case_, default_, endswitch, break_,
                              breakc, continue_, continuec, ret, label, call, callc})
    structural[static_cast<uint32_t>(opcode)] = true;
  return structural;
}();
bool is_structural(Opcode opcode) {
  return kStructural[static_cast<uint32_t>(opcode)];
}

}  // namespace

bool validate(const Program& program, Diagnostics& diagnostics) {
  const uint32_t errors = diagnostics.error_count();
  Validator(program, diagnostics).run();
  return diagnostics.error_count() == errors;
}

void Validator::run() {
  const uint32_t model = program_.version.model();
  const uint32_t stage = static_cast<uint32_t>(program_.version.stage);
  for (const Instruction& instruction : program_.instructions) {
    if (diagnostics_.full()) return;
    const OpcodeInfo& opcode = info(instruction.opcode);
    if (model < needed_model(opcode) || (opcode.stages >> stage & 1) == 0) refuse_stage_or_model(instruction);
    if (opcode.has(kDeclaration)) {
      declare(instruction);
      continue;
    }
    ended_ = false;
    if (has_controls(instruction, opcode)) check_controls(instruction);
    if (is_structural(instruction.opcode) || is_in_bare_switch()) check_structure(instruction);
    check_operands(instruction);
    check_texture(instruction);
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
  if ((opcode.stages >> stage & 1) == 0) {
    error(instruction, "{} is not allowed in a {} program", opcode.mnemonic, spell(kStageNames, stage));
  }
}

void Validator::collect_labels() {
  for (const Instruction& instruction : program_.instructions) {
    if (instruction.opcode != Opcode::label || instruction.operand_count == 0) continue;
    const Operand& name = program_.operands[instruction.first_operand];
    if (name.file == RegisterFile::label) labels_.insert(name.index[0].immediate);
  }
}

void Validator::open_block(const Instruction& instruction) {
  blocks_.push_back({&instruction});
  open_loops_ += instruction.opcode == Opcode::loop;
  open_switches_ += instruction.opcode == Opcode::switch_;
  if (blocks_.size() == kMaxNesting + 1)
    error(instruction, "blocks are nested more than {} deep", kMaxNesting);
}

void Validator::close_block(const Instruction& instruction, Opcode opener) {
  if (blocks_.empty() || blocks_.back().opener->opcode != opener) {
    return error(instruction, "{} without {}", name_of(instruction), info(opener).mnemonic);
  }
  blocks_.pop_back();
  open_loops_ -= opener == Opcode::loop;
  open_switches_ -= opener == Opcode::switch_;
}

void Validator::check_structure(const Instruction& instruction) {
  const bool is_label = instruction.opcode == Opcode::case_ || instruction.opcode == Opcode::default_ ||
                        instruction.opcode == Opcode::endswitch;
  if (is_in_bare_switch() && !is_label)
    error(instruction, "{} before the first case of its switch", name_of(instruction));
  switch (instruction.opcode) {
    case Opcode::if_:
    case Opcode::loop:
    case Opcode::switch_: return open_block(instruction);
    case Opcode::else_:
      if (blocks_.empty() || blocks_.back().opener->opcode != Opcode::if_)
        return error(instruction, "else without if");
      if (blocks_.back().has_else) error(instruction, "a second else in one if");
      blocks_.back().has_else = true;
      return;
    case Opcode::endif: return close_block(instruction, Opcode::if_);
    case Opcode::endloop: return close_block(instruction, Opcode::loop);
    case Opcode::endswitch: return close_block(instruction, Opcode::switch_);
    case Opcode::case_:
    case Opcode::default_:
      if (blocks_.empty() || blocks_.back().opener->opcode != Opcode::switch_) {
        return error(instruction, "{} without switch", name_of(instruction));
      }
      blocks_.back().has_case = true;
      if (instruction.opcode == Opcode::case_) return;
      if (blocks_.back().has_default) error(instruction, "a second default in one switch");
      blocks_.back().has_default = true;
      return;
    case Opcode::break_:
    case Opcode::breakc:
      if (open_loops_ == 0 && open_switches_ == 0)
        error(instruction, "{} outside loop and switch", name_of(instruction));
      return;
    case Opcode::continue_:
    case Opcode::continuec:
      if (open_loops_ == 0) error(instruction, "{} outside loop", name_of(instruction));
      return;
    case Opcode::ret: ended_ = blocks_.empty(); return;
    case Opcode::label:
      if (!blocks_.empty()) error(instruction, "label inside a block");
      return;
    case Opcode::call:
    case Opcode::callc: {
      const Operand& target = program_.operands[instruction.first_operand + instruction.operand_count - 1];
      if (labels_.empty()) collect_labels();  // few programs call anything
      if (!labels_.contains(target.index[0].immediate)) {
        error(instruction, "no label l{}", target.index[0].immediate);
      }
      return;
    }
    default: return;
  }
}

void Validator::check_required() {
  for (const Required& required : kRequired) {
    if (required.stage == program_.version.stage &&
        !declarations_.test(static_cast<size_t>(required.declaration)))
      diagnostics_.error({}, "a {} program needs {}", required.name, info(required.declaration).mnemonic);
  }
  const uint32_t vertices = primitive_ != nullptr ? vertices_of(primitive_->controls & 0x3fu) : 0;
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
  for (const Block& block : blocks_) error(*block.opener, "{} is not closed", name_of(*block.opener));
  check_required();
  if (!ended_ && blocks_.empty()) {
    const SourceLocation at =
        program_.instructions.empty() ? SourceLocation{} : program_.instructions.back().location;
    diagnostics_.warning(at, "the program does not end with ret: it may be truncated");
  }
}

}  // namespace texlate::sm4
