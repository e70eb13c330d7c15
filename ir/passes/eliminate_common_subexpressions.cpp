#include "ir/passes/eliminate_common_subexpressions.h"

#include "ir/passes/available_values.h"

namespace texlate::ir {

namespace {

// Not in line: after the first allocation it would be treated as cold.
[[gnu::noinline]] bool share(Module& module, Replacements& replacements, AvailableValues& available) {
  size_t kept = 0;
  const size_t count = module.code.size();
  Instruction* const code = module.code.data();
  for (size_t i = 0; i < count; ++i) {
    const Instruction& instruction = code[i];
    replacements.apply(module, instruction);
    const OpInfo& operation = info(instruction.op);
    if (operation.has(kControl)) available.cross_region(instruction.op);
    if (Instruction* const earlier = available.find_or_add(instruction, operation, kept)) {
      stand_in(*earlier, instruction, replacements);
      continue;
    }
    if (kept != i) code[kept] = instruction;
    ++kept;
  }
  const bool changed = kept != count;
  module.code.resize(kept);
  return changed;
}

}  // namespace

bool eliminate_common_subexpressions(Module& module) {
  std::pmr::monotonic_buffer_resource scratch(module.memory());
  Replacements replacements(module, &scratch);
  AvailableValues available(module, module.code.size(), &scratch);
  return share(module, replacements, available);
}

}  // namespace texlate::ir
