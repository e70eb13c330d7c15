#include "ir/passes/legalize.h"

namespace texlate::ir {

bool legalize(Module& module, const Guarantees& guarantees, Diagnostics& diagnostics,
              std::pmr::vector<ClosedGap>* closed) {
  const size_t source_values = module.values.size();
  if (!legalize_texture(module, guarantees.texture, diagnostics, closed)) return false;
  legalize_memory(module, guarantees.memory, closed);
  legalize_arithmetic(module, guarantees.arithmetic, closed, static_cast<Value>(source_values));
  return true;
}

}  // namespace texlate::ir
