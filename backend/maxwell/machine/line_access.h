// Which registers, predicates and condition code an instruction with register numbers reads and writes.
#pragma once

#include <cstdint>

#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/machine/parallel_copy.h"

namespace texlate::maxwell::machine {

/// The condition code, in the numbering of places; and how many places there are with it.
inline constexpr Place kConditionCode = kPlaceCount;
inline constexpr unsigned kAccessCount = kPlaceCount + 1;

struct PlaceRange {
  Place first;
  uint8_t count;
};

struct LineAccess {
  PlaceRange reads[kMaxOperands + 3];
  PlaceRange writes[kMaxOperands + 1];
  uint8_t read_count = 0;
  uint8_t write_count = 0;

  template <typename Visit>
  void visit_reads(Visit visit) const {
    for (unsigned i = 0; i < read_count; ++i) {
      for (unsigned n = 0; n < reads[i].count; ++n) visit(static_cast<Place>(reads[i].first + n));
    }
  }
  template <typename Visit>
  void visit_writes(Visit visit) const {
    for (unsigned i = 0; i < write_count; ++i) {
      for (unsigned n = 0; n < writes[i].count; ++n) visit(static_cast<Place>(writes[i].first + n));
    }
  }
};

LineAccess find_access(const maxwell::Instruction& code);

}  // namespace texlate::maxwell::machine
