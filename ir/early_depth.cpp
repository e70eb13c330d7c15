#include "ir/early_depth.h"

#include <algorithm>

namespace texlate::ir {

namespace {

bool decides_test(const Parameter& output) {
  switch (output.system_value) {
    case SystemValue::depth:
    case SystemValue::depth_greater_equal:
    case SystemValue::depth_less_equal:
    case SystemValue::stencil_ref:
    case SystemValue::coverage_out: return true;
    default: return false;
  }
}

bool has_effect(const Instruction& instruction) {
  const OpInfo& operation = info(instruction.op);
  return instruction.op == Op::discard || (operation.has(kWritesMemory) && operation.has(kResource));
}

}  // namespace

EarlyDepth early_depth(const Module& module) {
  if (module.early_depth_stencil) return EarlyDepth::forced;
  const bool late = module.stage != Stage::pixel || std::ranges::any_of(module.outputs, decides_test) ||
                    std::ranges::any_of(module.code, has_effect);
  return late ? EarlyDepth::late : EarlyDepth::allowed;
}

std::string_view spelling(EarlyDepth when) {
  switch (when) {
    case EarlyDepth::late: return "late";
    case EarlyDepth::allowed: return "allowed";
    case EarlyDepth::forced: return "forced";
  }
  return {};
}

}  // namespace texlate::ir
