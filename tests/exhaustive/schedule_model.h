// Is a schedule of Maxwell code safe? A static model, by the rules of docs/maxwell-machine.md ("Scheduling"):
// each result, each source that may still be read, and the waits before their next use. It examines all paths
// through the code, whichever lanes take them, and thus finds for each change of a control word whether it
// does harm or something else covers it. The machine (sim/maxwell) instead executes the code, and shares only
// the decoder with the model.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "sim/maxwell/instruction.h"

namespace texlate::test {

class ScheduleModel {
 public:
  explicit ScheduleModel(std::span<const sim::maxwell::Instruction> code) : code_(code) {}

  /// Is it safe on every path through the code?
  bool is_safe() { return walk(0, {}, {}); }

 private:
  using Instruction = sim::maxwell::Instruction;
  using Opcode = sim::maxwell::Opcode;
  using Pipe = sim::maxwell::Pipe;
  using Range = sim::maxwell::RegisterRange;
  static constexpr uint32_t kNever = 0xffffffffu;
  static constexpr int64_t kAfterIssue = 2;     // a barrier counts from this many cycles on
  static constexpr int64_t kLeastVariable = 6;  // no operation of variable latency takes fewer cycles

  /// One instruction of a path.
  struct Step {
    const Instruction* code;
    int64_t time;         // the earliest cycle
    bool absent = false;  // as in Place
    // For operations of variable latency, the step whose waits guarantee it.
    uint32_t read_at = kNever, written_at = kNever;
  };

  static bool is_variable(const Instruction& i) {
    switch (sim::maxwell::operation(i.opcode).pipe) {
      case Pipe::alu:
      case Pipe::range_reduction:
      case Pipe::control: return false;
      default: return true;
    }
  }
  /// Units whose operations finish in order, and queues that read sources in order.
  static Pipe unit_of(const Instruction& i) {
    const bool is_load = i.opcode == Opcode::ldg || i.opcode == Opcode::ldl || i.opcode == Opcode::ld;
    return is_load ? Pipe::texture : sim::maxwell::operation(i.opcode).pipe;
  }
  static Pipe queue_of(const Instruction& i) {
    const Pipe pipe = sim::maxwell::operation(i.opcode).pipe;
    return pipe == Pipe::texture ? Pipe::memory : pipe;
  }
  static int64_t late_by(const Instruction& i) {
    if (i.opcode == Opcode::shfl) return 2;
    switch (sim::maxwell::operation(i.opcode).pipe) {
      case Pipe::special:
      case Pipe::memory:
      case Pipe::texture: return 4;
      case Pipe::fp64: return 2;
      default: return 0;
    }
  }

  /// Index of the instruction that a branch or SSY names; the address of a control word is that of the next
  /// instruction.
  static uint32_t target_of(const Instruction& i) {
    const auto address = static_cast<uint32_t>(static_cast<int32_t>(i.address) + 8 + i.signed_field(20, 24));
    return sim::maxwell::index_of(address % sim::maxwell::kGroupBytes == 0 ? address + 8 : address);
  }

  /// An instruction of a path; `absent`: its guard is false in the lanes on the path.
  struct Place {
    uint32_t index;
    bool absent = false;
  };
  using Way = std::vector<Place>;

  /// The lanes on this path have `guard` of the last instruction, or its opposite. Other instructions with
  /// that guard since the predicate was written did not run in them.
  Way only_lanes(Way way, bool opposite) const {
    const Instruction& jump = code_[way.back().index];
    for (size_t at = way.size() - 1; at-- > 0;) {
      const Instruction& i = code_[way[at].index];
      if ((i.predicates_written >> jump.guard & 1) != 0) break;
      if (i.guard == jump.guard && (i.guard_negated == jump.guard_negated) == opposite) way[at].absent = true;
    }
    return way;
  }

  bool walk(uint32_t index, Way way, std::vector<uint32_t> targets) {
    for (; index < code_.size(); ++index) {
      const Instruction& i = code_[index];
      way.push_back({index});
      if (i.opcode == Opcode::ssy) targets.push_back(target_of(i));
      const bool always = i.guard == sim::maxwell::kTruePredicate;
      if (i.opcode == Opcode::exit) {
        // The lanes that leave here, and those that do not.
        if (!is_safe_way(way)) return false;
        if (always) return true;
        way = only_lanes(way, true);
        continue;
      }
      if (i.opcode != Opcode::sync && i.opcode != Opcode::bra) continue;
      std::vector<uint32_t> rest = targets;
      const uint32_t next = i.opcode == Opcode::sync ? rest.back() : target_of(i);
      if (i.opcode == Opcode::sync) rest.pop_back();
      if (next > index && !walk(next, always ? way : only_lanes(way, false), rest)) return false;
      if (always) return true;
      way = only_lanes(way, true);
    }
    return true;
  }

  /// Two instructions that issue in one cycle need different units (docs/reference/maxwell.md 6c).
  bool pairs_fit(const Way& way) const {
    const auto is_arithmetic = [](const Instruction& i) {
      const Pipe pipe = sim::maxwell::operation(i.opcode).pipe;
      return pipe == Pipe::alu || pipe == Pipe::range_reduction;
    };
    for (size_t at = 1; at < way.size(); ++at) {
      const Instruction& first = code_[way[at - 1].index];
      if (first.control.stall == 0 && is_arithmetic(first) && is_arithmetic(code_[way[at].index]))
        return false;
    }
    return true;
  }

  bool is_safe_way(const Way& way) {
    if (!pairs_fit(way)) return false;
    steps_.clear();
    int64_t time = 0;
    for (const Place& place : way) {
      steps_.push_back({&code_[place.index], time, place.absent});
      if (!wait_at(static_cast<uint32_t>(steps_.size() - 1))) return false;
      time = steps_.back().time + code_[place.index].control.stall;
    }
    for (uint32_t s = 0; s < steps_.size(); ++s) {
      if (steps_[s].absent) continue;
      const bool good = is_variable(*steps_[s].code) ? is_awaited(s) : is_in_time(s);
      if (!good) return false;
    }
    return true;
  }

  bool is_unread(const Step& step, uint8_t barrier) const {
    return step.read_at == kNever && step.code->control.read_barrier == barrier;
  }
  bool is_unwritten(const Step& step, uint8_t barrier) const {
    return step.written_at == kNever && step.code->control.write_barrier == barrier;
  }

  /// The operation is done, or has read its sources; so have earlier ones in its unit or queue.
  void settle(uint32_t from, bool is_written, uint32_t at) {
    for (uint32_t s = 0; s <= from; ++s) {
      Step& step = steps_[s];
      if (!is_variable(*step.code)) continue;
      if (queue_of(*step.code) == queue_of(*steps_[from].code)) step.read_at = std::min(step.read_at, at);
      if (is_written && unit_of(*step.code) == unit_of(*steps_[from].code))
        step.written_at = std::min(step.written_at, at);
    }
  }

  /// Returns false if a barrier is waited for before it counts.
  bool wait_for(uint32_t at, uint8_t barrier, uint32_t left) {
    uint32_t pending = 0;
    for (uint32_t s = 0; s < at; ++s)
      pending += (is_unread(steps_[s], barrier) ? 1 : 0) + (is_unwritten(steps_[s], barrier) ? 1 : 0);
    const int64_t asked = steps_[at].time;
    for (uint32_t s = 0; s < at && pending > left; ++s) {
      const bool unread = is_unread(steps_[s], barrier), unwritten = is_unwritten(steps_[s], barrier);
      if (!unread && !unwritten) continue;
      if (left == 0 && steps_[at].code->opcode != Opcode::depbar && asked < steps_[s].time + kAfterIssue)
        return false;
      if (unwritten) steps_[at].time = std::max(steps_[at].time, steps_[s].time + kLeastVariable);
      pending -= (unread ? 1 : 0) + (unwritten ? 1 : 0);
      settle(s, unwritten, at);
    }
    return true;
  }

  bool wait_at(uint32_t at) {
    const Instruction& i = *steps_[at].code;
    for (uint8_t barrier = 0; barrier < 6; ++barrier) {
      if ((i.control.wait_mask >> barrier & 1) != 0 && !wait_for(at, barrier, 0)) return false;
    }
    if (i.opcode != Opcode::depbar) return true;
    if (i.bit(29)) return wait_for(at, static_cast<uint8_t>(i.field(26, 3)), i.field(20, 6));
    return true;
  }

  static bool overlap(const Range& x, const Range& y) {
    return x.count != 0 && y.count != 0 && x.first < y.first + y.count && y.first < x.first + x.count;
  }
  static bool reads(const Instruction& i, const Range& range) {
    return std::any_of(i.reads.begin(), i.reads.begin() + i.read_count,
                       [&](const Range& read) { return overlap(read, range); });
  }
  static bool writes(const Instruction& i, const Range& range) {
    return std::any_of(i.writes.begin(), i.writes.begin() + i.write_count,
                       [&](const Range& write) { return overlap(write, range); });
  }
  static uint8_t predicates_of(const Instruction& i) {
    const uint8_t guard = i.guard == sim::maxwell::kTruePredicate ? 0 : static_cast<uint8_t>(1u << i.guard);
    return static_cast<uint8_t>((i.predicates_read | guard) & 0x7f);
  }

  /// Do all users of the operation's results, and all writers of its sources, come after a wait?
  bool is_awaited(uint32_t from) const {
    const Step& step = steps_[from];
    for (uint32_t s = from + 1; s < steps_.size(); ++s) {
      if (steps_[s].absent) continue;
      const Instruction& user = *steps_[s].code;
      if (step.written_at > s) {
        const bool in_turn = is_variable(user) && unit_of(user) == unit_of(*step.code);
        for (int w = 0; w < step.code->write_count; ++w) {
          const Range& result = step.code->writes[static_cast<size_t>(w)];
          if (reads(user, result) || (!in_turn && writes(user, result))) return false;
        }
        if ((step.code->predicates_written & predicates_of(user)) != 0) return false;
      }
      if (step.read_at > s && !(is_variable(user) && queue_of(user) == queue_of(*step.code))) {
        for (int r = 0; r < step.code->read_count; ++r) {
          if (writes(user, step.code->reads[static_cast<size_t>(r)])) return false;
        }
      }
    }
    return true;
  }

  /// Is each result of fixed latency available when it is first needed?
  bool is_in_time(uint32_t from) const {
    const Step& step = steps_[from];
    const bool is_reduction = step.code->opcode == Opcode::rro;
    uint8_t predicates = step.code->predicates_written & 0x7f;
    bool carry = step.code->writes_cc;
    std::vector<uint8_t> registers;
    for (int w = 0; w < step.code->write_count; ++w) {
      const Range& result = step.code->writes[static_cast<size_t>(w)];
      for (uint8_t k = 0; k < result.count; ++k) registers.push_back(static_cast<uint8_t>(result.first + k));
    }
    constexpr int64_t kLongest = 13;
    for (uint32_t s = from + 1; s < steps_.size() && steps_[s].time < step.time + kLongest; ++s) {
      if (steps_[s].absent) continue;
      const Instruction& user = *steps_[s].code;
      const int64_t passed = steps_[s].time - step.time;
      for (const uint8_t reg : registers) {
        if (reads(user, {reg, 1}) && passed + late_by(user) < (is_reduction ? 2 : 6)) return false;
      }
      if ((predicates & predicates_of(user)) != 0) return false;
      if (carry && user.reads_cc && passed < 6) return false;
      std::erase_if(registers, [&](uint8_t reg) { return writes(user, {reg, 1}); });
      predicates &= static_cast<uint8_t>(~user.predicates_written);
      carry = carry && !user.writes_cc;
    }
    return true;
  }

  std::span<const Instruction> code_;
  std::vector<Step> steps_;
};

}  // namespace texlate::test
