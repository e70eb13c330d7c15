// Registers and predicates by number.
#pragma once

#include <cstdint>

#include "ir/base/index.h"

namespace texlate::maxwell::machine {

/// Registers and predicates in one numbering: R0 .. R254, then P0 .. P6. kFirstRegister + n is Rn,
/// kFirstPredicate + n is Pn.
using Place = Index<struct PlaceTag>;
inline constexpr Place kFirstRegister(0);
inline constexpr Place kFirstPredicate(256);
inline constexpr unsigned kPredicateCount = 7;
inline constexpr Place kPlaceEnd = kFirstPredicate + kPredicateCount;
inline constexpr unsigned kPlaceCount = kPlaceEnd - kFirstRegister;
inline constexpr Place kNoPlace(0xffffffffu);

constexpr bool is_register(Place place) {
  return place < kFirstPredicate;
}

/// Is there a register `count` before the place?
constexpr bool has_before(Place place, unsigned count) {
  return place != kNoPlace && place - kFirstRegister >= count;
}

/// The number in an instruction: n of Rn or Pn.
constexpr uint8_t number_in_code(Place place) {
  static_assert(static_cast<uint8_t>(kFirstPredicate.number()) == 0);
  return static_cast<uint8_t>(place.number());
}

/// From `begin` to before `end`: those where a value can be.
struct Places {
  Place begin;
  Place end;

  constexpr bool contains(Place place) const { return place >= begin && place < end; }
};
inline constexpr Places kPredicates{kFirstPredicate, kPlaceEnd};

}  // namespace texlate::maxwell::machine
