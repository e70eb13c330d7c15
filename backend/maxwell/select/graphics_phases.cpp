// The phases of a hull program of deko3d. Its lanes are the output control points of a patch, which are in
// one warp: the control-point phase runs in all of them, and then fork and join phases, with all their
// instances, in the lane of point 0 (docs/reference/maxwell-graphics.md 5).

#include "backend/maxwell/select/selector.h"
#include "ir/structure.h"

namespace texlate::maxwell::select {

using ir::Op;

namespace {
constexpr int32_t kInvocationId = 0x11;  // S2R
}

/// Does a `return` inside a construct end the phase that begins at `marker`?
bool Selector::returns_early(uint32_t marker) const {
  uint32_t depth = 0;
  for (uint32_t i = marker + 1; i < module.code.size() && module.code[i].op != Op::phase; ++i) {
    if (ir::opens_construct(module.code[i].op)) ++depth;
    if (ir::closes_construct(module.code[i].op)) --depth;
    if (module.code[i].op == Op::return_ && depth != 0) return true;
  }
  return false;
}

/// New values for the variables that the phase at `marker` assigns, for a block's parameters.
void Selector::make_variables(uint32_t marker, std::pmr::vector<MachineValue>& list) {
  for (uint32_t i = 0; i < variables_.size(); ++i) {
    if (!assigns(marker, i)) continue;
    variables_[i].value = assembler.general();
    list.push_back(variables_[i].value);
  }
}

void Selector::open_phase(const ir::Instruction& instruction) {
  close_phase();
  machine::Builder& builder = assembler.builder();
  const ir::HullPhaseInfo& info = module.phases[instruction.payload];
  phase_ = {};
  phase_.marker = index_of(instruction);
  const bool makes_points = info.kind == ir::HullPhase::control_point;
  if (!makes_points) open_patch_phases();
  if (!makes_points && info.instance_count > 1) return open_instances(info.instance_count);
  if (!returns_early(phase_.marker)) return;
  // A loop that is left where the phase returns.
  phase_.end = builder.block();
  const machine::BlockId body = builder.block();
  builder.loop(phase_.end, body);
  builder.jump(body);
  assembler.enter_region();
  builder.begin(body);
}

/// A loop over the instances: for (instance = 0; instance < count; ++instance).
void Selector::open_instances(uint32_t count) {
  machine::Builder& builder = assembler.builder();
  phase_.header = builder.block();
  phase_.next = builder.block();
  phase_.end = builder.block();
  builder.loop(phase_.end, phase_.next);
  scratch_.assign(1, assembler.immediate(0));
  pass_variables(phase_.marker, scratch_);
  builder.jump(phase_.header, scratch_);
  phase_.instance = assembler.general();
  scratch_.assign(1, phase_.instance);
  make_variables(phase_.marker, scratch_);
  assembler.enter_region();
  builder.begin(phase_.header, scratch_);
  const MachineValue done = assembler.predicate();
  emit({Opcode::isetp,
        {Predicate{done, false}, Arg(), Source::of(phase_.instance), Source::immediate(count),
         Predicate::constant(true)},
        {{Modifier::integer_compare, IntegerCompare::ge}, {Modifier::is_signed, IsSigned::u32}}});
  const machine::BlockId leave = builder.block(), stay = builder.block(), body = builder.block();
  builder.selection(body);
  builder.branch(done, false, leave, stay, true);
  builder.begin(leave);
  scratch_.clear();
  pass_variables(phase_.marker, scratch_);
  builder.jump(phase_.end, scratch_);
  builder.begin(stay);
  builder.jump(body);
  builder.begin(body);
}

/// `return`: ends this instance of the phase.
void Selector::leave_phase() {
  const machine::BlockId target = phase_.next != machine::kNoBlock ? phase_.next : phase_.end;
  if (target == machine::kNoBlock) return;  // at the end of the phase
  scratch_.clear();
  pass_variables(phase_.marker, scratch_);
  assembler.builder().jump(target, scratch_);
}

void Selector::close_phase() {
  if (phase_.marker == kNoInstruction) return;
  machine::Builder& builder = assembler.builder();
  if (builder.is_open()) leave_phase();
  if (phase_.next != machine::kNoBlock) {
    scratch_.clear();
    make_variables(phase_.marker, scratch_);
    builder.begin(phase_.next, scratch_);
    const MachineValue instance = emit_integer_sum(Source::of(phase_.instance), Source::immediate(1));
    scratch_.insert(scratch_.begin(), instance);
    builder.jump(phase_.header, scratch_);
  }
  if (phase_.end != machine::kNoBlock) {
    assembler.leave_region();
    scratch_.clear();
    make_variables(phase_.marker, scratch_);
    builder.begin(phase_.end, scratch_);
  }
  const uint32_t number = module.code[phase_.marker].payload;
  if (module.phases[number].kind == ir::HullPhase::control_point) store_attributes();
  phase_ = {};
}

/// What follows runs in the lane of control point 0.
void Selector::open_patch_phases() {
  if (in_patch_phases_) return;
  in_patch_phases_ = true;
  if (module.output_control_points <= 1) return;
  machine::Builder& builder = assembler.builder();
  const Source invocation = Source::of(special_register(kInvocationId));
  const MachineValue is_first = assembler.predicate();
  emit({Opcode::isetp,
        {Predicate{is_first, false}, Arg(), invocation, Source::immediate(0), Predicate::constant(true)},
        {{Modifier::integer_compare, IntegerCompare::eq}, {Modifier::is_signed, IsSigned::u32}}});
  const machine::BlockId first = builder.block();
  other_points_ = builder.block();
  patch_end_ = builder.block();
  builder.selection(patch_end_);
  builder.branch(is_first, false, first, other_points_);
  assembler.enter_region();
  builder.begin(first);
}

void Selector::finish_phases() {
  close_phase();
  machine::Builder& builder = assembler.builder();
  if (in_patch_phases_)
    store_attributes(module.patch_constants, options.graphics->patch_constants, 0, {true, kNone}, kPatchFile);
  if (patch_end_ != machine::kNoBlock) {
    builder.jump(patch_end_);
    assembler.leave_region();
    builder.begin(other_points_);
    builder.jump(patch_end_);
    builder.begin(patch_end_);
  }
  builder.exit();
}

}  // namespace texlate::maxwell::select
