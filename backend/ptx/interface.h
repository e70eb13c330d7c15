// The pipeline around a shader: elements of vertices and pixels (docs/launch_abi.md), threads of a grid,
// barriers.
#pragma once

#include "backend/ptx/records.h"

namespace texlate::ptx {

class Interface : private Writer {
 public:
  Interface(Core& core, Records& records) : Writer(core), records_(records) {}

  /// Families interface and effect.
  void emit(const Instruction& instruction);
  /// Before the code of pixels and vertices: the thread's element, and whether it may write. `has_masks`:
  /// with path masks, `has_pending`: and with jumps that pass stops.
  void begin(bool has_masks, bool has_pending);

 private:
  void emit_system_value(const Instruction& instruction);
  void emit_stream_value(const Instruction& instruction);
  void emit_barrier(const Instruction& instruction);
  void emit_element();
  void emit_coverage();

  Records& records_;
};

}  // namespace texlate::ptx
