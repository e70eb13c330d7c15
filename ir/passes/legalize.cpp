#include "ir/passes/legalize.h"

#include "ir/passes/optimize.h"

namespace texlate::ir {

bool legalize(Module& module, const Guarantees& guarantees, Diagnostics& diagnostics,
              std::pmr::vector<ClosedGap>* closed) {
  const size_t source_values = module.values.size();
  if (!legalize_texture(module, guarantees.texture, diagnostics, closed)) return false;
  bool changed = module.values.size() != source_values;
  changed |= legalize_memory(module, guarantees.memory, closed);
  changed |= legalize_arithmetic(module, guarantees.arithmetic, closed, static_cast<Value>(source_values));
  if (changed) optimize_once(module);
  return true;
}

}  // namespace texlate::ir
