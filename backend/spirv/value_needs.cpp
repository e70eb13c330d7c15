#include "backend/spirv/value_needs.h"
#include "backend/spirv/ir_names.h"

#include <bit>

namespace texlate::spirv {

const Instruction* ValueNeeds::clamped_maximum(const ir::Module& module, const Instruction& minimum) const {
  if (minimum.op != Op::fmin && minimum.op != Op::dmin) return nullptr;
  const auto operands = module.operands_of(minimum);
  if ((flags[operands[0]] & kMaximum) == 0 || !module.is_constant(operands[1])) return nullptr;
  const Instruction& first = module.code[source[operands[0]].maximum];
  const uint64_t least = module.values[module.operands_of(first)[1]].bits;
  const uint64_t greatest = module.values[operands[1]].bits;
  const bool in_order = minimum.op == Op::dmin
                            ? std::bit_cast<double>(least) <= std::bit_cast<double>(greatest)
                            : std::bit_cast<float>(static_cast<uint32_t>(least)) <=
                                  std::bit_cast<float>(static_cast<uint32_t>(greatest));
  return in_order ? &first : nullptr;
}

}  // namespace texlate::spirv
