#include "backend/maxwell/machine/choose_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "backend/maxwell/machine/schedule.h"

namespace texlate::maxwell::machine {

namespace {

/// The register counts that are tried; an SM holds fewer warps beyond each.
constexpr unsigned kRegisterSteps[] = {32, 40, 48, 56, 64, 72, 80, 96, 128, 168};
constexpr unsigned kFewestAllotted = 32;
/// Up to which part of a step the order is chosen for speed: then, registers are freed first, and the most
/// that are needed at once is a little more.
constexpr unsigned kStepQuarters[] = {4, 3};

/// How many warps an SM holds: of 64 K registers, allotted to a lane by eights, in groups of four warps.
unsigned resident_warps(unsigned registers) {
  return 65536 / (32 * std::max(kFewestAllotted, (registers + 7) / 8 * 8)) / 4 * 4;
}

/// The cycles that an SM needs for a warp, as long as there are warps: while one waits for its results the
/// others issue, and four schedulers issue an instruction a cycle each.
double sm_time(const OrderCost& cost, unsigned registers) {
  return std::max(static_cast<double>(cost.cycles) / resident_warps(registers),
                  static_cast<double>(cost.instructions) / 4);
}

/// Fewer warps must save this part of the time: they hide latencies less well that are longer than expected.
constexpr double kWorthWarps = 0.03;

/// An order of the instructions, and its registers.
struct Arrangement {
  Arrangement(const Function& original, const PassLog& parent)
      : function(original.memory()), log(parent.attempt()) {}

  /// Becomes another attempt.
  void restart(const Function& original, std::span<const uint32_t> order, const PassLog& parent) {
    function.assign(original, order);
    fit = {};
    log = parent.attempt();
    log.after(kSchedule, function);
  }

  Function function;
  Fit fit;
  PassLog log;
};

/// Tries orders for more registers, in which a warp waits less, and for fewer, with which an SM holds more
/// warps, and takes the one that an SM needs least time for. None of them keeps values in local memory.
class RegisterChoice {
 public:
  RegisterChoice(const Function& original, const Liveness& liveness, ValueOrders& orders, unsigned limit,
                 Scratch& scratch, const PassLog& log)
      : original_(original),
        liveness_(liveness),
        orders_(orders),
        limit_(limit),
        scratch_(scratch),
        log_(log),
        attempt_(original, log) {}

  void improve(OrderCost cost, Arrangement& best) {
    if (best.fit.allocation.register_count <= kFewestAllotted) return;
    double least = time_of(cost, best);
    const double issue = static_cast<double>(cost.instructions) / 4;
    const uint64_t fastest = orders_.find(limit_, limit_).cycles;
    const unsigned needed = most_alive_between_blocks();
    for (const unsigned step : kRegisterSteps) {
      if (step < needed || step > limit_) continue;
      const bool more_warps = step < best.fit.allocation.register_count;
      const double worth = more_warps ? least * (1 + kWorthWarps) : least * (1 - kWorthWarps);
      if (std::max(issue, static_cast<double>(fastest) / resident_warps(step)) < worth)
        try_step(step, worth, least, best);
    }
  }

 private:
  void try_step(unsigned step, double worth, double& least, Arrangement& best) {
    for (const unsigned quarters : kStepQuarters) {
      const unsigned goal = step * quarters / 4;
      const OrderCost cost = orders_.find(goal, goal);
      if (sm_time(cost, step) >= worth) continue;
      attempt_.restart(original_, orders_.order(), log_);
      Function& function = attempt_.function;
      function.spare.swap(best.function.spare);  // one is enough
      const Pressure pressure = scratch_.lend(function, [&] { return find_pressure(function, liveness_); });
      if (pressure.general > step || !allocate(pressure, step)) continue;
      const double time = time_of(cost, attempt_);
      if (time >= worth) continue;
      least = time;
      std::swap(best, attempt_);
      return;
    }
  }

  /// Every order has these alive at once.
  unsigned most_alive_between_blocks() const {
    unsigned most = 0;
    for (size_t b = 0; b + 1 < liveness_.first.size(); ++b) {
      const auto values = std::span(liveness_.values)
                              .subspan(liveness_.first[b], liveness_.first[b + 1] - liveness_.first[b]);
      const auto is_general = [&](Value v) { return original_.values[v] == ValueClass::general; };
      most = std::max(most, static_cast<unsigned>(std::ranges::count_if(values, is_general)));
    }
    return most;
  }

  /// False: it does not fit without local memory.
  bool allocate(const Pressure& pressure, unsigned step) {
    return fit_registers({original_, orders_.order()}, attempt_.function, liveness_, pressure, step, scratch_,
                         attempt_.fit, attempt_.log) &&
           attempt_.function.local_bytes <= original_.local_bytes;
  }

  /// With the moves that the allocator added. Local memory is worse than any order.
  double time_of(OrderCost cost, const Arrangement& arrangement) const {
    if (arrangement.function.local_bytes > original_.local_bytes) return std::numeric_limits<double>::max();
    const uint64_t moves = arrangement.function.instructions.size() - original_.instructions.size();
    return sm_time({cost.cycles + moves, cost.instructions + moves},
                   arrangement.fit.allocation.register_count);
  }

  const Function& original_;
  const Liveness& liveness_;
  ValueOrders& orders_;
  const unsigned limit_;
  Scratch& scratch_;
  const PassLog& log_;
  Arrangement attempt_;
};

/// The order that the function has.
bool keep_order(Function& function, const Liveness& liveness, unsigned limit, Scratch& scratch, Fit& fit,
                PassLog& log) {
  std::pmr::vector<uint32_t> order(function.instructions.size(), 0, function.memory());
  std::iota(order.begin(), order.end(), 0u);
  Function copy(function.memory());
  copy.assign(function, order);
  if (!fit_registers({function, order}, copy, liveness, limit, scratch, fit, log)) return false;
  function = std::move(copy);
  return true;
}

/// Of several orders the one with the fewest spills and moves.
bool choose_tight(const Function& function, const Options& options, const Liveness& liveness,
                  ValueOrders& orders, Scratch& scratch, PassLog& log, Arrangement& best) {
  const unsigned limit = options.register_limit;
  const unsigned goal = std::min(options.register_goal, limit);
  const unsigned fetch_goal = std::min(options.fetch_register_goal, limit);
  Arrangement attempt(function, log);
  const auto cost = [](const Arrangement& of) {
    return std::pair(of.fit.spilled_values, of.function.instructions.size());
  };
  bool found = false;
  for (const unsigned quarters : {4u, 3u, 2u, 1u, 0u}) {
    orders.find(goal * quarters / 4, fetch_goal * quarters / 4);
    attempt.restart(function, orders.order(), log);
    attempt.function.spare.swap(best.function.spare);
    if (!fit_registers({function, orders.order()}, attempt.function, liveness, limit, scratch, attempt.fit,
                       attempt.log))
      continue;
    if (found && cost(attempt) >= cost(best)) continue;
    std::swap(best, attempt);
    found = true;
  }
  return found;
}

}  // namespace

bool choose_order(Function& function, const Options& options, Scratch& scratch, Fit& fit, PassLog& log) {
  const unsigned limit = options.register_limit;
  const unsigned goal = std::min(options.register_goal, limit);
  const unsigned fetch_goal = std::min(options.fetch_register_goal, limit);
  const Liveness liveness = scratch.lend(function, [&] { return find_liveness(function); });
  if (!options.schedule) return keep_order(function, liveness, limit, scratch, fit, log);
  std::optional<ValueOrders> orders;
  scratch.lend(function, [&] { orders.emplace(function, liveness, fetch_goal > goal); });
  Arrangement best(function, log);
  best.function.spare.swap(function.spare);
  if (limit <= options.register_goal) {
    if (!choose_tight(function, options, liveness, *orders, scratch, log, best)) return false;
  } else {
    const OrderCost cost = orders->find(goal, fetch_goal);
    best.restart(function, orders->order(), log);
    if (!fit_registers({function, orders->order()}, best.function, liveness, limit, scratch, best.fit,
                       best.log))
      return false;
    if (options.weighs_registers && !function.separates_fetches)
      RegisterChoice(function, liveness, *orders, limit, scratch, log).improve(cost, best);
  }
  function = std::move(best.function);
  fit = best.fit;
  log.take(best.log);
  return true;
}

}  // namespace texlate::maxwell::machine
