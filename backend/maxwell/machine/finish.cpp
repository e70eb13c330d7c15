#include <algorithm>
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

bool fit_registers(Function& function, const Liveness& liveness, unsigned limit, Scratch& scratch,
                   Allocation& allocation, Program& program) {
  const Pressure pressure = scratch.lend(function, [&] { return find_pressure(function, liveness); });
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

/// Register counts at which an SM holds fewer warps (64 K registers, allotted by eights, in groups of four
/// warps), for up to half of them.
constexpr unsigned kOccupancySteps[] = {32, 40, 48, 56, 64};
/// More instructions than this part of all are not worth more warps.
constexpr size_t kGrowthParts = 64;

/// Of a step: up to how many live values the order is chosen for speed. With less than three quarters, a warp
/// waits so long for its loads that more warps do not make up for it (BesidePtxas in
/// tests/corpus/maxwell_corpus_test.cpp: cycles 1.07 times ptxas's with these, 1.36 with 2 and 0 quarters).
constexpr unsigned kOccupancyQuarters[] = {4, 3};

/// As many warps as an order with fewer registers gives: without values in local memory, and with hardly more
/// instructions than `function`, which has registers already.
void raise_occupancy(const Function& original, const Liveness& liveness, const Options& options,
                     Scratch& scratch, Function& function, Allocation& allocation, Program& program) {
  const size_t most = function.instructions.size() + function.instructions.size() / kGrowthParts + 2;
  const uint32_t local_bytes = std::min(function.local_bytes, original.local_bytes);
  for (const unsigned step : kOccupancySteps) {
    if (step >= allocation.register_count) return;
    // A step that is far away needs local memory.
    if (2 * step < allocation.register_count) continue;
    for (const unsigned quarters : kOccupancyQuarters) {
      Function attempt = original;
      Allocation places;
      Program result(program.instructions.get_allocator().resource());
      const unsigned goal = std::min(step, options.register_goal) * quarters / 4;
      scratch.lend(attempt, [&] { schedule_values(attempt, liveness, goal, goal); });
      if (!fit_registers(attempt, liveness, step, scratch, places, result)) continue;
      if (attempt.local_bytes > local_bytes || attempt.instructions.size() > most) continue;
      function = std::move(attempt);
      allocation = places;
      program.spilled_values = result.spilled_values;
      return;
    }
  }
}

/// Orders instructions and gives them registers. If the limit is far away, the order is the fastest one, or
/// one for more warps; if it is near, it is that one of several with the fewest moves and spills.
bool order_and_allocate(Function& function, const Options& options, Scratch& scratch, Allocation& allocation,
                        Program& program) {
  const unsigned limit = options.register_limit;
  const unsigned goal = std::min(options.register_goal, limit);
  const unsigned fetch_goal = std::min(options.fetch_register_goal, limit);
  const bool is_tight = limit <= options.register_goal;
  const Liveness liveness = scratch.lend(function, [&] { return find_liveness(function); });
  const auto schedule = [&](Function& of, unsigned quarters) {
    scratch.lend(of, [&] { schedule_values(of, liveness, goal * quarters / 4, fetch_goal * quarters / 4); });
  };
  if (!is_tight || !options.schedule) {
    if (!options.schedule) return fit_registers(function, liveness, limit, scratch, allocation, program);
    const Function original = function;
    schedule(function, 4);
    if (!fit_registers(function, liveness, limit, scratch, allocation, program)) return false;
    if (options.raise_occupancy && !function.separates_fetches)
      raise_occupancy(original, liveness, options, scratch, function, allocation, program);
    return true;
  }
  std::optional<Function> best;
  unsigned spilled = 0;
  for (const unsigned quarters : {4u, 3u, 2u, 1u, 0u}) {
    Function attempt = function;
    Allocation places;
    program.spilled_values = 0;
    schedule(attempt, quarters);
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
