// What a target's documents promise for the shader's own memory: constant buffers, constant tables, x#, g#,
// input registers, and ranges of registers indexed at run time. Plain data, one table per target
// (backend/<target>/memory_guarantees.*); only legalize_memory reads it.
#pragma once

#include "ir/passes/guarantee.h"

namespace texlate::ir {

/// One promise each: "the target's own access does this as Direct3D specifies".
enum MemoryPromise : uint32_t {
  kInRange =
      1u << 0,  // out of bounds a row, offset or register reads 0, or is safe if Direct3D leaves it undefined
  kAligned = 1u << 1,  // the low two bits of a byte offset are ignored
};

/// How an access out of range is kept from memory.
enum class GuardForm : uint8_t {
  operand,  // the access has a predicate: false reads 0 and writes nothing
  // It has none: a spare element takes accesses out of range, and reads of it select 0. Where g# fill what a
  // program may declare, there are no spare elements: reads are of the last one and select 0, and accesses
  // that write have a predicate.
  spare,
};

/// What a row of a constant buffer is compared with.
enum class RowLimit : uint8_t {
  bound,     // the rows that are bound, as in Direct3D
  declared,  // the rows that are declared: the host must bind as many
};

struct MemoryTable {
  Guarantee constant_buffer;  // D3D11.3 7.5; docs/reference/direct3d.md 1.3: compared with what is bound
  Guarantee table;            // the immediate constant buffer (7.5)
  Guarantee local;            // x#: out of range is undefined, but must not reach other memory
  Guarantee shared;           // g#: likewise
  Guarantee input;            // an input register indexed at run time
  Guarantee vertex = {};      // a vertex or control point, likewise; empty if no stage has them
  Guarantee range;            // a register of a 5.1 range: the same, but must not reach another descriptor
  GuardForm guard = GuardForm::operand;
  RowLimit limit = RowLimit::bound;
  /// constant_buffer's kInRange holds for row numbers up to this one, which no buffer has, and as many beyond
  /// and below 2^32. For others an address may wrap.
  uint32_t greatest_row = 0xffffffffu;
  /// Rows of a constant buffer that has no descriptor. Targets without such buffers promise nothing.
  Guarantee push_constants = {};
};

}  // namespace texlate::ir
