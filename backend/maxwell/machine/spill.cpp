#include "backend/maxwell/machine/spill.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/pressure_walk.h"
#include "ir/base/all_ones.h"
#include "ir/base/buffer.h"

namespace texlate::maxwell::machine {
namespace {

constexpr unsigned kMaxRounds = 16;
/// A reloaded value serves uses up to this many instructions later.
constexpr uint32_t kReuseDistance = 6;
constexpr uint32_t kNever = 0xffffffffu;

/// Positions in the program, ascending: each block's end has a separate one, after its instructions.
constexpr uint32_t position_of(BlockId block, uint32_t instruction) {
  return instruction + block.number();
}

/// Whether the instruction computes its only result from constants alone.
bool is_remade(const Instruction& instruction) {
  return is_constant_move(instruction) || is_constant_comparison(instruction);
}

/// A definition or a use of a value.
struct Mention {
  Value value;
  uint32_t position;
  BlockId block;
};

/// Where values of some classes are defined and used.
class Mentions {
 public:
  Mentions(Function& function, std::array<bool, 2> wanted)
      : definition_(all_ones<uint32_t>(function.values.size(), function.scratch())),
        is_remade_(function.values.size(), false, function.scratch()),
        uses_(function.scratch()),
        at_(function.scratch()) {
    Buffer<Mention> found(function.scratch());
    for (const BlockId id : Indices<BlockId>(function.blocks)) {
      Block& b = function.blocks[id];
      const auto is_wanted = [&](Value v) { return wanted[static_cast<unsigned>(function.values[v])]; };
      const auto use = [&](Value v, uint32_t i) {
        if (is_wanted(v)) found.push_back({v, position_of(id, i), id});
      };
      for (uint32_t i = b.first; i < b.first + b.count; ++i) {
        Instruction& instruction = function.instructions[i];
        if (!wanted[0] && !has_predicates(instruction)) continue;
        visit_uses(function, instruction, [&](Value v) { use(v, i); });
        visit_results(function, instruction, [&](Value v) { definition_[v] = i; });
        if (machine::is_remade(instruction)) is_remade_[function.operands[instruction.values]] = true;
      }
      visit_end_uses(function, b, [&](Value v) { use(v, b.first + b.count); });
    }
    uses_.assign(function.values.size(), [&](auto add) {
      for (const Mention& use : found) add(use.value, use);
    });
    at_.assign(uses_.first.begin(), uses_.first.end() - 1);
  }

  /// The instruction that defines the value, kNoIndex if none does. Of values of these classes.
  uint32_t definition(Value v) const { return definition_[v]; }
  /// Whether the value is computed from constants alone, and so can be computed again. Of values of these
  /// classes.
  bool is_remade(Value v) const { return is_remade_[v]; }
  /// In program order.
  std::span<const Mention> uses(Value v) const { return uses_[v]; }
  /// The position of the first use at or after position `i`. Positions must not decrease from query to query.
  uint32_t next(Value v, uint32_t i) {
    const uint32_t end = uses_.first[v + 1];
    while (at_[v] < end && uses_.items[at_[v]].position < i) ++at_[v];
    return at_[v] < end ? uses_.items[at_[v]].position : kNever;
  }

 private:
  std::pmr::vector<uint32_t> definition_;
  std::pmr::vector<bool> is_remade_;
  Lists<Value, Mention> uses_;
  std::pmr::vector<uint32_t> at_;
};

/// A value that may be kept elsewhere. The best has the highest score; of equal ones the one with the lowest
/// number.
struct Candidate {
  uint32_t score;
  Value value;

  bool operator<(const Candidate& other) const {
    return score != other.score ? score > other.score : value < other.value;
  }
};

class Spiller {
 public:
  Spiller(Function& function, Liveness& liveness, unsigned limit, std::span<const Pressure> pressures)
      : function_(function),
        liveness_(liveness),
        limit_(limit),
        pressures_(pressures.begin(), pressures.end(), function.scratch()),
        is_known_(function.blocks.size(), true, function.scratch()),
        is_touched_(function.scratch()),
        is_short_(function.values.size(), false, function.scratch()),
        kept_(function.scratch()),
        candidates_(function.scratch()),
        chosen_(function.scratch()),
        slot_(function.scratch()),
        fetched_(function.scratch()),
        fetched_at_(function.scratch()),
        register_of_(function.scratch()),
        is_memory_parameter_(function.scratch()),
        out_(function.spare) {
    if (!pressures_.empty()) return;
    pressures_.resize(function.blocks.size());
    is_known_.assign(function.blocks.size(), false);
  }

  bool run(unsigned& spilled) {
    for (unsigned round = 0; round < kMaxRounds; ++round) {
      choose();
      if (chosen_.empty()) return !failed_;
      spilled += static_cast<unsigned>(chosen_.size());
      rewrite();
      update_liveness();
    }
    return false;
  }

 private:
  bool fits(BlockId id) const {
    return pressures_[id].predicates <= kPredicateCount && pressures_[id].general <= limit_;
  }

  /// Marks values to be kept elsewhere.
  void choose() {
    failed_ = false;
    // A predicate that is kept takes a register and, where it is passed on, another.
    const auto more = static_cast<unsigned>(2 * chosen_.size());
    const bool are_predicates = !chosen_.empty() && std::ranges::all_of(chosen_, [&](Value v) {
      return function_.values[v] == ValueClass::predicate;
    });
    chosen_.clear();
    std::optional<PressureWalk> walk;
    std::array<bool, 2> exceeds{};  // by ValueClass
    for (const BlockId id : Indices<BlockId>(function_.blocks)) {
      if (is_known_[id] && fits(id)) continue;
      if (!walk) walk.emplace(function_, liveness_);
      if (!is_known_[id]) count(*walk, id, are_predicates ? more : limit_ + 1);
      is_known_[id] = true;
      exceeds[0] |= pressures_[id].general > limit_;
      exceeds[1] |= pressures_[id].predicates > kPredicateCount;
    }
    if (!exceeds[0] && !exceeds[1]) return;
    kept_.assign(function_.values.size(), 0);
    mentions_.emplace(function_, exceeds);
    for (const BlockId id : Indices<BlockId>(function_.blocks)) {
      if (fits(id)) continue;
      walk->block(id, !exceeds[0], [&](uint32_t index, Pressure demand) {
        const uint32_t position = position_of(id, index);
        // Values that are kept elsewhere already only need a register where they are used.
        if (demand.predicates > kPredicateCount)
          relieve(*walk, ValueClass::predicate, position, demand.predicates, kPredicateCount);
        if (demand.general > limit_) relieve(*walk, ValueClass::general, position, demand.general, limit_);
      });
    }
  }

  /// At most `more` registers are needed besides those that were before.
  void count(PressureWalk& walk, BlockId id, unsigned more) {
    Pressure& pressure = pressures_[id];
    const unsigned most = pressure.general + more;
    pressure = walk.count(id, most <= limit_);
    if (most <= limit_) pressure.general = most;
  }

  /// Of the values alive at the position, keeps those elsewhere whose next use is farthest, until the rest
  /// fits.
  void relieve(PressureWalk& walk, ValueClass value_class, uint32_t position, unsigned demand,
               unsigned limit) {
    candidates_.clear();
    for (const Value v : walk.alive(value_class)) {
      if (is_short_[v]) continue;
      const uint32_t next = mentions_->next(v, position);
      if (next != position) candidates_.push_back({score(v, next, position), v});
    }
    const size_t count = std::min<size_t>(demand - limit, candidates_.size());
    failed_ |= count < demand - limit;
    std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<ptrdiff_t>(count),
                      candidates_.end());
    for (const Candidate& victim : std::span(candidates_).first(count)) {
      if (kept_[victim.value] == 0) chosen_.push_back(victim.value);
      kept_[victim.value] = 1;
      walk.remove(victim.value);
    }
  }

  uint32_t score(Value v, uint32_t next, uint32_t position) const {
    // Values that are kept elsewhere already cost nothing more.
    if (kept_[v] != 0) return kNever;
    const uint32_t distance = next == kNever ? kNever - 1 : next - position;
    // A value that can be computed again requires no store.
    return distance < kNever / 4 && mentions_->is_remade(v) ? distance * 4 : distance;
  }

  // ---- rewriting

  void rewrite() {
    find_touched();
    const size_t values = function_.values.size();
    slot_.assign(values, kNoIndex);
    fetched_.assign(values, kNoValue);
    fetched_at_.assign(values, 0);
    register_of_.assign(values, kNoValue);
    out_.clear();
    is_memory_parameter_.assign(values, false);
    for (const BlockId id : Indices<BlockId>(function_.blocks)) parameters(id);
    for (const BlockId id : Indices<BlockId>(function_.blocks)) {
      if (is_touched_[id]) {
        block(id);
      } else {
        copy_block(function_.blocks[id]);
      }
    }
    function_.instructions.swap(out_);
    drop_memory_parameters();
  }

  /// The blocks that define or use a chosen value, or pass an argument to one.
  void find_touched() {
    is_touched_.assign(function_.blocks.size(), false);
    for (const BlockId id : Indices<BlockId>(function_.blocks)) {
      const Block& b = function_.blocks[id];
      is_touched_[id] = has_kept_parameter(b) || (b.terminator == Terminator::jump &&
                                                  has_kept_parameter(function_.blocks[b.target[0]]));
    }
    for (const Value v : chosen_) {
      for (const Mention& use : mentions_->uses(v)) is_touched_[use.block] = true;
      if (mentions_->definition(v) != kNoIndex) is_touched_[block_of(mentions_->definition(v))] = true;
    }
  }

  bool has_kept_parameter(const Block& b) const {
    return std::ranges::any_of(function_.parameters(b), [&](Value p) { return kept_[p] != 0; });
  }

  BlockId block_of(uint32_t instruction) const {
    const auto after = std::ranges::upper_bound(function_.blocks, instruction, {}, &Block::first);
    // Of several with the same first instruction, the last one has it.
    return static_cast<BlockId>(after - function_.blocks.begin() - 1);
  }

  void copy_block(Block& b) {
    const auto first = static_cast<uint32_t>(out_.size());
    out_.append(function_.instructions.data() + b.first, b.count);
    b.first = first;
  }

  bool is_kept(Value v) const { return v < kept_.size() && kept_[v] != 0; }

  Value new_value(ValueClass value_class) {
    is_short_.resize(function_.values.size() + 1, false);
    return function_.new_value(value_class);
  }

  /// Results of a call and arguments of a routine arrive in registers, and are stored like any result.
  bool follows_call(BlockId id) const {
    return id != kEntryBlock && function_.blocks[id - 1].terminator == Terminator::call;
  }
  bool has_given_parameters(BlockId id) const {
    return follows_call(id) || (id == kEntryBlock && function_.is_routine);
  }

  /// A kept parameter is in memory, and jumps store to it; a kept predicate becomes a parameter in a
  /// register.
  void parameters(BlockId id) {
    Block& b = function_.blocks[id];
    if (has_given_parameters(id)) return;
    for (Value& p : function_.parameters(b)) {
      if (!is_kept(p)) continue;
      if (function_.values[p] == ValueClass::predicate) {
        const Value general = new_value(ValueClass::general);
        register_of_[p] = general;
        p = general;
      } else {
        is_memory_parameter_[p] = true;
        slot_of(p);
      }
    }
  }

  void block(BlockId id) {
    Block& b = function_.blocks[id];
    const uint32_t first = static_cast<uint32_t>(out_.size());
    block_start_ = first;
    for (uint32_t i = 0; has_given_parameters(id) && i < b.parameter_count; ++i) {
      const Value p = function_.operands[b.parameters + i];
      if (is_kept(p)) keep(p);
    }
    const uint32_t end = b.first + b.count;
    for (uint32_t i = b.first; i < end; ++i) {
      Instruction instruction = function_.instructions[i];
      const bool vanishes = instruction.value_count != 0 && is_kept(function_.operands[instruction.values]) &&
                            is_remade(instruction);
      if (vanishes) continue;
      fetch_uses(instruction);
      out_.push_back(instruction);
      store_results(instruction);
    }
    if (b.terminator == Terminator::branch) b.condition = fetch(b.condition);
    if (b.terminator == Terminator::exit || b.terminator == Terminator::call) fetch_arguments(b);
    if (b.terminator == Terminator::jump) pass_arguments(b);
    b.first = first;
    b.count = static_cast<uint32_t>(out_.size()) - first;
  }

  void fetch_uses(Instruction& instruction) {
    // Reloading appends operand lists, so references from a visit do not survive it.
    std::array<Value, 48> wanted;
    unsigned count = 0;
    visit_uses(function_, instruction, [&](Value v) {
      if (is_kept(v)) wanted[count++] = v;
    });
    if (count == 0) return;
    for (unsigned i = 0; i < count; ++i) fetch(wanted[i]);
    visit_uses(function_, instruction, [&](Value& v) {
      if (is_kept(v)) v = fetched_[v];
    });
  }

  void store_results(const Instruction& instruction) {
    // The list must not move during the visit: there are few results.
    std::array<Value, 8> results;
    unsigned count = 0;
    visit_results(function_, instruction, [&](Value v) {
      if (is_kept(v)) results[count++] = v;
    });
    for (unsigned i = 0; i < count; ++i) keep(results[i]);
  }

  /// Saves a value directly after its definition.
  void keep(Value v) {
    if (function_.values[v] == ValueClass::predicate) {
      register_of_[v] = as_register(v);
      return;
    }
    store(slot_of(v), v);
  }

  uint32_t slot_of(Value v) {
    if (slot_[v] == kNoIndex) {
      slot_[v] = function_.local_bytes;
      function_.local_bytes += 4;
    }
    return slot_[v];
  }

  Value fetch(Value v) {
    if (!is_kept(v)) return v;
    const uint32_t here = static_cast<uint32_t>(out_.size());
    if (fetched_[v] != kNoValue && fetched_at_[v] >= block_start_ &&
        here - fetched_at_[v] <= kReuseDistance) {
      return fetched_[v];
    }
    const Value again = new_value(function_.values[v]);
    is_short_[again] = true;
    if (mentions_->is_remade(v)) {
      append(function_.instructions[mentions_->definition(v)].code, {again});
    } else if (function_.values[v] == ValueClass::predicate) {
      maxwell::Instruction code = make_instruction(Opcode::isetp);
      set(code, Modifier::integer_compare, IntegerCompare::ne);
      code.operands[0] = Operand::p(kVirtual);
      code.operands[2] = Operand::r(kVirtual);
      append(code, {again, register_of_[v]});
    } else {
      maxwell::Instruction code = make_instruction(Opcode::ldl);
      set(code, Modifier::memory_size, MemorySize::b32);
      code.operands[0] = Operand::r(kVirtual);
      code.operands[1] = Operand::address(kRZ, static_cast<int32_t>(slot_[v]));
      append(code, {again});
    }
    fetched_[v] = again;
    fetched_at_[v] = here;
    return again;
  }

  Value as_register(Value predicate) {
    const Value general = new_value(ValueClass::general);
    maxwell::Instruction code = make_instruction(Opcode::sel, Shape::imm);
    code.operands[0] = Operand::r(kVirtual);
    code.operands[2] = Operand::imm(1);
    code.operands[3] = Operand::p(kVirtual, true);
    append(code, {general, predicate});
    return general;
  }

  void store(uint32_t slot, Value v) {
    maxwell::Instruction code = make_instruction(Opcode::stl);
    set(code, Modifier::memory_size, MemorySize::b32);
    code.operands[0] = Operand::address(kRZ, static_cast<int32_t>(slot));
    code.operands[1] = Operand::r(kVirtual);
    append(code, {v});
    out_.back().effect = Effect::write;
    out_.back().space = kSpillSpace;
  }

  void append(const maxwell::Instruction& code, std::initializer_list<Value> values) {
    Instruction& i = out_.emplace_back();
    fill_instruction(function_, code, std::span<const Value>(values.begin(), values.size()), i);
    if (opcode(code) == Opcode::ldl) i.effect = Effect::read, i.space = kSpillSpace;
  }

  void fetch_arguments(Block& b) {
    for (uint32_t i = 0; i < b.argument_count; ++i) {
      const Value v = function_.operands[b.arguments + i];
      if (v != kNoValue) {
        const Value fetched = fetch(v);
        function_.operands[b.arguments + i] = fetched;
      }
    }
  }

  void pass_arguments(Block& b) {
    // Block parameters that changed class have been renamed; kept ones are still in the list.
    const Block& t = function_.blocks[b.target[0]];
    // Loads first what other stores of this jump would overwrite.
    for (uint32_t i = 0; i < b.argument_count; ++i) {
      const Value v = function_.operands[b.arguments + i];
      const Value p = function_.operands[t.parameters + i];
      if (v == kNoValue || v == p || !is_kept(v) || !is_memory(v)) continue;
      const Value fetched = fetch(v);
      function_.operands[b.arguments + i] = fetched;
    }
    for (uint32_t i = 0; i < b.argument_count; ++i) {
      const Value v = function_.operands[b.arguments + i];
      const Value p = function_.operands[t.parameters + i];
      if (v == kNoValue || v == p) continue;
      if (is_memory(p)) {
        const Value fetched = fetch(v);
        store(slot_of(p), fetched);
        continue;
      }
      Value passed;
      if (function_.values[p] == ValueClass::general && function_.values[v] == ValueClass::predicate) {
        passed = is_kept(v) && !mentions_->is_remade(v) ? register_of_[v] : as_register(fetch(v));
      } else {
        passed = fetch(v);
      }
      function_.operands[b.arguments + i] = passed;
    }
  }

  bool is_memory(Value v) const { return v < is_memory_parameter_.size() && is_memory_parameter_[v]; }

  void drop_memory_parameters() {
    // Jumps come first, while the targets' lists are complete.
    for (Block& b : function_.blocks) {
      if (b.terminator != Terminator::jump) continue;
      const Block& t = function_.blocks[b.target[0]];
      uint32_t to = 0;
      for (uint32_t i = 0; i < b.argument_count; ++i) {
        if (is_memory(function_.operands[t.parameters + i])) continue;
        function_.operands[b.arguments + to++] = function_.operands[b.arguments + i];
      }
      b.argument_count = to;
    }
    for (Block& b : function_.blocks) {
      const std::span<Value> list = function_.parameters(b);
      const auto end = std::remove_if(list.begin(), list.end(), [&](Value p) { return is_memory(p); });
      b.parameter_count = static_cast<uint32_t>(end - list.begin());
    }
  }

  // ---- what is known of the new function

  /// A register with a predicate is alive where the predicate was. Nothing else that is new leaves its block.
  /// In a block whose code is the same, that changes the pressure everywhere by as much.
  void update_liveness() {
    std::pmr::vector<Value> added(function_.scratch());  // to the block
    uint32_t to = 0, from = 0;
    for (const BlockId id : Indices<BlockId>(function_.blocks)) {
      const uint32_t first = to;
      for (; from < liveness_.first[id + 1]; ++from) {
        const Value v = liveness_.items[from];
        if (!is_kept(v)) {
          liveness_.items[to++] = v;
          continue;
        }
        --(function_.values[v] == ValueClass::general ? pressures_[id].general : pressures_[id].predicates);
        if (register_of_[v] != kNoValue) added.push_back(register_of_[v]);
      }
      pressures_[id].general += static_cast<unsigned>(added.size());
      is_known_[id] = !is_touched_[id];
      liveness_.first[id] = first;
      // The new values have the highest numbers.
      std::ranges::sort(added);
      for (const Value v : added) liveness_.items[to++] = v;
      added.clear();
    }
    liveness_.first.back() = to;
    liveness_.items.resize(to);
  }

  Function& function_;
  Liveness& liveness_;
  unsigned limit_;
  std::pmr::vector<Pressure> pressures_;  // of each block
  std::pmr::vector<bool> is_known_;       // by block: its pressure need not be counted
  std::pmr::vector<bool> is_touched_;     // by block: its code changes
  bool failed_ = false;
  std::pmr::vector<bool> is_short_;  // made here for nearby uses: never kept elsewhere
  std::pmr::vector<uint8_t> kept_;   // by value: whether it is kept elsewhere
  std::pmr::vector<Candidate> candidates_;
  std::pmr::vector<Value> chosen_;  // those that are kept elsewhere
  std::optional<Mentions> mentions_;
  std::pmr::vector<uint32_t> slot_;  // local memory
  std::pmr::vector<Value> fetched_;  // the last value reloaded for a kept one, and where
  std::pmr::vector<uint32_t> fetched_at_;
  std::pmr::vector<Value> register_of_;  // of a predicate that is kept in a register
  std::pmr::vector<bool> is_memory_parameter_;
  Buffer<Instruction>& out_;
  uint32_t block_start_ = 0;
};

}  // namespace

Pressure find_pressure(Function& function, const Liveness& liveness) {
  Pressure out;
  PressureWalk walk(function, liveness);
  for (const BlockId id : Indices<BlockId>(function.blocks)) {
    const Pressure most = walk.count(id);
    out.general = std::max(out.general, most.general);
    out.predicates = std::max(out.predicates, most.predicates);
  }
  return out;
}

bool spill(Function& function, Liveness& liveness, std::span<const Pressure> pressures, unsigned limit,
           unsigned& spilled) {
  return Spiller(function, liveness, limit, pressures).run(spilled);
}

}  // namespace texlate::maxwell::machine
