// What a host supplies, and how a program reaches it.
#pragma once

#include "backend/maxwell/select/accesses.h"

namespace texlate::maxwell::select {

/// One for each kind of host, chosen once for a program. What all of them have in common is here: threads
/// have numbers, barriers.
class Host : protected Accesses {
 public:
  virtual ~Host() = default;

  /// Begins the program.
  virtual void begin();
  /// Where control leaves the program, at its end or by `return`.
  virtual void leave() = 0;
  /// What the end of the program takes in registers, from the first one on; kNone: nothing.
  virtual std::span<MachineValue> results() { return {}; }

  /// Families interface and effect.
  virtual void select_interface(const ir::Instruction& instruction);
  virtual void select_binding(const ir::Instruction& instruction) = 0;
  /// cb.load, cb.rows. Those of kernels are memory (backend/launch/lower_addresses.h).
  virtual void select_constant_buffer(const ir::Instruction& instruction) {
    refuse(instruction, "a constant buffer that is not memory");
  }
  /// tex.size, tex.samples, tex.lod, sample.position.
  virtual void select_query(const ir::Instruction& instruction) = 0;
  /// A comparing sample that is not an instruction. Returns false if the texture unit compares.
  virtual bool select_comparison(const ir::Instruction& instruction) = 0;

  virtual Field resource_record(const ir::Instruction& instruction) = 0;
  /// The handle of a texture with its sampler.
  virtual Field pair_record(const ir::Instruction& instruction) = 0;
  /// The bank of constant tables.
  virtual uint8_t table_bank() const = 0;

 protected:
  using Accesses::Accesses;

  virtual void select_stream_value(const ir::Instruction& instruction, ir::SystemValue value) = 0;
  virtual void select_raster_samples(const ir::Instruction& instruction) = 0;
  // Only programs of deko3d have what follows; stages of kernels are lowered before (backend/launch).
  /// Inputs, patch constants and output control points.
  virtual void select_input(const ir::Instruction& code) { refuse(code, "an input register"); }
  virtual void select_output(const ir::Instruction& code) { refuse(code, "an output register"); }
  virtual void select_emission(const ir::Instruction& code) { refuse(code, "an emitted vertex"); }

 private:
  void select_thread_value(const ir::Instruction& instruction);
  void select_barrier(const ir::Instruction& instruction);
};

}  // namespace texlate::maxwell::select
