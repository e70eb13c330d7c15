// Chooses the lanes that run first where the PTX ISA leaves the order open. From sm_70 on, the threads of a
// warp need not run together even where they could (PTX ISA 3.2). A correct kernel gives the same result
// under every schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace texlate::sim::ptx {

/// Enumerates every sequence of choices that a run can make, one sequence per run: for (ScheduleTree tree;
/// ...; tree.advance()).
class ScheduleTree {
 public:
  /// The option, less than `count`, that this run takes.
  uint32_t choose(uint32_t count) {
    if (at_ == taken_.size()) taken_.push_back({0, count});
    return taken_[at_++].option;
  }
  /// Advances to the next run's choices. Returns false if all have been enumerated.
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
    random,  // any lanes at any position, determined by the seed
    tree,    // given by `tree`
  };
  Policy policy = Policy::together;
  uint64_t seed = 0;
  ScheduleTree* tree = nullptr;  // owned by the caller; holds the choices of one warp, so launch only one
};

/// The n-th schedule of an infinite list: `together`, the other fixed ones, then random ones.
constexpr Schedule nth_schedule(uint32_t n) {
  constexpr auto kFixed = static_cast<uint32_t>(Schedule::Policy::random);
  return n < kFixed ? Schedule{static_cast<Schedule::Policy>(n)} : Schedule{Schedule::Policy::random, n};
}

}  // namespace texlate::sim::ptx
