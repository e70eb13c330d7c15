#include "backend/maxwell/machine/choose_order.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "backend/maxwell/machine/schedule.h"

namespace texlate::maxwell::machine {

namespace {

/// The register counts that are tried; an SM holds fewer warps beyond each.
constexpr unsigned kRegisterSteps[] = {32, 40, 48, 56, 64, 72, 80, 96, 128, 168};
constexpr unsigned kFewestAllotted = 32;
/// Up to which part of a step the order is chosen for speed: then, registers are freed first, and the most
/// that are needed at once is a little more. For more warps only the last is tried, which mostly fits.
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
/// Where an order that frees registers needs more than this, orders that begin to free them earlier need
/// hardly fewer: of 201 such shaders, 9 had one that does.
constexpr unsigned kMostLowered = 48;
/// So many registers fewer than counted may do: vectors that lie together need no gaps and no copies.
constexpr unsigned kOftenSaved = 5;

/// An order of the instructions, and its registers.
struct Arrangement {
  Arrangement(const Function& original, const PassLog& parent)
      : function(original.memory()), log(parent.attempt()) {}

  /// Becomes another attempt.
  void restart(const Function& original, std::span<const uint32_t> order, const PassLog& parent) {
    fit = {};
    log = parent.attempt();
    function.assign(original, order);
    log.after(kSchedule, function);
  }

  Function function;
  Fit fit;
  PassLog log;
};

/// Finds orders for more registers, in which a warp waits less, and for fewer, with which an SM holds more
/// warps. They are compared by what they need before they have registers. Only the one that an SM needs least
/// time for gets some, and the next one where that would keep values in local memory.
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
        refused_(original.memory()) {}

  /// Finds one that is better than the order `first` with so many registers, and its registers. False: none.
  /// `fits`: the first needs no local memory.
  bool improve(const OrderCost& first, unsigned registers, bool fits, Arrangement& out) {
    while (const std::optional<Candidate> best = choose(first, registers, fits)) {
      const OrderCost cost = orders_.find(best->goal, best->goal, best->step);
      out.restart(original_, orders_.order(), log_);
      if (fit_registers({original_, orders_.order(), orders_.pressures()}, out.function, liveness_,
                        cost.pressure, best->step, scratch_, out.fit, out.log, LocalMemory::refused))
        return true;
      refused_.push_back(*best);
    }
    return false;
  }

 private:
  /// A register count, and the goal of an order for it.
  struct Candidate {
    unsigned step, goal;
    friend bool operator==(const Candidate&, const Candidate&) = default;
  };

  /// The best of those that were not refused.
  std::optional<Candidate> choose(const OrderCost& first, unsigned registers, bool fits) {
    std::optional<Candidate> best;
    // Values in local memory are worse than any order.
    double least = fits ? sm_time(first, registers) : HUGE_VAL;
    const unsigned needed = most_alive_between_blocks();
    for (const unsigned step : kRegisterSteps) {
      if (step < needed || step > limit_) continue;
      const bool more_warps = step < registers;
      const double worth = more_warps ? least * (1 + kWorthWarps) : least * (1 - kWorthWarps);
      // With more warps the order that there is waits less already.
      if (more_warps ? !may_need_fewer(first, step, fits) : !may_wait_less(first, step, worth)) continue;
      for (const unsigned quarters : std::span(kStepQuarters).subspan(more_warps ? 1 : 0)) {
        const Candidate candidate{step, step * quarters / 4};
        if (std::ranges::find(refused_, candidate) != refused_.end()) continue;
        const OrderCost cost = orders_.find(candidate.goal, candidate.goal, step);
        if (cost.pressure.general > step || sm_time(cost, step) >= worth) continue;
        best = candidate;
        least = sm_time(cost, cost.pressure.general - std::min(cost.pressure.general, kOftenSaved));
        registers = step;
        break;
      }
    }
    return best;
  }

  /// May an order for this step take less time than `worth`?
  bool may_wait_less(const OrderCost& first, unsigned step, double worth) {
    if (static_cast<double>(first.instructions) / 4 >= worth) return false;
    if (fastest_ == 0) fastest_ = orders_.find(limit_, limit_).cycles;
    return static_cast<double>(fastest_) / resident_warps(step) < worth;
  }

  /// May an order need no more registers than this step? If not that of the lowest goal, then none.
  bool may_need_fewer(const OrderCost& first, unsigned step, bool fits) {
    if (first.pressure.general <= step) return true;
    if (first.pressure.general > kMostLowered && fits) return false;
    if (least_pressure_ == 0) {
      const unsigned goal = step * std::ranges::min(kStepQuarters) / 4;
      least_pressure_ = orders_.find(goal, goal, first.pressure.general - 1).pressure.general;
    }
    return least_pressure_ <= step;
  }

  /// Every order has these alive at once.
  unsigned most_alive_between_blocks() const {
    unsigned most = 0;
    for (const BlockId b : Indices<BlockId>(original_.blocks)) {
      const auto is_general = [&](Value v) { return original_.values[v] == ValueClass::general; };
      most = std::max(most, static_cast<unsigned>(std::ranges::count_if(liveness_[b], is_general)));
    }
    return most;
  }

  const Function& original_;
  const Liveness& liveness_;
  ValueOrders& orders_;
  const unsigned limit_;
  Scratch& scratch_;
  const PassLog& log_;
  std::pmr::vector<Candidate> refused_;  // they do not fit
  unsigned least_pressure_ = 0;          // 0: not known yet
  uint64_t fastest_ = 0;                 // cycles of the order for the limit; 0: not known yet
};

/// The order that the function has.
bool keep_order(Function& function, const Liveness& liveness, unsigned limit, Scratch& scratch, Fit& fit,
                PassLog& log) {
  Function copy(function.memory());
  copy.assign(function, {});
  const Pressure pressure = scratch.lend(copy, [&] { return find_pressure(copy, liveness); });
  if (!fit_registers({function, {}}, copy, liveness, pressure, limit, scratch, fit, log)) return false;
  function = std::move(copy);
  return true;
}

/// Of several orders the one with the fewest spills and moves.
bool choose_tight(Function& function, const Options& options, const Liveness& liveness, Scratch& scratch,
                  PassLog& log, Arrangement& best) {
  const unsigned limit = options.register_limit;
  const unsigned goal = std::min(options.register_goal, limit);
  const unsigned fetch_goal = std::min(options.fetch_register_goal, limit);
  std::optional<ValueOrders> made;
  scratch.lend(function, [&] { made.emplace(function, liveness, fetch_goal > goal); });
  ValueOrders& orders = *made;
  Arrangement attempt(function, log);
  const auto cost = [](const Arrangement& of) {
    return std::pair(of.fit.spilled_values, of.function.instructions.size());
  };
  bool found = false;
  for (const unsigned quarters : {4u, 3u, 2u, 1u, 0u}) {
    const Pressure pressure = orders.find(goal * quarters / 4, fetch_goal * quarters / 4).pressure;
    attempt.restart(function, orders.order(), log);
    attempt.function.spare.swap(best.function.spare);
    if (!fit_registers({function, orders.order(), orders.pressures()}, attempt.function, liveness, pressure,
                       limit, scratch, attempt.fit, attempt.log))
      continue;
    if (found && cost(attempt) >= cost(best)) continue;
    std::swap(best, attempt);
    found = true;
  }
  return found;
}

/// Of several orders the one that an SM needs least time for.
bool choose_fast(Function& function, const Options& options, const Liveness& liveness, Scratch& scratch,
                 PassLog& log, Arrangement& best) {
  const unsigned limit = options.register_limit;
  const unsigned goal = options.register_goal;
  const unsigned fetch_goal = std::min(options.fetch_register_goal, limit);
  std::optional<ValueOrders> orders;
  scratch.lend(function, [&] { orders.emplace(function, liveness, fetch_goal > goal); });
  const OrderCost cost = orders->find(goal, fetch_goal);
  const bool weighs = options.weighs_registers && !function.separates_fetches;
  RegisterChoice choice(function, liveness, *orders, limit, scratch, log);
  // Before the order has registers: it takes at least about as many as it needs at once.
  const unsigned least = cost.pressure.general;
  if (weighs && least > kFewestAllotted) {
    if (choice.improve(cost, least, least <= limit, best)) return true;
    orders->find(goal, fetch_goal);
  }
  std::span<const uint32_t> order = orders->order();
  const std::pmr::vector<Pressure> pressures = orders->pressures();
  std::pmr::vector<uint32_t> only_order(function.memory());
  if (!weighs) {
    only_order.assign(order.begin(), order.end());
    order = only_order;
    orders.reset();
  }
  best.restart(function, order, log);
  if (!fit_registers({function, order, pressures}, best.function, liveness, cost.pressure, limit, scratch,
                     best.fit, best.log))
    return false;
  if (!weighs || best.fit.allocation.register_count <= kFewestAllotted) return true;
  Arrangement better(function, log);
  const bool fits = best.function.local_bytes <= function.local_bytes;
  const auto is_longer = [&] {
    const double most = (1 + kWorthWarps) * static_cast<double>(best.function.instructions.size());
    return static_cast<double>(better.function.instructions.size()) > most;
  };
  if (choice.improve(cost, best.fit.allocation.register_count, fits, better) && !(fits && is_longer()))
    std::swap(best, better);
  return true;
}

}  // namespace

bool choose_order(Function& function, const Options& options, Scratch& scratch, Fit& fit, PassLog& log) {
  const unsigned limit = options.register_limit;
  const Liveness liveness = scratch.lend(function, [&] { return find_liveness(function); });
  if (!options.schedule) return keep_order(function, liveness, limit, scratch, fit, log);
  Arrangement best(function, log);
  best.function.spare.swap(function.spare);
  const bool found = limit <= options.register_goal
                         ? choose_tight(function, options, liveness, scratch, log, best)
                         : choose_fast(function, options, liveness, scratch, log, best);
  if (!found) return false;
  function = std::move(best.function);
  fit = best.fit;
  log.take(best.log);
  return true;
}

}  // namespace texlate::maxwell::machine
