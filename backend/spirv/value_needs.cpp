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
  if ((flags[operands[0]] & kMaximum) == 0 || !module.is_constant(operands[1])) return nullptr;
  const Instruction& first = module.code[source[operands[0]]];
  const uint64_t least = module.values[module.operands_of(first)[1]].bits;
  const uint64_t greatest = module.values[operands[1]].bits;
  const bool in_order = minimum.op == Op::dmin
                            ? std::bit_cast<double>(least) <= std::bit_cast<double>(greatest)
                            : std::bit_cast<float>(static_cast<uint32_t>(least)) <=
                                  std::bit_cast<float>(static_cast<uint32_t>(greatest));
  return in_order ? &first : nullptr;
}

namespace {

class NeedsFinder {
 public:
  NeedsFinder(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena) : module_(module) {
    needs_.flags = zeroed<uint8_t>(arena, module.values.size());
    flags_ = needs_.flags.data();
    const size_t count = module.values.size();
    needs_.source = {static_cast<uint32_t*>(arena.allocate(count * sizeof(uint32_t), alignof(uint32_t))),
                     count};
  }

  const ValueNeeds& run() {
    const uint32_t count = static_cast<uint32_t>(module_.code.size());
    for (uint32_t i = 0; i < count; ++i) {
      const Instruction& instruction = module_.code[i];
      const Value* const operands = module_.operands.data() + instruction.first_operand;
      if (!ir::is_arithmetic(ir::info(instruction.op).family) || !visit(i, instruction, operands)) {
        for (uint32_t o = 0; o < instruction.operand_count; ++o) note(operands[o]);
      }
    }
    return needs_;
  }

 private:
  static constexpr uint32_t kUsed = ValueNeeds::kUsed;
  static_assert(ValueNeeds::kShared == ValueNeeds::kUsed << 2);

  void note(Value value) {
    const uint32_t before = flags_[value];
    flags_[value] = static_cast<uint8_t>(before | (before & kUsed) << 2 | kUsed);
  }

  /// Records what is known about arithmetic from its operands. Returns whether it recorded the needs.
  bool visit(uint32_t i, const Instruction& instruction, const Value* operands) {
    const Value result = instruction.first_result;
    switch (instruction.op) {
      case Op::fneg:
        flags_[result] |= ValueNeeds::kNegation;
        needs_.source[result] = operands[0];
        pass_on(operands[0], result);
        return false;
      case Op::dneg: pass_on(operands[0], result); return false;
      case Op::frcp: flags_[result] |= ValueNeeds::kCombinable; return false;
      case Op::fadd: {
        const ValueNeeds::Addends sum = needs_.addends({operands, 2});
        combine(instruction, sum.values);
        for (const Value value : sum.values) note(value);
        return true;
      }
      case Op::fmul:
      case Op::ffma:
      case Op::fdiv:
      case Op::dadd:
      case Op::dmul:
      case Op::dfma:
      case Op::ddiv: combine(instruction, {operands, instruction.operand_count}); return false;
      case Op::fmax:
      case Op::dmax:
        if (module_.is_constant(operands[1])) {
          flags_[result] |= ValueNeeds::kMaximum;
          needs_.source[result] = i;
        }
        return false;
      case Op::fmin:
      case Op::dmin:
        if (const Instruction* const maximum = needs_.clamped_maximum(module_, instruction)) {
          const auto bounded = module_.operands_of(*maximum);
          for (const Value value : {bounded[0], bounded[1], operands[1]}) note(value);
          return true;
        }
        return false;
      default: return false;
    }
  }

  void pass_on(Value value, Value result) {
    if (!module_.refactoring_allowed) flags_[result] |= flags_[value] & ValueNeeds::kCombinable;
  }

  /// Only sums and products are contracted or reassociated (SPIR-V 3.20, NoContraction), and only with the
  /// results of other arithmetic. Without refactoringAllowed the whole program is precise (D3D11.3 22.3.1).
  /// It is then enough to decorate these, because the users of a product are decorated, too.
  void combine(const Instruction& instruction, std::span<const Value> operands) {
    const bool combines = instruction.op != Op::fdiv && instruction.op != Op::ddiv;
    uint8_t& result = flags_[instruction.first_result];
    if (module_.refactoring_allowed) {
      if (combines && instruction.has(ir::kPrecise)) result |= ValueNeeds::kExact;
      return;
    }
    uint32_t combinable = 0;
    for (const Value value : operands) combinable |= flags_[value] & ValueNeeds::kCombinable;
    result |= ValueNeeds::kCombinable;
    if (combinable != 0 && combines) result |= ValueNeeds::kExact;
  }

  const ir::Module& module_;
  ValueNeeds needs_;
  uint8_t* flags_;  // of needs_
};

}  // namespace

ValueNeeds find_needs(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena) {
  return NeedsFinder(module, arena).run();
}

}  // namespace texlate::spirv
