// Hull shaders: Vulkan's tessellation control shaders have no phases, so each phase becomes a function and
// the entry point calls them in order.
//
// The control-point phase is what every invocation runs, one for each output control point. Fork and join
// phases run in invocation 0, all instances, one after the other: they are short, join phases read what fork
// phases wrote, and without the barriers that spreading them would need between phases nothing can be out of
// order. A barrier stands between control points and patch only where the patch reads output control points
// (vocp): OpControlBarrier makes Output variables visible to the invocations of the patch (SPIR-V 3.42.20,
// "TessellationControl").

#include <algorithm>

#include "backend/spirv/emitter.h"
#include "backend/spirv/vectorize.h"

namespace texlate::spirv {

using ir::HullPhase;
using ir::SystemValue;

void Emitter::start_phase(uint32_t phase) {
  if (!phase_functions_.empty()) finish_phase();
  phase_functions_.push_back(builder_.new_id());
  phase_ = phase;
  instance_ = module_.phases[phase].instance_count > 1 ? builder_.new_id() : 0;
  phase_label_ = block_ = builder_.new_id();
  reached_ = true;
}

void Emitter::finish_phase() {
  const Id uint = builder_.uint_type();
  const Id nothing = builder_.void_type();
  const Id type = instance_ != 0 ? builder_.type(spv::OpTypeFunction, {nothing, uint})
                                 : builder_.type(spv::OpTypeFunction, {nothing});
  if (reached_) {
    store_outputs();
    effect(spv::OpReturn, {});
  }
  append(functions_, spv::OpFunction, {nothing, phase_functions_.back(), 0u, type});
  if (instance_ != 0) append(functions_, spv::OpFunctionParameter, {uint, instance_});
  append(functions_, spv::OpLabel, {phase_label_});
  prologue_.append(body_);
  if (options_.vectors) vectorize(builder_, prologue_, module_.memory());
  functions_.append(prologue_);
  append(functions_, spv::OpFunctionEnd, {});
  if (options_.names) {
    static constexpr std::string_view kNames[] = {"control_points", "fork", "join"};
    builder_.name(phase_functions_.back(), kNames[static_cast<uint32_t>(module_.phases[phase_].kind)]);
  }
  prologue_.clear();
  body_.clear();
  forget_entry_values();
}

// What was loaded at the start of one function is not there in another.
void Emitter::forget_entry_values() {
  for (auto* bindings : {&resources_, &samplers_}) {
    for (Binding& binding : *bindings) binding.object = 0;
  }
  for (Combined& combined : combined_) combined.object = 0;
  pairs_.clear();
  for (Builtin& known : builtins_) known.value = 0;
  for (auto* elements : {&inputs_, &outputs_, &patch_}) {
    for (Element& element : *elements) {
      element.whole = 0;
      std::ranges::fill(element.component, 0u);
    }
  }
  line_ = 0;
}

/// vOutputControlPointID.
Id Emitter::invocation() {
  return load_builtin(spv::BuiltInInvocationId, builder_.uint_type());
}

Id Emitter::phase_instance() {
  return instance_ != 0 ? instance_ : constant(0);
}

void Emitter::emit_hull_entry() {
  finish_phase();
  block_ = builder_.entry_label();
  reached_ = true;
  const Id nothing = builder_.void_type();
  const Id uint = builder_.uint_type();
  bool reads_outputs = false;
  for (const Instruction& instruction : module_.code)
    reads_outputs |= instruction.op == Op::output_control_point;
  bool in_patch = false;
  Id after = 0;
  for (size_t p = 0; p < phase_functions_.size(); ++p) {
    const ir::HullPhaseInfo& phase = module_.phases[p];
    const Id function = phase_functions_[p];
    if (phase.kind != HullPhase::control_point && !in_patch) {
      in_patch = true;
      if (reads_outputs) {
        effect(spv::OpControlBarrier,
               {constant(spv::ScopeWorkgroup), constant(spv::ScopeInvocation), constant(0)});
      }
      const Id first = emit(spv::OpIEqual, Scalar::boolean, {invocation(), constant(0)});
      const Id patch = builder_.new_id();
      after = builder_.new_id();
      effect(spv::OpSelectionMerge, {after, spv::SelectionControlMaskNone});
      effect(spv::OpBranchConditional, {first, patch, after});
      start_block(patch);
    }
    if (phase.instance_count <= 1) {
      emit(spv::OpFunctionCall, nothing, {function});
      continue;
    }
    const Id before = block_;
    const Id header = builder_.new_id(), body = builder_.new_id(), next = builder_.new_id(),
             merge = builder_.new_id();
    const Id counted = builder_.new_id();
    branch(header);
    start_block(header);
    const Id instance = emit(spv::OpPhi, uint, {constant(0), before, counted, next});
    effect(spv::OpLoopMerge, {merge, next, spv::LoopControlMaskNone});
    branch(body);
    start_block(body);
    emit(spv::OpFunctionCall, nothing, {function, instance});
    branch(next);
    start_block(next);
    append(body_, spv::OpIAdd, {uint, counted, instance, constant(1)});
    const Id more = emit(spv::OpULessThan, Scalar::boolean, {counted, constant(phase.instance_count)});
    effect(spv::OpBranchConditional, {more, header, merge});
    start_block(merge);
  }
  if (in_patch) {
    branch(after);
    start_block(after);
  }
}

// Values of D3D11_SB_TESSELLATOR_*. Powers of two are the hull shader's own doing: the tessellator treats
// that partitioning as integer (D3D11.3 11.7).
bool Emitter::set_tessellation_modes(Id entry) {
  static constexpr spv::ExecutionMode kDomains[] = {spv::ExecutionModeTriangles, spv::ExecutionModeIsolines,
                                                    spv::ExecutionModeTriangles, spv::ExecutionModeQuads};
  builder_.execution_mode(entry, kDomains[module_.tessellator_domain & 3]);
  if (module_.stage == ir::Stage::domain) return true;
  if (module_.phases.empty() || module_.phases[0].kind != HullPhase::control_point) {
    diagnostics_.error({}, "a hull shader without control-point phase cannot be expressed on spirv");
    return false;
  }
  switch (module_.tessellator_partitioning) {
    case 3: builder_.execution_mode(entry, spv::ExecutionModeSpacingFractionalOdd); break;
    case 4: builder_.execution_mode(entry, spv::ExecutionModeSpacingFractionalEven); break;
    default: builder_.execution_mode(entry, spv::ExecutionModeSpacingEqual); break;
  }
  switch (module_.tessellator_output) {
    case 1: builder_.execution_mode(entry, spv::ExecutionModePointMode); break;
    case 3: builder_.execution_mode(entry, spv::ExecutionModeVertexOrderCw); break;
    case 4: builder_.execution_mode(entry, spv::ExecutionModeVertexOrderCcw); break;
    default: break;
  }
  builder_.execution_mode(entry, spv::ExecutionModeOutputVertices,
                          {std::max(1u, module_.output_control_points)});
  return true;
}

}  // namespace texlate::spirv
