#include "ir/passes/optimize.h"

#include <cassert>

#include "ir/passes/eliminate_dead_code.h"
#include "ir/passes/fold.h"
#include "ir/passes/propagate_copies.h"
#include "ir/passes/simplify_branches.h"
#include "ir/verifier.h"

namespace texlate::ir {

namespace {

constexpr int kMostRounds = 3;

// Copies come first: folding then knows what a loop carries unchanged. Branches come after folding has made
// conditions constant. Dead code comes last, so that the next round has less to do.
constexpr Pass kPasses[] = {
    {"propagate_copies", propagate_copies},
    {"fold_and_share", fold_and_share},
    {"simplify_branches", simplify_branches},
    {"eliminate_dead_code", eliminate_dead_code},
};

[[maybe_unused]] bool keeps_the_rules(const Module& module) {
  Diagnostics diagnostics(module.memory(), 1);
  return verify(module, diagnostics);
}

/// Returns true if something changed.
bool run_round(Module& module, const PassObserver* observer) {
  bool changed = false;
  for (const Pass& pass : kPasses) {
    changed |= pass.run(module);
    notify(observer, pass.name, module);
    assert(keeps_the_rules(module) && "a pass produced invalid IR");
  }
  return changed;
}

}  // namespace

std::span<const Pass> optimization_passes() {
  return kPasses;
}

void optimize(Module& module, const PassObserver* observer) {
  for (int round = 0; round < kMostRounds && run_round(module, observer); ++round) {
  }
}

void share_new(Module& module, Value first_new, const PassObserver* observer) {
  if (first_new == module.values.size()) return;
  fold_and_share_new(module, first_new);
  notify(observer, "fold_and_share", module);
  assert(keeps_the_rules(module) && "a pass produced invalid IR");
}

void clean_up(Module& module, Value first_new, const PassObserver* observer) {
  share_new(module, first_new, observer);
  eliminate_dead_code(module);
  notify(observer, "eliminate_dead_code", module);
  assert(keeps_the_rules(module) && "a pass produced invalid IR");
}

}  // namespace texlate::ir
