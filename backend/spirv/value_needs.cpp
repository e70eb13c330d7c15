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

namespace {

/// Only sums and products are contracted or reassociated (SPIR-V 3.20, NoContraction), and only with what
/// other arithmetic gives them. Without refactoringAllowed the whole program is precise (D3D11.3 22.3.1): it
/// is enough then to decorate those, for whoever uses a product is decorated too.
void note_contraction(const ir::Module& module, const Instruction& instruction,
                      std::span<const Value> operands, std::span<uint8_t> flags) {
  const Op op = instruction.op;
  const bool combines = ir::info(op).has(ir::kContractible);
  uint8_t& result = flags[instruction.first_result];
  if (module.refactoring_allowed) {
    if (combines && instruction.has(ir::kPrecise)) result |= ValueNeeds::kExact;
    return;
  }
  if (op == Op::frcp) {
    result |= ValueNeeds::kCombinable;
    return;
  }
  const bool passes_on = op == Op::fneg || op == Op::dneg;
  if (!combines && !passes_on && op != Op::fdiv && op != Op::ddiv) return;
  bool combinable = false;
  for (const Value value : operands) combinable |= (flags[value] & ValueNeeds::kCombinable) != 0;
  if (!passes_on || combinable) result |= ValueNeeds::kCombinable;
  if (combinable && combines) result |= ValueNeeds::kExact;
}

}  // namespace

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
      case Op::fadd: {
        const Needs::Addends sum = needs.addends(module.operands_of(instruction));
        for (const Value value : sum.values) note(value, Needs::kNeedsFloat);
        note_contraction(module, instruction, sum.values, needs.flags);
        continue;
      }
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
    if (ir::is_arithmetic(ir::info(instruction.op).family))
      note_contraction(module, instruction, module.operands_of(instruction), needs.flags);
    operands.for_each(i, [&](Value value, Kind kind) {
      note(value, kind == Kind::float_ ? Needs::kNeedsFloat : kind == Kind::uint ? Needs::kNeedsUint : 0u);
    });
  }
  return needs;
}

}  // namespace texlate::spirv
