#include <algorithm>

#include "backend/maxwell/machine/affinity.h"
#include "backend/maxwell/machine/allocate.h"
#include "backend/maxwell/machine/convert_branches.h"
#include "backend/maxwell/machine/issue_hints.h"
#include "backend/maxwell/machine/layout.h"
#include "backend/maxwell/machine/program.h"
#include "backend/maxwell/machine/schedule_lines.h"
#include "backend/maxwell/machine/schedule_values.h"
#include "backend/maxwell/machine/scoreboards.h"
#include "backend/maxwell/machine/simplify.h"
#include "backend/maxwell/machine/spill.h"

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

constexpr unsigned kPredicateCount = 7;
/// Registers that loads in flight may take. With 40 an SM holds three quarters of the warps that it can;
/// fewer keep loads waiting for each other (tests/corpus/maxwell_corpus_test.cpp, BesidePtxas).
constexpr unsigned kRegisterGoal = 36;
/// Vectors need room to stand together. The allocator is sure to find it where the pressure leaves this many
/// registers, and tries with fewer first.
constexpr unsigned kMargins[] = {0, 4, 12};

bool fit_registers(Function& function, unsigned limit, Allocation& allocation, Program& program) {
  const Pressure pressure = find_pressure(function);
  // Far below the limit nothing can go wrong, and no copy is needed to try again from.
  if (pressure.predicates <= kPredicateCount && 2 * pressure.general + kMargins[2] <= limit) {
    allocation = allocate_registers(function, limit);
    return allocation.ok;
  }
  for (const unsigned margin : kMargins) {
    if (margin >= limit) return false;
    Function attempt = function;
    program.spilled_values = 0;
    if (!spill(attempt, limit - margin, program.spilled_values)) return false;
    allocation = allocate_registers(attempt, limit);
    if (!allocation.ok) continue;
    function = std::move(attempt);
    return true;
  }
  return false;
}

}  // namespace

FinishError finish(Function& function, const Options& options, Program& program) {
  empty_unreachable_blocks(function);
  propagate_moves(function);
  if (options.convert_branches) convert_branches(function);
  remove_dead_code(function);
  split_constants(function);
  if (options.schedule) schedule_values(function, std::min(kRegisterGoal, options.register_limit));
  Allocation allocation;
  if (!fit_registers(function, options.register_limit, allocation, program))
    return FinishError::register_limit;
  Layout layout = lay_out(function);
  if (options.schedule) schedule_lines(layout);
  assign_control(layout, options.dual_issue);
  add_issue_hints(layout);
  if (!resolve_targets(layout)) return FinishError::too_long;

  program.register_count = allocation.register_count;
  program.local_bytes = function.local_bytes;
  program.stack_depth = layout.stack_depth;
  program.instructions.reserve(layout.lines.size());
  program.origins.reserve(layout.lines.size());
  for (const Line& line : layout.lines) {
    program.instructions.push_back(line.code);
    program.origins.push_back(line.origin);
  }
  return FinishError::none;
}

}  // namespace texlate::maxwell::machine
