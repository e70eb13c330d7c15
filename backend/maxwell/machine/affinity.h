// Which values should get which places: those that meet in a parameter share a register, those that one
// operand covers are adjacent. These are only preferences: the allocator follows them where it can and moves
// values where it cannot.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

/// Up to four consecutive registers that operands require to hold these values. Other values may share a
/// member's place (Affinity::group and offset): those that it is merged with.
struct VectorGroup {
  Value members[4] = {kNoValue, kNoValue, kNoValue, kNoValue};
  uint8_t size = 0;       // registers, gaps included
  uint8_t alignment = 1;  // of the first
  Place base = kNoPlace;  // the first register, once a member has a place
};

struct Affinity {
  explicit Affinity(std::pmr::memory_resource* memory)
      : web(memory), group(memory), offset(memory), groups(memory) {}

  std::pmr::vector<Value> web;       // the number of the set of values that should share a register
  std::pmr::vector<uint32_t> group;  // of a value, kNoIndex: none
  std::pmr::vector<uint8_t> offset;  // its place in the group
  std::pmr::vector<VectorGroup> groups;

  /// Where the value's group has a place for it; kNoPlace if it has none, or no group.
  Place home(Value v) const {
    const uint32_t id = group[v];
    return id == kNoIndex || groups[id].base == kNoPlace ? kNoPlace : groups[id].base + offset[v];
  }
};

/// Operands in inner loops have precedence.
Affinity find_affinity(Function& function);

}  // namespace texlate::maxwell::machine
