// The interpreter's program: operands resolved to rows of the register file, jumps to instruction numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/module.h"

namespace texlate::sim {

/// rows[0] is the destination, the others are the operands. A row has one word per lane (b64: two). Computes
/// all lanes, including idle ones: SSA values of idle lanes are never read.
using PureFunction = void (*)(uint32_t* const* rows, uint32_t lanes);
/// Null if the operation needs more than its operands.
PureFunction pure_function(ir::Op op);

constexpr uint32_t kNoRow = 0xffffffffu;

struct Step {
  ir::Op op = ir::Op::return_;
  uint8_t flags = 0;
  uint8_t operand_count = 0;  // number of entries used in `operand`
  bool result_used = true;
  bool parallel_copy = false;  // an operand is one of the rows that are written
  PureFunction pure = nullptr;
  uint32_t result = kNoRow;
  uint32_t operand[4] = {kNoRow, kNoRow, kNoRow, kNoRow};
  uint32_t guard = kNoRow;  // guard of an access to the shader's own memory; not among the operands
  uint32_t payload = 0;
  uint32_t source = 0;  // index in Module::code
  /// The next step when no lane is active here. if: its else; else: its endif; an instruction that ends or
  /// leaves a region: the next marker of the enclosing region; endloop: the loop's body.
  uint32_t jump = 0;
  uint32_t construct = 0;  // index in ir::Structure::constructs
  uint32_t levels = 0;     // break, continue: number of open constructs inside the one that it leaves
  /// Yields: pairs (from, to) of rows in Program::copies.
  uint32_t first_copy = 0, copy_count = 0;
};

struct Copy {
  uint32_t from, to, words;
};

struct Program {
  std::vector<Step> steps;
  std::vector<Copy> copies;
  std::vector<std::vector<uint32_t>> case_values;  // by construct
  std::vector<uint32_t> row_of;                    // by value
  uint32_t row_count = 0;
  uint32_t first_register_row = 0;  // r#, before SSA construction
  struct Constant {
    uint32_t row;
    uint64_t bits;
    ir::Type type;
  };
  std::vector<Constant> constants;
};

Program decode(const ir::Module& module);

}  // namespace texlate::sim
