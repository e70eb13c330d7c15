#include "backend/maxwell/select/graphics_host.h"
#include "ir/structure.h"

namespace texlate::maxwell::select {

/// Does a `return` inside a construct end the phase that begins at `marker`?
bool HullPhases::returns_early(uint32_t marker) const {
  uint32_t depth = 0;
  for (uint32_t i = marker + 1; i < module_.code.size() && module_.code[i].op != Op::phase; ++i) {
    if (ir::opens_construct(module_.code[i].op)) ++depth;
    if (ir::closes_construct(module_.code[i].op)) --depth;
    if (module_.code[i].op == Op::return_ && depth != 0) return true;
  }
  return false;
}

std::span<const MachineValue> HullPhases::passed() {
  scratch_.clear();
  variables_.pass(phase_.marker, scratch_);
  return scratch_;
}

std::span<const MachineValue> HullPhases::made() {
  scratch_.clear();
  variables_.make(phase_.marker, scratch_);
  return scratch_;
}

void HullPhases::open(const ir::Instruction& instruction) {
  close();
  machine::Builder& builder = assembler_.builder();
  const ir::HullPhaseInfo& info = module_.phases[instruction.payload];
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
  assembler_.enter_region();
  builder.begin(body);
}

/// A loop over the instances: for (instance = 0; instance < count; ++instance).
void HullPhases::open_instances(uint32_t count) {
  machine::Builder& builder = assembler_.builder();
  phase_.header = builder.block();
  phase_.next = builder.block();
  phase_.end = builder.block();
  builder.loop(phase_.end, phase_.next);
  scratch_.assign(1, assembler_.immediate(0));
  variables_.pass(phase_.marker, scratch_);
  builder.jump(phase_.header, scratch_);
  phase_.instance = assembler_.general();
  scratch_.assign(1, phase_.instance);
  variables_.make(phase_.marker, scratch_);
  assembler_.enter_region();
  builder.begin(phase_.header, scratch_);
  const Predicate done =
      compare_words(Source::of(phase_.instance), IntegerCompare::ge, Source::immediate(count));
  const machine::BlockId leave = builder.block(), stay = builder.block(), body = builder.block();
  builder.selection(body);
  builder.branch(done.value, false, leave, stay, true);
  builder.begin(leave);
  builder.jump(phase_.end, passed());
  builder.begin(stay);
  builder.jump(body);
  builder.begin(body);
}

/// `return`: ends this instance of the phase.
void HullPhases::leave() {
  const machine::BlockId target = phase_.next != machine::kNoBlock ? phase_.next : phase_.end;
  if (target == machine::kNoBlock) return;  // at the end of the phase
  assembler_.builder().jump(target, passed());
}

void HullPhases::close() {
  if (phase_.marker == Phase::kNoMarker) return;
  machine::Builder& builder = assembler_.builder();
  if (builder.is_open()) leave();
  if (phase_.next != machine::kNoBlock) {
    builder.begin(phase_.next, made());
    const MachineValue instance = emit_integer_sum(Source::of(phase_.instance), Source::immediate(1));
    scratch_.insert(scratch_.begin(), instance);
    builder.jump(phase_.header, scratch_);
  }
  if (phase_.end != machine::kNoBlock) {
    assembler_.leave_region();
    builder.begin(phase_.end, made());
  }
  const uint32_t number = module_.code[phase_.marker].payload;
  if (module_.phases[number].kind == ir::HullPhase::control_point) attributes_.store_outputs();
  phase_ = {};
}

/// What follows runs in the lane of control point 0.
void HullPhases::open_patch_phases() {
  if (in_patch_phases_) return;
  in_patch_phases_ = true;
  if (module_.output_control_points <= 1) return;
  machine::Builder& builder = assembler_.builder();
  const Source invocation = Source::of(special_register(kInvocationId));
  const Predicate is_first = compare_words(invocation, IntegerCompare::eq, Source::immediate(0));
  const machine::BlockId first = builder.block();
  other_points_ = builder.block();
  patch_end_ = builder.block();
  builder.selection(patch_end_);
  builder.branch(is_first.value, false, first, other_points_);
  assembler_.enter_region();
  builder.begin(first);
}

void HullPhases::finish() {
  close();
  machine::Builder& builder = assembler_.builder();
  if (in_patch_phases_)
    attributes_.store(module_.patch_constants, options_.graphics->patch_constants, 0, {true, kNone},
                      Variable::kPatchFile);
  if (patch_end_ != machine::kNoBlock) {
    builder.jump(patch_end_);
    assembler_.leave_region();
    builder.begin(other_points_);
    builder.jump(patch_end_);
    builder.begin(patch_end_);
  }
  builder.exit();
}

}  // namespace texlate::maxwell::select
