// The operations already computed in the regions around the current instruction, for passes that walk the
// list once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "ir/base/zeroed.h"
#include "ir/passes/rewriter.h"
#include "ir/structure.h"

namespace texlate::ir {

/// A hash table whose newest entries can be removed again: every bucket is a chain, newest first.
class ScopedTable {
 public:
  ScopedTable(size_t expected, std::pmr::monotonic_buffer_resource* memory)
      : buckets_(zeroed<uint32_t>(*memory, std::bit_ceil(expected | 15))), entries_(memory) {
    entries_.reserve(expected);
  }

  /// The newest entry whose instruction is the same; kNone if there is none.
  template <typename Same>
  [[gnu::always_inline]] uint32_t find(uint32_t hash, Same same) const {
    for (uint32_t i = buckets_[hash & mask()]; i != 0; i = entries_[i - 1].next) {
      if (entries_[i - 1].hash == hash && same(entries_[i - 1].instruction)) return i - 1;
    }
    return kNone;
  }
  uint32_t instruction(uint32_t entry) const { return entries_[entry].instruction; }
  void insert(uint32_t hash, uint32_t instruction) {
    uint32_t& bucket = buckets_[hash & mask()];
    entries_.push_back({hash, instruction, bucket});
    bucket = static_cast<uint32_t>(entries_.size());
  }
  size_t mark() const { return entries_.size(); }
  void undo(size_t mark) {
    while (entries_.size() > mark) {
      buckets_[entries_.back().hash & mask()] = entries_.back().next;
      entries_.pop_back();
    }
  }

  static constexpr uint32_t kNone = 0xffffffffu;

 private:
  struct Entry {
    uint32_t hash;
    uint32_t instruction;
    uint32_t next;  // plus 1; 0: none
  };
  uint32_t mask() const { return static_cast<uint32_t>(buckets_.size()) - 1; }

  std::span<uint32_t> buckets_;  // entries, plus 1; 0: empty
  ArenaBuffer<Entry> entries_;
};

/// Does an operation always give the same result for the same operands?
constexpr std::array<bool, kOpCount> kGivesTheSame = [] {
  std::array<bool, kOpCount> table{};
  for (uint32_t op = 0; op < kOpCount; ++op) {
    const OpInfo& operation = info(static_cast<Op>(op));
    table[op] = operation.has(kPure) && !operation.has(kReadsMemory) && !operation.results.empty();
  }
  return table;
}();

/// An instruction is identified by its index in the list that the pass leaves behind in Module::code.
class AvailableValues {
 public:
  /// `expected`: an upper bound of the number of instructions.
  AvailableValues(Module& module, size_t expected, std::pmr::monotonic_buffer_resource* memory)
      : module_(module), table_(expected, memory), marks_(memory) {}

  /// Called when the walk reaches a marker or a jump.
  void cross_region(Op op) {
    if (bounds_region(op)) table_.undo(op == Op::phase ? 0 : marks_.back());
    if (closes_construct(op)) marks_.pop_back();
    if (opens_construct(op)) marks_.push_back(table_.mark());
  }

  /// Returns the earlier instruction that computed the same. Null: there is none, and this one is entered, as
  /// index `at`, for later ones to find. The two operands of a commutative operation are put in order.
  [[gnu::always_inline]] Instruction* find_or_add(const Instruction& instruction, const OpInfo& operation,
                                                  size_t at) {
    if (!is_value(instruction)) return nullptr;
    if (operation.has(kCommutative)) order_operands(instruction);
    const uint32_t hash = hash_of(instruction, operation);
    // Entries of the current region are those added since its construct was entered; those of inner regions
    // are removed already.
    const size_t region = operation.has(kConvergent) && !marks_.empty() ? marks_.back() : 0;
    const uint32_t found =
        table_.find(hash, [&](uint32_t other) { return same(module_.code[other], instruction); });
    const bool is_far = found != ScopedTable::kNone && operation.has(kNearby) &&
                        at - table_.instruction(found) > kMostDistance;
    if (found == ScopedTable::kNone || found < region || is_far) {
      table_.insert(hash, static_cast<uint32_t>(at));
      return nullptr;
    }
    return &module_.code[table_.instruction(found)];
  }

  /// The same in two steps, for an operation that is not in the module yet: one without an access, whose
  /// operands are in order if it is commutative. Without a payload `payload` is 0.
  static uint32_t hash_of(Op op, std::span<const Value> operands, uint32_t payload) {
    uint32_t hash = static_cast<uint32_t>(op);
    for (const Value operand : operands) hash = mix(hash, operand.number());
    return info(op).payload == Payload::none ? hash : mix(hash, payload);
  }
  [[gnu::always_inline]] Instruction* find(Op op, uint8_t flags, std::span<const Value> operands,
                                           uint32_t payload, uint32_t hash) {
    const uint32_t found = table_.find(hash, [&](uint32_t other) {
      const Instruction& earlier = module_.code[other];
      if (earlier.op != op || ((earlier.flags ^ flags) & kMeaning) != 0 || earlier.payload != payload ||
          earlier.operand_count != operands.size())
        return false;
      const Value* const values = module_.operands.data() + earlier.first_operand;
      for (size_t o = 0; o < operands.size(); ++o) {
        if (values[o] != operands[o]) return false;
      }
      return true;
    });
    return found != ScopedTable::kNone ? &module_.code[table_.instruction(found)] : nullptr;
  }
  void add(uint32_t hash, size_t at) { table_.insert(hash, static_cast<uint32_t>(at)); }

 private:
  /// A load from a buffer that is never written gives the same result, too.
  bool is_value(const Instruction& instruction) const {
    return kGivesTheSame[static_cast<uint32_t>(instruction.op)] ||
           (instruction.op == Op::buf_load &&
            !module_.resources[module_.access_of(instruction).resource].is_uav);
  }

  /// Puts constants last and the earlier value first.
  void order_operands(const Instruction& instruction) {
    Value& first = module_.operands[instruction.first_operand];
    Value& second = module_.operands[instruction.first_operand + 1];
    const bool first_constant = module_.is_constant(first);
    const bool second_constant = module_.is_constant(second);
    if (first_constant != second_constant ? first_constant : first > second) std::swap(first, second);
  }

  /// How many instructions a result of a kNearby operation lives for others to find.
  static constexpr size_t kMostDistance = 64;
  static constexpr uint8_t kMeaning = kVertexOperand | kIndexOperand | kGuarded;
  /// The lower half of a product with `hash` loses nothing: the first of many operands still counts.
  static uint32_t mix(uint32_t hash, uint32_t word) {
    return static_cast<uint32_t>(((uint64_t{hash} << 32 | word) * 0x9e3779b97f4a7c15ull) >> 32);
  }

  uint32_t hash_of(const Instruction& instruction, const OpInfo& operation) const {
    uint32_t hash = static_cast<uint32_t>(instruction.op);
    for (const Value operand : module_.operands_of(instruction)) hash = mix(hash, operand.number());
    if (operation.payload == Payload::none) return hash;
    if (operation.payload != Payload::access) return mix(hash, instruction.payload);
    const ResourceAccess& access = module_.access_of(instruction);
    hash = mix(hash, access.slots);
    return mix(hash, access.resource | static_cast<uint32_t>(access.sampler) << 16);
  }

  bool same(const Instruction& a, const Instruction& b) const {
    if (a.op != b.op || a.result_count != b.result_count || ((a.flags ^ b.flags) & kMeaning) != 0)
      return false;
    if (info(a.op).payload == Payload::access) {
      if (module_.access_of(a) != module_.access_of(b)) return false;
    } else if (a.payload != b.payload) {
      return false;
    }
    return std::ranges::equal(module_.operands_of(a), module_.operands_of(b));
  }

  Module& module_;
  ScopedTable table_;
  ArenaBuffer<size_t> marks_;  // size of the table before each open construct
};

/// For an instruction that is removed: the results of an earlier one replace its own.
inline void stand_in(Instruction& earlier, const Instruction& instruction, Replacements& replacements) {
  earlier.flags |= instruction.flags & (kPrecise | kNonUniform);
  for (uint32_t i = 0; i < instruction.result_count; ++i)
    replacements.replace(instruction.first_result + i, earlier.first_result + i);
}

}  // namespace texlate::ir
