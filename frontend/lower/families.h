// The handlers of every instruction family, for the table in lower.cpp.
#pragma once

#include "frontend/lower/lowering.h"

namespace texlate::lower {

// arithmetic.cpp
void lower_componentwise(Lowering& lowering, const sm4::Instruction& instruction);
void lower_compare(Lowering& lowering, const sm4::Instruction& instruction);
void lower_dot(Lowering& lowering, const sm4::Instruction& instruction);
void lower_mov(Lowering& lowering, const sm4::Instruction& instruction);
void lower_movc(Lowering& lowering, const sm4::Instruction& instruction);
void lower_swapc(Lowering& lowering, const sm4::Instruction& instruction);
void lower_sincos(Lowering& lowering, const sm4::Instruction& instruction);
void lower_imul(Lowering& lowering, const sm4::Instruction& instruction);
void lower_umul(Lowering& lowering, const sm4::Instruction& instruction);
void lower_udiv(Lowering& lowering, const sm4::Instruction& instruction);
void lower_uaddc(Lowering& lowering, const sm4::Instruction& instruction);
void lower_usubb(Lowering& lowering, const sm4::Instruction& instruction);
void lower_f16tof32(Lowering& lowering, const sm4::Instruction& instruction);
void lower_nop(Lowering& lowering, const sm4::Instruction& instruction);

// double_precision.cpp
void lower_double(Lowering& lowering, const sm4::Instruction& instruction);
void lower_double_compare(Lowering& lowering, const sm4::Instruction& instruction);
void lower_double_narrow(Lowering& lowering, const sm4::Instruction& instruction);
void lower_double_widen(Lowering& lowering, const sm4::Instruction& instruction);

// control_flow.cpp
void lower_if(Lowering& lowering, const sm4::Instruction& instruction);
void lower_else(Lowering& lowering, const sm4::Instruction& instruction);
void lower_endif(Lowering& lowering, const sm4::Instruction& instruction);
void lower_loop(Lowering& lowering, const sm4::Instruction& instruction);
void lower_endloop(Lowering& lowering, const sm4::Instruction& instruction);
void lower_switch(Lowering& lowering, const sm4::Instruction& instruction);
void lower_case(Lowering& lowering, const sm4::Instruction& instruction);
void lower_endswitch(Lowering& lowering, const sm4::Instruction& instruction);
void lower_jump(Lowering& lowering, const sm4::Instruction& instruction);
void lower_conditional_jump(Lowering& lowering, const sm4::Instruction& instruction);
void lower_discard(Lowering& lowering, const sm4::Instruction& instruction);
void lower_sync(Lowering& lowering, const sm4::Instruction& instruction);

// message.cpp
/// printf or errorf.
void lower_message(Lowering& lowering, const sm4::Instruction& instruction);

/// Lowers the code that a case falls through into, up to the jump that ends it (control_flow.cpp).
void lower_fall_through(Lowering& lowering);

// subroutines.cpp
/// Index after the last instruction of the subroutine whose label is at `label`.
size_t end_of_subroutine(const Lowering& lowering, size_t label);
void lower_call(Lowering& lowering, const sm4::Instruction& instruction);
/// Expands the subroutine of a label. For fb#, `number` includes kFunctionBody.
void call_label(Lowering& lowering, const sm4::Instruction& call, uint32_t number);
inline constexpr uint32_t kFunctionBody = 0x80000000u;
/// Counts an instruction that is lowered more often than it occurs in the program. Returns false after an
/// error: too many.
bool count_expanded(Lowering& lowering, const sm4::Instruction& instruction);
/// A ret while subroutines are being expanded: leaves the innermost one.
void return_from_subroutine(Lowering& lowering);
/// After the end of a loop or switch that a ret has left: continues to leave.
void continue_return(Lowering& lowering);

// class_linkage.cpp
void lower_fcall(Lowering& lowering, const sm4::Instruction& instruction);
bool load_this(Lowering& lowering, const sm4::Operand& operand, uint8_t mask, Lanes& lanes);
void declare_texture(Lowering& lowering, const sm4::Instruction& instruction, uint32_t id);
void declare_sampler(Lowering& lowering, const sm4::Instruction& instruction, uint32_t id);
void declare_constant_buffer(Lowering& lowering, uint32_t id);

// declarations.cpp
ir::Dimension dimension_of(sm4::ResourceDimension dimension);
ir::ComponentType component_type_of(sm4::ReturnType type);

// texture.cpp
void lower_ld(Lowering& lowering, const sm4::Instruction& instruction);
void lower_sample(Lowering& lowering, const sm4::Instruction& instruction);
void lower_gather(Lowering& lowering, const sm4::Instruction& instruction);
void lower_lod(Lowering& lowering, const sm4::Instruction& instruction);
void lower_resinfo(Lowering& lowering, const sm4::Instruction& instruction);
void lower_sampleinfo(Lowering& lowering, const sm4::Instruction& instruction);
void lower_samplepos(Lowering& lowering, const sm4::Instruction& instruction);
void lower_bufinfo(Lowering& lowering, const sm4::Instruction& instruction);
void lower_check_access(Lowering& lowering, const sm4::Instruction& instruction);
void lower_eval(Lowering& lowering, const sm4::Instruction& instruction);

// buffer.cpp
void lower_ld_uav_typed(Lowering& lowering, const sm4::Instruction& instruction);
void lower_store_uav_typed(Lowering& lowering, const sm4::Instruction& instruction);
void lower_ld_raw(Lowering& lowering, const sm4::Instruction& instruction);
void lower_ld_structured(Lowering& lowering, const sm4::Instruction& instruction);
void lower_store_raw(Lowering& lowering, const sm4::Instruction& instruction);
void lower_store_structured(Lowering& lowering, const sm4::Instruction& instruction);

// geometry.cpp
void lower_emit(Lowering& lowering, const sm4::Instruction& instruction);

// atomic.cpp
void lower_atomic(Lowering& lowering, const sm4::Instruction& instruction);
void lower_counter(Lowering& lowering, const sm4::Instruction& instruction);

/// A t# or u# operand: sets the contract's resource, dimension, type and run-time index. False after an
/// error.
bool bind_resource(Lowering& lowering, const sm4::Instruction& instruction, const sm4::Operand& operand,
                   ir::AccessBuilder& access);
/// Stores the results of an access in the order of the destination mask and the resource swizzle
/// (texture.cpp).
void store_results(Lowering& lowering, const sm4::Instruction& instruction, const sm4::Operand& resource,
                   Lanes results);
/// The same for the values from `first` on. With a status, which follows them, this is what the second
/// destination receives.
void store_results_and_status(Lowering& lowering, const sm4::Instruction& instruction,
                              const sm4::Operand& resource, Value first, bool has_status);
/// Sets the integer texel, element or slice address of a typed surface or buffer (texture.cpp).
void set_integer_address(Lowering& lowering, ir::AccessBuilder& access, const sm4::Operand& address);

}  // namespace texlate::lower
