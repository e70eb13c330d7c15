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

  /// Adds a node's edges from earlier nodes.
  void add(uint32_t node, Opcode op, Effect effect, uint8_t space, DependenceGraph& graph);

 private:
  struct Access {
    uint32_t node;
    uint8_t space;
    bool writes;
  };
  std::pmr::vector<Access> accesses_;  // since the last barrier
  std::pmr::vector<uint32_t> lanes_;   // instructions that read other lanes, since the last barrier
  uint32_t barrier_ = kNoIndex;
};

/// Reads what other lanes hold, or derivatives of it: texture at an implicit level, SHFL, VOTE.
bool looks_at_other_lanes(Opcode opcode);

}  // namespace texlate::maxwell::machine
