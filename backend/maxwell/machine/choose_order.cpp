#include "backend/maxwell/machine/choose_order.h"

#include <algorithm>
#include <limits>
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
/// others issue, and four schedulers issue an instruction a cycle each. `moves`: that the allocator added.
double sm_time(const OrderCost& cost, unsigned registers, uint64_t moves = 0) {
  return std::max(static_cast<double>(cost.cycles + moves) / resident_warps(registers),
                  static_cast<double>(cost.instructions + moves) / 4);
}

/// Fewer warps must save this part of the time: they hide latencies less well that are longer than expected.
constexpr double kWorthWarps = 0.03;
/// So many orders for more registers are given up in a row before no more are tried. Of 297 improvements in
/// 1,850 shaders three came later, after a third of all attempts.
constexpr unsigned kMostGivenUp = 2;
/// Where issuing takes all the time, an order for more registers can only save moves, and hardly ever more
/// than this part of them.
constexpr double kMostMovesSaved = 0.5;

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
        attempt_(original, log),
        tried_(original.memory()) {}

  static bool is_worthwhile(const Arrangement& best) {
    return best.fit.allocation.register_count > kFewestAllotted;
  }

  void improve(const OrderCost& cost, Arrangement& best) {
    note(cost, best);
    take_lists(best);
    double least = time_of(cost, best);
    const double issue = static_cast<double>(cost.instructions) / 4;
    const unsigned needed = most_alive_between_blocks();
    uint64_t fastest = 0;  // not known yet
    const auto may_wait_less = [&](unsigned step, double worth) {
      if (fastest == 0) fastest = orders_.find(limit_, limit_).cycles;
      return static_cast<double>(fastest) / resident_warps(step) < worth;
    };
    for (const unsigned step : kRegisterSteps) {
      if (step < needed || step > limit_) continue;
      const bool more_warps = step < best.fit.allocation.register_count;
      if (!more_warps && given_up_ >= kMostGivenUp) return;
      const double worth = more_warps ? least * (1 + kWorthWarps) : least * (1 - kWorthWarps);
      if (!more_warps && !may_save(cost, best, least, worth)) return;
      // With more warps the order that there is waits less already.
      if (issue < worth && (more_warps || may_wait_less(step, worth)) && least_pressure(step) <= step)
        try_step(step, worth, least, best);
    }
  }

 private:
  /// An order whose registers were allocated, and how many it took, or had taken when it was given up.
  struct Tried {
    uint64_t order;
    unsigned registers;
    double worth;  // it was given up as no better; the largest number: it was not given up
  };

  /// May an order take less time than `worth`, where `best` takes `least`?
  bool may_save(const OrderCost& cost, const Arrangement& best, double least, double worth) const {
    const auto moves = static_cast<double>(best.function.instructions.size() - original_.instructions.size());
    const bool waits = 4 * least > static_cast<double>(cost.instructions) + moves;
    return waits || 4 * (least - worth) <= kMostMovesSaved * moves;
  }

  /// What the order of the lowest goal needs, which is about the least: with fewer registers no other is
  /// tried.
  unsigned least_pressure(unsigned first_step) {
    if (least_pressure_ == 0) {
      const unsigned goal = first_step * std::ranges::min(kStepQuarters) / 4;
      least_pressure_ = orders_.find(goal, goal).pressure.general;
    }
    return least_pressure_;
  }

  void note(const OrderCost& cost, const Arrangement& arrangement) {
    tried_.push_back(
        {cost.order, arrangement.fit.allocation.register_count, std::numeric_limits<double>::max()});
  }

  /// What was given up as no better than `worth` although it had registers left would be again.
  void note_given_up(const OrderCost& cost, unsigned step, double worth) {
    constexpr unsigned kLeft = 16;  // more than the widest vector, aligned, takes
    const Allocation& given_up = attempt_.fit.allocation;
    if (given_up.given_up && given_up.register_count + kLeft <= step)
      tried_.push_back({cost.order, given_up.register_count, worth});
  }

  /// An order that fitted into fewer registers would get the same ones again.
  bool is_tried(const OrderCost& cost, unsigned step, double worth) const {
    return std::ranges::any_of(tried_, [&](const Tried& tried) {
      return tried.order == cost.order && tried.registers <= step && worth <= tried.worth;
    });
  }

  void try_step(unsigned step, double worth, double& least, Arrangement& best) {
    std::optional<uint64_t> failed;  // the order in attempt_; it would fail again
    for (const unsigned quarters : kStepQuarters) {
      const unsigned goal = step * quarters / 4;
      const OrderCost cost = orders_.find(goal, goal, step);
      if (cost.pressure.general > step || sm_time(cost, step) >= worth || is_tried(cost, step, worth))
        continue;
      if (failed != cost.order) attempt_.restart(original_, orders_.order(), log_);
      if (failed == cost.order || !allocate(cost, step, worth)) {
        failed = cost.order;
        note_given_up(cost, step, worth);
        const Allocation& allocation = attempt_.fit.allocation;
        if (allocation.given_up && step > best.fit.allocation.register_count) ++given_up_;
        continue;
      }
      note(cost, attempt_);
      const double time = time_of(cost, attempt_);
      if (time >= worth) continue;
      least = time;
      given_up_ = 0;
      std::swap(best, attempt_);
      take_lists(best);
      return;
    }
  }

  /// Where there are registers nobody reads the value lists any more: the next attempt gets their memory.
  void take_lists(Arrangement& best) {
    attempt_.function.operands.swap(best.function.operands);
    attempt_.function.values.swap(best.function.values);
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

  /// False: it does not fit without local memory, or takes too long.
  bool allocate(const OrderCost& cost, unsigned step, double worth) {
    const GiveUp is_too_slow = [&](unsigned registers, size_t instructions) {
      const uint64_t moves =
          std::max(instructions, original_.instructions.size()) - original_.instructions.size();
      return sm_time(cost, registers, moves) >= worth;
    };
    return fit_registers({original_, orders_.order(), orders_.pressures()}, attempt_.function, liveness_,
                         cost.pressure, step, scratch_, attempt_.fit, attempt_.log, &is_too_slow) &&
           attempt_.function.local_bytes <= original_.local_bytes;
  }

  /// Local memory is worse than any order.
  double time_of(const OrderCost& cost, const Arrangement& arrangement) const {
    if (arrangement.function.local_bytes > original_.local_bytes) return std::numeric_limits<double>::max();
    const uint64_t moves = arrangement.function.instructions.size() - original_.instructions.size();
    return sm_time(cost, arrangement.fit.allocation.register_count, moves);
  }

  const Function& original_;
  const Liveness& liveness_;
  ValueOrders& orders_;
  const unsigned limit_;
  Scratch& scratch_;
  const PassLog& log_;
  Arrangement attempt_;
  unsigned least_pressure_ = 0;  // 0: not known yet
  unsigned given_up_ = 0;        // orders for more registers, since the last improvement
  std::pmr::vector<Tried> tried_;
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
  std::span<const uint32_t> order = orders->order();
  const std::pmr::vector<Pressure> pressures = orders->pressures();
  const bool weighs = options.weighs_registers && !function.separates_fetches;
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
  if (!weighs || !RegisterChoice::is_worthwhile(best)) return true;
  RegisterChoice(function, liveness, *orders, limit, scratch, log).improve(cost, best);
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
