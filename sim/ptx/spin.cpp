#include "sim/ptx/spin.h"

#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

/// Most loops are short and do not wait: only one branch in this many is looked at.
constexpr uint64_t kInterval = 256;

}  // namespace

bool SpinDetector::comes_round(uint32_t target, uint32_t lanes, std::span<const uint64_t> values,
                               uint64_t changes) {
  if (lanes_ != 0 && target == target_ && lanes == lanes_) {
    lanes_ = 0;
    bool is_same = changes == changes_;
    for (size_t first = 0; is_same && first < values.size(); first += kLanes) {
      for_each_lane(lanes, [&](int lane) {
        is_same = is_same &&
                  values[first + static_cast<size_t>(lane)] == values_[first + static_cast<size_t>(lane)];
      });
    }
    if (is_same) return true;
  }
  if (++branches_ % kInterval != 0) return false;
  target_ = target;
  lanes_ = lanes;
  changes_ = changes;
  values_.assign(values.begin(), values.end());
  return false;
}

}  // namespace texlate::sim::ptx
