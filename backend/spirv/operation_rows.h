// IR operations that are one instruction of SPIR-V, with scalars as with vectors in place of all scalars
// (SPIR-V 3.42, GLSL.std.450).
#pragma once

#include <array>
#include <cstdint>
#include <spirv/unified1/spirv.hpp>

#include "backend/spirv/kinds.h"

namespace texlate::spirv {

constexpr uint32_t kMostOperands = 3;  // of what such an instruction takes

/// Number of a row: that of the operation, or one of those behind them all.
using Row = uint8_t;
constexpr Row row_of(ir::Op op) {
  return static_cast<Row>(op);
}
constexpr Row kDifference = ir::kOpCount;       // of floats
constexpr Row kFloatSelect = ir::kOpCount + 1;  // Op::select: of unsigned integers
constexpr uint32_t kRowCount = ir::kOpCount + 2;
static_assert(kRowCount <= 256);
// Clamps of floats and doubles are the rows of Op::fsat and Op::dsat.

struct OperationRow {
  spv::Op core = spv::OpNop;  // OpNop: the operation is no such instruction
  uint16_t glsl = 0;          // of OpExtInst
  uint8_t operands = 0;
  bool takes_derivatives = false;
  bool is_commutative = false;  // the first two may change places
  bool is_plain = false;        // of the operands of the IR's operation as they stand, whatever they are
  As result = As::uint;
  std::array<As, kMostOperands> as{};  // by operand
};

extern const std::array<OperationRow, kRowCount> kOperationRows;

inline const OperationRow& operation_row(Row row) {
  return kOperationRows[row];
}

}  // namespace texlate::spirv
