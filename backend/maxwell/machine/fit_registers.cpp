#include "backend/maxwell/machine/fit_registers.h"

namespace texlate::maxwell::machine {

namespace {

constexpr unsigned kPredicateCount = 7;
/// Vectors need adjacent registers. If the pressure leaves this many registers, the allocator is sure to find
/// them; it tries with fewer first.
constexpr unsigned kMargins[] = {0, 4, 12};

}  // namespace

bool fit_registers(Function& function, const Liveness& liveness, const Pressure& pressure, unsigned limit,
                   Scratch& scratch, Fit& fit, PassLog& log) {
  const auto allocate = [&](Function& from, const Liveness& alive, PassLog& of) {
    fit.allocation = scratch.lend(from, [&] { return allocate_registers(from, alive, limit); });
    if (fit.allocation.ok) of.after(kAllocateRegisters, from);
  };
  // Far below the limit allocation cannot fail, so no copy is needed for another attempt.
  if (pressure.predicates <= kPredicateCount && 2 * pressure.general + kMargins[2] <= limit) {
    allocate(function, liveness, log);
    return fit.allocation.ok;
  }
  for (const unsigned margin : kMargins) {
    if (margin >= limit) return false;
    Function attempt = function;
    PassLog attempt_log = log.attempt();
    fit.spilled_values = 0;
    if (pressure.predicates <= kPredicateCount && pressure.general <= limit - margin) {
      allocate(attempt, liveness, attempt_log);
    } else {
      Liveness own = liveness;
      const bool fits =
          scratch.lend(attempt, [&] { return spill(attempt, own, limit - margin, fit.spilled_values); });
      if (!fits) return false;
      attempt_log.after(kSpill, attempt);
      allocate(attempt, own, attempt_log);
    }
    if (!fit.allocation.ok) continue;
    function = std::move(attempt);
    log.take(attempt_log);
    return true;
  }
  return false;
}

bool fit_registers(Function& function, const Liveness& liveness, unsigned limit, Scratch& scratch, Fit& fit,
                   PassLog& log) {
  const Pressure pressure = scratch.lend(function, [&] { return find_pressure(function, liveness); });
  return fit_registers(function, liveness, pressure, limit, scratch, fit, log);
}

}  // namespace texlate::maxwell::machine
