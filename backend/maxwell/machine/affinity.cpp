#include "backend/maxwell/machine/affinity.h"

#include <algorithm>
#include <span>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/machine/access.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {
namespace {

class Webs {
 public:
  explicit Webs(std::pmr::vector<Value>& parent) : parent_(parent) {
    for (const Value v : Indices<Value>(parent_)) parent_[v] = v;
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
  /// A parent has a lower number, so that its own representative is known.
  void finish() {
    for (const Value v : Indices<Value>(parent_)) parent_[v] = parent_[parent_[v]];
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

/// An instruction with vectors, or with values to merge with.
struct Demanding {
  uint32_t instruction;
  uint8_t depth;  // loops around it
};

/// Joins values with those that they are merged with.
std::pmr::vector<Demanding> join_merges(Function& function, Webs& webs) {
  const std::pmr::vector<uint8_t> depths = find_loop_depths(function);
  std::pmr::vector<Demanding> out(function.scratch());
  for (const BlockId b : Indices<BlockId>(function.blocks)) {
    const Block& block = function.blocks[b];
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      const Instruction& instruction = function.instructions[i];
      if (!has_vectors(instruction) && instruction.merge == kNoIndex) continue;
      out.push_back({i, depths[b]});
      visit_merges(function, instruction, [&](Value v, Value before) {
        if (v != kNoValue && before != kNoValue) webs.join(v, before);
      });
    }
  }
  return out;
}

/// Puts values into a group whose first register is `shift` registers before them.
void join_group(Affinity& affinity, uint32_t id, unsigned shift, std::span<const Value> values,
                unsigned alignment) {
  VectorGroup& group = affinity.groups[id];
  group.alignment = static_cast<uint8_t>(std::max<unsigned>(group.alignment, alignment));
  group.size = static_cast<uint8_t>(std::max<size_t>(group.size, shift + values.size()));
  for (unsigned i = 0; i < values.size(); ++i) {
    if (values[i] == kNoValue || affinity.group[values[i]] != kNoIndex) continue;
    if (group.members[shift + i] != kNoValue) continue;
    group.members[shift + i] = values[i];
    affinity.group[values[i]] = id;
    affinity.offset[values[i]] = static_cast<uint8_t>(shift + i);
  }
}

/// Finds the group of an operand's values, or creates one.
void add_vector(Affinity& affinity, std::span<const Value> values) {
  const unsigned alignment = vector_alignment(static_cast<unsigned>(values.size()));
  if (values.size() > 4) return;
  for (unsigned i = 0; i < values.size(); ++i) {
    if (values[i] == kNoValue || affinity.group[values[i]] == kNoIndex) continue;
    const int shift = affinity.offset[values[i]] - static_cast<int>(i);
    if (shift < 0 || shift % static_cast<int>(alignment) != 0 || shift + values.size() > 4) continue;
    join_group(affinity, affinity.group[values[i]], static_cast<unsigned>(shift), values, alignment);
    return;
  }
  affinity.groups.emplace_back();
  join_group(affinity, static_cast<uint32_t>(affinity.groups.size() - 1), 0, values, alignment);
}

/// The program's results are in R0, R1, ... at its end.
void add_exits(const Function& function, Affinity& affinity) {
  for (const Block& block : function.blocks) {
    if (block.terminator != Terminator::exit) continue;
    for (uint32_t first = 0; first < block.argument_count; first += 4) {
      VectorGroup group;
      group.alignment = 4;
      group.base = kFirstRegister + first;
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

/// The value that a guarded vector result leaves in its place if it is not written belongs into that place
/// from the start.
void follow_merges(Function& function, const std::pmr::vector<Demanding>& list, Affinity& affinity) {
  // Backwards, because the merged value may itself be such a result.
  for (size_t n = list.size(); n-- > 0;) {
    visit_merges(function, function.instructions[list[n].instruction], [&](Value v, Value before) {
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
  out.group = all_ones<uint32_t>(function.values.size(), function.scratch());
  out.offset.assign(function.values.size(), 0);

  Webs webs(out.web);
  for (const Block& b : function.blocks) join_jump(function, b, webs);
  const std::pmr::vector<Demanding> list = join_merges(function, webs);
  webs.finish();

  add_exits(function, out);
  unsigned deepest = 0;
  for (const Demanding& each : list) deepest = std::max<unsigned>(deepest, each.depth);
  for (int depth = static_cast<int>(deepest); depth >= 0; --depth) {
    for (const Demanding& each : list) {
      if (each.depth != depth) continue;
      visit_vectors(function, function.instructions[each.instruction],
                    [&](std::span<Value> values, bool) { add_vector(out, values); });
    }
  }
  follow_merges(function, list, out);
  return out;
}

}  // namespace texlate::maxwell::machine
