// Three walks over the flat list.
//
// Two walks go backwards and find which registers are live at the ends of every construct. Liveness at a
// loop's head is needed before its body is walked, so the first walk assumes that nothing is live along back
// edges. For outermost loops, what it finds at a head is final: live(head) = read before written in the body,
// or live after the loop and reaching a break unwritten; another iteration adds nothing. For an inner loop
// the first walk misses what is live after it because of an outer back edge; the second walk adds that.
//
// The last walk goes forwards with the current value of every register. Leaving a region undoes its writes,
// so that the current value is always one whose definition is in an enclosing region.

#include "ir/passes/construct_ssa.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>

#include "ir/passes/remove_unreachable.h"
#include "ir/structure.h"

namespace texlate::ir {

namespace {

using Words = std::pmr::vector<uint64_t>;

/// Part of a flat list of registers.
struct List {
  uint32_t first = 0;
  uint32_t count = 0;
};

bool is_register_access(Op op) {
  return op == Op::reg_load || op == Op::reg_store;
}

bool needs_construction(const Module& module) {
  return !is_straight_line(module) || std::ranges::any_of(module.code, is_register_access, &Instruction::op);
}

// What a program may require, so that hostile ones come to an end (docs/limits.md). Real shaders pass some
// thousands of values.
constexpr size_t kMostPassedValues = size_t{1} << 20;
constexpr size_t kMostResults = UINT16_MAX;  // of one construct: Instruction::result_count
constexpr size_t kMostLivenessWords = size_t{1} << 24;

struct OpenConstruct {
  uint32_t loop = 0;  // loop: its number among the loops
  List carried;       // loop: registers that go around
  List leaving;       // registers that come out at the end marker
};

class SsaConstruction {
 public:
  SsaConstruction(Module& module, Diagnostics& diagnostics)
      : module_(module),
        diagnostics_(diagnostics),
        scratch_(module.memory()),
        dense_(&scratch_),
        constructs_(&scratch_),
        loop_live_(&scratch_),
        closing_order_(&scratch_),
        lists_(&scratch_),
        live_(&scratch_),
        written_(&scratch_),
        frame_words_(&scratch_),
        frames_(&scratch_),
        current_(&scratch_),
        replacement_(&scratch_),
        undo_(&scratch_),
        saved_(&scratch_) {}

  bool run() {
    structure_.emplace(module_, &scratch_, Structure::Extent::control);
    if (!structure_->is_all_reached()) {
      remove_unreachable(module_);
      structure_.emplace(module_, &scratch_, Structure::Extent::control);
    }
    number_registers_and_constructs();
    if (register_count_ == 0) return true;
    // Without loops the first walk finds everything.
    if (!constructs_.empty() && !((loop_count_ == 0 || find_live(false)) && find_live(true))) return false;
    rewrite();
    return !refused_;
  }

 private:
  // Registers are numbered densely as they appear, constructs by their opening marker.
  void number_registers_and_constructs() {
    std::pmr::vector<uint32_t> open(&scratch_);
    for (const Instruction& instruction : module_.code) {
      if (is_register_access(instruction.op)) {
        if (instruction.payload >= dense_.size()) dense_.resize(instruction.payload + 1, kNoNumber);
        if (dense_[instruction.payload] == kNoNumber) dense_[instruction.payload] = register_count_++;
      } else if (opens_construct(instruction.op)) {
        open.push_back(static_cast<uint32_t>(constructs_.size()));
        constructs_.push_back({instruction.op == Op::loop ? loop_count_++ : 0, {}, {}});
      } else if (closes_construct(instruction.op)) {
        closing_order_.push_back(open.back());
        open.pop_back();
      }
    }
    word_count_ = (register_count_ + 63) / 64;
    live_.resize(word_count_);
    written_.resize(word_count_);
  }

  // Bit sets of an open construct, in frame_words_. Only nested constructs are open at once, so this is a
  // stack.
  enum Set : uint32_t { kAfter, kHead, kOuterWritten, kSetCount };
  struct Frame {
    uint32_t construct;
    Op closer;
  };

  uint64_t* set_of(size_t frame, Set set) {
    return frame_words_.data() + (frame * kSetCount + set) * word_count_;
  }
  /// What the first walk found for a loop: what is live after it, and at its head.
  uint64_t* first_result(uint32_t construct, Set set) {
    return loop_live_.data() + (size_t{constructs_[construct].loop} * 2 + set) * word_count_;
  }
  void set_live(const uint64_t* words) { std::copy_n(words, word_count_, live_.data()); }

  /// Reserves bit sets for this many constructs. Returns false, with an error, if that is too much.
  bool has_room(size_t constructs, size_t sets, const Instruction& at) {
    if (constructs * sets * word_count_ <= kMostLivenessWords) return true;
    refuse(at, "{} temporaries in {} constructs are too many: their live sets would take more than {} words",
           register_count_, constructs, kMostLivenessWords);
    return false;
  }

  bool find_live(bool final) {
    std::ranges::fill(live_, 0);
    std::ranges::fill(written_, 0);
    if (!final) {
      if (!has_room(loop_count_, 2, module_.code.back())) return false;
      loop_live_.resize(size_t{loop_count_} * 2 * word_count_);
    }
    size_t closed = closing_order_.size();
    for (size_t i = module_.code.size(); i-- > 0;) {
      const Instruction& instruction = module_.code[i];
      switch (instruction.op) {
        case Op::reg_load: set_bit(live_, dense_[instruction.payload], true); break;
        case Op::reg_store:
          set_bit(live_, dense_[instruction.payload], false);
          set_bit(written_, dense_[instruction.payload], true);
          break;
        case Op::endif:
        case Op::endloop:
        case Op::endswitch:
          if (!has_room(frames_.size() + 1, kSetCount, instruction)) return false;
          enter(closing_order_[--closed], instruction.op, final);
          break;
        case Op::else_:
          // What is live before the second arm is kept in kHead; the first arm ends where the construct ends.
          std::copy_n(live_.data(), word_count_, set_of(frames_.size() - 1, kHead));
          set_live(set_of(frames_.size() - 1, kAfter));
          break;
        case Op::case_:
        case Op::default_: {
          uint64_t* head = set_of(frames_.size() - 1, kHead);
          for (uint32_t word = 0; word < word_count_; ++word) head[word] |= live_[word];
          break;
        }
        case Op::if_:
        case Op::loop:
        case Op::switch_:
          leave(final);
          if (lists_.size() > 2 * kMostPassedValues) {
            may_pass(instruction, lists_.size());
            return false;
          }
          break;
        case Op::break_: set_live(set_of(innermost(true), kAfter)); break;
        case Op::continue_: set_live(set_of(innermost(false), kHead)); break;
        case Op::return_:
        case Op::phase: std::ranges::fill(live_, 0); break;
        default: break;
      }
    }
    return true;
  }

  static void set_bit(Words& words, uint32_t bit, bool value) {
    const uint64_t mask = uint64_t{1} << (bit % 64);
    words[bit / 64] = value ? words[bit / 64] | mask : words[bit / 64] & ~mask;
  }

  /// The frame that a break (or, without switches, a continue) goes to.
  size_t innermost(bool switches) const {
    size_t frame = frames_.size() - 1;
    while (frames_[frame].closer == Op::endif || (!switches && frames_[frame].closer == Op::endswitch))
      --frame;
    return frame;
  }

  // Going backwards, a construct is entered at its end.
  void enter(uint32_t construct, Op closer, bool final) {
    const size_t frame = frames_.size();
    frames_.push_back({construct, closer});
    if (frame_words_.size() < frames_.size() * kSetCount * word_count_) {
      frame_words_.resize(frames_.size() * kSetCount * word_count_ * 2);
    }
    std::copy_n(live_.data(), word_count_, set_of(frame, kAfter));
    std::copy_n(written_.data(), word_count_, set_of(frame, kOuterWritten));
    std::ranges::fill(written_, 0);
    uint64_t* head = set_of(frame, kHead);
    std::fill_n(head, word_count_, 0);
    if (closer == Op::endloop) {
      if (final) {
        for (uint32_t word = 0; word < word_count_; ++word) {
          head[word] =
              first_result(construct, kHead)[word] | (live_[word] & ~first_result(construct, kAfter)[word]);
        }
      } else {
        std::copy_n(live_.data(), word_count_, first_result(construct, kAfter));
      }
      set_live(head);
    }
  }

  // At the opening marker everything about the construct is known.
  void leave(bool final) {
    const size_t frame = frames_.size() - 1;
    const auto [construct, closer] = frames_.back();
    const uint64_t* head = set_of(frame, kHead);
    if (closer == Op::endif) {
      for (uint32_t word = 0; word < word_count_; ++word) live_[word] |= head[word];
    } else if (closer == Op::endswitch || final) {
      set_live(head);
    } else {
      std::copy_n(live_.data(), word_count_, first_result(construct, kHead));
    }
    if (final) {
      if (closer == Op::endloop) constructs_[construct].carried = list_of(head);
      constructs_[construct].leaving = list_of(set_of(frame, kAfter));
    }
    const uint64_t* outer = set_of(frame, kOuterWritten);
    for (uint32_t word = 0; word < word_count_; ++word) written_[word] |= outer[word];
    frames_.pop_back();
  }

  /// The registers of a set that the construct writes.
  List list_of(const uint64_t* set) {
    List list{static_cast<uint32_t>(lists_.size()), 0};
    for (uint32_t word = 0; word < word_count_; ++word) {
      for (uint64_t bits = set[word] & written_[word]; bits != 0; bits &= bits - 1) {
        lists_.push_back(word * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
      }
    }
    list.count = static_cast<uint32_t>(lists_.size()) - list.first;
    return list;
  }

  // ---- forwards ----

  // What is known about an open construct. It is undone and removed at its end, so this is a stack.
  struct Open {
    uint32_t construct;
    Op op;
    uint32_t undo_mark;       // writes since the construct was entered
    uint32_t saved_mark = 0;  // if: values of the leaving registers at the end of the first arm, in saved_
    uint32_t else_index = 0;  // if: its else marker
    bool first_arm_ends = false;
  };

  std::span<const uint32_t> registers(List list) const { return {lists_.data() + list.first, list.count}; }

  void write(uint32_t reg, Value value) {
    undo_.push_back({reg, current_[reg]});
    current_[reg] = value;
  }
  void undo(uint32_t mark) {
    while (undo_.size() > mark) {
      current_[undo_.back().reg] = undo_.back().value;
      undo_.pop_back();
    }
  }

  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void refuse(const Instruction& at, fmt::format_string<Args...> format,
                                           Args&&... args) {
    if (!refused_) diagnostics_.error(module_.location_of(at), format, std::forward<Args>(args)...);
    refused_ = true;
  }

  /// Counts values that a marker passes. Returns false, with an error, if the program passes too many.
  bool may_pass(const Instruction& marker, size_t count) {
    passed_ += count;
    if (passed_ > kMostPassedValues) {
      refuse(marker, "ifs, loops and switches pass on too many temporaries ({}): the limit is {} in total",
             info(marker.op).text, kMostPassedValues);
    } else if (count > kMostResults) {
      refuse(marker, "{} temporaries are live after one construct ({}): the limit is {}", count,
             info(marker.op).text, kMostResults);
    }
    return !refused_;
  }

  /// Makes room for `count` more values after those that the marker passes already.
  void extend_operands(Instruction& marker, size_t count) {
    auto& operands = module_.operands;
    const auto first = static_cast<uint32_t>(operands.size());
    for (uint32_t i = 0; i < marker.operand_count && count != 0; ++i) {
      const Value value = operands[marker.first_operand + i];
      operands.push_back(value);
    }
    if (count != 0) marker.first_operand = first;
    marker.operand_count += static_cast<uint32_t>(count);
  }
  /// Adds `count` words to the results of a marker, which must stay neighbors. Returns the first of them.
  Value extend_results(Instruction& marker, size_t count) {
    if (count == 0) return kNoValue;
    const uint32_t before = marker.result_count;
    const Value first = module_.next_value();
    for (uint32_t r = 0; r < before; ++r) {
      const Type type = module_.values[marker.first_result + r].type;
      replacement_[marker.first_result + r] = module_.new_values(type);
    }
    marker.first_result = first;
    marker.result_count = static_cast<uint16_t>(before + count);
    return module_.new_values(Type::b32, static_cast<uint32_t>(count));
  }

  void pass(Instruction& marker, List list) {
    if (!may_pass(marker, marker.operand_count + size_t{list.count})) return;
    extend_operands(marker, list.count);
    for (uint32_t reg : registers(list)) module_.operands.push_back(current_[reg]);
  }
  void receive(Instruction& marker, List list) {
    if (!may_pass(marker, marker.result_count + size_t{list.count})) return;
    Value value = extend_results(marker, list.count);
    for (uint32_t reg : registers(list)) write(reg, value++);
  }

  void rewrite() {
    const Value zero = module_.constant(0);
    current_.assign(register_count_, zero);
    replacement_.assign(module_.values.size(), kNoValue);
    std::pmr::vector<Open> open(&scratch_);
    const Structure& structure = *structure_;
    uint32_t next_construct = 0;
    uint32_t kept = 0;
    const size_t count = module_.code.size();
    Instruction* const code = module_.code.data();
    for (size_t i = 0; i < count && !refused_; ++i) {
      Instruction& instruction = code[i];
      Value* const operands = module_.operands.data() + instruction.first_operand;
      for (uint32_t o = 0; o < instruction.operand_count; ++o) {
        const Value replacement = replacement_[operands[o]];
        if (replacement != kNoValue) operands[o] = replacement;
      }
      const uint32_t at = static_cast<uint32_t>(i);
      switch (instruction.op) {
        case Op::reg_load:
          replacement_[instruction.first_result] = current_[dense_[instruction.payload]];
          continue;
        case Op::reg_store:
          write(dense_[instruction.payload], module_.operands[instruction.first_operand]);
          continue;
        case Op::if_:
        case Op::loop:
        case Op::switch_:
          open.push_back({next_construct++, instruction.op, static_cast<uint32_t>(undo_.size())});
          if (instruction.op == Op::loop) {
            const List carried = constructs_[open.back().construct].carried;
            pass(instruction, carried);
            receive(instruction, carried);
          }
          break;
        case Op::else_:
          end_first_arm(open.back(), structure.reached(at));
          open.back().else_index = kept;
          break;
        case Op::case_:
        case Op::default_: undo(open.back().undo_mark); break;
        case Op::endif:
          merge_arms(open.back(), instruction, structure.reached(at), structure.continues(at));
          open.pop_back();
          break;
        case Op::endloop:
          if (structure.reached(at)) pass(instruction, constructs_[open.back().construct].carried);
          [[fallthrough]];
        case Op::endswitch:
          undo(open.back().undo_mark);
          if (structure.continues(at)) receive(instruction, constructs_[open.back().construct].leaving);
          open.pop_back();
          break;
        case Op::break_: pass(instruction, constructs_[target(open, true)].leaving); break;
        case Op::continue_: pass(instruction, constructs_[target(open, false)].carried); break;
        case Op::phase:
          std::ranges::fill(current_, zero);  // every phase has its own temporaries
          undo_.clear();
          break;
        default: break;
      }
      if (kept != i) code[kept] = instruction;
      ++kept;
    }
    module_.code.resize(kept);
  }

  static uint32_t target(const std::pmr::vector<Open>& open, bool switches) {
    size_t i = open.size() - 1;
    while (open[i].op == Op::if_ || (!switches && open[i].op == Op::switch_)) --i;
    return open[i].construct;
  }

  void end_first_arm(Open& open, bool reachable) {
    open.first_arm_ends = reachable;
    open.saved_mark = static_cast<uint32_t>(saved_.size());
    if (reachable) {
      for (uint32_t reg : registers(constructs_[open.construct].leaving)) saved_.push_back(current_[reg]);
    }
    undo(open.undo_mark);
  }

  // Passes only registers whose value differs between the paths.
  void merge_arms(const Open& open, Instruction& endif, bool second_arm_ends, bool reachable) {
    const auto leaving = registers(constructs_[open.construct].leaving);
    const size_t second_mark = saved_.size();
    for (uint32_t reg : leaving) saved_.push_back(current_[reg]);
    undo(open.undo_mark);
    if (!reachable) {
      saved_.resize(open.saved_mark);
      return;
    }
    merged_.clear();
    for (size_t i = 0; i < leaving.size(); ++i) {
      const Value second = saved_[second_mark + i];
      const Value first = open.first_arm_ends ? saved_[open.saved_mark + i] : second;
      const Value only = second_arm_ends ? second : first;
      const bool differs = open.first_arm_ends && second_arm_ends && first != second;
      if (differs || (only != current_[leaving[i]] && !module_.is_constant(only))) {
        merged_.push_back({leaving[i], first, second});
      } else if (only != current_[leaving[i]]) {
        write(leaving[i], only);
      }
    }
    if (!may_pass(endif, endif.result_count + merged_.size())) return;
    Instruction& else_marker = module_.code[open.else_index];
    if (open.first_arm_ends) pass_merged(else_marker, &Merge::first);
    if (second_arm_ends) pass_merged(endif, &Merge::second);
    Value value = extend_results(endif, merged_.size());
    for (const Merge& merge : merged_) write(merge.reg, value++);
    saved_.resize(open.saved_mark);
  }

  struct Merge {
    uint32_t reg;
    Value first, second;
  };
  void pass_merged(Instruction& marker, Value Merge::*which) {
    extend_operands(marker, merged_.size());
    for (const Merge& merge : merged_) module_.operands.push_back(merge.*which);
  }

  struct Undo {
    uint32_t reg;
    Value value;
  };

  Module& module_;
  Diagnostics& diagnostics_;
  bool refused_ = false;
  size_t passed_ = 0;  // values that markers pass
  uint32_t loop_count_ = 0;
  std::pmr::monotonic_buffer_resource scratch_;
  std::optional<Structure> structure_;
  static constexpr uint32_t kNoNumber = 0xffffffffu;
  std::pmr::vector<uint32_t> dense_;  // register * 4 + component -> dense number
  uint32_t register_count_ = 0;
  uint32_t word_count_ = 0;
  std::pmr::vector<OpenConstruct> constructs_;
  Words loop_live_;
  std::pmr::vector<uint32_t> closing_order_;
  std::pmr::vector<uint32_t> lists_;
  Words live_;
  Words written_;
  Words frame_words_;
  std::pmr::vector<Frame> frames_;
  std::pmr::vector<Value> current_;
  std::pmr::vector<Value> replacement_;
  std::pmr::vector<Undo> undo_;
  std::pmr::vector<Value> saved_;
  std::pmr::vector<Merge> merged_{&scratch_};
};

}  // namespace

bool construct_ssa(Module& module, Diagnostics& diagnostics) {
  // Straight-line code that keeps its registers as values is in this form already.
  if (needs_construction(module) && !SsaConstruction(module, diagnostics).run()) return false;
  module.register_count = 0;
  return true;
}

void construct_ssa(Module& module) {
  Diagnostics diagnostics(module.memory(), 1);
  [[maybe_unused]] const bool good = construct_ssa(module, diagnostics);
  assert(good && "the program is within the limits");
}

}  // namespace texlate::ir
