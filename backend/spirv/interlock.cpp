// Rasterizer-ordered views (D3D11.3 7.14.7): all their accesses lie in one section that the fragments of a
// pixel enter in the order of their primitives (SPV_EXT_fragment_shader_interlock).
//
// The section must begin and end once, in whichever way control goes: it starts before the outermost
// construct that holds the first such access and stops after the one that holds the last; a return inside of
// it ends it.

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

void Emitter::find_ordered_section() {
  if (module_.stage != ir::Stage::pixel) return;
  uint32_t depth = 0, outermost = 0;
  bool inside = false;
  for (uint32_t i = 0; i < module_.code.size(); ++i) {
    const Instruction& instruction = module_.code[i];
    const Op op = instruction.op;
    if (op == Op::if_ || op == Op::loop || op == Op::switch_) {
      if (depth++ == 0) outermost = i;
    }
    const bool closes = op == Op::endif || op == Op::endloop || op == Op::endswitch;
    if (closes && --depth == 0 && inside) {
      ordered_last_ = i;
      inside = false;
    }
    if (!ir::info(op).has(ir::kResource) ||
        !module_.resources[access(instruction).resource].rasterizer_ordered)
      continue;
    if (ordered_first_ == kNoIndex) ordered_first_ = depth != 0 ? outermost : i;
    ordered_last_ = i;
    inside = depth != 0;
  }
  if (ordered_first_ == kNoIndex) return;
  builder_.require_extension("SPV_EXT_fragment_shader_interlock");
  builder_.require(runs_for_each_sample() ? spv::CapabilityFragmentShaderSampleInterlockEXT
                                          : spv::CapabilityFragmentShaderPixelInterlockEXT);
}

/// Does the shader run for each sample? Then samples are what is ordered.
bool Emitter::runs_for_each_sample() const {
  for (const ir::Parameter& parameter : module_.inputs) {
    if (parameter.system_value == ir::SystemValue::sample_index ||
        parameter.interpolation == ir::Interpolation::linear_sample ||
        parameter.interpolation == ir::Interpolation::linear_noperspective_sample)
      return true;
  }
  return false;
}

void Emitter::set_interlock_mode(Id entry) {
  if (ordered_first_ == kNoIndex) return;
  builder_.execution_mode(entry, runs_for_each_sample() ? spv::ExecutionModeSampleInterlockOrderedEXT
                                                        : spv::ExecutionModePixelInterlockOrderedEXT);
}

void Emitter::begin_ordered_section() {
  if (current_ != ordered_first_ || !reached_) return;
  effect(spv::OpBeginInvocationInterlockEXT, {});
  in_ordered_section_ = true;
}

void Emitter::end_ordered_section() {
  if (!in_ordered_section_ || current_ < ordered_last_) return;
  in_ordered_section_ = false;
  if (reached_) effect(spv::OpEndInvocationInterlockEXT, {});
}

}  // namespace texlate::spirv
