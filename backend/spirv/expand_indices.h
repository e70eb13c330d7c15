// For devices that take no run-time index into descriptors: a choice between accesses that each name their
// register.
//
// before:                             after:
//   %1 = tex.fetch t0[%0] ...           switch %0
//                                       case 0
//                                         %2 = tex.fetch t0[0] ...
//                                         break %2
//                                       case 1
//                                         ...
//                                       %1 = endswitch
#pragma once

#include "backend/spirv/emit.h"

namespace texlate::spirv {

/// Greatest number of registers of a range whose index becomes a choice.
inline constexpr uint32_t kMostChoices = 256;

/// Replaces the indices that need a feature which Options::device lacks. Those into more registers than
/// kMostChoices, or into an unbounded range, stay, and emit() names the feature. An index beyond the range
/// reads 0 and writes nothing. For before emit().
void expand_indices(ir::Module& module, const Options& options);

}  // namespace texlate::spirv
