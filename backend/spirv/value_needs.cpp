#include "backend/spirv/value_needs.h"

#include <bit>

#include "ir/base/zeroed.h"

namespace texlate::spirv {

using ir::Instruction;
using ir::Op;
using ir::Value;

const Instruction* ValueNeeds::clamped_maximum(const ir::Module& module, const Instruction& minimum) const {
  if (minimum.op != Op::fmin && minimum.op != Op::dmin) return nullptr;
  const auto operands = module.operands_of(minimum);
  const uint32_t at = maximum[operands[0]];
  if (at == 0 || !module.is_constant(operands[1])) return nullptr;
  const Instruction& first = module.code[at - 1];
  const uint64_t least = module.values[module.operands_of(first)[1]].bits;
  const uint64_t greatest = module.values[operands[1]].bits;
  const bool in_order = minimum.op == Op::dmin
                            ? std::bit_cast<double>(least) <= std::bit_cast<double>(greatest)
                            : std::bit_cast<float>(static_cast<uint32_t>(least)) <=
                                  std::bit_cast<float>(static_cast<uint32_t>(greatest));
  return in_order ? &first : nullptr;
}

ValueNeeds find_needs(const ir::Module& module, const OperandKinds& operands,
                      std::pmr::monotonic_buffer_resource& arena) {
  using Needs = ValueNeeds;
  static_assert(Needs::kShared == Needs::kUsed << 2);
  Needs needs;
  needs.flags = zeroed<uint8_t>(arena, module.values.size());
  needs.negated = zeroed<Value>(arena, module.values.size());
  needs.maximum = zeroed<uint32_t>(arena, module.values.size());
  const auto note = [&needs](Value value, uint32_t how) {
    const uint32_t before = needs.flags[value];
    needs.flags[value] = static_cast<uint8_t>(before | (before & Needs::kUsed) << 2 | Needs::kUsed | how);
  };
  const uint32_t count = static_cast<uint32_t>(module.code.size());
  for (uint32_t i = 0; i < count; ++i) {
    const Instruction& instruction = module.code[i];
    switch (instruction.op) {
      case Op::fneg: needs.negated[instruction.first_result] = module.operands_of(instruction)[0] + 1; break;
      case Op::fadd:
        for (const Value value : needs.addends(module.operands_of(instruction)).values)
          note(value, Needs::kNeedsFloat);
        continue;
      case Op::fmax:
      case Op::dmax:
        if (module.is_constant(module.operands_of(instruction)[1]))
          needs.maximum[instruction.first_result] = i + 1;
        break;
      case Op::fmin:
      case Op::dmin:
        if (const Instruction* const maximum = needs.clamped_maximum(module, instruction)) {
          const auto bounded = module.operands_of(*maximum);
          const uint32_t how = instruction.op == Op::dmin ? 0u : Needs::kNeedsFloat;
          for (const Value value : {bounded[0], bounded[1], module.operands_of(instruction)[1]})
            note(value, how);
          continue;
        }
        break;
      default: break;
    }
    operands.for_each(i, [&](Value value, Kind kind) {
      note(value, kind == Kind::float_ ? Needs::kNeedsFloat : kind == Kind::uint ? Needs::kNeedsUint : 0u);
    });
  }
  return needs;
}

}  // namespace texlate::spirv
