#include "ir/structure.h"

#include <algorithm>

namespace texlate::ir {

// The only stack of open constructs; all other code looks constructs up.
class Structure::Walk {
 public:
  Walk(Structure& structure, const Module& module, std::pmr::memory_resource* memory)
      : structure_(structure), module_(module), open_(memory) {}

  void run(Extent extent) {
    const std::span<const Instruction> code = module_.code;
    const uint32_t count = static_cast<uint32_t>(code.size());
    Place* const places = structure_.places_.data();
    for (uint32_t i = 0; i < count; ++i) {
      // All instructions between two markers are in the same place.
      const Place here = place();
      const uint32_t first = i;
      while (i < count && !info(code[i].op).has(kControl)) ++i;
      if (extent == Extent::all) std::fill(places + first, places + i, here);
      structure_.is_all_reached_ &= reached_ || i == first;
      if (i == count) return;
      places[i] = here;
      visit(i, code[i].op, places[i]);
    }
  }

  void run(std::span<const uint32_t> markers) {
    uint32_t next = 0;
    for (const uint32_t i : markers) {
      structure_.is_all_reached_ &= reached_ || i == next;
      next = i + 1;
      Place& here = structure_.places_[i];
      here = place();
      visit(i, module_.code[i].op, here);
    }
    structure_.is_all_reached_ &= reached_ || next == module_.code.size();
  }

 private:
  struct Open {
    uint32_t construct;
    bool entered;
    bool left = false;  // a break leaves it; if: its first arm reaches its end
    uint32_t last_arm = kNoIndex, last_exit = kNoIndex, last_repeat = kNoIndex;
  };

  Construct& construct_of(const Open& open) { return structure_.constructs_[open.construct]; }

  Place place() const {
    const uint32_t around = open_.empty() ? kNoIndex : open_.back().construct;
    return {around, around, kNoIndex, reached_, reached_};
  }

  void visit(uint32_t index, Op op, Place& place) {
    // Further markers need no test: if a construct is not reached, neither is its first marker.
    structure_.is_all_reached_ &= reached_ || bounds_region(op);
    control(index, op, place);
    place.continues = reached_;
  }

  void control(uint32_t index, Op op, Place& place) {
    switch (op) {
      case Op::if_:
      case Op::loop:
      case Op::switch_: enter(index, op, place); break;
      case Op::else_: {
        Open& open = open_.back();
        construct_of(open).otherwise = index;
        add(construct_of(open).first_exit, open.last_exit, index);
        place.around = construct_of(open).parent;
        open.left = reached_;
        reached_ = open.entered;
        break;
      }
      case Op::case_:
      case Op::default_: {
        Open& open = open_.back();
        add(construct_of(open).first_arm, open.last_arm, index);
        place.around = construct_of(open).parent;
        reached_ = open.entered;
        break;
      }
      case Op::endif:
        add(construct_of(open_.back()).first_exit, open_.back().last_exit, index);
        leave(index, place, reached_ || open_.back().left);
        break;
      case Op::endloop:
        add(construct_of(open_.back()).first_repeat, open_.back().last_repeat, index);
        leave(index, place, open_.back().left);
        break;
      case Op::endswitch: leave(index, place, open_.back().left); break;
      case Op::break_:
      case Op::continue_: jump(index, op, place); break;
      case Op::return_: reached_ = false; break;
      case Op::phase:
#define IR_COVERED_control
#include "ir/op_cases.inc"
        reached_ = true;  // a phase is a separate program
        break;
    }
  }

  void enter(uint32_t index, Op op, Place& place) {
    place.construct = static_cast<uint32_t>(structure_.constructs_.size());
    Construct& construct = structure_.constructs_.emplace_back();
    construct.op = op;
    construct.marker = index;
    construct.parent = place.around;
    construct.depth = static_cast<uint32_t>(open_.size());
    open_.push_back({place.construct, reached_});
    if (op == Op::switch_) reached_ = false;  // until the first label
  }

  void leave(uint32_t index, Place& place, bool reached) {
    Construct& construct = construct_of(open_.back());
    construct.end = index;
    place.around = construct.parent;
    reached_ = reached;
    open_.pop_back();
  }

  /// continue goes to loops; break also goes to switches.
  void jump(uint32_t index, Op op, Place& place) {
    for (size_t i = open_.size(); i-- > 0;) {
      Open& open = open_[i];
      const Op kind = construct_of(open).op;
      if (kind == Op::if_ || (kind == Op::switch_ && op == Op::continue_)) continue;
      place.construct = open.construct;
      if (op == Op::break_) {
        add(construct_of(open).first_exit, open.last_exit, index);
        open.left = open.left || reached_;
      } else {
        add(construct_of(open).first_repeat, open.last_repeat, index);
      }
      break;
    }
    reached_ = false;
  }

  void add(uint32_t& first, uint32_t& last, uint32_t index) {
    (last == kNoIndex ? first : structure_.places_[last].next) = index;
    last = index;
  }

  Structure& structure_;
  const Module& module_;
  std::pmr::vector<Open> open_;
  bool reached_ = true;
};

Structure::Structure(const Module& module, std::pmr::memory_resource* memory, Extent extent)
    : constructs_(memory), places_(memory) {
  places_.extend(module.code.size());
  Walk(*this, module, memory).run(extent);
}

Structure::Structure(const Module& module, std::span<const uint32_t> markers,
                     std::pmr::memory_resource* memory)
    : constructs_(memory), places_(memory) {
  places_.extend(module.code.size());
  Walk(*this, module, memory).run(markers);
}

void find_ends(const Structure& structure, std::span<uint32_t> end_of) {
  for (const Construct& construct : structure.constructs()) {
    const bool two_arms = construct.otherwise != Structure::kNoIndex;
    end_of[construct.marker] = two_arms ? construct.otherwise : construct.end;
    if (two_arms) end_of[construct.otherwise] = construct.end;
  }
}

}  // namespace texlate::ir
