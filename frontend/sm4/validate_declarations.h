// The declarations of a program, for validate(): temporaries, buffers, views, samplers, memory, functions.
#pragma once

#include <bitset>
#include <vector>

#include "frontend/sm4/validation_state.h"

namespace texlate::sm4 {

class DeclarationChecker {
 public:
  explicit DeclarationChecker(ValidationState& state) : state_(state) {}

  /// Checks one declaration and adds it to the state. Of inputs and outputs, only how often it stands.
  void declare(const Instruction& dcl);
  bool has(Opcode declaration) const { return declarations_.test(static_cast<size_t>(declaration)); }
  /// At the beginning of a phase of a hull shader.
  void start_phase() {
    phase_declarations_.reset();
    indexable_registers_ = 0;
  }
  /// After all declarations.
  void check_ranges();

 private:
  /// A range of registers of model 5.1.
  struct RegisterRange {
    RegisterFile file;
    uint32_t space;
    uint32_t first;
    uint32_t last;
    const Instruction* declaration;
  };

  void check_repetition(const Instruction& dcl);
  void declare_temporaries(const Instruction& dcl);
  void declare_indexable_temp(const Instruction& dcl);
  void declare_constant_buffer(const Instruction& dcl);
  void declare_sampler(const Instruction& dcl);
  void declare_shared_memory(const Instruction& dcl);
  void declare_functions(const Instruction& dcl);
  void declare_immediate_constants(const Instruction& dcl);
  void declare_view(const Instruction& dcl, DeclarationTable<DeclaredView>& views,
                    ResourceDimension dimension);
  void note_range(const Instruction& dcl);

  ValidationState& state_;
  std::bitset<kOpcodeLimit> declarations_;        // opcodes of the declarations so far
  std::bitset<kOpcodeLimit> phase_declarations_;  // the same, of a hull shader's phase
  DeclarationTable<DeclaredFunctions> function_tables_{&state_.scratch};
  std::pmr::vector<RegisterRange> ranges_{&state_.scratch};
  uint32_t indexable_registers_ = 0;  // total of all x#; of a hull shader's phase
  uint32_t shared_bytes_ = 0;
};

}  // namespace texlate::sm4
