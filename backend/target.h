// What every target provides. A target is a guarantees table, options, and a function that turns a legalised
// module into its output; everything before that is the same for all of them: `prepare`.
#pragma once

#include <algorithm>
#include <tuple>

#include "ir/passes/closed_gap.h"

namespace texlate::backend {

/// What stays of a translation besides the output, for `--explain`.
struct Explanation {
  explicit Explanation(std::pmr::memory_resource* memory) : gaps(memory), texts_(memory), ends_(memory) {}
  std::pmr::vector<ir::ClosedGap> gaps;

  /// In the order of the source, each once (not for each component), with its sentence. To be called when all
  /// gaps are known.
  void write_out() {
    const auto place = [](const ir::ClosedGap& gap) {
      return std::tuple(gap.location.line, gap.location.column, gap.location.offset, gap.op, gap.gap);
    };
    std::ranges::sort(gaps, {}, place);
    const auto repeated = std::ranges::unique(gaps, {}, place);
    gaps.erase(repeated.begin(), repeated.end());
    for (const ir::ClosedGap& gap : gaps) {
      ir::explain(gap, texts_);
      ends_.push_back(texts_.size());
    }
  }
  std::string_view text(size_t index) const {
    const size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(texts_).substr(begin, ends_[index] - begin);
  }

 private:
  std::pmr::string texts_;
  std::pmr::vector<size_t> ends_;
};

}  // namespace texlate::backend
