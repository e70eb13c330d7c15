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

/// Fills `body`, whose resources and samplers are set, with this sample, legalised and optimised. Input n is
/// the n-th of `arguments` that `sample` has; output 0 is the result. Slots that are not arguments are
/// dropped. Returns false, with errors, if legalisation fails.
bool make_compare_body(const ir::ResourceAccess& sample, std::span<const ir::Slot> arguments,
                       const ir::Guarantees& promises, ir::Module& body, Diagnostics& diagnostics);

}  // namespace texlate::launch
