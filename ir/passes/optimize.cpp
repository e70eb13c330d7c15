#include "ir/passes/optimize.h"

#include <cassert>

#include "ir/passes/eliminate_common_subexpressions.h"
#include "ir/passes/eliminate_dead_code.h"
#include "ir/passes/fold.h"
#include "ir/passes/propagate_copies.h"
#include "ir/passes/simplify_branches.h"
#include "ir/verifier.h"

namespace texlate::ir {

namespace {

constexpr int kMostRounds = 3;

// Copies first: what a loop carries unchanged is then known to folding. Branches after folding made
// conditions constant. Dead code last, so that the next round has less to look at.
constexpr Pass kPasses[] = {
    {"propagate_copies", propagate_copies},
    {"fold", fold},
    {"simplify_branches", simplify_branches},
    {"eliminate_common_subexpressions", eliminate_common_subexpressions},
    {"eliminate_dead_code", eliminate_dead_code},
};

[[maybe_unused]] bool keeps_the_rules(const Module& module) {
  Diagnostics diagnostics(module.memory(), 1);
  return verify(module, diagnostics);
}

bool run_round(Module& module) {
  bool changed = false;
  for (const Pass& pass : kPasses) {
    changed |= pass.run(module);
    assert(keeps_the_rules(module) && "a pass broke a rule of the IR");
  }
  return changed;
}

}  // namespace

std::span<const Pass> optimization_passes() {
  return kPasses;
}

void optimize(Module& module) {
  for (int round = 0; round < kMostRounds && run_round(module); ++round) {
  }
}

void optimize_once(Module& module) {
  run_round(module);
}

}  // namespace texlate::ir
