// Which registers, predicates and condition code an instruction with register numbers reads and writes.
#pragma once

#include <cstdint>

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/place.h"

namespace texlate::maxwell::machine {

/// The condition code in the numbering of places, and the number of places including it.
inline constexpr Place kConditionCode = kPlaceEnd;
inline constexpr Place kAccessEnd = kConditionCode + 1;
inline constexpr unsigned kAccessCount = kAccessEnd - kFirstRegister;

/// The places that a line accesses, in any order.
struct LineAccess {
  // No form has more operands, with a guard and the condition code (line_access.cpp).
  static constexpr unsigned kMostReads = 11, kMostWrites = 9;
  uint8_t read_count;
  uint8_t write_count;
  uint16_t reads[kMostReads];
  uint16_t writes[kMostWrites];

  template <typename Visit>
  void visit_reads(Visit visit) const {
    for (unsigned i = 0; i < read_count; ++i) visit(Place(reads[i]));
  }
  template <typename Visit>
  void visit_writes(Visit visit) const {
    for (unsigned i = 0; i < write_count; ++i) visit(Place(writes[i]));
  }
};

/// Of an instruction whose form has these facts.
void find_access(const Instruction& instruction, const FormFacts& known, LineAccess& access);

}  // namespace texlate::maxwell::machine
