#include "backend/maxwell/machine/register_file.h"

namespace texlate::maxwell::machine {

void RegisterFile::put(Place place, Value v) {
  set_owner(place, v);
  note_use(place);
  if (v >= kTemporary) return;
  place_[v] = place;
  wanted_[affinity_.web[v]] = place;
  // The reservation has been used, or is no longer needed.
  const Place kept = affinity_.home(v);
  if (kept == kNoPlace) return;
  const uint32_t id = affinity_.group[v];
  if (reserved_[kept] == id) reserved_[kept] = kNoIndex;
  if (awaited_by_[kept] == id) awaited_by_[kept] = kNoIndex;
}

void RegisterFile::await(std::span<const uint32_t> definition, const LastUses& uses) {
  uses_ = &uses;
  for (uint32_t id = 0; id < affinity_.groups.size(); ++id) {
    const VectorGroup& group = affinity_.groups[id];
    if (group.base == kNoPlace) continue;
    for (unsigned i = 0; i < group.size; ++i) {
      const Value member = group.members[i];
      const Place place = group.base + i;
      if (member == kNoValue || definition[member] == kNoIndex || !registers_.contains(place)) continue;
      awaited_by_[place] = id;
      awaited_[place] = definition[member];
    }
  }
}

void RegisterFile::reserve(uint32_t id) {
  const VectorGroup& group = affinity_.groups[id];
  for (unsigned i = 0; i < group.size; ++i) {
    if (group.members[i] == kNoValue) continue;
    if (place_[group.members[i]] == kNoPlace) reserved_[group.base + i] = id;
  }
}

}  // namespace texlate::maxwell::machine
