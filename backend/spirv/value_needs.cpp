#include "backend/spirv/value_needs.h"

#include <array>
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

/// Does the operation round, so that a device that combines it with another one, or simplifies it as if there
/// were no NaN, INF and signed zero, gives other bits (SPIR-V 3.20, NoContraction; Vulkan, "Precision and
/// Operation of SPIR-V Instructions")? A quotient or a first product has nothing to be fused with, but 0 / 0
/// and NaN * 0 become 0 on drivers that simplify what is not decorated.
constexpr bool is_inexact(Op op) {
  switch (op) {
    case Op::fadd:
    case Op::fmul:
    case Op::ffma:
    case Op::fdiv:
    case Op::frcp:
    case Op::fsqrt:
    case Op::frsq:
    case Op::fexp2:
    case Op::flog2:
    case Op::fsin:
    case Op::fcos:
    case Op::dadd:
    case Op::dmul:
    case Op::dfma:
    case Op::ddiv:
    case Op::drcp: return true;
    default: return false;
  }
}

/// By operation: what visit() has to look at.
enum Trait : uint8_t { kInexact = 1, kSpecial = 2 };
constexpr std::array<uint8_t, ir::kOpCount> kTraits = [] {
  std::array<uint8_t, ir::kOpCount> traits{};
  for (uint32_t i = 0; i < ir::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (is_inexact(op)) traits[i] |= kInexact;
    for (const Op special : {Op::fneg, Op::fadd, Op::fmin, Op::fmax, Op::dmin, Op::dmax}) {
      if (op == special) traits[i] |= kSpecial;
    }
  }
  return traits;
}();

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
      const uint32_t traits = kTraits[static_cast<uint32_t>(instruction.op)];
      if ((traits & kInexact) != 0 && (!module_.refactoring_allowed || instruction.has(ir::kPrecise)))
        flags_[instruction.first_result] |= ValueNeeds::kExact;
      if ((traits & kSpecial) == 0 || !visit(i, instruction, operands)) {
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

  /// Records what is known about these operations from their operands. Returns whether it recorded the needs.
  bool visit(uint32_t i, const Instruction& instruction, const Value* operands) {
    const Value result = instruction.first_result;
    switch (instruction.op) {
      case Op::fneg:
        flags_[result] |= ValueNeeds::kNegation;
        needs_.source[result] = operands[0];
        return false;
      case Op::fadd:
        for (const Value value : needs_.addends({operands, 2}).values) note(value);
        return true;
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

  const ir::Module& module_;
  ValueNeeds needs_;
  uint8_t* flags_;  // of needs_
};

}  // namespace

ValueNeeds find_needs(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena) {
  return NeedsFinder(module, arena).run();
}

}  // namespace texlate::spirv
