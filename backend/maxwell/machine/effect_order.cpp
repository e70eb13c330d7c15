#include "backend/maxwell/machine/effect_order.h"

namespace texlate::maxwell::machine {

void EffectOrder::add_ordered(uint32_t node, bool looks, Effect effect, uint8_t space,
                              DependenceGraph& graph) {
  // A lane that KIL removes is missing for its neighbors.
  if (looks) {
    if (barrier_ != kNoIndex) graph.add(barrier_, node, 1);
    lanes_.push_back(node);
  }
  if (effect == Effect::none) return;
  if (barrier_ != kNoIndex) graph.add(barrier_, node, 1);
  if (effect == Effect::barrier) {
    for (const Access& a : accesses_) graph.add(a.node, node, 1);
    if (looks) lanes_.pop_back();
    for (const uint32_t n : lanes_) graph.add(n, node, 1);
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
    if (meets && (writes || a.writes)) graph.add(a.node, node, 1);
    // A write stands for all accesses that it follows.
    const bool covered = writes && (space == kAllSpaces || a.space == space);
    if (!covered) accesses_[kept++] = a;
  }
  accesses_.resize(kept);
  accesses_.push_back({node, space, writes});
}

}  // namespace texlate::maxwell::machine
