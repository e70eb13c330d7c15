// Which lanes of a warp are on a path, for the member masks of warp exchanges.
//
// shfl.sync waits for every lane of its member mask (PTX ISA 9.7.9.6), so the mask must name exactly the
// lanes that take part. In uniform flow these are all 32. Elsewhere a register holds the mask, the same in
// each of these lanes:
//
//   vote.sync.ballot.b32 %m1, %p5, %m0;   // where lanes diverge: the lanes of the first arm
//   @!%p5 bra L1;
//   shfl.sync.bfly.b32 %t0, %r3, 1, 31, %m1;
//   bra L2;
// L1:
//   xor.b32 %m1, %m0, %m1;                // the second arm: the others
// L2:                                     // together again: %m0
//
// Afterwards the others would wait forever for a lane that jumps out of an arm. Such a lane therefore passes
// the end of each construct that it leaves and at which the mask is recomputed, with the jump pending:
//
// L2:
//   setp.eq.u32 %tp0, %pending, 0;
//   vote.sync.ballot.b32 %m0, %tp0, %m0;  // the lanes that go on here
//   @!%tp0 bra L9;                        // the others go to the target of their jump
//
// The iteration of a loop ends in the same way if some lanes continue while others go on. None of this is
// emitted unless a later derivative needs it.
#pragma once

#include "ir/passes/uniformity.h"
#include "ir/structure.h"

namespace texlate::ptx {

/// The values of %pending, for a lane that leaves a construct. Odd ones leave the loop.
enum class Jump : uint32_t { none = 0, break_ = 1, continue_ = 2, return_ = 3 };

/// Where masks are needed. All indices are of instructions.
class PathMasks {
 public:
  explicit PathMasks(std::pmr::memory_resource* memory)
      : uniformity_(memory), exchanges_before_(memory), leaves_(memory) {}

  void find(const ir::Module& module, const ir::Structure& structure);

  /// Is there an exchange that only some of the lanes reach?
  bool needed() const { return needed_until_ != 0; }
  /// Does an exchange at or after this point need the masks of the constructs around it?
  bool needed_at(uint32_t index) const { return index < needed_until_; }
  bool is_partial(uint32_t index) const { return needed() && uniformity_.in_part[index] != 0; }
  bool has_partial_exchange(uint32_t begin, uint32_t end) const {
    return exchanges_before_[end] != exchanges_before_[begin];
  }
  uint8_t parts(uint32_t marker) const { return uniformity_.parts[marker]; }
  /// Does a jump inside leave the construct that starts at `marker`? A break only ends its own construct.
  bool is_left_by_jumps(uint32_t marker) const { return leaves_[marker] != 0; }

 private:
  void find_leaving(const ir::Module& module, const ir::Structure& structure);

  ir::Uniformity uniformity_;
  std::pmr::vector<uint32_t> exchanges_before_;  // partial ones
  std::pmr::vector<uint8_t> leaves_;
  uint32_t needed_until_ = 0;
};

}  // namespace texlate::ptx
