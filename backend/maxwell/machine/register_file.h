// The contents of each register while the allocator walks over a program.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "backend/maxwell/machine/affinity.h"
#include "backend/maxwell/machine/last_uses.h"
#include "backend/maxwell/machine/place.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {

/// Contents of a place that are not a value: a copy for one instruction, or an unused result.
inline constexpr Value kTemporary(0xfffffffeu);

class RegisterFile {
 public:
  /// The owner of each place, and the places without one.
  struct Contents {
    std::array<Value, kPlaceCount> owner;
    PlaceSet free;
  };

  RegisterFile(Affinity& affinity, std::pmr::vector<Place>& place, const LastUses& uses, unsigned limit)
      : affinity_(affinity),
        place_(place),
        wanted_(all_ones<Place>(affinity.web.size(), place.get_allocator().resource())),
        uses_(uses),
        registers_{kFirstRegister, kFirstRegister + limit} {
    empty_.free.insert(registers_);
    empty_.free.insert(kPredicates);
    for (Value& owner : empty_.owner) owner = kNoValue;
    clear();
    reserved_.fill(kNoIndex);
    awaited_by_.fill(kNoIndex);
    awaited_.fill(kNoIndex);
  }

  /// Where values of the class can be.
  const Places& places(ValueClass value_class) const {
    return value_class == ValueClass::general ? registers_ : kPredicates;
  }
  Value owner(Place place) const { return now_.owner[place]; }
  bool is_free(Place place) const { return now_.free[place]; }
  /// Is the place reserved for an undefined member of a group other than that of `v`?
  bool is_reserved(Place place, Value v) const { return claimed_[place] && is_claimed(place, v); }
  /// Keeps places for groups of the function that have theirs from the start. A value that ends where a
  /// member is defined, or earlier, may have the member's place until then.
  void await(Function& function);
  /// The block's end overwrites the registers before `kept_from`. Values needed after it go above them if
  /// there is room.
  void enter(Place kept_from) { kept_from_ = kept_from; }

  /// Is the place still read by a fetch in flight? A result there would have to wait for the fetch.
  bool is_read(Place place) const { return read_[place]; }
  void note_read(Place place) { read_.insert(place); }
  void forget_reads() { read_.clear(); }
  void clear() { now_ = empty_; }
  const Contents& contents() const { return now_; }
  void restore(const Contents& contents) { now_ = contents; }

  void set_owner(Place place, Value v) {
    now_.owner[place] = v;
    now_.free.erase(place);
  }
  /// Puts a value into a place, and records the place as the preferred one of its web and its group.
  void put(Place place, Value v) {
    set_owner(place, v);
    note_use(place);
    place_[v] = place;
    wanted_[affinity_.web[v]] = place;
    if (affinity_.group[v] != kNoIndex) end_reservation(v);
  }
  void vacate(Place place) {
    now_.owner[place] = kNoValue;
    now_.free.insert(place);
  }

  /// A free place only for `v`, the best by its affinities; kNoPlace if there is none. `first` is tried
  /// before the web's own place. No place of `excluded` is chosen.
  Place choose(Value v, ValueClass value_class, Place first, const PlaceSet& excluded);
  /// The same where nothing is excluded. Most values have a good place, or one in their group.
  [[gnu::always_inline]] Place choose(Value v, ValueClass value_class) {
    if (affinity_.group[v] != kNoIndex) {
      const Place home = affinity_.home(v);
      if (home != kNoPlace && is_free(home)) return home;
    } else if (kept_from_ == kFirstRegister || !uses_.lives_after(v)) {
      const Place want = wanted_[affinity_.web[v]];
      if (want != kNoPlace && is_free(want) && !read_[want] && !is_reserved(want, v)) return want;
      const Place place = find_free(places(value_class), read_, [&](Place r) { return !is_reserved(r, v); });
      if (place != kNoPlace) return place;
    }
    return choose(v, value_class, kNoPlace, PlaceSet());
  }

  /// The registers that the program uses so far.
  const Places& used() const { return used_; }
  bool is_used(Place place) const { return !is_register(place) || place < used_.end; }
  void note_use(Place place) {
    if (!is_used(place)) used_.end = place + 1;
  }

  /// The first free one of the places that is not excluded, with accepts(place). They begin with R0 or P0.
  template <typename Accepts>
  Place find_free(const Places& places, const PlaceSet& excluded, Accepts accepts) const {
    for (unsigned word = places.begin.number() / 64; 64 * word < places.end.number(); ++word) {
      for (uint64_t left = now_.free.word(word) & ~excluded.word(word); left != 0; left &= left - 1) {
        const Place place = kFirstRegister + 64 * word + std::countr_zero(left);
        if (place >= places.end) return kNoPlace;
        if (accepts(place)) return place;
      }
    }
    return kNoPlace;
  }
  Place find_free(const Places& places, const PlaceSet& excluded) const {
    return find_free(places, excluded, [](Place) { return true; });
  }

 private:
  bool is_claimed(Place place, Value v) const;
  Place place_in_group(Value v, Place first, const PlaceSet& excluded);
  Place choose_base(uint32_t id, Value v, Place first, const PlaceSet& excluded) const;
  bool fits(uint32_t id, Place base, Value v, const PlaceSet& excluded) const;
  void reserve(uint32_t id);
  void end_reservation(Value v);
  bool belongs(Value v, uint32_t id, unsigned offset) const {
    return v < kTemporary && affinity_.group[v] == id && affinity_.offset[v] == offset;
  }

  Affinity& affinity_;
  std::pmr::vector<Place>& place_;
  std::pmr::vector<Place> wanted_;  // by web
  const LastUses& uses_;
  Contents now_;
  Contents empty_;
  std::array<uint32_t, kPlaceCount> reserved_;
  // Groups that have their place from the start, and the instruction until which others may have it.
  std::array<uint32_t, kPlaceCount> awaited_by_;
  std::array<uint32_t, kPlaceCount> awaited_;
  PlaceSet claimed_;  // reserved or awaited
  PlaceSet read_;
  Place kept_from_ = kFirstRegister;
  Places registers_;
  Places used_{kFirstRegister, kFirstRegister};
};

}  // namespace texlate::maxwell::machine
