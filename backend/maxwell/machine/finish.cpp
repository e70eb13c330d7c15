#include <algorithm>
#include <limits>
#include <optional>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/affinity.h"
#include "backend/maxwell/machine/allocate.h"
#include "backend/maxwell/machine/convert_branches.h"
#include "backend/maxwell/machine/issue_hints.h"
#include "backend/maxwell/machine/layout.h"
#include "backend/maxwell/machine/merge_accesses.h"
#include "backend/maxwell/machine/program.h"
#include "backend/maxwell/machine/schedule_lines.h"
#include "backend/maxwell/machine/schedule_values.h"
#include "backend/maxwell/machine/scoreboards.h"
#include "backend/maxwell/machine/simplify.h"
#include "backend/maxwell/machine/spill.h"
#include "ir/base/stack_arena.h"

namespace texlate::maxwell::machine {

std::string_view finish_error_text(FinishError error) {
  switch (error) {
    case FinishError::none: return "no error";
    case FinishError::register_limit: return "the program needs more registers than the limit allows";
    case FinishError::too_long: return "the program is too long for a branch";
  }
  return "";
}

namespace {

/// Memory for one pass; the next pass reuses it, still in the cache.
class Scratch {
 public:
  explicit Scratch(std::pmr::memory_resource* memory) : memory_(kFirstChunk, memory) {}

  /// Calls run() while `user` (a Function, a Layout) has scratch memory.
  template <typename User, typename Run>
  auto lend(User& user, Run run) {
    std::pmr::monotonic_buffer_resource arena(kFirstChunk, &memory_);
    user.scratch_memory = &arena;
    struct End {
      User& user;
      ~End() { user.scratch_memory = nullptr; }
    } const end{user};
    return run();
  }

 private:
  static constexpr size_t kFirstChunk = 16 * 1024;
  StackArena memory_;
};

constexpr unsigned kPredicateCount = 7;
/// Vectors need adjacent registers. If the pressure leaves this many registers, the allocator is sure to find
/// them; it tries with fewer first.
constexpr unsigned kMargins[] = {0, 4, 12};

/// `pressure`: that of the function.
bool fit_registers(Function& function, const Liveness& liveness, const Pressure& pressure, unsigned limit,
                   Scratch& scratch, Allocation& allocation, Program& program) {
  const auto allocate = [&](Function& from, const Liveness& alive) {
    allocation = scratch.lend(from, [&] { return allocate_registers(from, alive, limit); });
  };
  // Far below the limit allocation cannot fail, so no copy is needed for another attempt.
  if (pressure.predicates <= kPredicateCount && 2 * pressure.general + kMargins[2] <= limit) {
    allocate(function, liveness);
    return allocation.ok;
  }
  for (const unsigned margin : kMargins) {
    if (margin >= limit) return false;
    Function attempt = function;
    program.spilled_values = 0;
    if (pressure.predicates <= kPredicateCount && pressure.general <= limit - margin) {
      allocate(attempt, liveness);
    } else {
      Liveness own = liveness;
      const bool fits =
          scratch.lend(attempt, [&] { return spill(attempt, own, limit - margin, program.spilled_values); });
      if (!fits) return false;
      allocate(attempt, own);
    }
    if (!allocation.ok) continue;
    function = std::move(attempt);
    return true;
  }
  return false;
}

bool fit_registers(Function& function, const Liveness& liveness, unsigned limit, Scratch& scratch,
                   Allocation& allocation, Program& program) {
  const Pressure pressure = scratch.lend(function, [&] { return find_pressure(function, liveness); });
  return fit_registers(function, liveness, pressure, limit, scratch, allocation, program);
}

// ---- how many registers the order uses ----

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
  Function function;
  Allocation allocation;
  unsigned spilled_values = 0;
};

/// Tries orders for more registers, in which a warp waits less, and for fewer, with which an SM holds more
/// warps, and takes the one that an SM needs least time for. None of them keeps values in local memory.
class RegisterChoice {
 public:
  RegisterChoice(const Function& original, const Liveness& liveness, ValueOrders& orders, unsigned limit,
                 Scratch& scratch)
      : original_(original), liveness_(liveness), orders_(orders), limit_(limit), scratch_(scratch) {}

  void improve(OrderCost cost, Arrangement& best) {
    if (best.allocation.register_count <= kFewestAllotted) return;
    double least = time_of(cost, best);
    const double issue = static_cast<double>(cost.instructions) / 4;
    const uint64_t fastest = orders_.find(limit_, limit_).cycles;
    const unsigned needed = most_alive_between_blocks();
    for (const unsigned step : kRegisterSteps) {
      if (step < needed || step > limit_) continue;
      const bool more_warps = step < best.allocation.register_count;
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
      Arrangement attempt{Function(original_, orders_.order()), {}};
      const Pressure pressure =
          scratch_.lend(attempt.function, [&] { return find_pressure(attempt.function, liveness_); });
      if (pressure.general > step || !allocate(attempt, pressure, step)) continue;
      const double time = time_of(cost, attempt);
      if (time >= worth) continue;
      least = time;
      best = std::move(attempt);
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
  bool allocate(Arrangement& attempt, const Pressure& pressure, unsigned step) {
    Program result(original_.memory());
    if (!fit_registers(attempt.function, liveness_, pressure, step, scratch_, attempt.allocation, result))
      return false;
    attempt.spilled_values = result.spilled_values;
    return attempt.function.local_bytes <= original_.local_bytes;
  }

  /// With the moves that the allocator added. Local memory is worse than any order.
  double time_of(OrderCost cost, const Arrangement& arrangement) const {
    if (arrangement.function.local_bytes > original_.local_bytes) return std::numeric_limits<double>::max();
    const uint64_t moves = arrangement.function.instructions.size() - original_.instructions.size();
    return sm_time({cost.cycles + moves, cost.instructions + moves}, arrangement.allocation.register_count);
  }

  const Function& original_;
  const Liveness& liveness_;
  ValueOrders& orders_;
  const unsigned limit_;
  Scratch& scratch_;
};

/// Orders instructions and gives them registers. If the limit is far away, the order is the one that an SM
/// needs least time for; if it is near, it is that one of several with the fewest moves and spills.
bool order_and_allocate(Function& function, const Options& options, Scratch& scratch, Allocation& allocation,
                        Program& program) {
  const unsigned limit = options.register_limit;
  const unsigned goal = std::min(options.register_goal, limit);
  const unsigned fetch_goal = std::min(options.fetch_register_goal, limit);
  const bool is_tight = limit <= options.register_goal;
  const Liveness liveness = scratch.lend(function, [&] { return find_liveness(function); });
  if (!options.schedule) return fit_registers(function, liveness, limit, scratch, allocation, program);
  std::optional<ValueOrders> orders;
  scratch.lend(function, [&] { orders.emplace(function, liveness, fetch_goal > goal); });
  if (!is_tight) {
    const OrderCost cost = orders->find(goal, fetch_goal);
    Arrangement best{Function(function, orders->order()), {}};
    if (!fit_registers(best.function, liveness, limit, scratch, best.allocation, program)) return false;
    best.spilled_values = program.spilled_values;
    if (options.weighs_registers && !function.separates_fetches)
      RegisterChoice(function, liveness, *orders, limit, scratch).improve(cost, best);
    function = std::move(best.function);
    allocation = best.allocation;
    program.spilled_values = best.spilled_values;
    return true;
  }
  std::optional<Function> best;
  unsigned spilled = 0;
  for (const unsigned quarters : {4u, 3u, 2u, 1u, 0u}) {
    orders->find(goal * quarters / 4, fetch_goal * quarters / 4);
    Function attempt(function, orders->order());
    Allocation places;
    program.spilled_values = 0;
    if (!fit_registers(attempt, liveness, limit, scratch, places, program)) continue;
    if (best && std::pair(program.spilled_values, attempt.instructions.size()) >=
                    std::pair(spilled, best->instructions.size()))
      continue;
    best.emplace(std::move(attempt));
    spilled = program.spilled_values;
    allocation = places;
  }
  program.spilled_values = spilled;
  if (!best) return false;
  function = std::move(*best);
  return true;
}

}  // namespace

FinishError finish(Function& function, const Options& options, Program& program) {
  Scratch scratch(function.memory());
  scratch.lend(function, [&] { empty_unreachable_blocks(function); });
  scratch.lend(function, [&] { propagate_moves(function); });
  if (options.convert_branches) scratch.lend(function, [&] { convert_branches(function); });
  scratch.lend(function, [&] { remove_dead_code(function); });
  scratch.lend(function, [&] { merge_accesses(function); });
  scratch.lend(function, [&] { split_constants(function); });
  function.separates_fetches =
      options.separates_fetches() && options.register_limit >= options.fetch_register_goal;
  Allocation allocation;
  if (!order_and_allocate(function, options, scratch, allocation, program))
    return FinishError::register_limit;
  Layout layout = scratch.lend(function, [&] { return lay_out(function); });
  if (options.schedule) scratch.lend(layout, [&] { schedule_lines(layout); });
  scratch.lend(layout, [&] { assign_control(layout, options.dual_issue); });
  add_issue_hints(layout);
  if (!resolve_targets(layout)) return FinishError::too_long;

  program.register_count = allocation.register_count;
  program.local_bytes = function.local_bytes;
  program.stack_depth = layout.stack_depth;
  program.instructions.reserve(layout.lines.size());
  program.origins.reserve(layout.lines.size());
  for (const Line& line : layout.lines) {
    program.instructions.push_back(line.code());
    program.origins.push_back(line.instruction->origin);
  }
  return FinishError::none;
}

FinishError link(Program& program, std::span<const Program> routines) {
  const size_t own = program.instructions.size();
  std::pmr::vector<uint32_t> start(program.instructions.get_allocator());
  unsigned deepest = 0;
  for (const Program& routine : routines) {
    // Branch offsets within the routine include control words, so it starts at a group, like a program.
    while (program.instructions.size() % kGroupInstructions != 0)
      program.instructions.push_back(make_instruction(Opcode::nop));
    start.push_back(static_cast<uint32_t>(program.instructions.size()));
    program.instructions.insert(program.instructions.end(), routine.instructions.begin(),
                                routine.instructions.end());
    program.origins.resize(program.instructions.size(), 0);
    program.register_count = std::max(program.register_count, routine.register_count);
    program.local_bytes = std::max(program.local_bytes, routine.local_bytes);
    program.spilled_values += routine.spilled_values;
    deepest = std::max(deepest, 1 + routine.stack_depth);
  }
  program.stack_depth += deepest;
  for (uint32_t i = 0; i < own; ++i) {
    maxwell::Instruction& code = program.instructions[i];
    if (opcode(code) != Opcode::cal) continue;
    const auto number = static_cast<size_t>(code.operands[0].value);
    const int64_t offset =
        int64_t{instruction_address(start[number])} - (int64_t{instruction_address(i)} + 8);
    if (offset >= kBranchReach) return FinishError::too_long;
    set_target(code, static_cast<int32_t>(offset));
  }
  return FinishError::none;
}

}  // namespace texlate::maxwell::machine
