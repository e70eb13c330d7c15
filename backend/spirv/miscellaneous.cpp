#include "backend/spirv/families.h"

namespace texlate::spirv {

void Miscellaneous::emit_specialized(const Instruction& instruction) {
  specialized_.resize(module_.specialized.size());
  Id& constant = specialized_[instruction.payload];
  if (constant == 0) constant = report_.fact(Fact::known, instruction.payload);
  define(instruction.first_result, Kind::uint, constant);
}

void Miscellaneous::emit_raster_samples(const Instruction& instruction) {
  if (raster_samples_ == 0) raster_samples_ = report_.fact(Fact::raster_samples, 0);
  define(instruction.first_result, Kind::uint, raster_samples_);
}

// The access has left ~0 or 0.
void Miscellaneous::emit_mapped(const Instruction& instruction) {
  define_bool(instruction.first_result,
              emit(spv::OpINotEqual, Scalar::boolean, {as_uint(operand(instruction, 0)), constant(0)}));
}

void Miscellaneous::emit_cycle_counter(const Instruction& instruction) {
  builder_.require(spv::CapabilityShaderClockKHR);
  builder_.require_extension("SPV_KHR_shader_clock");
  const Id uint = builder_.uint_type();
  const Id pair = builder_.vector_type(uint, 2);
  const Id clock = emit(spv::OpReadClockKHR, pair, {constant(spv::ScopeSubgroup)});
  define_lanes(instruction.first_result, clock, 2, As::uint);
}

void Miscellaneous::emit_discard(const Instruction& instruction) {
  if (options_.discard == Discard::flag) return discarded_.set(operand(instruction, 0));
  // The pixel continues as a helper, so that its neighbours keep their derivatives
  // (docs/reference/direct3d.md 6.3).
  builder_.require(spv::CapabilityDemoteToHelperInvocationEXT);
  builder_.require_extension("SPV_EXT_demote_to_helper_invocation");
  const Value condition = operand(instruction, 0);
  if (module_.is_constant(condition)) {
    if (module_.values[condition].bits != 0) effect(spv::OpDemoteToHelperInvocationEXT, {});
    return;
  }
  const Id then = builder_.new_id();
  const Id after = builder_.new_id();
  effect(spv::OpSelectionMerge, {after, spv::SelectionControlMaskNone});
  effect(spv::OpBranchConditional, {as_bool(condition), then, after});
  body_.start_block(then);
  effect(spv::OpDemoteToHelperInvocationEXT, {});
  body_.branch(after);
  body_.start_block(after);
}

}  // namespace texlate::spirv
