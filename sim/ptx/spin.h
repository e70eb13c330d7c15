// Finds lanes that wait in a loop: a loop that comes round with the same registers, while no memory has
// changed, will do the same for ever unless another lane changes memory.
//
// From sm_70 on the other lanes of the warp make progress meanwhile (PTX ISA 3.2, independent thread
// scheduling). Before, they run after the loop.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace texlate::sim::ptx {

class SpinDetector {
 public:
  /// `lanes` take a branch backwards to `target`. `values` are the registers, 32 lanes each; `changes` counts
  /// the changes of memory. True if the lanes were here before in the same state.
  bool comes_round(uint32_t target, uint32_t lanes, std::span<const uint64_t> values, uint64_t changes);

 private:
  uint64_t branches_ = 0;
  uint32_t target_ = 0, lanes_ = 0;  // of the state that is kept; no lanes: none is
  uint64_t changes_ = 0;
  std::vector<uint64_t> values_;
};

}  // namespace texlate::sim::ptx
