// Which lanes go first where the PTX ISA leaves it open. From sm_70 on threads of a warp need not run
// together wherever they could (PTX ISA 3.1): a correct kernel gives the same under every schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace texlate::sim::ptx {

/// Every order of the choices that a run meets, one run after the other: for (ScheduleTree tree; ...;
/// tree.advance()).
class ScheduleTree {
 public:
  /// The number of an option below `count`, in this run.
  uint32_t choose(uint32_t count) {
    if (at_ == taken_.size()) taken_.push_back({0, count});
    return taken_[at_++].option;
  }
  /// To the next run's choices; false when all were seen.
  bool advance() {
    at_ = 0;
    while (!taken_.empty() && ++taken_.back().option == taken_.back().count) taken_.pop_back();
    return !taken_.empty();
  }

 private:
  struct Choice {
    uint32_t option, count;
  };
  std::vector<Choice> taken_;
  size_t at_ = 0;
};

struct Schedule {
  enum class Policy : uint8_t {
    together,        // lanes wait for others that are further back in the program
    furthest_first,  // lanes that are furthest in the program run first
    lane_by_lane,    // each lane runs alone as far as it can, the first lane first
    last_lane_first,
    random,  // any lanes at any place, by the seed
    tree,    // as `tree` says
  };
  Policy policy = Policy::together;
  uint64_t seed = 0;
  ScheduleTree* tree = nullptr;  // of the caller; one warp's choices, so launch one warp
};

/// The n-th of a list without end: `together`, the other fixed ones, then random ones.
constexpr Schedule nth_schedule(uint32_t n) {
  constexpr auto kFixed = static_cast<uint32_t>(Schedule::Policy::random);
  return n < kFixed ? Schedule{static_cast<Schedule::Policy>(n)} : Schedule{Schedule::Policy::random, n};
}

}  // namespace texlate::sim::ptx
