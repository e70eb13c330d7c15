#include "backend/maxwell/machine/allocate_registers.h"

#include <algorithm>
#include <span>

#include "backend/maxwell/machine/affinity.h"
#include "backend/maxwell/machine/instruction_places.h"
#include "backend/maxwell/machine/last_uses.h"
#include "backend/maxwell/machine/parallel_copy.h"
#include "backend/maxwell/machine/register_file.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {
namespace {

class Allocator {
 public:
  Allocator(Function& function, const Liveness& liveness, unsigned limit)
      : function_(function),
        affinity_(find_affinity(function)),
        liveness_(liveness),
        place_(all_ones<Place>(function.values.size(), function.scratch())),
        uses_(function, liveness),
        file_(affinity_, place_, uses_, limit),
        placer_(function, affinity_, place_, uses_, file_),
        entry_place_(all_ones<Place>(liveness_.items.size(), function.scratch())),
        parameter_place_(all_ones<Place>(function.values.size(), function.scratch())),
        is_fetched_(function.separates_fetches ? function.values.size() : 0, false, function.scratch()),
        is_entered_(function.blocks.size(), false, function.scratch()),
        moves_(function.scratch()),
        out_(function.spare) {
    out_.clear();
    const size_t count = function.instructions.size();
    out_.reserve(count + count / 8);
    // Exits have the first groups.
    if (!affinity_.groups.empty() && affinity_.groups[0].base != kNoPlace) file_.await(function);
    if (function.is_routine) give_parameters(function.blocks[0]);
  }

  bool run() {
    for (const BlockId b : Indices<BlockId>(function_.blocks)) {
      if (!block(b)) return false;
    }
    function_.instructions.swap(out_);
    for (Block& b : function_.blocks) b.parameter_count = b.argument_count = 0;
    function_.has_registers = true;
    return true;
  }
  unsigned register_count() const { return file_.used().end - kFirstRegister; }

 private:
  bool block(BlockId id) {
    Block& b = function_.blocks[id];
    enter(id);
    uses_.enter(id);
    release_unused_parameters(b);
    const uint32_t first = static_cast<uint32_t>(out_.size());
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      if (function_.separates_fetches) note_fetch(function_.instructions[i]);
      Instruction& instruction = *out_.extend(1) = function_.instructions[i];
      if (InstructionPlacer::is_scalar(instruction)) {
        if (!placer_.place_scalars(instruction, i)) return false;
      } else {
        if (!placer_.place(instruction, i)) return false;
        if (!placer_.moves().empty()) move_before_last();
      }
    }
    if (!leave(id)) return false;
    b.first = first;
    b.count = static_cast<uint32_t>(out_.size()) - first;
    return true;
  }

  void move_before_last() {
    const Instruction last = out_.back();
    out_.pop_back();
    append_parallel_copy(placer_.moves(), placer_.spare(), placer_.spare_predicate(), last.origin, out_);
    out_.push_back(last);
  }

  /// A user of a fetch's result waits for the fetch, and thus for its sources. Run before places are chosen.
  void note_fetch(Instruction& instruction) {
    bool waits = false;
    visit_uses(function_, instruction, [&](Value v) { waits |= is_fetched_[v]; });
    if (waits) file_.forget_reads();
    if (latency_class(instruction.code) != LatencyClass::texture) return;
    visit_results(function_, instruction, [&](Value v) { is_fetched_[v] = true; });
    visit_uses(function_, instruction, [&](Value v) {
      if (place_[v] != kNoPlace) file_.note_read(place_[v]);
    });
  }

  void enter(BlockId id) {
    const Block& b = function_.blocks[id];
    file_.clear();
    file_.enter(kFirstRegister + (b.terminator == Terminator::call ? b.clobbers : 0));
    file_.forget_reads();
    each_alive(id, [&](Value v, Place place) { file_.put(place, v); });
    for (const Value p : function_.parameters(b)) file_.put(parameter_place_[p], p);
  }

  void release_unused_parameters(const Block& b) {
    for (const Value p : function_.parameters(b)) {
      if (!uses_.is_needed(p)) file_.vacate(place_[p]);
    }
  }

  bool leave(BlockId id) {
    Block& b = function_.blocks[id];
    switch (b.terminator) {
      case Terminator::branch:
        for (const BlockId target : b.target) inherit(target);
        b.predicate = place_[b.condition];
        return true;
      case Terminator::jump: return jump(b);
      case Terminator::call: return call(b);
      case Terminator::exit:
        moves_.clear();
        function_.exit_registers = std::max(function_.exit_registers, b.argument_count);
        move_arguments(b);
        append_moves();
        return true;
    }
    return false;
  }

  /// Moves the block's arguments to R0 and up, where the host or a routine expects them.
  void move_arguments(const Block& b) {
    Place to = kFirstRegister;
    for (const Value v : function_.arguments(b)) {
      if (v != kNoValue) {
        move(to, place_[v]);
        file_.note_use(to);
      }
      ++to;
    }
  }

  /// visit(Value, Place&) for what is alive at the block's start, and where it is then.
  template <typename Visit>
  void each_alive(BlockId block, Visit visit) {
    Place* place = entry_place_.data() + liveness_.first[block];
    for (const Value v : liveness_[block]) visit(v, *place++);
  }

  /// At its start, the target has everything where it is now.
  void inherit(BlockId target) {
    is_entered_[target] = true;
    each_alive(target, [&](Value v, Place& place) { place = place_[v]; });
  }

  bool jump(const Block& b) {
    const BlockId target = b.target[0];
    const Block& t = function_.blocks[target];
    if (!is_entered_[target]) {
      inherit(target);
      if (!place_parameters(b, target)) return false;
    }
    moves_.clear();
    each_alive(target, [&](Value v, Place place) { move(place, place_[v]); });
    for (uint32_t i = 0; i < t.parameter_count; ++i) {
      const Value argument = function_.operands[b.arguments + i];
      const Value parameter = function_.operands[t.parameters + i];
      if (argument != kNoValue) move(parameter_place_[parameter], place_[argument]);
    }
    append_moves();
    return true;
  }

  /// Arguments and results of routines are in R0, R1, ...
  void give_parameters(const Block& b) {
    Place place = kFirstRegister;
    for (const Value p : function_.parameters(b)) {
      parameter_place_[p] = place;
      file_.note_use(place++);
    }
  }

  /// Moves values that are needed after the call out of the registers that it overwrites, and the arguments
  /// into R0, R1, ...
  bool call(const Block& b) {
    const BlockId target = b.target[0];
    is_entered_[target] = true;
    give_parameters(function_.blocks[target]);
    const Place kept_from = kFirstRegister + b.clobbers;
    file_.note_use(kept_from - 1);
    const auto kept = file_.contents();
    file_.clear();
    PlaceSet overwritten;
    overwritten.insert({kFirstRegister, kept_from});
    bool ok = true;
    each_alive(target, [&](Value v, Place& place) {
      ok &= function_.values[v] == ValueClass::general;
      place = place_[v] >= kept_from ? place_[v] : kNoPlace;
      if (place != kNoPlace) file_.set_owner(place, v);
    });
    each_alive(target, [&](Value v, Place& place) {
      if (!ok || place != kNoPlace) return;
      place = file_.choose(v, ValueClass::general, kNoPlace, overwritten);
      ok = place != kNoPlace;
      if (!ok) return;
      file_.set_owner(place, v);
      file_.note_use(place);
    });
    file_.restore(kept);
    if (!ok) return false;
    moves_.clear();
    each_alive(target, [&](Value v, Place place) { move(place, place_[v]); });
    move_arguments(b);
    append_moves();
    return true;
  }

  /// Chooses places for the target's parameters, which must not overlap the values alive there: the place of
  /// the argument if that is free.
  bool place_parameters(const Block& b, BlockId target) {
    const Block& t = function_.blocks[target];
    if (t.parameter_count == 0) return true;
    const auto kept = file_.contents();
    file_.clear();
    each_alive(target, [&](Value v, Place place) { file_.set_owner(place, v); });
    bool ok = true;
    for (uint32_t i = 0; i < t.parameter_count && ok; ++i) {
      const Value argument = function_.operands[b.arguments + i];
      const Value parameter = function_.operands[t.parameters + i];
      const Place place = file_.choose(parameter, function_.values[parameter],
                                       argument == kNoValue ? kNoPlace : place_[argument], PlaceSet());
      ok = place != kNoPlace;
      if (!ok) break;
      file_.put(place, parameter);
      parameter_place_[parameter] = place;
    }
    file_.restore(kept);
    return ok;
  }

  void move(Place to, Place from) {
    if (to != from) moves_.push_back({to, from});
  }

  void append_moves() {
    if (moves_.empty()) return;
    // A value that moves away is alive, and its place is not free; the place that it moves to may be.
    PlaceSet taken;
    for (const Move& m : moves_) taken.insert(m.to);
    append_parallel_copy(moves_, file_.find_free(file_.used(), taken), file_.find_free(kPredicates, taken), 0,
                         out_);
  }

  Function& function_;
  Affinity affinity_;
  const Liveness& liveness_;
  std::pmr::vector<Place> place_;  // the current place of a value
  LastUses uses_;
  RegisterFile file_;
  InstructionPlacer placer_;
  std::pmr::vector<Place> entry_place_;      // parallel to Liveness::items
  std::pmr::vector<Place> parameter_place_;  // by value
  std::pmr::vector<bool> is_fetched_;        // by value: the result of a fetch
  std::pmr::vector<bool> is_entered_;
  std::pmr::vector<Move> moves_;
  Buffer<Instruction>& out_;
};

}  // namespace

Allocation allocate_registers(Function& function, const Liveness& liveness, unsigned register_limit) {
  Allocator allocator(function, liveness, register_limit);
  Allocation out;
  out.ok = allocator.run();
  out.register_count = allocator.register_count();
  return out;
}

}  // namespace texlate::maxwell::machine
