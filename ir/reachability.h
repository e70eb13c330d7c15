// Which points of the flat list control can reach, followed marker by marker.
#pragma once

#include "ir/structure.h"

namespace texlate::ir {

/// For each opening marker of a well-formed list the marker where its first region ends: of an `if` its
/// `else`, of that `else` the `endif`, of `loop` and `switch` the end. By instruction; what is none of these
/// stays as it was.
inline void find_ends(const Module& module, std::span<uint32_t> end_of) {
  std::pmr::vector<uint32_t> open(module.memory());
  for (uint32_t i = 0; i < module.code.size(); ++i) {
    const Op op = module.code[i].op;
    if (opens_construct(op)) open.push_back(i);
    if (op != Op::else_ && !closes_construct(op)) continue;
    end_of[open.back()] = i;
    if (op == Op::else_) {
      open.back() = i;
    } else {
      open.pop_back();
    }
  }
}

/// Visits the instructions of a well-formed list in order; `reachable()` speaks of the point after the last
/// one visited.
class Reachability {
 public:
  explicit Reachability(std::pmr::memory_resource* memory) : open_(memory) {}

  bool reachable() const { return reachable_; }

  void visit(Op op) {
    switch (op) {
      case Op::if_:
      case Op::loop: open_.push_back({op, reachable_, false}); break;
      case Op::switch_:
        open_.push_back({op, reachable_, false});
        reachable_ = false;  // until the first label
        break;
      case Op::else_:
        open_.back().exit = reachable_;
        reachable_ = open_.back().entry;
        break;
      case Op::case_:
      case Op::default_: reachable_ = open_.back().entry; break;
      case Op::endif:
        reachable_ = reachable_ || open_.back().exit;
        open_.pop_back();
        break;
      case Op::endloop:
      case Op::endswitch:
        reachable_ = open_.back().exit;
        open_.pop_back();
        break;
      case Op::break_: leave(); break;
      case Op::continue_:
      case Op::return_: reachable_ = false; break;
      case Op::phase: reachable_ = true; break;
      default: break;
    }
  }

 private:
  struct Open {
    Op op;
    bool entry;  // is the construct entered?
    bool exit;   // loop, switch: does a break leave it? if: does the first arm reach its end?
  };

  void leave() {
    if (reachable_) {
      for (size_t i = open_.size(); i-- > 0;) {
        if (open_[i].op == Op::if_) continue;
        open_[i].exit = true;
        break;
      }
    }
    reachable_ = false;
  }

  std::pmr::vector<Open> open_;
  bool reachable_ = true;
};

}  // namespace texlate::ir
