// Registers for a function in its order, with as little spilling as that takes.
#pragma once

#include "backend/maxwell/machine/allocate_registers.h"
#include "backend/maxwell/machine/pass_log.h"
#include "backend/maxwell/machine/scratch.h"
#include "backend/maxwell/machine/spill.h"

namespace texlate::maxwell::machine {

struct Fit {
  Allocation allocation;
  unsigned spilled_values = 0;
};

/// A function, and an order of its instructions.
struct Ordered {
  const Function& original;
  std::span<const uint32_t> order;
  std::span<const Pressure> pressures = {};  // of each block in this order; void: not known
};

/// May values be kept in local memory?
enum class LocalMemory : bool { refused, used };

/// Spills what does not fit `limit` registers and allocates the rest. `function` is `source` in its order,
/// and gets registers; `pressure`: its pressure. Returns false if it does not fit.
bool fit_registers(const Ordered& source, Function& function, const Liveness& liveness,
                   const Pressure& pressure, unsigned limit, Scratch& scratch, Fit& fit, PassLog& log,
                   LocalMemory local = LocalMemory::used);

}  // namespace texlate::maxwell::machine
