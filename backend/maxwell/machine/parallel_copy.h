// Copies that happen at once, as a sequence of moves.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/place.h"

namespace texlate::maxwell::machine {

struct Move {
  Place to;
  Place from;
};

/// Appends instructions that have the effect of all moves at once. `spare` and `spare_predicate` are empty
/// and may be overwritten; without one (kNoPlace), places exchange their contents by exclusive or.
void append_parallel_copy(std::span<const Move> moves, Place spare, Place spare_predicate, uint32_t origin,
                          Buffer<Instruction>& out);

}  // namespace texlate::maxwell::machine
