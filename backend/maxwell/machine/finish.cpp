#include <span>

#include "backend/maxwell/machine/add_issue_hints.h"
#include "backend/maxwell/machine/assign_control.h"
#include "backend/maxwell/machine/choose_order.h"
#include "backend/maxwell/machine/convert_branches.h"
#include "backend/maxwell/machine/empty_unreachable_blocks.h"
#include "backend/maxwell/machine/lay_out.h"
#include "backend/maxwell/machine/merge_accesses.h"
#include "backend/maxwell/machine/program.h"
#include "backend/maxwell/machine/remove_dead_code.h"
#include "backend/maxwell/machine/schedule_lines.h"
#include "backend/maxwell/machine/split_constants.h"

namespace texlate::maxwell::machine {

namespace {

/// Before registers are allocated.
void improve(Function& function, const Options& options, Scratch& scratch, PassLog& log) {
  const auto run = [&](std::string_view name, void (*pass)(Function&)) {
    scratch.lend(function, [&] { pass(function); });
    log.after(name, function);
  };
  run("empty_unreachable_blocks", empty_unreachable_blocks);
  if (options.convert_branches) run("convert_branches", convert_branches);
  run("remove_dead_code", remove_dead_code);
  run("merge_accesses", merge_accesses);
  run("split_constants", split_constants);
}

/// Order and control words of lines.
void time_lines(Function& function, Layout& layout, const Options& options, Scratch& scratch, PassLog& log) {
  log.after(kLayOut, function, layout);
  if (options.schedule) {
    scratch.lend(layout, [&] { schedule_lines(layout); });
    log.after(kScheduleLines, function, layout);
  }
  scratch.lend(layout, [&] { assign_control(layout, options.dual_issue); });
  log.after(kAssignControl, function, layout);
  add_issue_hints(layout);
  log.after(kAddIssueHints, function, layout);
}

/// Branch offsets from block numbers: bytes from the next instruction, control words included. Lines stay
/// where they are from here on. Returns false if an offset does not fit.
bool resolve_targets(Layout& layout) {
  for (uint32_t i = 0; i < layout.lines.size(); ++i) {
    Line& line = layout.lines[i];
    if (line.target == kNoBlock) continue;
    const Opcode op = line.opcode();
    if (op != Opcode::bra && !is_stack_push(op)) continue;
    const int64_t offset = int64_t{instruction_address(layout.blocks[line.target].first)} -
                           (int64_t{instruction_address(i)} + 8);
    if (offset < -kBranchReach || offset >= kBranchReach) return false;
    set_target(line.code(), static_cast<int32_t>(offset));
  }
  return true;
}

}  // namespace

std::string finish_error_text(FinishError error, const Program& program) {
  switch (error) {
    case FinishError::none: return "no error";
    case FinishError::register_limit: return "the program needs more registers than the limit allows";
    case FinishError::too_long: return "the program is too long for a branch";
    case FinishError::broken: return "internal error: " + violation_text(program.broken);
  }
  return "";
}

FinishError finish(Function& function, const Options& options, Program& program) {
  Scratch scratch(function.memory());
  PassLog log(options.observer, options.verifies, function.memory());
  log.after(kSelect, function);
  if (log.ok()) improve(function, options, scratch, log);
  function.separates_fetches =
      options.separates_fetches() && options.register_limit >= options.fetch_register_goal;
  Fit fit;
  if (log.ok() && !choose_order(function, options, scratch, fit, log)) return FinishError::register_limit;
  if (log.ok()) {
    Layout layout = scratch.lend(function, [&] { return lay_out(function); });
    layout.registers = fit.allocation.register_count;
    time_lines(function, layout, options, scratch, log);
    if (!resolve_targets(layout)) return FinishError::too_long;
    program.stack_depth = layout.stack_depth;
    program.instructions.resize(layout.lines.size());
    program.origins.resize(layout.lines.size());
    for (size_t i = 0; i < layout.lines.size(); ++i) {
      program.instructions[i] = layout.lines[i].code();
      program.origins[i] = layout.lines[i].instruction->origin;
    }
  }
  program.broken = log.violation();
  if (!log.ok()) return FinishError::broken;
  program.register_count = fit.allocation.register_count;
  program.local_bytes = function.local_bytes;
  program.spilled_values = fit.spilled_values;
  return FinishError::none;
}

}  // namespace texlate::maxwell::machine
