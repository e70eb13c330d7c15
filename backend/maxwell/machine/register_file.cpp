#include "backend/maxwell/machine/register_file.h"

namespace texlate::maxwell::machine {

Place RegisterFile::choose(Value v, ValueClass value_class, Place first, const PlaceSet& excluded) {
  const bool lives_on = kept_from_ != kFirstRegister && uses_.lives_after(v);
  const Place from = lives_on ? kept_from_ : kFirstRegister;
  const auto good = [&](Place r) { return r >= from && !read_[r] && !is_reserved(r, v); };
  if (affinity_.group[v] != kNoIndex) {
    const Place r = place_in_group(v, first, excluded);
    if (r != kNoPlace) return r;
  }
  for (const Place wish : {first, wanted_[affinity_.web[v]]}) {
    if (wish != kNoPlace && is_free(wish) && !excluded[wish] && good(wish)) return wish;
  }
  const Places& possible = places(value_class);
  const Place best = find_free(possible, excluded, good);
  return best != kNoPlace ? best : find_free(possible, excluded);
}

/// The reservation has been used, or is no longer needed.
void RegisterFile::end_reservation(Value v) {
  const Place kept = affinity_.home(v);
  if (kept == kNoPlace || !claimed_[kept]) return;
  const uint32_t id = affinity_.group[v];
  if (reserved_[kept] == id) reserved_[kept] = kNoIndex;
  if (awaited_by_[kept] == id) awaited_by_[kept] = kNoIndex;
  if (reserved_[kept] == kNoIndex && awaited_by_[kept] == kNoIndex) claimed_.erase(kept);
}

void RegisterFile::await(Function& function) {
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    visit_results(function, function.instructions[i], [&](Value v) {
      const Place place = affinity_.home(v);
      if (place == kNoPlace || !registers_.contains(place)) return;
      const uint32_t id = affinity_.group[v];
      if (affinity_.groups[id].members[affinity_.offset[v]] != v) return;
      // Of several exits the last one counts.
      if (awaited_by_[place] != kNoIndex && awaited_by_[place] > id) return;
      awaited_by_[place] = id;
      awaited_[place] = i;
      claimed_.insert(place);
    });
  }
}

bool RegisterFile::is_claimed(Place place, Value v) const {
  if (v >= kTemporary) return reserved_[place] != kNoIndex;
  const uint32_t group = affinity_.group[v];
  if (reserved_[place] != kNoIndex && reserved_[place] != group) return true;
  return awaited_by_[place] != kNoIndex && awaited_by_[place] != group && !uses_.ends_by(v, awaited_[place]);
}

void RegisterFile::reserve(uint32_t id) {
  const VectorGroup& group = affinity_.groups[id];
  for (unsigned i = 0; i < group.size; ++i) {
    if (group.members[i] == kNoValue || place_[group.members[i]] != kNoPlace) continue;
    reserved_[group.base + i] = id;
    claimed_.insert(group.base + i);
  }
}

/// The place of `v` in its group if that is free.
Place RegisterFile::place_in_group(Value v, Place first, const PlaceSet& excluded) {
  const uint32_t id = affinity_.group[v];
  VectorGroup& group = affinity_.groups[id];
  if (group.base == kNoPlace) {
    group.base = choose_base(id, v, first, excluded);
    if (group.base == kNoPlace) return kNoPlace;
    reserve(id);
  }
  const Place r = group.base + affinity_.offset[v];
  return r < registers_.end && is_free(r) && !excluded[r] ? r : kNoPlace;
}

/// Where group `id` should begin: a run of free, unreserved registers in which `v`, one of its members, can
/// be placed. kNoPlace: nowhere.
Place RegisterFile::choose_base(uint32_t id, Value v, Place first, const PlaceSet& excluded) const {
  const VectorGroup& group = affinity_.groups[id];
  const unsigned low_bits = group.alignment - 1u;
  const auto is_good = [&](Place base) {
    return (base.number() & low_bits) == 0 && fits(id, base, v, excluded);
  };
  const unsigned offset = affinity_.offset[v];
  // First where v itself, or another member, is wanted already.
  if (has_before(first, offset) && is_good(first - offset)) return first - offset;
  for (unsigned i = 0; i < group.size; ++i) {
    if (group.members[i] == kNoValue) continue;
    const Place want = wanted_[affinity_.web[group.members[i]]];
    if (has_before(want, i) && is_good(want - i)) return want - i;
  }
  const Place mine =
      find_free(registers_, excluded, [&](Place r) { return has_before(r, offset) && is_good(r - offset); });
  return mine == kNoPlace ? kNoPlace : mine - offset;
}

bool RegisterFile::fits(uint32_t id, Place base, Value v, const PlaceSet& excluded) const {
  const VectorGroup& group = affinity_.groups[id];
  if (base + group.size > registers_.end) return false;
  for (unsigned i = 0; i < group.size; ++i) {
    if (group.members[i] == kNoValue) continue;
    const Place r = base + i;
    if (read_[r]) return false;
    const bool mine = affinity_.offset[v] == i;
    if (mine ? !is_free(r) || excluded[r] : owner(r) != kNoValue && !belongs(owner(r), id, i)) return false;
    if (reserved_[r] != kNoIndex && reserved_[r] != id) return false;
    if (is_reserved(r, group.members[i])) return false;
  }
  return true;
}

}  // namespace texlate::maxwell::machine
