// Runs lanes together with the branch stack of docs/reference/maxwell.md, and detects hazards.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"
#include "tests/unit/maxwell_machine/meaning.h"

namespace texlate::maxwell::machine::test {
namespace {

constexpr unsigned kPredicates = 256;
constexpr unsigned kCarry = 263;
constexpr unsigned kPlaces = 264;

/// Registers that an operand covers; independent of the emitter's list.
template <typename Visit>
void visit_places(const maxwell::Instruction& code, Visit visit) {
  const Form& f = form(code);
  for (unsigned k = 0; k < f.operand_count; ++k) {
    const Operand& o = code.operands[k];
    const bool writes = f.operands[k].role != Role::source;
    if (o.kind == OperandKind::predicate && o.reg != kPT) visit(k, 0u, kPredicates + o.reg, writes);
    if (o.kind == OperandKind::constant && o.reg != kRZ) visit(k, 0u, unsigned{o.reg}, false);
    if (o.kind != OperandKind::reg && o.kind != OperandKind::address) continue;
    if (o.reg == kRZ || f.operands[k].kind == SlotKind::pair_second) continue;
    const unsigned first = f.operands[k].kind == SlotKind::same_as_rd ? code.operands[0].reg : o.reg;
    const unsigned count = f.operands[k].kind == SlotKind::same_as_rd ? 1 : register_count(code, k);
    for (unsigned e = 0; e < count; ++e) visit(k, e, first + e, writes);
  }
}

/// What is in flight in a lane. Time counts only stalls, so that a result is as late as possible. Registers
/// belong to lanes: what one side of a branch leaves in flight does not affect the lanes of the other.
class Hazards {
 public:
  std::string issue(const maxwell::Instruction& code, uint64_t now, bool is_active) {
    const Control& control = code.control;
    for (unsigned s = 0; s < 6; ++s) {
      if (!(control.wait_mask >> s & 1)) continue;
      if (now < set_at_[s] + 2) return fmt::format("waits for scoreboard {} before it is up", s);
      for (unsigned p = 0; p < kPlaces; ++p) {
        write_[p] &= static_cast<uint8_t>(~(1u << s));
        read_[p] &= static_cast<uint8_t>(~(1u << s));
      }
    }
    if (!is_active) return {};
    std::string error;
    const Latency times = latency(code);
    const auto reads = [&](unsigned p) {
      if (write_[p] != 0) error = fmt::format("reads place {} that is still to be written", p);
      const uint64_t gain = p < kPredicates ? late(code) : 0;
      if (now + gain < ready_[p])
        error = fmt::format("reads place {} {} cycles early", p, ready_[p] - now - gain);
    };
    if ((code.guard & 7) != kPT) reads(kPredicates + (code.guard & 7u));
    if (reads_condition_code(code)) reads(kCarry);
    visit_places(code, [&](unsigned, unsigned, unsigned p, bool writes) {
      if (!writes || form(code).operands[0].role == Role::both) reads(p);
    });
    if (!error.empty()) return error;
    const uint8_t written =
        control.write_barrier == Control::kNoBarrier ? 0 : static_cast<uint8_t>(1u << control.write_barrier);
    const uint8_t read =
        control.read_barrier == Control::kNoBarrier ? 0 : static_cast<uint8_t>(1u << control.read_barrier);
    for (unsigned s = 0; s < 6; ++s) {
      if ((written | read) >> s & 1) set_at_[s] = now;
    }
    bool has_result = false;
    visit_places(code, [&](unsigned, unsigned, unsigned p, bool writes) {
      if (!writes) return;
      has_result = true;
      if (write_[p] != 0 || read_[p] != 0) error = fmt::format("overwrites place {} that is under way", p);
      write_[p] = 0;
      if (times.write_barrier) {
        if (written == 0) error = "has no write barrier";
        write_[p] = written;
      } else {
        const uint64_t ready = now + (p < kPredicates ? times.result : times.predicate);
        if (ready < ready_[p]) error = fmt::format("result in place {} overtaken by an older one", p);
        ready_[p] = ready;
      }
    });
    if (writes_condition_code(code)) ready_[kCarry] = now + times.carry;
    if (times.read_barrier) {
      if (read == 0 && !has_result && opcode(code) != Opcode::exit) error = "has no read barrier";
      visit_places(code, [&](unsigned, unsigned, unsigned p, bool writes) {
        if (writes) return;
        if (read != 0)
          read_[p] |= read;
        else
          read_[p] |= written;
      });
    }
    return error;
  }

  bool is_under_way(unsigned p, uint64_t now) const { return write_[p] != 0 || now < ready_[p]; }

 private:
  /// Cycles after its issue at which an instruction reads its registers, beyond those of arithmetic; as in
  /// ptxas's code.
  static uint64_t late(const maxwell::Instruction& code) {
    const Opcode op = opcode(code);
    switch (opcode_info(op).latency_class) {
      case LatencyClass::texture: return 4;
      case LatencyClass::load:
      case LatencyClass::store: return op == Opcode::ldg || op == Opcode::stg ? 4 : 2;
      default: return op == Opcode::mufu || op == Opcode::i2f ? 4 : 0;
    }
  }

  std::array<uint8_t, kPlaces> write_{};
  std::array<uint8_t, kPlaces> read_{};
  std::array<uint64_t, kPlaces> ready_{};
  std::array<uint64_t, 6> set_at_{};
};

using Mask = uint8_t;

class Warp {
 public:
  Warp(const Program& program, const std::vector<SideEffect>& effects)
      : program_(program), effects_(effects) {
    for (unsigned lane = 0; lane < kLanes; ++lane) contexts_[lane].lane = lane;
    for (uint32_t i = 0; i < program.instructions.size(); ++i) index_[instruction_address(i)] = i;
  }

  Outcome run(unsigned step_limit) {
    active_ = (1u << kLanes) - 1;
    for (unsigned step = 0; step < step_limit && active_ != 0; ++step) {
      if (pc_ >= program_.instructions.size()) {
        fail("runs past the end");
        break;
      }
      const maxwell::Instruction& code = program_.instructions[pc_];
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const std::string hazard = hazards_[lane].issue(code, now_, (active_ >> lane & 1) != 0);
        if (!hazard.empty()) fail(hazard);
      }
      if (opcode(code) == Opcode::exit) note_late_outputs(on(code));
      now_ += code.control.stall;
      if (!out_.error.empty()) break;
      step_one(code);
    }
    return std::move(out_);
  }

 private:
  struct Entry {
    Opcode kind;  // ssy, pbk, pcnt; bra: the other side of a branch
    uint32_t target;
    Mask lanes;
  };

  void fail(const std::string& what) {
    if (out_.error.empty()) {
      out_.error = fmt::format("instruction {} ({}): {}", pc_,
                               opcode_info(opcode(program_.instructions[pc_])).text, what);
    }
  }

  Mask on(const maxwell::Instruction& code) const {
    Mask out = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(active_ >> lane & 1)) continue;
      const unsigned p = code.guard & 7u;
      const bool value = p == kPT || (words_[lane][kPredicates + p] & 1) != 0;
      if (value != ((code.guard & 8) != 0)) out |= static_cast<Mask>(1u << lane);
    }
    return out;
  }

  void step_one(const maxwell::Instruction& code) {
    const Mask lanes = on(code);
    switch (opcode(code)) {
      case Opcode::ssy:
      case Opcode::pbk:
      case Opcode::pcnt:
      case Opcode::pret:
        stack_.push_back({opcode(code), target(code), active_});
        ++pc_;
        return;
      case Opcode::bra: branch(code, lanes); return;
      case Opcode::sync: sync(lanes); return;
      case Opcode::brk: leave(Opcode::pbk, lanes); return;
      case Opcode::cont: leave(Opcode::pcnt, lanes); return;
      case Opcode::ret: leave(Opcode::pret, lanes); return;
      case Opcode::exit: exit(lanes); return;
      case Opcode::cal: call(code, lanes); return;
      default: break;
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (lanes >> lane & 1) execute(code, lane);
    }
    ++pc_;
  }

  /// The routine itself: it may overwrite anything at once, and preserves nothing.
  void call(const maxwell::Instruction& code, Mask lanes) {
    const auto routine = TestRoutine::of(static_cast<unsigned>(code.operands[0].value));
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      auto& words = words_[lane];
      for (unsigned p = 0; p < kPlaces; ++p) {
        if (hazards_[lane].is_under_way(p, now_)) fail(fmt::format("place {} is under way", p));
      }
      std::array<Word, TestRoutine::kMostArguments> given{};
      std::copy_n(words.begin(), routine.arguments, given.begin());
      for (unsigned r = 0; r < routine.clobbers; ++r) words[r] = routine.result(given.data(), r);
      for (unsigned p = kPredicates; p < kPlaces; ++p) words[p] = routine.result(given.data(), p) & 1;
    }
    ++pc_;
  }

  uint32_t target(const maxwell::Instruction& code) {
    for (const Operand& o : code.operands) {
      if (o.kind != OperandKind::target) continue;
      const uint32_t address =
          static_cast<uint32_t>(static_cast<int64_t>(instruction_address(pc_)) + 8 + o.value);
      const auto found = index_.find(address);
      if (found != index_.end()) return found->second;
    }
    fail("no target");
    return 0;
  }

  void branch(const maxwell::Instruction& code, Mask lanes) {
    if (lanes == 0) {
      ++pc_;
      return;
    }
    const Mask others = active_ & ~lanes;
    if (others != 0) stack_.push_back({Opcode::bra, pc_ + 1, others});
    if (stack_.size() > program_.stack_depth) fail(fmt::format("{} stack entries", stack_.size()));
    active_ = lanes;
    pc_ = target(code);
  }

  void sync(Mask lanes) {
    active_ &= static_cast<Mask>(~lanes);
    if (active_ != 0) {
      ++pc_;
      return;
    }
    if (stack_.empty() || (stack_.back().kind != Opcode::bra && stack_.back().kind != Opcode::ssy)) {
      fail("SYNC without SSY on top");
      return;
    }
    resume();
  }

  void leave(Opcode kind, Mask lanes) {
    if (lanes == 0) {
      ++pc_;
      return;
    }
    size_t at = stack_.size();
    while (at > 0 && stack_[at - 1].kind != kind) --at;
    if (at == 0) {
      fail("leaves nothing");
      return;
    }
    for (size_t e = at; e < stack_.size(); ++e) stack_[e].lanes &= static_cast<Mask>(~lanes);
    active_ &= static_cast<Mask>(~lanes);
    active_ != 0 ? void(++pc_) : resume();
  }

  void exit(Mask lanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      Trace& trace = out_.lanes[lane];
      for (unsigned i = 0; i < kOutputs; ++i) trace.outputs[i] = words_[lane][i];
      trace.ended = true;
    }
    for (Entry& e : stack_) e.lanes &= static_cast<Mask>(~lanes);
    active_ &= static_cast<Mask>(~lanes);
    active_ != 0 ? void(++pc_) : resume();
  }

  void note_late_outputs(Mask lanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      for (unsigned i = 0; i < kOutputs; ++i)
        out_.lanes[lane].is_late[i] = hazards_[lane].is_under_way(i, now_);
    }
  }

  /// Continues with the lanes of the topmost entry that has any.
  void resume() {
    while (!stack_.empty()) {
      const Entry top = stack_.back();
      stack_.pop_back();
      if (top.lanes == 0) continue;
      active_ = top.lanes;
      pc_ = top.target;
      return;
    }
    active_ = 0;
  }

  void execute(const maxwell::Instruction& code, unsigned lane) {
    auto& words = words_[lane];
    const Opcode op = opcode(code);
    if (op == Opcode::stl || op == Opcode::ldl) {
      spill(code, lane);
      return;
    }
    OperandValues values;
    visit_places(code, [&](unsigned k, unsigned e, unsigned p, bool) {
      values.counts[k] = static_cast<uint8_t>(e + 1);
      values.words[k][e] = words[p];
    });
    SideEffect effect;
    const uint32_t origin = program_.origins[pc_];
    if (origin < effects_.size()) effect = effects_[origin];
    const bool is_move = op == Opcode::mov || op == Opcode::mov32i || op == Opcode::lop ||
                         op == Opcode::psetp || op == Opcode::sel;
    if (is_move) effect = {};
    evaluate(code, effect.effect == Effect::read, effect.effect == Effect::write,
             effect.effect == Effect::barrier, effect.space, values, contexts_[lane],
             out_.lanes[lane].effects);
    visit_places(code, [&](unsigned k, unsigned e, unsigned p, bool writes) {
      if (writes) words[p] = p >= kPredicates ? values.words[k][e] & 1 : values.words[k][e];
    });
  }

  void spill(const maxwell::Instruction& code, unsigned lane) {
    const bool is_store = opcode(code) == Opcode::stl;
    const Operand& address = code.operands[is_store ? 0 : 1];
    const Operand& data = code.operands[is_store ? 1 : 0];
    const unsigned count = register_count(code, is_store ? 1 : 0);
    for (unsigned e = 0; e < count; ++e) {
      Word& cell = local_[lane][address.value + static_cast<int>(4 * e)];
      if (address.value < 0 || static_cast<uint32_t>(address.value) + 4 * e + 4 > program_.local_bytes)
        fail("outside local memory");
      if (is_store) {
        cell = data.reg == kRZ ? 0 : words_[lane][data.reg + e];
      } else {
        words_[lane][data.reg + e] = cell;
      }
    }
  }

  const Program& program_;
  const std::vector<SideEffect>& effects_;
  std::map<uint32_t, uint32_t> index_;  // address to instruction
  std::array<std::array<Word, kPlaces>, kLanes> words_{};
  std::array<std::map<int, Word>, kLanes> local_;
  std::array<LaneContext, kLanes> contexts_;
  std::array<Hazards, kLanes> hazards_;
  std::vector<Entry> stack_;
  Mask active_ = 0;
  uint32_t pc_ = 0;
  uint64_t now_ = 0;
  Outcome out_;
};

}  // namespace

Outcome run_program(const Program& program, const std::vector<SideEffect>& effects, unsigned step_limit) {
  return Warp(program, effects).run(step_limit);
}

}  // namespace texlate::maxwell::machine::test
