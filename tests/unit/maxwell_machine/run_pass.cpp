#include "tests/unit/maxwell_machine/run_pass.h"

#include <algorithm>
#include <memory_resource>
#include <optional>

#include "backend/maxwell/machine/add_issue_hints.h"
#include "backend/maxwell/machine/allocate_registers.h"
#include "backend/maxwell/machine/assign_control.h"
#include "backend/maxwell/machine/convert_branches.h"
#include "backend/maxwell/machine/empty_unreachable_blocks.h"
#include "backend/maxwell/machine/lay_out.h"
#include "backend/maxwell/machine/merge_accesses.h"
#include "backend/maxwell/machine/pass_log.h"
#include "backend/maxwell/machine/remove_dead_code.h"
#include "backend/maxwell/machine/schedule.h"
#include "backend/maxwell/machine/schedule_lines.h"
#include "backend/maxwell/machine/spill.h"
#include "backend/maxwell/machine/split_constants.h"
#include "backend/maxwell/machine/text.h"
#include "ir/base/diagnostics.h"
#include "tests/unit/maxwell_machine/parse_text.h"

namespace texlate::maxwell::machine::test {
namespace {

std::string messages(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& one : diagnostics.list())
    out += std::to_string(one.location.line) + ":" + std::to_string(one.location.column) + ": " +
           std::string(one.message) + "\n";
  return out;
}

std::string broken(std::string_view when, const FunctionViolation& violation) {
  return violation.rule == FunctionRule::none ? "" : violation_text({when, violation}) + "\n";
}

/// Passes over lines. False: there is none of this name.
bool run_on_lines(std::string_view name, const RunOptions& options, Layout& layout) {
  if (name == kScheduleLines) {
    schedule_lines(layout);
  } else if (name == kAssignControl) {
    assign_control(layout, options.dual_issue);
  } else if (name == kAddIssueHints) {
    add_issue_hints(layout);
  } else {
    return false;
  }
  return true;
}

/// Gives the function the order that ValueOrders finds.
void schedule(Function& function, unsigned goal) {
  const Liveness liveness = find_liveness(function);
  ValueOrders orders(function, liveness, false);
  orders.find(goal, goal);
  Function ordered(function.memory());
  ordered.assign(function, orders.order());
  function = std::move(ordered);
}

/// Passes over functions. Empty, or what went wrong.
std::string run_on_function(std::string_view name, const RunOptions& options, Function& function) {
  static constexpr struct {
    std::string_view name;
    void (*run)(Function&);
  } kPasses[] = {{"empty_unreachable_blocks", empty_unreachable_blocks},
                 {"convert_branches", convert_branches},
                 {"remove_dead_code", remove_dead_code},
                 {"merge_accesses", merge_accesses},
                 {"split_constants", split_constants}};
  if (const auto* const pass = std::ranges::find(kPasses, name, [](const auto& row) { return row.name; });
      pass != std::end(kPasses)) {
    pass->run(function);
    return "";
  }
  if (name == kSchedule) {
    schedule(function, options.register_goal);
    return "";
  }
  Liveness liveness = find_liveness(function);
  if (name == kSpill) {
    unsigned spilled = 0;
    return spill(function, liveness, {}, options.registers, spilled) ? "" : "cannot be spilled\n";
  }
  if (name == kAllocateRegisters)
    return allocate_registers(function, liveness, options.registers).ok ? "" : "too few registers\n";
  return "there is no pass " + std::string(name) + "\n";
}

}  // namespace

std::string run_pass(std::string_view name, std::string_view text, const RunOptions& options) {
  std::pmr::monotonic_buffer_resource memory;
  Diagnostics diagnostics;
  Function function(&memory);
  Layout layout(&memory);
  std::string out;
  if (text.starts_with("lines")) {
    if (!parse(text, function, layout, diagnostics)) return messages(diagnostics);
    if (std::string wrong = broken("before", verify(layout)); !wrong.empty()) return wrong;
    if (!run_on_lines(name, options, layout)) return "no pass over lines\n";
  } else {
    if (!parse(text, function, diagnostics)) return messages(diagnostics);
    if (std::string wrong = broken("before", verify(function)); !wrong.empty()) return wrong;
    if (name != kLayOut) {
      if (std::string wrong = run_on_function(name, options, function); !wrong.empty()) return wrong;
      if (std::string wrong = broken("after", verify(function)); !wrong.empty()) return wrong;
      print(function, out);
      return out;
    }
    layout = lay_out(function);
  }
  if (std::string wrong = broken("after", verify(layout)); !wrong.empty()) return wrong;
  print(function, layout, out);
  return out;
}

std::string unindented(std::string_view text) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  const size_t indent = std::min(text.find_first_not_of(' '), text.size());
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(' ') == std::string_view::npos) continue;
    out.append(line.substr(std::min(indent, line.size()))) += '\n';
  }
  return out;
}

}  // namespace texlate::maxwell::machine::test
