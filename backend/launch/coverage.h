// What a pixel shader may ask of the word that the host gives for each pixel (stream_head::kCovered).
#pragma once

#include "ir/module.h"

namespace texlate::launch {

constexpr bool reads_coverage(const ir::Instruction& instruction) {
  if (instruction.op != ir::Op::system_value) return false;
  const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
  return value == ir::SystemValue::coverage || value == ir::SystemValue::inner_coverage;
}

}  // namespace texlate::launch
