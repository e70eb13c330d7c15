// Which registers, predicates and condition code an instruction with register numbers reads and writes.
#pragma once

#include <cstdint>

#include "backend/maxwell/isa/code.h"
#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/machine/place.h"

namespace texlate::maxwell::machine {

/// The condition code in the numbering of places, and the number of places including it.
inline constexpr Place kConditionCode = kPlaceEnd;
inline constexpr Place kAccessEnd = kConditionCode + 1;
inline constexpr unsigned kAccessCount = kAccessEnd - kFirstRegister;

/// Consecutive places, as two bytes: a line holds twenty of them.
class PlaceRange {
 public:
  constexpr PlaceRange() = default;
  constexpr PlaceRange(Place first, unsigned count)
      : bits_(static_cast<uint16_t>(count << 9 | first.number())) {}
  constexpr Place first() const { return Place(bits_ & 0x1ff); }
  constexpr unsigned count() const { return bits_ >> 9; }

 private:
  uint16_t bits_ = 0;
};
static_assert(kAccessCount <= 0x200);

struct LineAccess {
  PlaceRange reads[kMaxOperands + 3];
  PlaceRange writes[kMaxOperands + 1];
  uint8_t read_count = 0;
  uint8_t write_count = 0;

  template <typename Visit>
  void visit_reads(Visit visit) const {
    for (unsigned i = 0; i < read_count; ++i) {
      for (unsigned n = 0; n < reads[i].count(); ++n) visit(reads[i].first() + n);
    }
  }
  template <typename Visit>
  void visit_writes(Visit visit) const {
    for (unsigned i = 0; i < write_count; ++i) {
      for (unsigned n = 0; n < writes[i].count(); ++n) visit(writes[i].first() + n);
    }
  }
};

LineAccess find_access(const Code& code);

}  // namespace texlate::maxwell::machine
