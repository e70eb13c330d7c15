#include "backend/maxwell/machine/register_file.h"

namespace texlate::maxwell::machine {

void RegisterFile::put(Place place, Value v) {
  owner_[place] = v;
  note_use(place);
  if (v >= kTemporary) return;
  place_[v] = place;
  wanted_[affinity_.web[v]] = place;
  const uint32_t id = affinity_.group[v];
  if (id == kNoIndex) return;
  // Its own reservation is used, or in vain.
  VectorGroup& group = affinity_.groups[id];
  if (group.base >= 0) {
    const Place kept = static_cast<Place>(group.base + affinity_.offset[v]);
    if (reserved_[kept] == id) reserved_[kept] = kNoIndex;
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
