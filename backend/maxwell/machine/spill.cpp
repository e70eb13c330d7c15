#include "backend/maxwell/machine/spill.h"

#include <optional>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/constants.h"
#include "backend/maxwell/machine/pressure_walk.h"

namespace texlate::maxwell::machine {
namespace {

constexpr unsigned kPredicateCount = PressureWalk::kPredicatePlaces;
constexpr unsigned kMaxRounds = 16;
/// A reloaded value serves uses up to this many instructions later.
constexpr uint32_t kReuseDistance = 6;
constexpr uint32_t kNever = 0xffffffffu;

/// Positions in the program, ascending: each block's end has a separate one, after its instructions.
constexpr uint32_t position_of(BlockId block, uint32_t instruction) {
  return instruction + block;
}

/// Where each value is used: ascending positions.
struct Uses {
  explicit Uses(Function& function)
      : first(function.values.size() + 1, 0, function.scratch()), list(function.scratch()) {
    const auto scan = [&](auto found) {
      for (BlockId id = 0; id < function.blocks.size(); ++id) {
        Block& b = function.blocks[id];
        for (uint32_t i = b.first; i < b.first + b.count; ++i) {
          visit_uses(function, function.instructions[i], [&](Value v) { found(v, position_of(id, i)); });
        }
        visit_end_uses(function, b, [&](Value v) { found(v, position_of(id, b.first + b.count)); });
      }
    };
    scan([&](Value v, uint32_t) { ++first[v + 1]; });
    for (size_t v = 0; v + 1 < first.size(); ++v) first[v + 1] += first[v];
    list.resize(first.back());
    at.assign(first.begin(), first.end() - 1);
    scan([&](Value v, uint32_t i) { list[at[v]++] = i; });
    at.assign(first.begin(), first.end() - 1);
  }
  /// The first use at or after position `i`. Positions must not decrease from query to query.
  uint32_t next(Value v, uint32_t i) {
    while (at[v] < first[v + 1] && list[at[v]] < i) ++at[v];
    return at[v] < first[v + 1] ? list[at[v]] : kNever;
  }
  std::pmr::vector<uint32_t> first;
  std::pmr::vector<uint32_t> list;
  std::pmr::vector<uint32_t> at;
};

class Spiller {
 public:
  Spiller(Function& function, Liveness& liveness, unsigned limit)
      : function_(function),
        liveness_(liveness),
        limit_(limit),
        is_short_(function.values.size(), false, function.scratch()),
        constant_(function.scratch()),
        kept_(function.scratch()),
        slot_(function.scratch()),
        fetched_(function.scratch()),
        fetched_at_(function.scratch()),
        register_of_(function.scratch()),
        is_memory_parameter_(function.scratch()),
        out_(function.spare) {}

  bool run(unsigned& spilled) {
    for (unsigned round = 0; round < kMaxRounds; ++round) {
      const unsigned chosen = choose();
      if (chosen == 0) return !failed_;
      spilled += chosen;
      rewrite();
      liveness_ = find_liveness(function_);
    }
    return false;
  }

 private:
  /// Marks values to be kept elsewhere, and returns their number.
  unsigned choose() {
    failed_ = false;
    unsigned count = 0;
    PressureWalk walk(function_, liveness_);
    std::optional<Uses> uses;
    for (BlockId id = 0; id < function_.blocks.size(); ++id) {
      const PressureWalk::Demand most = walk.count(id);
      if (most.predicates <= kPredicateCount && most.general <= limit_) continue;
      if (!uses) {
        uses.emplace(function_);
        find_constants();
      }
      walk.block(id, [&](uint32_t index, PressureWalk::Demand demand) {
        const uint32_t position = position_of(id, index);
        // Values that are kept elsewhere already only need a register where they are used.
        count += relieve(walk, *uses, ValueClass::predicate, position, demand.predicates, kPredicateCount);
        count += relieve(walk, *uses, ValueClass::general, position, demand.general, limit_);
      });
    }
    return count;
  }

  static bool is_remade(const Instruction& instruction) {
    return is_constant_move(instruction) || is_constant_comparison(instruction);
  }

  void find_constants() {
    kept_.assign(function_.values.size(), false);
    constant_.assign(function_.values.size(), kNoIndex);
    for (uint32_t i = 0; i < function_.instructions.size(); ++i) {
      const Instruction& instruction = function_.instructions[i];
      if (!is_remade(instruction)) continue;
      const Value v = function_.operands[instruction.values];
      if (v != kNoValue) constant_[v] = i;
    }
  }

  unsigned relieve(PressureWalk& walk, Uses& uses, ValueClass value_class, uint32_t position, unsigned demand,
                   unsigned limit) {
    unsigned count = 0;
    while (demand > limit) {
      Value victim = kNoValue;
      uint32_t best = 0;
      for (const Value v : walk.alive(value_class)) {
        if (is_short_[v]) continue;
        const uint32_t next = uses.next(v, position);
        if (next == position) continue;
        // A value that can be computed again requires no store.
        uint32_t score = next == kNever ? kNever - 1 : next - position;
        if (constant_[v] != kNoIndex && score < kNever / 4) score *= 4;
        if (kept_[v]) score = kNever;
        if (score > best || (score == best && v < victim)) best = score, victim = v;
      }
      if (victim == kNoValue) {
        failed_ = true;
        return count;
      }
      if (!kept_[victim]) ++count;
      kept_[victim] = true;
      walk.remove(victim);
      --demand;
    }
    return count;
  }

  // ---- rewriting

  void rewrite() {
    const size_t values = function_.values.size();
    slot_.assign(values, kNoIndex);
    fetched_.assign(values, kNoValue);
    fetched_at_.assign(values, 0);
    register_of_.clear();
    out_.clear();
    is_memory_parameter_.assign(values, false);
    for (BlockId id = 0; id < function_.blocks.size(); ++id) parameters(id);
    for (BlockId id = 0; id < function_.blocks.size(); ++id) block(id);
    function_.instructions.swap(out_);
    drop_memory_parameters();
  }

  bool is_kept(Value v) const { return v < kept_.size() && kept_[v]; }

  Value new_value(ValueClass value_class) {
    function_.values.push_back(value_class);
    is_short_.resize(function_.values.size(), false);
    return static_cast<Value>(function_.values.size() - 1);
  }

  /// Results of a call and arguments of a routine arrive in registers, and are stored like any result.
  bool follows_call(BlockId id) const {
    return id != 0 && function_.blocks[id - 1].terminator == Terminator::call;
  }
  bool has_given_parameters(BlockId id) const {
    return follows_call(id) || (id == 0 && function_.is_routine);
  }

  /// A kept parameter is in memory, and jumps store to it; a kept predicate becomes a parameter in a
  /// register.
  void parameters(BlockId id) {
    Block& b = function_.blocks[id];
    if (has_given_parameters(id)) return;
    for (uint32_t i = 0; i < b.parameter_count; ++i) {
      Value& p = function_.operands[b.parameters + i];
      if (!is_kept(p)) continue;
      if (function_.values[p] == ValueClass::predicate) {
        const Value general = new_value(ValueClass::general);
        register_of_.push_back({p, general});
        slot_[p] = static_cast<uint32_t>(register_of_.size() - 1);
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
      const bool vanishes = is_remade(instruction) && is_kept(function_.operands[instruction.values]);
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
      const Value general = as_register(v);
      register_of_.push_back({v, general});
      slot_[v] = static_cast<uint32_t>(register_of_.size() - 1);
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
    if (constant_[v] != kNoIndex) {
      Instruction copy = function_.instructions[constant_[v]];
      append(copy.code, {again});
    } else if (function_.values[v] == ValueClass::predicate) {
      maxwell::Instruction code = make_instruction(Opcode::isetp);
      set(code, Modifier::integer_compare, IntegerCompare::ne);
      code.operands[0] = Operand::p(kVirtual);
      code.operands[2] = Operand::r(kVirtual);
      append(code, {again, register_of_[slot_[v]].general});
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
        passed =
            is_kept(v) && constant_[v] == kNoIndex ? register_of_[slot_[v]].general : as_register(fetch(v));
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
      uint32_t to = 0;
      for (uint32_t i = 0; i < b.parameter_count; ++i) {
        const Value p = function_.operands[b.parameters + i];
        if (!is_memory(p)) function_.operands[b.parameters + to++] = p;
      }
      b.parameter_count = to;
    }
  }

  struct Register {
    Value predicate;
    Value general;
  };

  Function& function_;
  Liveness& liveness_;
  unsigned limit_;
  bool failed_ = false;
  std::pmr::vector<bool> is_short_;      // made here for nearby uses: never kept elsewhere
  std::pmr::vector<uint32_t> constant_;  // the instruction that computes a value from constants alone
  std::pmr::vector<bool> kept_;
  std::pmr::vector<uint32_t> slot_;  // local memory, or for a predicate an index into register_of_
  std::pmr::vector<Value> fetched_;  // the last value reloaded for a kept one, and where
  std::pmr::vector<uint32_t> fetched_at_;
  std::pmr::vector<Register> register_of_;
  std::pmr::vector<bool> is_memory_parameter_;
  std::pmr::vector<Instruction>& out_;
  uint32_t block_start_ = 0;
};

}  // namespace

Pressure find_pressure(Function& function, const Liveness& liveness) {
  Pressure out;
  PressureWalk walk(function, liveness);
  for (BlockId id = 0; id < function.blocks.size(); ++id) {
    const PressureWalk::Demand most = walk.count(id);
    out.general = std::max(out.general, most.general);
    out.predicates = std::max(out.predicates, most.predicates);
  }
  return out;
}

bool spill(Function& function, Liveness& liveness, unsigned limit, unsigned& spilled) {
  return Spiller(function, liveness, limit).run(spilled);
}

}  // namespace texlate::maxwell::machine
