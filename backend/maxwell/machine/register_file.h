// The contents of each register while the allocator walks over a program.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <bitset>
#include <span>

#include "backend/maxwell/machine/affinity.h"
#include "backend/maxwell/machine/last_uses.h"
#include "backend/maxwell/machine/place.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {

/// Contents of a place that are not a value: a copy for one instruction, or an unused result.
inline constexpr Value kTemporary(0xfffffffeu);

class RegisterFile {
 public:
  RegisterFile(Affinity& affinity, std::pmr::vector<Place>& place, unsigned limit)
      : affinity_(affinity),
        place_(place),
        wanted_(all_ones<Place>(affinity.web.size(), place.get_allocator().resource())),
        registers_{kFirstRegister, kFirstRegister + limit} {
    clear();
    reserved_.fill(kNoIndex);
    awaited_by_.fill(kNoIndex);
    awaited_.fill(kNoIndex);
  }

  /// Where values of the class can be.
  const Places& places(ValueClass value_class) const {
    return value_class == ValueClass::general ? registers_ : kPredicates;
  }
  Value owner(Place place) const { return owner_[place]; }
  bool is_free(Place place) const { return owner_[place] == kNoValue; }
  /// Is the place reserved for an undefined member of a group other than that of `v`?
  bool is_reserved(Place place, Value v) const {
    if (v >= kTemporary) return reserved_[place] != kNoIndex;
    const uint32_t group = affinity_.group[v];
    if (reserved_[place] != kNoIndex && reserved_[place] != group) return true;
    return awaited_by_[place] != kNoIndex && awaited_by_[place] != group && !ends_before(v, awaited_[place]);
  }
  /// Keeps places for groups that have theirs from the start. `definition`: by value, the instruction that
  /// defines it; a value that ends there or earlier may have the place until then. `uses` must outlive this
  /// object.
  void await(std::span<const uint32_t> definition, const LastUses& uses);
  /// The block's end overwrites the registers before `kept_from`. Values needed after it go above them if
  /// there is room.
  void enter(BlockId block, Place kept_from) {
    block_ = block;
    kept_from_ = kept_from;
  }

  /// Is the place still read by a fetch in flight? A result there would have to wait for the fetch.
  bool is_read(Place place) const { return read_[place]; }
  void note_read(Place place) { read_[place] = true; }
  void forget_reads() { read_.reset(); }
  void clear() {
    for (Value& owner : owner_) owner = kNoValue;
    free_.fill(~uint64_t{0});
  }
  const std::array<Value, kPlaceCount>& contents() const { return owner_; }
  void restore(const std::array<Value, kPlaceCount>& contents) {
    for (const Place place : Indices<Place>(contents)) set_owner(place, contents[place]);
  }

  void set_owner(Place place, Value v) {
    owner_[place] = v;
    const uint64_t bit = uint64_t{1} << (place.number() & 63);
    uint64_t& word = free_[place.number() >> 6];
    word = v == kNoValue ? word | bit : word & ~bit;
  }
  /// Puts a value into a place, and records the place as the preferred one of its web and its group.
  void put(Place place, Value v);
  void vacate(Place place) { set_owner(place, kNoValue); }

  /// A free place only for `v`, the best by its affinities; kNoPlace if there is none. `first` is tried
  /// before the web's own place. Places with usable(place) false are excluded; it must be false for places
  /// that are not free.
  template <typename Usable>
  Place choose(Value v, ValueClass value_class, Place first, Usable usable);

  /// Where group `id` should begin, if that is not decided yet: a run of free, unreserved registers in which
  /// `v`, one of its members, can be placed. kNoPlace: nowhere.
  template <typename Usable>
  Place choose_base(uint32_t id, Value v, Place first, Usable usable) const;

  Place wanted(Value v) const { return wanted_[affinity_.web[v]]; }
  /// The registers that the program uses so far.
  const Places& used() const { return used_; }
  bool is_used(Place place) const { return !is_register(place) || place < used_.end; }
  void note_use(Place place) {
    if (!is_used(place)) used_.end = place + 1;
  }

  /// The first free one of the places with accepts(place).
  template <typename Accepts>
  Place find_free(const Places& places, Accepts accepts) const {
    const unsigned begin = places.begin.number();
    for (unsigned word = begin / 64; 64 * word < places.end.number(); ++word) {
      uint64_t left = free_[word];
      if (word == begin / 64) left &= ~uint64_t{0} << (begin & 63);
      for (; left != 0; left &= left - 1) {
        const Place place = kFirstRegister + 64 * word + std::countr_zero(left);
        if (place >= places.end) return kNoPlace;
        if (accepts(place)) return place;
      }
    }
    return kNoPlace;
  }

 private:
  void reserve(uint32_t id);
  bool ends_before(Value v, uint32_t instruction) const {
    return uses_->of(v) != kNoIndex && uses_->of(v) <= instruction && !uses_->lives_after(v, block_);
  }
  bool belongs(Value v, uint32_t id, unsigned offset) const {
    return v < kTemporary && affinity_.group[v] == id && affinity_.offset[v] == offset;
  }

  Affinity& affinity_;
  std::pmr::vector<Place>& place_;
  std::pmr::vector<Place> wanted_;  // by web
  std::array<Value, kPlaceCount> owner_;
  std::array<uint64_t, (kPlaceCount + 63) / 64> free_;  // the same as bits, for searching
  std::array<uint32_t, kPlaceCount> reserved_;
  // Groups that have their place from the start, and the instruction until which others may have it.
  std::array<uint32_t, kPlaceCount> awaited_by_;
  std::array<uint32_t, kPlaceCount> awaited_;
  std::bitset<kPlaceCount> read_;
  const LastUses* uses_ = nullptr;
  BlockId block_ = kEntryBlock;
  Place kept_from_ = kFirstRegister;
  Places registers_;
  Places used_{kFirstRegister, kFirstRegister};
};

template <typename Usable>
Place RegisterFile::choose_base(uint32_t id, Value v, Place first, Usable usable) const {
  const VectorGroup& group = affinity_.groups[id];
  const auto fits = [&](Place base) {
    if (base.number() % group.alignment != 0 || base + group.size > registers_.end) return false;
    for (unsigned i = 0; i < group.size; ++i) {
      if (group.members[i] == kNoValue) continue;
      const Place r = base + i;
      if (read_[r]) return false;
      const bool mine = affinity_.offset[v] == i;
      if (mine ? !usable(r) : owner_[r] != kNoValue && !belongs(owner_[r], id, i)) return false;
      if (reserved_[r] != kNoIndex && reserved_[r] != id) return false;
      if (is_reserved(r, group.members[i])) return false;
    }
    return true;
  };
  const unsigned offset = affinity_.offset[v];
  // First where v itself, or another member, is wanted already.
  if (has_before(first, offset) && fits(first - offset)) return first - offset;
  for (unsigned i = 0; i < group.size; ++i) {
    if (group.members[i] == kNoValue) continue;
    const Place want = wanted(group.members[i]);
    if (has_before(want, i) && fits(want - i)) return want - i;
  }
  const Place mine =
      find_free({kFirstRegister + offset, registers_.end}, [&](Place r) { return fits(r - offset); });
  return mine == kNoPlace ? kNoPlace : mine - offset;
}

template <typename Usable>
Place RegisterFile::choose(Value v, ValueClass value_class, Place first, Usable usable) {
  const Places& possible = places(value_class);
  const auto good = [&](Place r) {
    return possible.contains(r) && usable(r) && !is_reserved(r, v) && !read_[r] &&
           !(r < kept_from_ && v < kTemporary && uses_->lives_after(v, block_));
  };
  const uint32_t id = affinity_.group[v];
  if (id != kNoIndex) {
    VectorGroup& group = affinity_.groups[id];
    if (group.base == kNoPlace) {
      group.base = choose_base(id, v, first, usable);
      if (group.base != kNoPlace) reserve(id);
    }
    if (group.base != kNoPlace) {
      const Place r = group.base + affinity_.offset[v];
      if (r < possible.end && usable(r)) return r;
    }
  }
  if (first != kNoPlace && good(first)) return first;
  const Place want = wanted(v);
  if (want != kNoPlace && good(want)) return want;
  const Place best = find_free(possible, good);
  return best != kNoPlace ? best : find_free(possible, usable);
}

}  // namespace texlate::maxwell::machine
