// What a target's documents promise of the shader's own memory: constant buffers, constant tables, x#, g#,
// input registers and ranges of registers by a run-time index. Plain data, one table per target
// (backend/<target>/memory_guarantees.*), read by legalize_memory and nothing else.
#pragma once

#include "ir/passes/guarantee.h"

namespace texlate::ir {

/// One promise each: "the target's own access does this as Direct3D says".
enum MemoryPromise : uint32_t {
  kInRange =
      1u << 0,  // out of bounds a row, offset or register reads 0, or is safe if Direct3D leaves it undefined
  kAligned = 1u << 1,  // the low two bits of a byte offset do not count
};

/// How what is outside is kept from memory.
enum class GuardForm : uint8_t {
  operand,  // the access has a predicate: false reads 0 and writes nothing
  spare,    // it has none: the memory gets a spare element that takes what is outside, and reads choose 0
};

/// What a row of a constant buffer is compared with.
enum class RowLimit : uint8_t {
  bound,     // the rows that are bound, as Direct3D has it
  declared,  // the rows that are declared: the host must bind as many
};

struct MemoryTable {
  Guarantee constant_buffer;  // D3D11.3 7.5; docs/reference/direct3d.md 1.3: measured against what is bound
  Guarantee table;            // the immediate constant buffer (7.5)
  Guarantee local;            // x#: outside is open, and must not be another's memory
  Guarantee shared;           // g#: likewise
  Guarantee input;            // an input register by a run-time number
  Guarantee vertex = {};      // a vertex or control point by one: outside is open. Stages without have none.
  Guarantee range;  // a register of a 5.1 range: outside is open, and must not be another's descriptor
  GuardForm guard = GuardForm::operand;
  RowLimit limit = RowLimit::bound;
  /// The row numbers of which constant_buffer's kInRange speaks: up to this one, which no buffer has. Beyond
  /// it an address may wrap.
  uint32_t greatest_row = 0xffffffffu;
  /// Rows of a constant buffer that has no descriptor. Targets without such buffers promise nothing.
  Guarantee push_constants = {};
};

}  // namespace texlate::ir
