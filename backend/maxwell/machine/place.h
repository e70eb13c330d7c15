// Registers and predicates by number.
#pragma once

#include <array>
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

class PlaceSet {
 public:
  static constexpr unsigned kWords = (kPlaceCount + 63) / 64;

  bool operator[](Place place) const {
    return (words_[place.number() / 64] >> (place.number() % 64) & 1) != 0;
  }
  void insert(Place place) { words_[place.number() / 64] |= bit(place); }
  void erase(Place place) { words_[place.number() / 64] &= ~bit(place); }
  void insert(const Places& places) {
    for (unsigned i = 0; i < kWords; ++i) words_[i] |= before(places.end, i) & ~before(places.begin, i);
  }
  void clear() { words_ = {}; }
  PlaceSet& operator|=(const PlaceSet& other) {
    for (unsigned i = 0; i < kWords; ++i) words_[i] |= other.words_[i];
    return *this;
  }
  /// A bit for each of the places 64 * index ..
  uint64_t word(unsigned index) const { return words_[index]; }

 private:
  static uint64_t bit(Place place) { return uint64_t{1} << (place.number() % 64); }
  /// The word of the set of all places before this one.
  static uint64_t before(Place place, unsigned index) {
    if (place.number() / 64 != index) return place.number() / 64 > index ? ~uint64_t{0} : 0;
    return bit(place) - 1;
  }

  std::array<uint64_t, kWords> words_{};
};

}  // namespace texlate::maxwell::machine
