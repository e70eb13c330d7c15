// One comparing sample as a separate function, which targets call in programs that have many (docs/ptx.md,
// docs/maxwell.md).
#pragma once

#include <span>

#include "ir/passes/legalize.h"

namespace texlate::launch {

/// The slots of a sample that are arguments of such a function, in this order. Absent slots are skipped.
inline constexpr ir::Slot kCompareArguments[] = {ir::Slot::coordinate0, ir::Slot::coordinate1,
                                                 ir::Slot::coordinate2, ir::Slot::layer,
                                                 ir::Slot::lod,         ir::Slot::reference};

/// Can one function serve both accesses if the texture and the sampler are its arguments?
bool is_same_comparison(const ir::ResourceAccess& a, const ir::ResourceAccess& b);

/// What the code relies on about the texture and the sampler of a comparison (ir::Module::relied), as facts
/// of t0 and s0. A function in which they are constants serves the comparisons with the same facts.
std::pmr::vector<ir::KnownFact> known_of_comparison(const ir::Module& module, const ir::Instruction& sample);

/// Fills `body`, whose resources and samplers are set, with this sample, legalized and optimized. Input n is
/// the n-th of `arguments` that `sample` has; output 0 is the result. Slots that are not arguments are
/// dropped. `known` is about the body's registers. Returns false, with errors, if legalization fails.
bool make_compare_body(const ir::ResourceAccess& sample, std::span<const ir::Slot> arguments,
                       const ir::Guarantees& promises, const ir::KnownState& known, ir::Module& body,
                       Diagnostics& diagnostics);

}  // namespace texlate::launch
