// The order that effects impose: accesses to the same memory, barriers, and operations across lanes.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/list_schedule.h"

namespace texlate::maxwell::machine {

class EffectOrder {
 public:
  explicit EffectOrder(std::pmr::memory_resource* memory) : accesses_(memory), lanes_(memory) {}

  void reset() {
    accesses_.clear();
    lanes_.clear();
    barrier_ = kNoIndex;
  }

  /// Adds a node's edges from earlier nodes. `looks`: Timing::looks_at_other_lanes.
  void add(uint32_t node, bool looks, Effect effect, uint8_t space, DependenceGraph& graph) {
    if (looks || effect != Effect::none) add_ordered(node, looks, effect, space, graph);
  }

 private:
  void add_ordered(uint32_t node, bool looks, Effect effect, uint8_t space, DependenceGraph& graph);

  struct Access {
    uint32_t node;
    uint8_t space;
    bool writes;
  };
  std::pmr::vector<Access> accesses_;  // since the last barrier
  std::pmr::vector<uint32_t> lanes_;   // instructions that read other lanes, since the last barrier
  uint32_t barrier_ = kNoIndex;
};

}  // namespace texlate::maxwell::machine
