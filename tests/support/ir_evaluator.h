// Runs a module on one lane: integers, predicates, control flow. Results of resource accesses are numbers
// made from the request, and effects are recorded as a trace. It shares nothing with the passes, so that it
// can check them. The real interpreter is sim/ir.
#pragma once

#include <optional>
#include <vector>

#include "ir/module.h"

namespace texlate::ir {

/// Everything observable from outside, in order; nothing if the module runs for more than `steps` steps.
std::optional<std::vector<uint64_t>> evaluate_module(const Module& module, uint32_t input_seed,
                                                     uint32_t steps = 20000);

}  // namespace texlate::ir
