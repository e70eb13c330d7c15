// The order that effects impose: accesses to the same memory, barriers, and operations across lanes.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

class EffectOrder {
 public:
  explicit EffectOrder(std::pmr::memory_resource* memory)
      : accesses_(memory), lanes_(memory), followed_(memory) {}

  void reset() {
    accesses_.clear();
    lanes_.clear();
    barrier_ = kNoIndex;
  }

  /// visit(node) for each of the earlier nodes that this one must follow. Nodes come in the order of the
  /// program or, for what must be before them, in the opposite order. `looks`: Timing::looks_at_other_lanes.
  template <typename Visit>
  void add(uint32_t node, bool looks, Effect effect, uint8_t space, Visit visit) {
    if (!looks && effect == Effect::none) return;
    add_ordered(node, looks, effect, space);
    for (const uint32_t earlier : followed_) visit(earlier);
  }

 private:
  void add_ordered(uint32_t node, bool looks, Effect effect, uint8_t space);

  struct Access {
    uint32_t node;
    uint8_t space;
    bool writes;
  };
  std::pmr::vector<Access> accesses_;    // since the last barrier
  std::pmr::vector<uint32_t> lanes_;     // instructions that read other lanes, since the last barrier
  std::pmr::vector<uint32_t> followed_;  // by the node that was added last
  uint32_t barrier_ = kNoIndex;
};

}  // namespace texlate::maxwell::machine
