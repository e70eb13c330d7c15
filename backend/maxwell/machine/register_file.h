// The contents of each register while the allocator walks over a program.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <bitset>
#include <span>

#include "backend/maxwell/machine/affinity.h"
#include "backend/maxwell/machine/last_uses.h"
#include "backend/maxwell/machine/parallel_copy.h"
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
        limit_(limit) {
    clear();
    reserved_.fill(kNoIndex);
    awaited_by_.fill(kNoIndex);
    awaited_.fill(kNoIndex);
  }

  unsigned limit() const { return limit_; }
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
  /// `clobbers`: registers from R0 on that the block's end overwrites. Values needed after it go above them
  /// if there is room.
  void enter(BlockId block, unsigned clobbers) {
    block_ = block;
    clobbers_ = clobbers;
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
    for (Place place = 0; place < kPlaceCount; ++place) set_owner(place, contents[place]);
  }

  void set_owner(Place place, Value v) {
    owner_[place] = v;
    const uint64_t bit = uint64_t{1} << (place & 63);
    if (v == kNoValue) {
      free_[place >> 6] |= bit;
    } else {
      free_[place >> 6] &= ~bit;
    }
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
  /// `v`, one of its members, can be placed. -1: nowhere.
  template <typename Usable>
  int choose_base(uint32_t id, Value v, Place first, Usable usable) const;

  Place wanted(Value v) const { return wanted_[affinity_.web[v]]; }
  unsigned used() const { return used_; }
  void note_use(Place place) {
    if (place < kFirstPredicate && place >= used_) used_ = place + 1u;
  }

  /// The first free place from `begin` to before `end` with accepts(place).
  template <typename Accepts>
  Place find_free(Place begin, Place end, Accepts accepts) const {
    for (unsigned word = begin / 64u; 64 * word < end; ++word) {
      uint64_t left = free_[word];
      if (word == begin / 64u) left &= ~uint64_t{0} << (begin & 63);
      for (; left != 0; left &= left - 1) {
        const Place place = static_cast<Place>(64 * word + static_cast<unsigned>(std::countr_zero(left)));
        if (place >= end) return kNoPlace;
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
  unsigned clobbers_ = 0;
  unsigned limit_;
  unsigned used_ = 0;
};

template <typename Usable>
int RegisterFile::choose_base(uint32_t id, Value v, Place first, Usable usable) const {
  const VectorGroup& group = affinity_.groups[id];
  const auto fits = [&](unsigned base) {
    if (base % group.alignment != 0 || base + group.size > limit_) return false;
    for (unsigned i = 0; i < group.size; ++i) {
      if (group.members[i] == kNoValue) continue;
      const Place r = static_cast<Place>(base + i);
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
  if (first != kNoPlace && first >= offset && fits(first - offset)) return static_cast<int>(first - offset);
  for (unsigned i = 0; i < group.size; ++i) {
    if (group.members[i] == kNoValue) continue;
    const Place want = wanted(group.members[i]);
    if (want != kNoPlace && want >= i && fits(want - i)) return static_cast<int>(want - i);
  }
  const Place mine = find_free(static_cast<Place>(offset), static_cast<Place>(limit_),
                               [&](Place r) { return fits(r - offset); });
  return mine == kNoPlace ? -1 : static_cast<int>(mine - offset);
}

template <typename Usable>
Place RegisterFile::choose(Value v, ValueClass value_class, Place first, Usable usable) {
  const bool is_predicate = value_class == ValueClass::predicate;
  const Place begin = is_predicate ? kFirstPredicate : Place{0};
  const Place end = is_predicate ? kPlaceCount : static_cast<Place>(limit_);
  const auto good = [&](Place r) {
    return r >= begin && r < end && usable(r) && !is_reserved(r, v) && !read_[r] &&
           !(r < clobbers_ && v < kTemporary && uses_->lives_after(v, block_));
  };
  const uint32_t id = affinity_.group[v];
  if (id != kNoIndex) {
    VectorGroup& group = affinity_.groups[id];
    if (group.base < 0) {
      group.base = static_cast<int16_t>(choose_base(id, v, first, usable));
      if (group.base >= 0) reserve(id);
    }
    if (group.base >= 0) {
      const Place r = static_cast<Place>(group.base + affinity_.offset[v]);
      if (r < end && usable(r)) return r;
    }
  }
  if (first != kNoPlace && good(first)) return first;
  const Place want = wanted(v);
  if (want != kNoPlace && good(want)) return want;
  const Place best = find_free(begin, end, good);
  return best != kNoPlace ? best : find_free(begin, end, usable);
}

}  // namespace texlate::maxwell::machine
