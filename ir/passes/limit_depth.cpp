#include "ir/passes/limit_depth.h"

#include <algorithm>
#include <optional>

#include "ir/builder.h"

namespace texlate::ir {

namespace {

constexpr uint32_t kZ = 2;

uint32_t special(SystemValue value) {
  return kSpecialRegister + static_cast<uint32_t>(value);
}

bool is_conservative(uint32_t reg) {
  return reg == special(SystemValue::depth_greater_equal) || reg == special(SystemValue::depth_less_equal);
}

/// The register with z of the position where the rasterizer's depth is. It is declared if it is not an input
/// yet.
uint32_t position_register(Module& module) {
  const bool per_sample = runs_per_sample(module);
  uint32_t free = 0;
  Parameter* position = nullptr;
  for (Parameter& input : module.inputs) {
    if (input.reg < kSpecialRegister) free = std::max(free, input.reg + 1);
    if (input.system_value == SystemValue::position) position = &input;
  }
  // The depth is the sample's or the centroid's, but the position is the pixel's if it is declared plainly.
  const auto is_there = per_sample ? is_at_sample : is_at_centroid;
  if (position != nullptr && is_there(position->interpolation)) {
    const auto takes_z = [&](const Parameter& input) {
      return &input != position && input.reg == position->reg && (input.mask >> kZ & 1) != 0;
    };
    if (std::ranges::none_of(module.inputs, takes_z)) {
      position->mask |= 1u << kZ;
      return position->reg;
    }
  }
  Parameter added;
  added.reg = free;
  added.mask = 1u << kZ;
  added.system_value = SystemValue::position;
  added.interpolation =
      per_sample ? Interpolation::linear_noperspective_sample : Interpolation::linear_noperspective_centroid;
  added.component_type = 3;
  module.inputs.push_back(added);
  return free;
}

bool is_depth(uint32_t reg) {
  return reg == special(SystemValue::depth) || is_conservative(reg);
}

class DepthLimiter {
 public:
  DepthLimiter(Module& module, std::string_view source, std::pmr::vector<ClosedGap>* closed)
      : module_(module), source_(source), closed_(closed), code_(module.memory()), builder_(module, code_) {}

  bool run() {
    bool any = false;
    for (const Instruction& instruction : module_.code) {
      const bool writes = instruction.op == Op::output && is_depth(instruction.payload / 4);
      if (writes) limit(instruction);
      any |= writes;
      builder_.append(instruction);
    }
    if (any) module_.code.swap(code_);
    return any;
  }

 private:
  void limit(const Instruction& output) {
    builder_.set_location(output);
    Value depth = module_.operands_of(output).back();
    const uint32_t reg = output.payload / 4;
    if (is_conservative(reg)) {
      if (!position_) position_ = position_register(module_);
      const Value rasterized = builder_.emit(Op::input, {}, *position_ * 4 + kZ);
      const bool is_greater = reg == special(SystemValue::depth_greater_equal);
      depth = builder_.emit(is_greater ? Op::fmax : Op::fmin, {depth, rasterized});
      close(output, Gap::depth_limit);
    }
    depth = builder_.emit(Op::fsat, {depth});
    close(output, Gap::depth_range);
    module_.operands_of(output).back() = depth;
  }
  void close(const Instruction& output, Gap gap) {
    if (closed_ != nullptr)
      closed_->push_back({module_.location_of(output), Op::output, gap, false, Dimension::buffer, source_});
  }

  Module& module_;
  const std::string_view source_;
  std::pmr::vector<ClosedGap>* const closed_;
  Code code_;
  Builder builder_;
  std::optional<uint32_t> position_;
};

}  // namespace

bool limit_depth(Module& module, std::string_view source, std::pmr::vector<ClosedGap>* closed) {
  if (module.stage != Stage::pixel || module.early_depth_stencil ||
      std::ranges::none_of(module.outputs, is_depth, &Parameter::reg))
    return false;
  return DepthLimiter(module, source, closed).run();
}

}  // namespace texlate::ir
