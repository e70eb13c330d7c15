// What the uses of values require of their definitions.
#pragma once

#include <array>

#include "backend/spirv/infer_types.h"

namespace texlate::spirv {

struct ValueNeeds {
  // kCombinable: it comes from arithmetic that an addition or multiplication could be combined with.
  // kShared: it has several uses. kStartsRow, kHeldSum: see find_products().
  static constexpr uint8_t kNeedsFloat = 1, kNeedsUint = 2, kUsed = 4, kCombinable = 8, kShared = 16,
                           kStartsRow = 32, kHeldSum = 64;

  std::span<uint8_t> flags;      // by value
  std::span<ir::Value> negated;  // by value: of an fneg what it negates, plus 1
  std::span<uint32_t> maximum;   // by value: of an fmax or dmax with a constant its instruction, plus 1

  bool is_used(ir::Value value) const { return (flags[value] & kUsed) != 0; }

  /// What an fadd adds, or subtracts from the first.
  struct Addends {
    std::array<ir::Value, 2> values;
    bool subtracts;
  };
  Addends addends(std::span<const ir::Value> operands) const {
    const ir::Value a = operands[0], b = operands[1];
    if (negated[b] != 0) return {{a, negated[b] - 1}, true};
    if (negated[a] != 0) return {{b, negated[a] - 1}, true};
    return {{a, b}, false};
  }
  /// Of a minimum with a constant: the instruction that makes its operand the maximum with another, smaller
  /// constant. NClamp is both, and gives the smaller one for a NaN as they do. Null: there is none.
  const ir::Instruction* clamped_maximum(const ir::Module& module, const ir::Instruction& minimum) const;
};

/// A sum with a negated operand is a difference: it needs what was negated, and the negation may go unused;
/// likewise a clamp and its maximum.
ValueNeeds find_needs(const ir::Module& module, const OperandKinds& operands,
                      std::pmr::monotonic_buffer_resource& arena);

}  // namespace texlate::spirv
