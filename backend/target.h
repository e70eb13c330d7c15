// What every target provides. A target is a guarantees table, options, and a function that turns a legalised
// module into its output; everything before that is the same for all of them: `prepare`.
#pragma once

#include "ir/passes/legalize_texture.h"

namespace texlate::backend {

/// What stays of a translation besides the output, for `--explain`.
struct Explanation {
  explicit Explanation(std::pmr::memory_resource* memory) : gaps(memory) {}
  std::pmr::vector<ir::ClosedGap> gaps;
};

}  // namespace texlate::backend
