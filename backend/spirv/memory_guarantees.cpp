// Vulkan 1.1 and, for Robustness::driver, VK_EXT_robustness2. An index outside an array in Private or
// Workgroup storage is undefined behavior (SPIR-V 2.16.1, 3.42.8), and no robustness feature covers it.

#include "backend/spirv/guarantees.h"

namespace texlate::spirv {

namespace {

using ir::kAligned;
using ir::kInRange;

constexpr ir::MemoryTable make_memory_table(Robustness robustness) {
  const bool driver = robustness == Robustness::driver;
  ir::MemoryTable table;
  table.constant_buffer = {kAligned | (driver ? uint32_t{kInRange} : 0u),
                           "Vulkan, robustBufferAccess, VK_EXT_robustness2"};
  // Bytes past the descriptor's range read 0, and an address has 32 bits: row 2^28 may be row 0. Direct3D has
  // no row 4096 (docs/reference/direct3d.md 1.5), so every greater number may be replaced by it. The same
  // holds for numbers just below 2^32.
  table.greatest_row = 4096;
  table.push_constants = {kAligned, "Vulkan, Push Constant Interface"};
  table.table = {kAligned, "SPIR-V 3.42.8 OpAccessChain"};
  table.local = {kAligned, "SPIR-V 3.42.8 OpAccessChain"};
  // Words are indexed: an offset in bytes is divided by 4.
  table.shared = {kAligned, "SPIR-V 3.42.8 OpAccessChain"};
  table.input = {kAligned, "SPIR-V 3.42.8 OpAccessChain"};
  table.vertex = {kAligned, "SPIR-V 3.42.8 OpAccessChain"};
  // Undefined out of range, as in Direct3D.
  table.range = {kAligned | kInRange, "Vulkan, Shader Resource Interface"};
  table.guard = ir::GuardForm::spare;
  table.limit = ir::RowLimit::declared;
  return table;
}

constinit const ir::MemoryTable kMemory[] = {make_memory_table(Robustness::driver),
                                             make_memory_table(Robustness::shader)};

}  // namespace

const ir::MemoryTable& memory_guarantees(Robustness robustness) {
  return kMemory[static_cast<size_t>(robustness)];
}

}  // namespace texlate::spirv
