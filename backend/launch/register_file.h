// How many registers a thread may have, so that a whole thread block fits.
#pragma once

#include <algorithm>
#include <cstdint>

namespace texlate::launch {

/// The registers of a thread block of `threads`, 1 to 1024, divided among them: up to 255 for each. Warps are
/// allocated in fours, one for each scheduler, and each thread's registers in eights (CUDA C++ Programming
/// Guide, "Technical Specifications per Compute Capability", registers per block; CUDA Occupancy Calculator,
/// allocation granularity). `sm` from 50 on.
constexpr uint32_t most_registers(uint32_t sm, uint32_t threads) {
  const uint32_t of_block = sm == 53 || sm == 62 ? 32 * 1024 : 64 * 1024;
  const uint32_t allotted = (threads + 127) / 128 * 128;
  return std::min(of_block / allotted / 8 * 8, 255u);
}

}  // namespace texlate::launch
