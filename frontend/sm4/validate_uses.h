// Checks of instructions against what is declared, for validate().
#pragma once

#include "frontend/sm4/operand_rules.h"
#include "frontend/sm4/validation_state.h"

namespace texlate::sm4 {

// validate_operands.cpp

void check_controls(ValidationState& state, const Instruction& instruction);
void check_operands(ValidationState& state, const Instruction& instruction);

/// How many indices a register of that file takes.
struct IndexCount {
  uint32_t least;
  uint32_t most;
};
IndexCount index_count_of(const ProgramVersion& version, RegisterFile file);

/// True for the register files that hold values.
bool is_readable(RegisterFile file);

// validate_registers.cpp

/// A register, and those in its indices, against its declaration.
void check_register(ValidationState& state, const Instruction& instruction, const Operand& operand,
                    const PositionRule& position);

// validate_results.cpp

/// Two results, doubles, and the extensions that dcl_globalFlags enables.
void check_results(ValidationState& state, const Instruction& instruction);

// validate_resources.cpp

/// Instructions with views.
void check_texture(ValidationState& state, const Instruction& instruction);
void check_view(ValidationState& state, const Instruction& instruction, const Operand& operand);
void check_sampler(ValidationState& state, const Instruction& instruction, const Operand& operand);
void check_shared_memory_use(ValidationState& state, const Instruction& instruction, const Operand& operand);

/// The declaration of a t# or u#; null: there is none.
const DeclaredView* find_view(const ValidationState& state, const Operand& operand);

/// True for the dimensions that an unordered access view can have.
bool is_typed_uav_dimension(ResourceDimension dimension);

}  // namespace texlate::sm4
