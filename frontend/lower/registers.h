// The contents of the temporaries (r#) in the basic block that is being lowered.
//
// Within a block, a register is the value that was last written to it or read from it. Values are stored only
// at the end of the block. A shader without control flow therefore has no register accesses at all, and in
// other shaders construct_ssa sees only registers that cross blocks.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "ir/module.h"

namespace texlate::lower {

class Registers {
 public:
  explicit Registers(std::pmr::memory_resource* memory) : entries_(memory), unsaved_(memory) {}

  /// The value of `reg` (register * 4 + component) if it is known in this block, otherwise kNoValue.
  ir::Value known(uint32_t reg) const {
    return reg < entries_.size() && entries_[reg].block == block_ ? entries_[reg].value : ir::kNoValue;
  }
  /// `reg` was read and holds `value`.
  void note(uint32_t reg, ir::Value value) {
    if (reg >= entries_.size()) entries_.resize(size_t{reg} + 16);
    Entry& entry = entries_[reg];
    entry.value = value;
    entry.block = block_;
  }
  void write(uint32_t reg, ir::Value value) {
    note(reg, value);
    if (entries_[reg].unsaved) return;
    entries_[reg].unsaved = true;
    unsaved_.push_back(reg);
  }

  /// Calls store(reg, value) for each register written since the last call, in the order of the first writes.
  template <typename Store>
  void save(Store store) {
    for (const uint32_t reg : unsaved_) {
      entries_[reg].unsaved = false;
      store(reg, entries_[reg].value);
    }
    unsaved_.clear();
  }
  /// Control flow ends here: unsaved values are not read.
  void drop() {
    for (const uint32_t reg : unsaved_) entries_[reg].unsaved = false;
    unsaved_.clear();
  }

  /// Starts another block.
  void forget() { block_ = ++newest_; }
  /// For a block that continues after an arm that never reaches it: restores what was known before the arm.
  uint32_t block() const { return block_; }
  void resume(uint32_t block) { block_ = block; }

 private:
  struct alignas(16) Entry {  // a power of two, so that indexing is a shift
    ir::Value value = ir::kNoValue;
    uint32_t block = 0;  // the block in which it is known; 0: none
    bool unsaved = false;
  };
  std::pmr::vector<Entry> entries_;
  std::pmr::vector<uint32_t> unsaved_;
  uint32_t block_ = 1, newest_ = 1;
};

}  // namespace texlate::lower
