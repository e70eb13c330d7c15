#include "library/explanation.h"

#include <algorithm>
#include <tuple>

namespace texlate::library {

void Explanation::write_out() {
  const auto place = [](const ir::ClosedGap& gap) {
    return std::tuple(gap.location.line, gap.location.column, gap.location.offset, gap.op, gap.gap);
  };
  std::ranges::sort(gaps_, {}, place);
  const auto repeated = std::ranges::unique(gaps_, {}, place);
  gaps_.erase(repeated.begin(), repeated.end());
  json_ = "[";
  for (const ir::ClosedGap& gap : gaps_) {
    ir::explain(gap, texts_);
    ends_.push_back(texts_.size());
    json_ += json_.size() == 1 ? "\n  " : ",\n  ";
    ir::explain_json(gap, json_);
  }
  json_ += gaps_.empty() ? "]\n" : "\n]\n";
}

}  // namespace texlate::library
