#include "ir/passes/limit_depth.h"

#include <algorithm>

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

/// The register with z of the position. It is declared if it is not an input yet.
uint32_t position_register(Module& module) {
  uint32_t free = 0;
  Parameter* position = nullptr;
  for (Parameter& input : module.inputs) {
    if (input.reg < kSpecialRegister) free = std::max(free, input.reg + 1);
    if (input.system_value == SystemValue::position) position = &input;
  }
  if (position != nullptr) {
    const auto takes_z = [&](const Parameter& input) {
      return &input != position && input.reg == position->reg && (input.mask >> kZ & 1) != 0;
    };
    if (std::ranges::none_of(module.inputs, takes_z)) {
      position->mask |= 1u << kZ;
      return position->reg;
    }
  }
  const bool per_sample = std::ranges::any_of(module.inputs, is_per_sample);
  Parameter added;
  added.reg = free;
  added.mask = 1u << kZ;
  added.system_value = SystemValue::position;
  added.interpolation = position != nullptr ? position->interpolation
                        : per_sample        ? Interpolation::linear_noperspective_sample
                                            : Interpolation::linear_noperspective;
  added.component_type = 3;
  module.inputs.push_back(added);
  return free;
}

}  // namespace

bool limit_depth(Module& module, std::string_view source, std::pmr::vector<ClosedGap>* closed) {
  if (module.stage != Stage::pixel || module.early_depth_stencil ||
      std::ranges::none_of(module.outputs, is_conservative, &Parameter::reg))
    return false;
  const auto writes_depth = [](const Instruction& instruction) {
    return instruction.op == Op::output && is_conservative(instruction.payload / 4);
  };
  if (std::ranges::none_of(module.code, writes_depth)) return false;
  const uint32_t reg = position_register(module);
  Code code(module.memory());
  Builder builder(module, code);
  for (const Instruction& instruction : module.code) {
    if (writes_depth(instruction)) {
      const bool is_greater = instruction.payload / 4 == special(SystemValue::depth_greater_equal);
      builder.set_location(instruction);
      const Value depth = module.operands_of(instruction).back();
      const Value rasterized = builder.emit(Op::input, {}, reg * 4 + kZ);
      const Value limited = builder.emit(is_greater ? Op::fmax : Op::fmin, {depth, rasterized});
      module.operands_of(instruction).back() = limited;
      if (closed != nullptr)
        closed->push_back({module.location_of(instruction), Op::output, Gap::depth_limit, false,
                           Dimension::buffer, source});
    }
    builder.append(instruction);
  }
  module.code.swap(code);
  return true;
}

}  // namespace texlate::ir
