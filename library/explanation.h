// Describes in words the gaps that a translation closed between Direct3D's contract and the target's
// guarantee, for `--explain`.
#pragma once

#include <memory_resource>
#include <string>
#include <vector>

#include "ir/passes/closed_gap.h"

namespace texlate::library {

using ClosedGaps = std::pmr::vector<ir::ClosedGap>;

class Explanation {
 public:
  explicit Explanation(std::pmr::memory_resource* memory) : gaps_(memory), texts_(memory), ends_(memory) {}

  /// The passes add their gaps here.
  ClosedGaps& gaps() { return gaps_; }
  /// To be called once, when all gaps are known. Sorts them in source order, removes duplicates (one gap
  /// instead of one per component), and writes their sentences.
  void write_out();

  size_t size() const { return ends_.size(); }
  const ir::ClosedGap& gap(size_t index) const { return gaps_[index]; }
  std::string_view text(size_t index) const {
    const size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(texts_).substr(begin, ends_[index] - begin);
  }
  /// The whole explanation: an array of the objects that docs/explain.md describes.
  const std::pmr::string& json() const { return json_; }

 private:
  ClosedGaps gaps_;
  std::pmr::string texts_;
  std::pmr::vector<size_t> ends_;
  std::pmr::string json_{gaps_.get_allocator().resource()};
};

}  // namespace texlate::library
