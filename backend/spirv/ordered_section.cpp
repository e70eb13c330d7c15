#include "backend/spirv/ordered_section.h"

#include <algorithm>

#include "backend/spirv/interface.h"
#include "ir/structure.h"

namespace texlate::spirv {

namespace {

bool is_ordered(const ir::Module& module, const Instruction& instruction) {
  return ir::info(instruction.op).has(ir::kResource) &&
         module.resources[module.access_of(instruction).resource].rasterizer_ordered;
}

}  // namespace

void OrderedSection::find(Id entry) {
  const auto is_rov = [](const ir::Resource& resource) { return resource.rasterizer_ordered; };
  if (module_.stage != ir::Stage::pixel || std::ranges::none_of(module_.resources, is_rov)) return;
  uint32_t depth = 0, outermost = 0;
  bool inside = false;
  for (uint32_t i = 0; i < code_.size(); ++i) {
    const Instruction& instruction = code_[i];
    if (ir::opens_construct(instruction.op) && depth++ == 0) outermost = i;
    if (ir::closes_construct(instruction.op) && --depth == 0 && inside) {
      last_ = i;
      inside = false;
    }
    if (!is_ordered(module_, instruction)) continue;
    if (first_ == kNoIndex) first_ = depth != 0 ? outermost : i;
    last_ = i;
    inside = depth != 0;
  }
  if (first_ == kNoIndex) return;
  builder_.require_extension("SPV_EXT_fragment_shader_interlock");
  const bool by_sample = runs_for_each_sample(module_, options_);
  builder_.require(by_sample ? spv::CapabilityFragmentShaderSampleInterlockEXT
                             : spv::CapabilityFragmentShaderPixelInterlockEXT);
  builder_.execution_mode(entry, by_sample ? spv::ExecutionModeSampleInterlockOrderedEXT
                                           : spv::ExecutionModePixelInterlockOrderedEXT);
}

void OrderedSection::begin() {
  if (current_ != first_ || !body_.reached()) return;
  effect(spv::OpBeginInvocationInterlockEXT, {});
  is_open_ = true;
}

void OrderedSection::end() {
  if (!is_open_ || current_ < last_) return;
  is_open_ = false;
  if (body_.reached()) effect(spv::OpEndInvocationInterlockEXT, {});
}

}  // namespace texlate::spirv
