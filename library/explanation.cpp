#include "library/explanation.h"

#include <algorithm>
#include <tuple>

namespace texlate::library {

void Explanation::write_out() {
  const auto place = [](const ir::ClosedGap& gap) {
    return std::tuple(gap.location.line, gap.location.column, gap.location.offset, gap.op, gap.gap);
  };
  std::sort(gaps_.begin(), gaps_.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  const auto same = [&](const auto& a, const auto& b) { return place(a) == place(b); };
  gaps_.erase(std::unique(gaps_.begin(), gaps_.end(), same), gaps_.end());
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
