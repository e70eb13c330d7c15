// Outputs and patch constants that a shader writes. The components of a register are held back until the end
// of the block, where the last values are stored together, as one vector if all are present.
#pragma once

#include <optional>

#include "backend/spirv/interface.h"

namespace texlate::spirv {

class Outputs : private Writer {
 public:
  Outputs(Core& core, Interface& interface, const ControlMap& control)
      : Writer(core), interface_(interface), control_(control) {}

  void emit_output(const Instruction& instruction);
  void emit_patch_output(const Instruction& instruction);
  /// emit and cut of a geometry shader.
  void emit_vertex(const Instruction& instruction);
  /// Stores the values that are held.
  void store();
  /// Called before a marker of control flow. Outputs stay held over a construct that neither writes outputs
  /// nor jumps out: everything held before it dominates the code after it.
  void store_of_block();

 private:
  void hold(Element& element, uint32_t component, Value value);
  Id pointer_to(Element& element, uint32_t component);
  void store(Element& element);
  void store_indexed(Elements& elements, uint32_t component, Id reg, Id value);
  void store_in_run(const Element& first, Id reg, Id value);
  void store_in_register(Elements& elements, uint32_t reg, uint32_t component, Id value);

  Id count_emission();

  Interface& interface_;
  const ControlMap& control_;
  std::optional<bool> emissions_are_counted_;  // not yet known whether there may be too many
  Id emission_counter_ = Id::none;
  bool holds_ = false;
  uint32_t held_until_ = 0;  // instructions before this one leave held outputs unchanged
};

}  // namespace texlate::spirv
