// Rows of constant buffers whose numbers are one value plus constants, as those of a matrix or of a structure
// in an array are.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "ir/base/zeroed.h"
#include "ir/module.h"

namespace texlate::ir {

/// Constants beyond kReach are not taken apart.
class NearRows {
 public:
  static constexpr uint32_t kReach = 4096;
  struct Row {
    Value base;
    uint32_t distance;  // the row is base + distance
  };

  NearRows(const Module& module, std::pmr::monotonic_buffer_resource& arena)
      : sums_(zeroed<Row>(arena, module.values.size())), bases_(zeroed<Base>(arena, module.values.size())) {
    for (const Instruction& instruction : module.code) {
      const Value* const operands = module.operands.data() + instruction.first_operand;
      if (instruction.op == Op::iadd && module.is_constant(operands[1]) &&
          module.constant_bits(operands[1]) <= kReach)
        sums_[instruction.first_result] = {operands[0], module.constant_bits(operands[1])};
      if (instruction.op != Op::cb_load || module.is_constant(operands[0])) continue;
      const Row row = of(operands[0]);
      Base& base = bases_[row.base];
      ++base.rows;
      base.furthest = std::max(base.furthest, row.distance);
    }
  }

  /// A row that is no such sum is its own base.
  Row of(Value row) const {
    const bool is_sum = row < sums_.size() && sums_[row].distance != 0;
    return is_sum ? sums_[row] : Row{row, 0};
  }
  /// How many loads have a row with this base?
  uint32_t count(Value base) const { return base < bases_.size() ? bases_[base].rows : 0; }
  /// The greatest distance of these.
  uint32_t furthest(Value base) const { return bases_[base].furthest; }

 private:
  struct Base {
    uint32_t rows, furthest;
  };
  std::span<Row> sums_;    // by value; a distance of 0: it is no sum
  std::span<Base> bases_;  // by value
};

}  // namespace texlate::ir
