// What the uses of values require of their definitions.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "ir/module.h"

namespace texlate::spirv {

/// A sum with a negated operand is a difference: it needs the operand of the negation, which may then have no
/// use. The same holds for a clamp and its maximum.
struct ValueNeeds {
  // kExact: it comes from arithmetic that must stay as it is: of a [precise] instruction, or of a program
  // without refactoringAllowed, all of which is precise (D3D11.3 22.3.2). kShared: it has several uses.
  // kFlexible: its kind follows from its users (infer_types.h).
  // kStartsRow, kHeldSum: see find_products(). kNegation, kMaximum: see `source`.
  // kAlone, kTogether: something takes it as a scalar, as a lane of a vector, as far as the walk can tell.
  static constexpr uint16_t kNegation = 1, kMaximum = 2, kUsed = 4, kFlexible = 8, kShared = 16,
                            kStartsRow = 32, kHeldSum = 64, kExact = 128, kAlone = 256, kTogether = 512;

  std::span<uint16_t> flags;  // by value
  union Source {
    ir::Value negated;  // of an fneg
    uint32_t maximum;   // of an fmax or dmax with a constant: the instruction
  };
  std::span<Source> source;  // by value; undefined for other values

  bool is_used(ir::Value value) const { return (flags[value] & kUsed) != 0; }

  /// What an fadd adds, or subtracts from the first operand.
  struct Addends {
    std::array<ir::Value, 2> values;
    bool subtracts;
  };
  Addends addends(std::span<const ir::Value> operands) const {
    const ir::Value a = operands[0], b = operands[1];
    if ((flags[b] & kNegation) != 0) return {{a, source[b].negated}, true};
    if ((flags[a] & kNegation) != 0) return {{b, source[a].negated}, true};
    return {{a, b}, false};
  }
  /// For a minimum with a constant: the instruction that makes its operand the maximum with another, smaller
  /// constant. NClamp is both, and gives the smaller constant for a NaN, as they do. Null: there is none.
  const ir::Instruction* clamped_maximum(const ir::Module& module, const ir::Instruction& minimum) const {
    if (minimum.op != ir::Op::fmin && minimum.op != ir::Op::dmin) return nullptr;
    const auto operands = module.operands_of(minimum);
    if ((flags[operands[0]] & kMaximum) == 0 || !module.is_constant(operands[1])) return nullptr;
    const ir::Instruction& first = module.code[source[operands[0]].maximum];
    const uint64_t least = module.values[module.operands_of(first)[1]].bits;
    const uint64_t greatest = module.values[operands[1]].bits;
    const bool in_order = minimum.op == ir::Op::dmin
                              ? std::bit_cast<double>(least) <= std::bit_cast<double>(greatest)
                              : std::bit_cast<float>(static_cast<uint32_t>(least)) <=
                                    std::bit_cast<float>(static_cast<uint32_t>(greatest));
    return in_order ? &first : nullptr;
  }
};

}  // namespace texlate::spirv
