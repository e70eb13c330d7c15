#include "ir/passes/legalize.h"

#include "ir/passes/limit_depth.h"

namespace texlate::ir {

bool legalize(Module& module, const Guarantees& guarantees, Diagnostics& diagnostics,
              std::pmr::vector<ClosedGap>* closed, const PassObserver* observer, KnownFacts* known) {
  const Value source_values = module.next_value();
  if (!guarantees.unlimited_depth.empty() && limit_depth(module, guarantees.unlimited_depth, closed))
    notify(observer, "limit_depth", module);
  if (!legalize_texture(module, guarantees.texture, diagnostics, closed, known)) return false;
  notify(observer, "legalize_texture", module);
  legalize_memory(module, guarantees.memory, closed, known);
  notify(observer, "legalize_memory", module);
  legalize_arithmetic(module, guarantees.arithmetic, closed, source_values);
  notify(observer, "legalize_arithmetic", module);
  return true;
}

}  // namespace texlate::ir
