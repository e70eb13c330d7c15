#include "backend/maxwell/machine/effect_order.h"

namespace texlate::maxwell::machine {

void EffectOrder::add_ordered(uint32_t node, bool looks, Effect effect, uint8_t space) {
  followed_.clear();
  // A lane that KIL removes is missing for its neighbors.
  if (looks) {
    if (barrier_ != kNoIndex) followed_.push_back(barrier_);
    lanes_.push_back(node);
  }
  if (effect == Effect::none) return;
  if (barrier_ != kNoIndex) followed_.push_back(barrier_);
  if (effect == Effect::barrier) {
    for (const Access& a : accesses_) followed_.push_back(a.node);
    if (looks) lanes_.pop_back();
    for (const uint32_t n : lanes_) followed_.push_back(n);
    accesses_.clear();
    lanes_.clear();
    barrier_ = node;
    return;
  }
  const bool writes = effect == Effect::write;
  uint32_t kept = 0;
  for (size_t i = 0; i < accesses_.size(); ++i) {
    const Access a = accesses_[i];
    const bool meets = a.space == space || a.space == kAllSpaces || space == kAllSpaces;
    if (meets && (writes || a.writes)) followed_.push_back(a.node);
    // A write stands for all accesses that it follows.
    const bool covered = writes && (space == kAllSpaces || a.space == space);
    if (!covered) accesses_[kept++] = a;
  }
  accesses_.resize(kept);
  accesses_.push_back({node, space, writes});
}

}  // namespace texlate::maxwell::machine
