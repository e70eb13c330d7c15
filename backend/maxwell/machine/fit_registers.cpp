#include "backend/maxwell/machine/fit_registers.h"

#include "backend/maxwell/machine/pressure_walk.h"

namespace texlate::maxwell::machine {

namespace {

/// Vectors need adjacent registers. If the pressure leaves this many registers, the allocator is sure to find
/// them; it tries with fewer first.
constexpr unsigned kMargins[] = {0, 4, 12};

}  // namespace

bool fit_registers(const Ordered& source, Function& function, const Liveness& liveness,
                   const Pressure& pressure, unsigned limit, Scratch& scratch, Fit& fit, PassLog& log,
                   LocalMemory local) {
  const auto allocate = [&](const Liveness& alive, PassLog& of) {
    fit.allocation = scratch.lend(function, [&] { return allocate_registers(function, alive, limit); });
    if (fit.allocation.ok) of.after(kAllocateRegisters, function);
    return fit.allocation.ok;
  };
  fit.spilled_values = 0;
  // Far below the limit allocation cannot fail.
  if (pressure.predicates <= kPredicateCount && 2 * pressure.general + kMargins[2] <= limit)
    return allocate(liveness, log);
  for (const unsigned margin : kMargins) {
    if (margin >= limit) return false;
    if (margin != kMargins[0]) function.assign(source.original, source.order);
    PassLog attempt = log.attempt();
    fit.spilled_values = 0;
    bool fits = true;
    if (pressure.predicates <= kPredicateCount && pressure.general <= limit - margin) {
      fits = allocate(liveness, attempt);
    } else {
      Liveness own = liveness;
      if (!scratch.lend(function, [&] {
            return spill(function, own, source.pressures, limit - margin, fit.spilled_values);
          }))
        return false;
      attempt.after(kSpill, function);
      if (local == LocalMemory::refused && function.local_bytes > source.original.local_bytes) return false;
      fits = allocate(own, attempt);
    }
    if (!fits) continue;
    log.take(attempt);
    return true;
  }
  return false;
}

}  // namespace texlate::maxwell::machine
