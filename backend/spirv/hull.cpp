#include "backend/spirv/hull.h"

#include <algorithm>

namespace texlate::spirv {

using ir::HullPhase;

std::string_view hull_phase_name(HullPhase kind) {
  static constexpr std::string_view kNames[] = {"control_points", "fork", "join"};
  return kNames[static_cast<uint32_t>(kind)];
}

Id HullPhases::start_phase(uint32_t phase) {
  if (!phases_.empty()) finish_phase();
  phases_.push_back(builder_.new_id());
  phase_ = phase;
  instance_ = module_.phases[phase].instance_count > 1 ? builder_.new_id() : Id::none;
  label_ = builder_.new_id();
  body_.start_function(label_);
  return phases_.back();
}

void HullPhases::finish_phase() {
  const Id uint = builder_.uint_type();
  const Id nothing = builder_.void_type();
  const Id type = instance_ != Id::none ? builder_.type(spv::OpTypeFunction, {nothing, uint})
                                        : builder_.type(spv::OpTypeFunction, {nothing});
  if (body_.reached()) {
    outputs_.store();
    effect(spv::OpReturn, {});
  }
  append(functions_, spv::OpFunction, {nothing, phases_.back(), spv::FunctionControlMaskNone, type});
  if (instance_ != Id::none) append(functions_, spv::OpFunctionParameter, {uint, instance_});
  append(functions_, spv::OpLabel, {label_});
  functions_.append(values_.finish_function());
  append(functions_, spv::OpFunctionEnd, {});
  if (options_.names) builder_.name(phases_.back(), hull_phase_name(module_.phases[phase_].kind));
  bindings_.forget_entry_values();
  interface_.forget_entry_values();
}

void HullPhases::emit_entry() {
  finish_phase();
  body_.start_function(builder_.entry_label());
  const Id nothing = builder_.void_type();
  const bool reads_outputs =
      std::ranges::any_of(code_, [](const Instruction& one) { return one.op == Op::output_control_point; });
  Id after = Id::none;  // the patch's phases are in a block before this one; none: they have not started
  for (size_t p = 0; p < phases_.size(); ++p) {
    const ir::HullPhaseInfo& phase = module_.phases[p];
    if (phase.kind != HullPhase::control_point && after == Id::none) {
      if (reads_outputs) {
        effect(spv::OpControlBarrier,
               {constant(spv::ScopeWorkgroup), constant(spv::ScopeInvocation), constant(0)});
      }
      const Id first = emit(spv::OpIEqual, As::boolean, {interface_.invocation(), constant(0)});
      const Id patch = builder_.new_id();
      after = builder_.new_id();
      body_.branch(first, patch, after, after);
      body_.start_block(patch);
    }
    if (phase.instance_count <= 1) {
      emit(spv::OpFunctionCall, nothing, {phases_[p]});
    } else {
      call_instances(phases_[p], phase.instance_count);
    }
  }
  if (after != Id::none) {
    body_.branch(after);
    body_.start_block(after);
  }
}

/// Calls the function in a loop over the instances.
void HullPhases::call_instances(Id function, uint32_t count) {
  const Id uint = builder_.uint_type();
  const Id before = body_.block();
  const Id header = builder_.new_id(), body = builder_.new_id(), next = builder_.new_id(),
           merge = builder_.new_id();
  const Id counted = builder_.new_id();
  body_.branch(header);
  body_.start_block(header);
  const Id instance = emit(spv::OpPhi, uint, {constant(0), before, counted, next});
  effect(spv::OpLoopMerge, {merge, next, spv::LoopControlMaskNone});
  body_.branch(body);
  body_.start_block(body);
  emit(spv::OpFunctionCall, builder_.void_type(), {function, instance});
  body_.branch(next);
  body_.start_block(next);
  effect(spv::OpIAdd, {uint, counted, instance, constant(1)});
  const Id more = emit(spv::OpULessThan, As::boolean, {counted, constant(count)});
  effect(spv::OpBranchConditional, {more, header, merge});
  body_.start_block(merge);
}

}  // namespace texlate::spirv
