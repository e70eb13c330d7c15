// The pipeline around a shader: planes of vertices and pixels (docs/launch_abi.md), threads of a grid,
// barriers.
#pragma once

#include "backend/ptx/records.h"

namespace texlate::ptx {

class Interface : private Writer {
 public:
  Interface(Core& core, Records& records) : Writer(core), records_(records) {}

  /// Families interface and effect.
  void emit(const Instruction& instruction);
  /// Before the code of pixels and vertices: the thread's element. `has_masks`: with path masks,
  /// `has_pending`: and with jumps that pass stops.
  void begin(bool has_masks, bool has_pending);
  /// After it: the outputs.
  void end();

 private:
  void emit_input(const Instruction& instruction);
  void emit_output(const Instruction& instruction);
  void emit_indexed_output(const Instruction& instruction);
  void emit_system_value(const Instruction& instruction);
  void emit_stream_value(const Instruction& instruction);
  void emit_barrier(const Instruction& instruction);
  void emit_element();
  void emit_coverage();
  void emit_output_stores();
  void load_pointer(std::string_view name, uint32_t field) { records_.load("u64", name, {}, field); }

  Records& records_;
};

}  // namespace texlate::ptx
