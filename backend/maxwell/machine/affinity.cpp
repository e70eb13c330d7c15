#include "backend/maxwell/machine/affinity.h"

#include <algorithm>
#include <span>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/simplify.h"

namespace texlate::maxwell::machine {
namespace {

class Webs {
 public:
  explicit Webs(std::pmr::vector<Value>& parent) : parent_(parent) {
    for (Value v = 0; v < parent_.size(); ++v) parent_[v] = v;
  }
  Value find(Value v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(Value a, Value b) {
    a = find(a);
    b = find(b);
    // The lower number is the representative, so that the result does not depend on the order of joining.
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }
  void finish() {
    for (Value v = 0; v < parent_.size(); ++v) parent_[v] = find(v);
  }

 private:
  std::pmr::vector<Value>& parent_;
};

void join_jump(const Function& function, const Block& block, Webs& webs) {
  if (block.terminator != Terminator::jump) return;
  const Block& target = function.blocks[block.target[0]];
  for (uint32_t i = 0; i < block.argument_count; ++i) {
    const Value argument = function.operands[block.arguments + i];
    if (argument != kNoValue) webs.join(argument, function.operands[target.parameters + i]);
  }
}

void join_merge(Function& function, const Instruction& instruction, Webs& webs) {
  if (instruction.merge == kNoIndex) return;
  unsigned n = 0;
  visit_operands(function, instruction, [&](unsigned, unsigned, Value v, bool is_result) {
    if (!is_result) return;
    const Value before = function.operands[instruction.merge + n++];
    if (v != kNoValue && before != kNoValue) webs.join(v, before);
  });
}

/// Finds the group of an operand's values, or creates one.
class Grouping {
 public:
  explicit Grouping(Affinity& affinity) : affinity_(affinity) {}

  void add(std::span<const Value> values) {
    const unsigned alignment = vector_alignment(static_cast<unsigned>(values.size()));
    if (values.size() > 4) return;
    for (unsigned i = 0; i < values.size(); ++i) {
      if (values[i] == kNoValue || affinity_.group[values[i]] == kNoIndex) continue;
      const int shift = affinity_.offset[values[i]] - static_cast<int>(i);
      if (shift < 0 || shift % static_cast<int>(alignment) != 0 || shift + values.size() > 4) continue;
      join(affinity_.group[values[i]], static_cast<unsigned>(shift), values, alignment);
      return;
    }
    affinity_.groups.emplace_back();
    join(static_cast<uint32_t>(affinity_.groups.size() - 1), 0, values, alignment);
  }

 private:
  void join(uint32_t id, unsigned shift, std::span<const Value> values, unsigned alignment) {
    VectorGroup& group = affinity_.groups[id];
    group.alignment = static_cast<uint8_t>(std::max<unsigned>(group.alignment, alignment));
    group.size = static_cast<uint8_t>(std::max<size_t>(group.size, shift + values.size()));
    for (unsigned i = 0; i < values.size(); ++i) {
      if (values[i] == kNoValue || affinity_.group[values[i]] != kNoIndex) continue;
      if (group.members[shift + i] != kNoValue) continue;
      group.members[shift + i] = values[i];
      affinity_.group[values[i]] = id;
      affinity_.offset[values[i]] = static_cast<uint8_t>(shift + i);
    }
  }

  Affinity& affinity_;
};

/// The program's results are in R0, R1, ... at its end.
void add_exits(const Function& function, Affinity& affinity) {
  for (const Block& block : function.blocks) {
    if (block.terminator != Terminator::exit) continue;
    for (uint32_t first = 0; first < block.argument_count; first += 4) {
      VectorGroup group;
      group.alignment = 4;
      group.base = static_cast<int16_t>(first);
      const uint32_t id = static_cast<uint32_t>(affinity.groups.size());
      for (uint32_t i = 0; i < 4 && first + i < block.argument_count; ++i) {
        const Value v = function.operands[block.arguments + first + i];
        group.size = static_cast<uint8_t>(i + 1);
        if (v == kNoValue || affinity.group[v] != kNoIndex) continue;
        group.members[i] = v;
        affinity.group[v] = id;
        affinity.offset[v] = static_cast<uint8_t>(i);
      }
      affinity.groups.push_back(group);
    }
  }
}

/// visit(values of the operand, is result) for every operand that covers several registers.
template <typename Visit>
void visit_vectors(Function& function, const Instruction& instruction, Visit visit) {
  uint32_t at = instruction.values;
  for (unsigned k = 0; k < kMaxOperands; ++k) {
    const unsigned count = instruction.counts[k];
    if (count > 1)
      visit(std::span<Value>(function.operands.data() + at, count), (instruction.results >> k & 1) != 0);
    at += count;
  }
}

/// The value that a guarded vector result leaves in its place if it is not written belongs into that place
/// from the start.
void follow_merges(Function& function, Affinity& affinity) {
  // Backwards, because the merged value may itself be such a result.
  for (size_t n = function.instructions.size(); n-- > 0;) {
    const Instruction& instruction = function.instructions[n];
    if (instruction.merge == kNoIndex) continue;
    unsigned result = 0;
    visit_operands(function, instruction, [&](unsigned, unsigned, Value v, bool is_result) {
      if (!is_result) return;
      const Value before = function.operands[instruction.merge + result++];
      if (v == kNoValue || before == kNoValue || affinity.group[v] == kNoIndex) return;
      if (affinity.group[before] != kNoIndex) return;
      affinity.group[before] = affinity.group[v];
      affinity.offset[before] = affinity.offset[v];
    });
  }
}

}  // namespace

Affinity find_affinity(Function& function) {
  Affinity out(function.scratch());
  out.web.resize(function.values.size());
  out.group.assign(function.values.size(), kNoIndex);
  out.offset.assign(function.values.size(), 0);

  Webs webs(out.web);
  for (const Block& b : function.blocks) join_jump(function, b, webs);
  for (const Instruction& i : function.instructions) join_merge(function, i, webs);
  webs.finish();

  add_exits(function, out);
  Grouping grouping(out);
  const std::pmr::vector<uint8_t> depths = find_loop_depths(function);
  unsigned deepest = 0;
  for (const uint8_t depth : depths) deepest = std::max<unsigned>(deepest, depth);
  for (int depth = static_cast<int>(deepest); depth >= 0; --depth) {
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
      if (depths[b] != depth) continue;
      const Block& block = function.blocks[b];
      for (uint32_t i = block.first; i < block.first + block.count; ++i) {
        visit_vectors(function, function.instructions[i],
                      [&](std::span<Value> values, bool) { grouping.add(values); });
      }
    }
  }
  follow_merges(function, out);
  return out;
}

void split_constants(Function& function) {
  // Where a constant was first part of a vector: the adjacent value and the place.
  struct Place {
    Value neighbour = kNoValue;
    uint8_t index = 0;
    bool known = false;
  };
  std::pmr::vector<uint32_t> constant(function.values.size(), kNoIndex, function.scratch());
  std::pmr::vector<Place> places(function.values.size(), Place{}, function.scratch());
  bool any = false;
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    const Instruction& instruction = function.instructions[i];
    if (!is_constant_move(instruction)) continue;
    const Value v = function.operands[instruction.values];
    if (v != kNoValue) constant[v] = i, any = true;
  }
  if (!any) return;

  std::pmr::vector<Instruction>& out = function.spare;
  out.clear();
  out.reserve(function.instructions.size() + function.instructions.size() / 8);
  const auto give_own = [&](std::span<Value> values, bool is_result) {
    if (is_result) return;
    for (unsigned e = 0; e < values.size(); ++e) {
      if (values[e] == kNoValue || values[e] >= constant.size() || constant[values[e]] == kNoIndex) continue;
      const Value neighbour = values[(e + 1) % values.size()];
      Place& place = places[values[e]];
      if (!place.known) {
        place = {neighbour, static_cast<uint8_t>(e), true};
        continue;
      }
      if (place.neighbour == neighbour && place.index == e) continue;
      Instruction copy = function.instructions[constant[values[e]]];
      function.values.push_back(ValueClass::general);
      values[e] = static_cast<Value>(function.values.size() - 1);
      out.push_back(copy);
    }
  };
  for (Block& b : function.blocks) {
    const uint32_t first = static_cast<uint32_t>(out.size());
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      const size_t before = out.size();
      const Value first_new = static_cast<Value>(function.values.size());
      visit_vectors(function, function.instructions[i], give_own);
      // Appends the copies' operand lists only now, because the spans above point into that array.
      for (size_t n = before; n < out.size(); ++n) {
        out[n].values = static_cast<uint32_t>(function.operands.size());
        function.operands.push_back(first_new + static_cast<Value>(n - before));
      }
      out.push_back(function.instructions[i]);
    }
    b.first = first;
    b.count = static_cast<uint32_t>(out.size()) - first;
  }
  function.instructions.swap(out);
}

}  // namespace texlate::maxwell::machine
