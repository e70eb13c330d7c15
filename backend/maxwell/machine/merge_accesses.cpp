#include "backend/maxwell/machine/merge_accesses.h"

#include <algorithm>
#include <array>
#include <span>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {
namespace {

constexpr unsigned kMaxGroups = 8;
constexpr unsigned kMaxMembers = 32;
constexpr unsigned kMaxCrossed = 8;
constexpr unsigned kMaxAlignment = 16;

/// The index of an access's address among its operands, and of its data.
struct Slots {
  unsigned address;
  unsigned data;
};

constexpr Slots slots_of(bool is_load) {
  return is_load ? Slots{1, 0} : Slots{0, 1};
}

class AccessMerger {
 public:
  explicit AccessMerger(Function& function)
      : function_(function),
        definition_(all_ones<uint32_t>(function.values.size(), function.scratch())),
        in_vector_(function.values.size(), false, function.scratch()),
        vector_at_(all_ones<uint32_t>(function.instructions.size(), function.scratch())),
        is_gone_(function.instructions.size(), false, function.scratch()),
        vectors_(function.scratch()) {}

  static bool has_work(const Function& function) {
    return std::ranges::count_if(function.instructions, is_candidate) > 1;
  }
  void run() {
    scan();
    for (const Block& b : function_.blocks) block(b);
    if (!vectors_.empty()) rewrite();
  }

 private:
  struct Member {
    int32_t offset;
    uint32_t instruction;
  };
  /// Accesses that may be merged: the same instruction, base and guard.
  struct Group {
    Opcode op = Opcode::nop;
    uint8_t space = kAllSpaces;
    uint8_t guard_code = kPT;
    Value base = kNoValue;
    Value guard = kNoValue;
    unsigned count = 0;
    std::array<Member, kMaxMembers> members;
    // For loads: words that were stored since the first of them.
    unsigned crossed_count = 0;
    std::array<int32_t, kMaxCrossed> crossed;

    bool is_load() const { return op == Opcode::lds || op == Opcode::ldl; }
    bool touches(int32_t offset) const {
      return std::any_of(members.begin(), members.begin() + count,
                         [&](const Member& m) { return m.offset == offset; });
    }
    bool crossed_store_of(int32_t offset) const {
      return std::find(crossed.begin(), crossed.begin() + crossed_count, offset) !=
             crossed.begin() + crossed_count;
    }
  };
  struct Vector {
    std::array<uint32_t, 4> instructions;
    unsigned count;
  };

  /// Finds definitions, and values that are in a vector already.
  void scan() {
    for (uint32_t i = 0; i < function_.instructions.size(); ++i) {
      const Instruction& instruction = function_.instructions[i];
      visit_results(function_, instruction, [&](Value v) { definition_[v] = i; });
      visit_vectors(function_, instruction, [&](std::span<const Value> values, bool) {
        for (const Value v : values) {
          if (v != kNoValue) in_vector_[v] = true;
        }
      });
    }
  }

  static bool is_candidate(const Instruction& instruction) {
    switch (opcode(instruction.code)) {
      case Opcode::lds:
      case Opcode::ldl:
      case Opcode::sts:
      case Opcode::stl: break;
      default: return false;
    }
    if (get_modifier(instruction.code, Modifier::memory_size) != static_cast<uint8_t>(MemorySize::b32))
      return false;
    return instruction.space != kAllSpaces && instruction.space != kSpillSpace;
  }

  /// The first value of an operand, which is one of the first two; kNoValue: RZ.
  Value value_of(const Instruction& instruction, unsigned operand) const {
    if (instruction.count(operand) == 0) return kNoValue;
    return function_.operands[instruction.values + (operand == 0 ? 0u : instruction.count(0))];
  }
  Value base_of(const Instruction& instruction, bool is_load) const {
    return value_of(instruction, slots_of(is_load).address);
  }
  Value data_of(const Instruction& instruction, bool is_load) const {
    return value_of(instruction, slots_of(is_load).data);
  }

  void block(const Block& b) {
    group_count_ = 0;
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      const Instruction& instruction = function_.instructions[i];
      if (is_candidate(instruction)) {
        access(i);
      } else if (instruction.effect != Effect::none) {
        meet(instruction);
      }
    }
    close_groups([](const Group&) { return true; });
  }

  /// Handles another access, or a barrier.
  void meet(const Instruction& other) {
    const bool is_read = other.effect == Effect::read;
    close_groups([&](const Group& group) {
      if (other.effect == Effect::barrier) return true;
      const bool meets = other.space == kAllSpaces || other.space == group.space;
      return meets && !(is_read && group.is_load());
    });
  }

  void access(uint32_t index) {
    const Instruction& instruction = function_.instructions[index];
    Group key;
    key.op = opcode(instruction.code);
    const bool is_load = key.is_load();
    key.space = instruction.space;
    key.guard = instruction.guard;
    key.guard_code = instruction.code.guard();
    key.base = base_of(instruction, is_load);
    const maxwell::Instruction code = instruction.code;
    const int32_t offset = code.operands[slots_of(is_load).address].value;
    const auto is_same = [&](const Group& group) {
      return group.op == key.op && group.space == key.space && group.guard == key.guard &&
             group.guard_code == key.guard_code && group.base == key.base;
    };
    // Loads move up to the first of their group, stores down to the last: past each other only if they cannot
    // overlap. Words are equal or apart, since all are multiples of 4.
    close_groups([&](const Group& group) {
      if (group.space != key.space) return false;
      if (is_load && group.is_load()) return is_same(group) && group.crossed_store_of(offset);
      return group.base != key.base || group.touches(offset) || group.crossed_count == kMaxCrossed;
    });
    for (unsigned g = 0; g < group_count_ && !is_load; ++g) {
      Group& group = groups_[g];
      if (group.is_load() && group.space == key.space) group.crossed[group.crossed_count++] = offset;
    }
    if (!can_join(instruction, is_load)) return;
    Group* group = std::find_if(groups_.begin(), groups_.begin() + group_count_, is_same);
    if (group == groups_.begin() + group_count_) {
      if (group_count_ == kMaxGroups) close_groups([](const Group&) { return true; });
      group = &groups_[group_count_++];
      *group = key;
    }
    if (group->count == kMaxMembers || group->touches(offset)) return;
    group->members[group->count++] = {offset, index};
  }

  /// A value in several vectors would need several places.
  bool can_join(const Instruction& instruction, bool is_load) const {
    const Value data = data_of(instruction, is_load);
    if (data == kNoValue || in_vector_[data]) return false;
    if (!is_load) {
      const uint32_t maker = definition_[data];
      return maker != kNoIndex && !is_constant_move(function_.instructions[maker]);
    }
    // The values that a guarded load leaves must be available at the first load.
    if (instruction.merge == kNoIndex) return true;
    const Value otherwise = function_.operands[instruction.merge];
    if (otherwise == kNoValue) return true;
    const uint32_t maker = definition_[otherwise];
    return maker != kNoIndex && is_constant_move(function_.instructions[maker]) && !in_vector_[otherwise];
  }

  template <typename Ends>
  void close_groups(Ends ends) {
    unsigned kept = 0;
    for (unsigned g = 0; g < group_count_; ++g) {
      if (ends(groups_[g])) {
        close(groups_[g]);
      } else if (kept++ != g) {
        groups_[kept - 1] = groups_[g];
      }
    }
    group_count_ = kept;
  }

  void close(Group& group) {
    if (group.count < 2) return;
    std::sort(group.members.begin(), group.members.begin() + group.count,
              [](const Member& a, const Member& b) { return a.offset < b.offset; });
    const unsigned alignment = find_alignment(group.base);
    for (unsigned n = 0; n < group.count;) {
      unsigned length = 1;
      while (n + length < group.count &&
             group.members[n + length].offset == group.members[n].offset + 4 * static_cast<int32_t>(length)) {
        ++length;
      }
      unsigned taken = 1;
      for (const unsigned words : {4u, 2u}) {
        const unsigned bytes = 4 * words;
        if (length < words || alignment % bytes != 0 ||
            group.members[n].offset % static_cast<int32_t>(bytes) != 0)
          continue;
        if (!make_vector(group, n, words)) continue;
        taken = words;
        break;
      }
      n += taken;
    }
  }

  bool make_vector(const Group& group, unsigned first, unsigned count) {
    Vector vector{{}, count};
    for (unsigned n = 0; n < count; ++n) vector.instructions[n] = group.members[first + n].instruction;
    const std::span<const uint32_t> list(vector.instructions.data(), count);
    // Each value may be in only one vector, once.
    for (unsigned n = 0; n < count; ++n) {
      if (in_vector_[data_of(function_.instructions[list[n]], group.is_load())]) return false;
      for (unsigned m = 0; m < n; ++m) {
        const auto data = [&](unsigned k) {
          return data_of(function_.instructions[list[k]], group.is_load());
        };
        if (data(n) == data(m)) return false;
      }
    }
    const uint32_t at = group.is_load() ? *std::min_element(list.begin(), list.end())
                                        : *std::max_element(list.begin(), list.end());
    for (const uint32_t i : list) {
      is_gone_[i] = true;
      in_vector_[data_of(function_.instructions[i], group.is_load())] = true;
    }
    vector_at_[at] = static_cast<uint32_t>(vectors_.size());
    vectors_.push_back(vector);
    return true;
  }

  /// The power of two, up to 16, that certainly divides the value.
  unsigned find_alignment(Value v) const {
    if (v == kNoValue) return kMaxAlignment;
    if (definition_[v] == kNoIndex) return 1;
    const Instruction& maker = function_.instructions[definition_[v]];
    if (maker.guard != kNoValue || maker.code.guard() != kPT) return 1;
    const maxwell::Instruction code = maker.code;
    if (opcode(code) != Opcode::shl || code.operands[2].kind != OperandKind::immediate ||
        code.operands[2].value < 0 || get_modifier(code, Modifier::x) != 0)
      return 1;
    return std::min(kMaxAlignment, 1u << std::min(code.operands[2].value, 4));
  }

  void rewrite() {
    rewrite_instructions(function_, [&](uint32_t i, Buffer<Instruction>& out) {
      if (vector_at_[i] != kNoIndex) {
        append(vectors_[vector_at_[i]], i, out);
      } else if (!is_gone_[i]) {
        out.push_back(function_.instructions[i]);
      }
    });
  }

  void append(const Vector& vector, uint32_t at, Buffer<Instruction>& out) {
    const std::span<const uint32_t> list(vector.instructions.data(), vector.count);
    const Instruction& lowest = function_.instructions[list[0]];
    const Opcode op = opcode(lowest.code);
    const bool is_load = op == Opcode::lds || op == Opcode::ldl;
    std::array<Value, 5> values;
    std::array<Value, 4> otherwise{kNoValue, kNoValue, kNoValue, kNoValue};
    unsigned count = 0;
    const Value base = base_of(lowest, is_load);
    if (!is_load && base != kNoValue) values[count++] = base;
    bool merges = false;
    for (unsigned n = 0; n < vector.count; ++n) {
      const Instruction& part = function_.instructions[list[n]];
      values[count++] = data_of(part, is_load);
      if (part.merge == kNoIndex) continue;
      merges = true;
      otherwise[n] = function_.operands[part.merge];
      if (otherwise[n] == kNoValue) continue;
      const uint32_t maker = definition_[otherwise[n]];
      if (maker > at && !is_gone_[maker]) {
        out.push_back(function_.instructions[maker]);
        is_gone_[maker] = true;
      }
    }
    if (is_load && base != kNoValue) values[count++] = base;

    Instruction merged = lowest;
    maxwell::Instruction code = lowest.code;
    set(code, Modifier::memory_size, vector.count == 4 ? MemorySize::b128 : MemorySize::b64);
    code.operands[slots_of(is_load).data].reg = kVirtual;
    fill_instruction(function_, code, std::span<const Value>(values.data(), count), merged);
    merged.merge = kNoIndex;
    if (merges) {
      merged.merge = static_cast<uint32_t>(function_.operands.size());
      function_.operands.append(otherwise.data(), vector.count);
    }
    out.push_back(merged);
  }

  Function& function_;
  std::pmr::vector<uint32_t> definition_;  // by value; kNoIndex: a parameter
  std::pmr::vector<bool> in_vector_;       // by value: an operand covers it and others
  std::pmr::vector<uint32_t> vector_at_;   // by instruction: the vector that replaces it
  std::pmr::vector<bool> is_gone_;         // by instruction
  std::pmr::vector<Vector> vectors_;
  std::array<Group, kMaxGroups> groups_;
  unsigned group_count_ = 0;
};

}  // namespace

void merge_accesses(Function& function) {
  if (AccessMerger::has_work(function)) AccessMerger(function).run();
}

}  // namespace texlate::maxwell::machine
