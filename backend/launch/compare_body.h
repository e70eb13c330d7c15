// One comparing sample as a function of its own: what targets call where a program has many (docs/ptx.md,
// docs/maxwell.md).
#pragma once

#include <span>

#include "ir/passes/legalize.h"

namespace texlate::launch {

/// Slots of a sample that are arguments of such a function, in this order, where the sample has them.
inline constexpr ir::Slot kCompareArguments[] = {ir::Slot::coordinate0, ir::Slot::coordinate1,
                                                 ir::Slot::coordinate2, ir::Slot::layer,
                                                 ir::Slot::lod,         ir::Slot::reference};

/// Can both be calls of one function, where the texture and the sampler are its arguments?
bool is_same_comparison(const ir::ResourceAccess& a, const ir::ResourceAccess& b);

/// Fills `body`, which has the resource and the sampler that `sample` names, with that sample, legalised and
/// optimised: input n is the n-th of `arguments` that `sample` has, output 0 the result. Slots that are no
/// arguments are left out. False, with errors, where legalisation fails.
bool make_compare_body(const ir::ResourceAccess& sample, std::span<const ir::Slot> arguments,
                       const ir::Guarantees& promises, ir::Module& body, Diagnostics& diagnostics);

}  // namespace texlate::launch
