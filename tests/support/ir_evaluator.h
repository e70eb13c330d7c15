// Runs a module on one lane: integers, predicates, control flow. Resource accesses are numbers made of what
// is asked, effects are a trace. Knows nothing of the passes, so that it can judge them; the real interpreter
// is sim/ir.
#pragma once

#include <optional>
#include <vector>

#include "ir/module.h"

namespace texlate::ir {

/// Everything that can be seen from outside, in order; nothing when the module runs longer than `steps`.
std::optional<std::vector<uint64_t>> evaluate_module(const Module& module, uint32_t input_seed,
                                                     uint32_t steps = 20000);

}  // namespace texlate::ir
