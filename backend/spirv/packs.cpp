#include "backend/spirv/packs.h"

#include <algorithm>
#include <utility>

namespace texlate::spirv {

namespace {

bool are_lanes(const Instruction& a, const Instruction& b) {
  return a.op == b.op && a.location == b.location && a.flags == b.flags;
}

}  // namespace

// ---- dot products ----

/// Are the factors of each side components of one vector, or constants? Factors may have changed sides from
/// lane to lane.
bool PackFormer::form_dot(uint32_t first, Dot& dot) const {
  const ValueNeeds& needs = values_.needs();
  Value sum = code_[first].first_result;
  dot.size = 0;
  uint32_t left = 0, right = 0;
  for (uint32_t i = first; i < code_.size() && dot.size < kMostLanes; ++i) {
    const Instruction& step = code_[i];
    const Value* const operands = module_.operands.data() + step.first_operand;
    if (i != first) {
      if (step.op != Op::ffma || operands[2] != sum) break;
      if ((needs.flags[step.first_result] & ValueNeeds::kExact) != 0) break;
      if ((needs.flags[sum] & ValueNeeds::kShared) != 0) break;
      sum = step.first_result;
    }
    Value a = operands[0], b = operands[1];
    const uint32_t part_a = values_.part_of(a), part_b = values_.part_of(b);
    if (part_a == 0 || part_b == 0 || part_a == Values::kUndefined || part_b == Values::kUndefined)
      return false;
    if (i == first) {
      left = part_a / kMostLanes;
      right = part_b / kMostLanes;
    } else if (part_a / kMostLanes != left || part_b / kMostLanes != right) {
      if (part_a / kMostLanes != right || part_b / kMostLanes != left) return false;
      std::swap(a, b);
    }
    dot.factors[0][dot.size] = a;
    dot.factors[1][dot.size] = b;
    ++dot.size;
  }
  return dot.size >= 2;
}

// ---- packs ----

/// How far the next lane is from this one: where lowering and legalization have expanded an instruction lane
/// by lane, the operations of a lane come again. 0: there is none.
inline uint32_t PackFormer::step_from(uint32_t first) const {
  // Behind the last instruction is a return.
  const Instruction* const start = code_.data() + first;
  for (uint32_t step = 1; step <= kMostStep; ++step) {
    const Instruction& next = start[step];
    if (next.location != start->location || ir::info(next.op).has(ir::kControl)) return 0;
    if (next.op != start->op || next.flags != start->flags) continue;
    const bool goes_on = start[step + 1].op == start[1].op;
    if (step == 1 || goes_on || (first != 0 && start[step - 1].op == start[-1].op)) return step;
  }
  return 0;
}

/// Swaps commutative operands so that each is next to what it belongs to in the pack: the same value, the
/// previous component, or, if neither decides, a component of the same vector.
[[gnu::always_inline]] inline void PackFormer::align(const Pack& pack, Operation& operation) {
  Value &a = operation.operands[0], &b = operation.operands[1];
  uint32_t &part_a = operation.parts[0], &part_b = operation.parts[1];
  const Value value_first = pack.operands[0].lanes[0], value_second = pack.operands[1].lanes[0];
  const uint32_t part_first = pack.operands[0].parts[0], part_second = pack.operands[1].parts[0];
  const uint32_t size = pack.size;
  const auto are_of_one = [](uint32_t x, uint32_t y) {
    return x >= kMostLanes && x / kMostLanes == y / kMostLanes;
  };
  const auto follows = [&](uint32_t part, uint32_t of) {
    return part == of + size && Values::is_part(part) && are_of_one(part, of);
  };
  if (a == value_first || b == value_second || follows(part_a, part_first) || follows(part_b, part_second))
    return;
  if (a != value_second && b != value_first && !follows(part_a, part_second) &&
      !follows(part_b, part_first)) {
    if (are_of_one(part_a, part_first) || are_of_one(part_b, part_second)) return;
    if (!are_of_one(part_b, part_first) && !are_of_one(part_a, part_second)) return;
  }
  std::swap(a, b);
  std::swap(part_a, part_b);
}

/// Returns false if it cannot be at the place of the pack, or is another instruction.
template <uint32_t kCount>
[[gnu::always_inline]] inline bool PackFormer::add_lane(const Instruction& instruction, Pack& pack) const {
  Operation operation;
  if (!read(instruction, operation) || operation.row != pack.row) return false;
  if (values_.is_defined(instruction.first_result)) return false;
  for (uint32_t o = 0; o < kCount; ++o) {
    operation.parts[o] = values_.part_of(operation.operands[o]);
    if (operation.parts[o] == Values::kUndefined) return false;
  }
  if (kCount > 1 && operation_row(pack.row).is_commutative) align(pack, operation);
  for (uint32_t o = 0; o < kCount; ++o) {
    pack.operands[o].lanes[pack.size] = operation.operands[o];
    pack.operands[o].parts[pack.size] = operation.parts[o];
  }
  pack.results[pack.size++] = instruction.first_result;
  return true;
}

// ---- choosing ----

/// Does it save more than its gathers and extractions take?
template <uint32_t kCount>
inline bool PackFormer::is_worth_it(const Pack& pack, int32_t cost) const {
  const auto& flags = values_.needs().flags;
  int32_t benefit = pack.size - 1 - cost;
  bool together = false;
  for (uint32_t l = 0; l < pack.size; ++l) {
    const uint32_t users = flags[pack.results[l]];
    benefit -= (users & ValueNeeds::kAlone) != 0 ? 1 : 0;
    together |= (users & ValueNeeds::kTogether) != 0;
  }
  benefit += together ? 1 : 0;
  // Lanes that would have to be extracted for scalar operations, and otherwise need not be.
  for (uint32_t o = 0; o < kCount && benefit <= 0; ++o) {
    const Group& group = pack.operands[o];
    const GatherKind kind = pack.gathers[o].kind;
    if (kind != GatherKind::vector && kind != GatherKind::shuffle) continue;
    for (uint32_t l = 0; l < pack.size; ++l) {
      if (!Values::is_part(group.parts[l]) || values_.is_extracted(group.parts[l])) continue;
      if ((flags[group.lanes[l]] & ValueNeeds::kAlone) != 0) continue;
      const auto end = group.lanes.begin() + l;
      benefit += std::find(group.lanes.begin(), end, group.lanes[l]) == end ? 1 : 0;
    }
  }
  return benefit > 0;
}

template <uint32_t kCount>
inline void PackFormer::decide(Pack& pack) {
  const OperationRow& row = operation_row(pack.row);
  int32_t cost = 0;
  for (uint32_t o = 0; o < kCount; ++o) {
    Group& group = pack.operands[o];
    const Values::Gather& gather = pack.gathers[o] = values_.look(group, pack.size, row.as[o]);
    if (gather.kind == GatherKind::vector || values_.is_known(group, gather, row.as[o])) continue;
    // A vector times copies of one value is a vector times a scalar.
    const bool scales = row.core == spv::OpFMul && !gather.differ;
    cost += scales ? 0 : 1;
  }
  pack.is_vector = is_worth_it<kCount>(pack, cost);
}

// ---- the whole ----

/// By the number of operands, so that loops over them are unrolled.
template <uint32_t kCount>
void PackFormer::add_lanes_of(uint32_t first, uint32_t step, Pack& pack) {
  const Instruction* const code = code_.data();
  const uint32_t count = static_cast<uint32_t>(code_.size());
  for (uint32_t o = 0; o < kCount; ++o)
    pack.operands[o].parts[0] = values_.part_of(pack.operands[o].lanes[0]);
  const auto& product_at = products_.by_instruction;
  for (uint32_t i = first + step; pack.size < kMostLanes && i < count; i += step) {
    if (!are_lanes(code[i], code[first]) || (!product_at.empty() && product_at[i] != kNoIndex)) break;
    if (!add_lane<kCount>(code[i], pack)) break;
  }
  if (pack.size != 1) decide<kCount>(pack);
  if (step == 1) pack.neighbors = pack.size;
}

void PackFormer::add_lanes(uint32_t first, Pack& pack) {
  const uint32_t step = step_from(first);
  if (step == 0) return;
  static_assert(kMostOperands == 3);
  switch (pack.operand_count) {
    case 1: return add_lanes_of<1>(first, step, pack);
    case 2: return add_lanes_of<2>(first, step, pack);
    default: return add_lanes_of<3>(first, step, pack);
  }
}

}  // namespace texlate::spirv
