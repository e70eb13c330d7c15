#include "backend/maxwell/machine/register_file.h"

namespace texlate::maxwell::machine {

void RegisterFile::put(Place place, Value v) {
  set_owner(place, v);
  note_use(place);
  if (v >= kTemporary) return;
  place_[v] = place;
  wanted_[affinity_.web[v]] = place;
  const uint32_t id = affinity_.group[v];
  if (id == kNoIndex) return;
  // The reservation has been used, or is no longer needed.
  VectorGroup& group = affinity_.groups[id];
  if (group.base >= 0) {
    const Place kept = static_cast<Place>(group.base + affinity_.offset[v]);
    if (reserved_[kept] == id) reserved_[kept] = kNoIndex;
    if (awaited_by_[kept] == id) awaited_by_[kept] = kNoIndex;
  }
}

void RegisterFile::await(std::span<const uint32_t> definition, const LastUses& uses) {
  uses_ = &uses;
  for (uint32_t id = 0; id < affinity_.groups.size(); ++id) {
    const VectorGroup& group = affinity_.groups[id];
    if (group.base < 0) continue;
    for (unsigned i = 0; i < group.size; ++i) {
      const Value member = group.members[i];
      const unsigned place = static_cast<unsigned>(group.base) + i;
      if (member == kNoValue || definition[member] == kNoIndex || place >= limit_) continue;
      awaited_by_[place] = id;
      awaited_[place] = definition[member];
    }
  }
}

void RegisterFile::reserve(uint32_t id) {
  const VectorGroup& group = affinity_.groups[id];
  for (unsigned i = 0; i < group.size; ++i) {
    if (group.members[i] == kNoValue) continue;
    const Place r = static_cast<Place>(group.base + i);
    if (place_[group.members[i]] == kNoPlace) reserved_[r] = id;
  }
}

}  // namespace texlate::maxwell::machine
