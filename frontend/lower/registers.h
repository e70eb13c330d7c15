// The temporaries (r#) as values: SSA construction while a program is lowered.
//
// A register is the value that was last written to it. Programs are structured, so that control flow needs no
// more than this (Braun et al., "Simple and Efficient Construction of Static Single Assignment Form", 2013,
// for constructs in place of a graph of blocks):
//
// * What a region writes is recorded and undone when the region ends, so that the current value is always one
//   whose definition is in an enclosing region.
// * An `endif` has a result for every register that its arms leave different.
// * A loop carries the registers that its body writes, because the values of the next iteration are not known
// at
//   its head, and a loop or switch passes what it writes at every break. These sets are found before, in the
//   source (written_sets.h), without registers that nothing reads later. A value that is passed for nothing
//   is dead code.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "frontend/lower/written_sets.h"
#include "ir/base/diagnostics.h"
#include "ir/module.h"

namespace texlate::lower {

class Registers {
 public:
  Registers(const sm4::Program& program, ir::Module& module, Diagnostics& diagnostics)
      : module_(module),
        diagnostics_(diagnostics),
        sets_(program, module.memory()),
        current_(module.memory()),
        undo_(module.memory()),
        undo_at_(module.memory()),
        open_(module.memory()),
        saved_(module.memory()),
        merged_(module.memory()),
        merge_of_(module.memory()) {}

  /// The value of `reg` (register * 4 + component). What was never written is 0.
  ir::Value read(uint32_t reg) { return defined(reg < current_.size() ? current_[reg] : ir::kNoValue); }
  /// The same, but kNoValue if it was never written.
  ir::Value known(uint32_t reg) const { return reg < current_.size() ? current_[reg] : ir::kNoValue; }
  /// The same of the four components of a register.
  const ir::Value* row(uint32_t number) const {
    static constexpr ir::Value kUnwritten[] = {ir::kNoValue, ir::kNoValue, ir::kNoValue, ir::kNoValue};
    return size_t{number} * 4 < current_.size() ? current_.data() + size_t{number} * 4 : kUnwritten;
  }
  void write(uint32_t reg, ir::Value value) {
    if (reg >= current_.size()) [[unlikely]]
      grow(reg);
    if (!open_.empty()) note_overwritten(reg);
    current_[reg] = value;
  }
  /// The components of `mask` of register `number`, except for those whose value is kNoValue.
  void write_row(uint32_t number, uint32_t mask, const std::array<ir::Value, 4>& values) {
    const uint32_t first = number * 4;
    if (first >= current_.size()) [[unlikely]]
      grow(first);
    ir::Value* const row = current_.data() + first;
    const bool is_in_construct = !open_.empty();
    for (uint32_t rest = mask & 0xf; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      if (values[lane] == ir::kNoValue) continue;
      if (is_in_construct) note_overwritten(first + lane);
      row[lane] = values[lane];
    }
  }

  /// For a marker or jump that was just appended to the module's code: the values that it passes and
  /// receives. `source`: the index of the instruction being lowered. `reachable`: can control reach the end
  /// of the region that ends here?
  void cross(size_t source, bool reachable);
  /// May a loop carry a value that it never changes, or a switch leave the same one in every arm?
  bool may_pass_copies() const { return may_pass_copies_; }
  /// Has the current region written a register?
  bool is_region_changed() const { return !open_.empty() && undo_.size() != open_.back().undo_mark; }

 private:
  struct Write {
    uint32_t reg;
    ir::Value value;
  };
  /// An open construct.
  struct Open {
    ir::Op op;
    uint32_t undo_mark;        // writes since it was entered
    size_t source;             // the instruction that it came from
    WrittenSets::Sets sets{};  // loop, switch
    uint32_t saved_mark = 0;   // if: what its first arm wrote, in saved_
    uint32_t else_marker = 0;  // if
    uint32_t loop_marker = 0;  // loop
    bool is_left = false;      // if: by its first arm; loop, switch: by a break
  };
  struct Merge {
    uint32_t reg;
    ir::Value first, second;
  };

  ir::Value defined(ir::Value value) { return value == ir::kNoValue ? module_.constant(0) : value; }
  void undo(uint32_t mark) {
    while (undo_.size() > mark) {
      current_[undo_.back().reg] = undo_.back().value;
      undo_.pop_back();
    }
  }
  /// Once in a region, as far as it is known: what the register had before.
  void note_overwritten(uint32_t reg) {
    const uint32_t at = undo_at_[reg];
    if (at < undo_.size() && at >= open_.back().undo_mark && undo_[at].reg == reg) return;
    undo_at_[reg] = static_cast<uint32_t>(undo_.size());
    undo_.push_back({reg, current_[reg]});
  }
  /// By whole rows.
  [[gnu::noinline]] void grow(uint32_t reg) {
    current_.resize(size_t{reg} / 4 * 4 + 16, ir::kNoValue);
    undo_at_.resize(current_.size());
  }
  Open& target(bool switches);
  bool may_pass(const ir::Instruction& marker, size_t count);
  void pass(ir::Instruction& marker, WrittenSets::List list);
  void repeat(ir::Instruction& marker, const Open& loop);
  void receive(ir::Instruction& marker, WrittenSets::List list);
  void end_first_arm(size_t marker, bool reachable);
  void merge_arms(size_t marker, size_t source, bool second_arm_ends);
  void collect_merges(const Open& open, size_t read_from);
  void pass_merged(ir::Instruction& marker, ir::Value Merge::*which);

  ir::Module& module_;
  Diagnostics& diagnostics_;
  WrittenSets sets_;
  std::pmr::vector<ir::Value> current_;  // by register
  std::pmr::vector<Write> undo_;         // what the open constructs have overwritten
  std::pmr::vector<uint32_t> undo_at_;   // by register: its place in undo_, if that is of this register
  std::pmr::vector<Open> open_;
  std::pmr::vector<Write> saved_;
  std::pmr::vector<Merge> merged_;       // of the endif
  std::pmr::vector<uint32_t> merge_of_;  // by register: its place in merged_, if that is of this register
  size_t passed_ = 0;                    // values that markers pass
  bool refused_ = false;
  bool may_pass_copies_ = false;
};

}  // namespace texlate::lower
