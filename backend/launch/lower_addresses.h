// Linear memory as 64-bit addresses: where the host put what is bound to a slot, plus products of numbers and
// sizes in bytes. What remains of an access is its guard, one address and a displacement. A counter is a sum
// at its address. A constant buffer in memory is a buffer whose structures are its rows.
//
// before:  %4..%7 = buf.load t0 structured_buffer mixed guard(%3) coord(%2) byte_offset(8)
//          %8 = cb.rows cb0
//          %9 = ult.u32 5, %8
//          %10..%13 = cb.load cb0[5] guard(%9)
//
// after:   %14 = address t0
//          %15 = mad.wide.u32 %2, 24, %14
//          %4..%7 = buf.load t0 structured_buffer mixed guard(%3) address(%15) byte_offset(8) align(8)
//          %8 = binding cb0.width
//          %9 = ult.u32 5, %8
//          %16 = address cb0
//          %10..%13 = buf.load cb0 structured_buffer mixed guard(%9) address(%16) byte_offset(80) align(16)
//
// Afterwards the ordinary passes share addresses between accesses, and parts of addresses between addresses.
#pragma once

#include <span>

#include "backend/launch/launch_abi.h"

namespace texlate::launch {

/// Displacements below these fit an instruction of every target: Maxwell has 24 signed bits in LDG and STG,
/// of which the words of an access need the last 16 bytes, and 20 signed bits in ATOM and RED
/// (docs/reference/maxwell.md 6).
inline constexpr uint32_t kLoadReach = (1u << 23) - 16, kAtomicReach = 1u << 19;

struct LinearMemory {
  /// By index in Module::resources: which typed views are memory; missing: none is. Raw and structured
  /// buffers always are.
  std::span<const BindingForm> forms = {};
  /// Greatest power of two that divides the addresses of structured buffers whose stride is a multiple of it.
  uint32_t alignment = 16;
  /// May a structured view lack the counter that the program uses?
  bool may_lack_counters = true;
  /// By constant buffer: the resource that is its rows, kNoRows if it is not memory. Missing: none is.
  std::span<const uint16_t> rows = {};
  /// Are the addresses of constant buffers in memory? Otherwise they are operands of instructions.
  bool loads_addresses = false;
};

inline constexpr uint16_t kNoRows = 0xffff;
/// A constant buffer as a resource: a buffer whose structures are its rows.
ir::Resource rows_of(const ir::ConstantBuffer& buffer);
/// Adds the constant buffers of a kernel to the resources of the module and the layout.
std::pmr::vector<uint16_t> add_rows(ir::Module& module, Layout& layout);

/// Has the module raw or structured buffers, or others that may be linear memory?
bool may_access_memory(const ir::Module& module);

/// Takes a legalized module: an address is computed whether the access is guarded or not. Sums have 64 bits,
/// as in Direct3D's reference, which does not wrap (docs/reference/direct3d.md 1.3, Structured).
void lower_addresses(ir::Module& module, const LinearMemory& memory);

}  // namespace texlate::launch
