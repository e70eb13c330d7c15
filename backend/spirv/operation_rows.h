// IR operations that are one SPIR-V instruction, either with scalars or with vectors instead of all scalars
// (SPIR-V 3.42, GLSL.std.450).
#pragma once

#include <array>
#include <cstdint>
#include <spirv/unified1/spirv.hpp>

#include "backend/spirv/kinds.h"

namespace texlate::spirv {

constexpr uint32_t kMostOperands = 3;  // that such an instruction takes

/// Number of a row: that of the operation, or one of the additional rows after all operations.
using Row = uint8_t;
constexpr Row row_of(ir::Op op) {
  return static_cast<Row>(op);
}
constexpr Row kDifference = ir::kOpCount;       // of floats
constexpr Row kFloatSelect = ir::kOpCount + 1;  // Op::select: of unsigned integers
constexpr uint32_t kRowCount = ir::kOpCount + 2;
static_assert(kRowCount <= 256);
// Clamps of floats and doubles use the rows of Op::fsat and Op::dsat.

struct OperationRow {
  spv::Op core = spv::OpNop;  // OpNop: the operation has no such instruction
  uint16_t glsl = 0;          // of OpExtInst
  uint8_t operands = 0;
  bool takes_derivatives = false;
  bool is_commutative = false;  // the first two operands may change places
  bool is_plain = false;        // its operands are exactly those of the IR's operation, whatever they are
  As result = As::uint;
  std::array<As, kMostOperands> as{};  // by operand
};

extern const std::array<OperationRow, kRowCount> kOperationRows;

inline const OperationRow& operation_row(Row row) {
  return kOperationRows[row];
}

}  // namespace texlate::spirv
