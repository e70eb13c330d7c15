#include "backend/maxwell/machine/affinity.h"
#include "backend/maxwell/machine/allocate.h"
#include "backend/maxwell/machine/layout.h"
#include "backend/maxwell/machine/program.h"
#include "backend/maxwell/machine/scoreboards.h"
#include "backend/maxwell/machine/simplify.h"

namespace texlate::maxwell::machine {

std::string_view finish_error_text(FinishError error) {
  switch (error) {
    case FinishError::none: return "no error";
    case FinishError::register_limit: return "the program needs more registers than the limit allows";
    case FinishError::too_long: return "the program is too long for a branch";
  }
  return "";
}

FinishError finish(Function& function, const Options& options, Program& program) {
  propagate_moves(function);
  remove_dead_code(function);
  split_constants(function);
  const Allocation allocation = allocate_registers(function, options.register_limit);
  if (!allocation.ok) return FinishError::register_limit;
  Layout layout = lay_out(function);
  assign_control(layout);
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
