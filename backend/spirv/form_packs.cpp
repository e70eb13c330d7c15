// Which operations are joined: dot products, packs, and whether a pack is worth its gathers and extractions.

#include <algorithm>

#include "backend/spirv/pack_finder.h"
#include "ir/base/zeroed.h"

namespace texlate::spirv {

using ir::Instruction;
using ir::Op;
using ir::Value;

PackFinder::PackFinder(const PackSources& sources, bool join, std::pmr::monotonic_buffer_resource& arena,
                       Packs& packs)
    : module_(sources.module),
      interface_(sources.interface),
      places_(sources.places),
      control_(sources.survey.control),
      types_(sources.survey.types),
      needs_(sources.survey.needs),
      products_(sources.products),
      join_(join),
      packs_(packs),
      code_(sources.survey.code),
      known_(static_cast<Known*>(arena.allocate(module_.values.size() * sizeof(Known), alignof(Known)))),
      vectors_(&arena),
      operands_(module_.operands.data()),
      values_(module_.values.data()),
      flags_(needs_.flags.data()),
      input_vectors_(zeroed<uint32_t>(arena, interface_.inputs.size())) {
  recent_.fill(kNone);
  packs_.by_instruction = zeroed<uint32_t>(arena, code_.size());
  by_instruction_ = packs_.by_instruction.data();
  vectors_.reserve(code_.size() / 2 + 8);
  vectors_.push_back({});
  packs_.packs.reserve(code_.size());
}

// ---- dot products ----

/// A product and sums that directly follow each other, as the source's dp2, dp3 and dp4 become. If they are
/// not a dot product, they stay out of packs: lane by lane, they would only break packs up.
bool PackFinder::add_dot(uint32_t first) {
  std::array<uint32_t, kMostLanes> chain{first};
  Dot dot{};
  dot.size = 1;
  const auto factors = [&](uint32_t i) {
    for (uint32_t side = 0; side < 2; ++side)
      dot.factors[side][dot.size - 1] = module_.operands[code_[i].first_operand + side];
  };
  factors(first);
  for (uint32_t i = first + 1; i < code_.size() && dot.size < kMostLanes; ++i) {
    const Instruction& next = code_[i];
    const ir::OpInfo& info = ir::info(next.op);
    if (info.has(ir::kControl)) break;
    if (!ir::is_arithmetic(info.family)) continue;
    const Value sum = code_[chain[dot.size - 1]].first_result;
    if (next.op != Op::ffma || module_.operands[next.first_operand + 2] != sum) break;
    if ((needs_.flags[next.first_result] & ValueNeeds::kExact) != 0) break;
    if ((needs_.flags[sum] & ValueNeeds::kShared) != 0) break;
    chain[dot.size++] = i;
    factors(i);
  }
  if (dot.size < 2) return false;
  const uint32_t left = part_of(dot.factors[0][0]) / kMostLanes;
  const uint32_t right = part_of(dot.factors[1][0]) / kMostLanes;
  if (left == 0 || right == 0 || !align_factors(dot, left, right)) {
    for (uint32_t l = 0; l < dot.size; ++l) by_instruction_[chain[l]] = kAlone;
    return false;
  }
  for (uint32_t l = 0; l + 1 < dot.size; ++l) by_instruction_[chain[l]] = Packs::kNothing;
  const uint32_t last = chain[dot.size - 1];
  by_instruction_[last] = Packs::kDot + static_cast<uint32_t>(packs_.dots.size());
  packs_.dots.push_back(dot);
  known_[code_[last].first_result] = {last + 1, 0, false};
  for (const uint32_t vector : {left, right}) {
    if (vector != kConstant / kMostLanes) ++vectors_[vector].uses;
  }
  return true;
}

/// Are the factors of each side components of one vector, or constants? Factors may have changed sides from
/// lane to lane.
bool PackFinder::align_factors(Dot& dot, uint32_t left, uint32_t right) const {
  for (uint32_t l = 1; l < dot.size; ++l) {
    Value& a = dot.factors[0][l];
    Value& b = dot.factors[1][l];
    const uint32_t of_a = part_of(a) / kMostLanes, of_b = part_of(b) / kMostLanes;
    if (of_a == left && of_b == right) continue;
    if (of_a != right || of_b != left) return false;
    std::swap(a, b);
  }
  return true;
}

// ---- forming packs ----
//
// These run for each operation of a module. Functions with only one caller are inlined by force: the compiler
// does not inline members of a class with external linkage by itself.

namespace {

constexpr std::array<GatherKind, 64> kKinds = [] {
  std::array<GatherKind, 64> kinds{};
  for (uint32_t flags = 0; flags < kinds.size(); ++flags) {
    const auto has = [flags](uint32_t wanted) { return (flags & wanted) != 0; };
    const uint32_t apart = Gather::kScalars | (has(Gather::kSecond) ? Gather::kConstants : 0u);
    if (!has(Gather::kFirst)) {
      const bool differ = has(Gather::kDiffer);
      kinds[flags] = !has(Gather::kScalars) ? GatherKind::constant
                     : differ               ? GatherKind::construct
                                            : GatherKind::splat;
    } else if (has(apart)) {
      kinds[flags] = GatherKind::construct;
    } else {
      const bool in_place = !has(Gather::kSecond | Gather::kMoved | Gather::kConstants);
      kinds[flags] = in_place ? GatherKind::vector : GatherKind::shuffle;
    }
  }
  return kinds;
}();

}  // namespace

/// Returns false if an operand is defined after instruction `first`: then the operation cannot be there.
inline bool PackFinder::look_up(Operation& operation, uint32_t first) const {
  for (uint32_t o = 0; o < operation.count; ++o) {
    const Value value = operation.operands[o];
    if (is_constant(value)) {
      operation.parts[o] = kConstant;
      continue;
    }
    const Known& known = known_[value];
    if (known.at > first) return false;
    operation.parts[o] = known.part;
  }
  return true;
}

inline void PackFinder::add_lane(Gather& gather, uint32_t part, uint32_t lane) const {
  if (part != 0 && part == part_of(gather.first, lane)) return;
  if (part == kConstant) {
    gather.flags |= Gather::kConstants;
  } else if (part == 0) {
    gather.flags |= Gather::kScalars;
  } else {
    const uint32_t vector = part / kMostLanes;
    if (part % kMostLanes != lane) gather.flags |= Gather::kMoved;
    if (gather.first == vector) return;
    if (gather.first == 0) {
      gather.first = vector;
      gather.flags |= Gather::kFirst;
    } else if (gather.second == 0 || gather.second == vector) {
      gather.second = vector;
      gather.flags |= Gather::kSecond;
    } else {
      gather.flags |= Gather::kScalars;
    }
  }
}

/// A vector in place is a whole vector only if it has no further components.
inline GatherKind PackFinder::kind_of(const Gather& gather, uint32_t count) const {
  const GatherKind kind = kKinds[gather.flags];
  return kind == GatherKind::vector && vectors_[gather.first].size != count ? GatherKind::shuffle : kind;
}

/// Swaps commutative operands so that each is next to what it belongs to in the pack, whose first lane and
/// size are given: the same value, the previous component, or, if neither decides, a component of the same
/// vector.
[[gnu::always_inline]] inline void PackFinder::align(const Operation& first, uint32_t size,
                                                     Operation& operation) {
  Value &a = operation.operands[0], &b = operation.operands[1];
  uint32_t &part_a = operation.parts[0], &part_b = operation.parts[1];
  const Value value_first = first.operands[0], value_second = first.operands[1];
  const uint32_t part_first = first.parts[0], part_second = first.parts[1];
  const auto follows = [size](uint32_t part, uint32_t of) { return part >= kMostLanes && part == of + size; };
  if (a == value_first || b == value_second || follows(part_a, part_first) || follows(part_b, part_second))
    return;
  if (a != value_second && b != value_first && !follows(part_a, part_second) &&
      !follows(part_b, part_first)) {
    const auto are_of_one = [](uint32_t x, uint32_t y) {
      return x >= kMostLanes && x / kMostLanes == y / kMostLanes;
    };
    if (are_of_one(part_a, part_first) || are_of_one(part_b, part_second)) return;
    if (!are_of_one(part_b, part_first) && !are_of_one(part_a, part_second)) return;
  }
  std::swap(a, b);
  std::swap(part_a, part_b);
}

/// Number of instructions for gathering if the operation joins; kNone: it should not. For a pack of one no
/// gathers are kept: its operands may become components of vectors after it.
uint32_t PackFinder::join_cost(const Pack& pack, const Operation& operation, Gathers& gathers) const {
  const uint32_t size = pack.size;
  uint32_t cost = 0, constructs = 0;
  for (uint32_t o = 0; o < operation.count; ++o) {
    Gather gather{};
    if (size == 1) {
      add_lane(gather, part_of(pack.operands[o][0]), 0);
    } else {
      gather = pack.gathers[o];
    }
    if (operation.operands[o] != pack.operands[o][0]) gather.flags |= Gather::kDiffer;
    add_lane(gather, operation.parts[o], size);
    gather.kind = kind_of(gather, size + 1);
    gathers[o] = gather;
    cost += gather.kind >= GatherKind::splat ? 1 : 0;
    constructs += gather.kind == GatherKind::construct ? 1 : 0;
  }
  return constructs == operation.count ? kNone : cost + constructs;
}

void PackFinder::join(Pack& pack, uint32_t i, const Operation& operation, const Gathers& gathers) {
  by_instruction_[i] = Packs::kNothing;
  const uint32_t lane = pack.size;
  if (lane == 1) {
    pack.vector = new_vector(1);
    pack.is_vector = true;
    known_[code_[pack.members[0]].first_result].part = part_of(pack.vector, 0);
  }
  for (uint32_t o = 0; o < operation.count; ++o) {
    pack.operands[o][lane] = operation.operands[o];
    pack.gathers[o] = gathers[o];
  }
  pack.members[lane] = i;
  known_[code_[i].first_result] = {pack.members[0] + 1, part_of(pack.vector, lane), false};
  pack.size = static_cast<uint8_t>(lane + 1);
  vectors_[pack.vector].size = pack.size;
}

/// Lowering and legalization may expand an instruction lane by lane, so that the lanes of one operation are
/// apart. Returns true if the operation has joined one of the newest packs of its row: of its origin and its
/// block, the one that is cheapest to join.
bool PackFinder::join_earlier(uint32_t i, Operation& operation, uint32_t newest) {
  Pack* best = nullptr;
  Operation best_operation;
  Gathers gathers, tried_gathers;
  uint32_t best_cost = kNone;
  for (uint32_t tried = 0, p = newest; p != kNone && tried < kMostTries; ++tried) {
    Pack& pack = packs_.packs[p];
    // A pack comes after all its operands.
    if (pack.origin != code_[i].location || pack.members[0] < block_ || !look_up(operation, pack.members[0]))
      break;
    p = pack.previous;
    if (pack.size == kMostLanes) continue;
    if (operation_row(operation.row).is_commutative) {
      const Value a = pack.operands[0][0], b = pack.operands[1][0];
      align({pack.row, 2, {a, b, 0}, {part_of(a), part_of(b), 0}}, pack.size, operation);
    }
    const uint32_t cost = join_cost(pack, operation, tried_gathers);
    if (cost >= best_cost) continue;
    best = &pack;
    best_operation = operation;
    gathers = tried_gathers;
    best_cost = cost;
    if (cost == 0) break;
  }
  if (best != nullptr) join(*best, i, best_operation, gathers);
  return best != nullptr;
}

/// Makes the operation the first one of a new pack.
inline Pack& PackFinder::start(uint32_t i, const Operation& operation, bool exact) {
  by_instruction_[i] = Packs::kFirst + static_cast<uint32_t>(packs_.packs.size());
  known_[code_[i].first_result] = {i + 1, 0, false};
  // Filled in place: built elsewhere, its copy would wait for each of these stores.
  Pack& pack = *packs_.packs.extend(1);
  for (uint32_t o = 0; o < operation.count; ++o) pack.operands[o][0] = operation.operands[o];
  pack.members[0] = i;
  pack.row = operation.row;
  pack.operand_count = operation.count;
  pack.size = 1;
  pack.exact = exact;
  pack.is_vector = false;
  pack.previous = kNone;
  pack.origin = code_[i].location;
  return pack;
}

/// How many instructions, from this one on, are the same operation of the same source instruction: at most as
/// many as a pack has lanes.
inline uint32_t PackFinder::run_length(uint32_t i, bool exact) const {
  const Instruction& first = code_[i];
  const uint32_t most = std::min<uint32_t>(kMostLanes, static_cast<uint32_t>(code_.size()) - i);
  uint32_t length = 1;
  for (; length < most; ++length) {
    const Instruction& next = code_[i + length];
    if (next.op != first.op || next.location != first.location || next.flags != first.flags) break;
    if (by_instruction_[i + length] != Packs::kOther) break;
    if (((flags_[next.first_result] & ValueNeeds::kExact) != 0) != exact) break;
  }
  return length;
}

/// Adds up to `length` instructions that follow the first one of a new pack. Returns the next one.
[[gnu::always_inline]] inline uint32_t PackFinder::add_lanes(Pack& pack, Operation& first, uint32_t length) {
  const uint32_t i = pack.members[0];
  if (!look_up(first, i)) return i + 1;
  std::array<std::array<uint32_t, kMostLanes>, kMostOperands> parts;
  for (uint32_t o = 0; o < first.count; ++o) parts[o][0] = first.parts[o];
  const bool is_commutative = operation_row(pack.row).is_commutative;
  uint32_t size = 1;
  for (; size < length; ++size) {
    Operation lane;
    if (!read(code_[i + size], lane) || lane.row != pack.row || !look_up(lane, i)) break;
    known_[code_[i + size].first_result].at = i + 1;  // no later lane can take this one
    if (is_commutative) align(first, size, lane);
    for (uint32_t o = 0; o < first.count; ++o) {
      pack.operands[o][size] = lane.operands[o];
      parts[o][size] = lane.parts[o];
    }
  }
  // Without any operand that is a vector already, scalars are as good.
  for (; size > 1; --size) {
    uint32_t constructs = 0;
    for (uint32_t o = 0; o < first.count; ++o) {
      Gather gather{};
      for (uint32_t l = 0; l < size; ++l) {
        if (pack.operands[o][l] != pack.operands[o][0]) gather.flags |= Gather::kDiffer;
        add_lane(gather, parts[o][l], l);
      }
      gather.kind = kind_of(gather, size);
      pack.gathers[o] = gather;
      constructs += gather.kind == GatherKind::construct ? 1 : 0;
    }
    if (constructs != first.count) break;
  }
  if (size == 1) return i + 1;
  pack.size = static_cast<uint8_t>(size);
  pack.is_vector = true;
  pack.vector = new_vector(size);
  for (uint32_t l = 0; l < size; ++l) {
    pack.members[l] = i + l;
    if (l != 0) by_instruction_[i + l] = Packs::kNothing;
    known_[code_[i + l].first_result] = {i + 1, part_of(pack.vector, l), false};
  }
  return i + size;
}

/// Adds the operation to an earlier pack, or makes a new one with the operations that follow it. Returns the
/// next instruction.
[[gnu::always_inline]] inline uint32_t PackFinder::place(uint32_t i, Operation& operation, bool exact) {
  uint32_t& recent = recent_[operation.row * 2u + (exact ? 1 : 0)];
  const uint32_t length = run_length(i, exact);
  if (length == 1 && recent != kNone && packs_.packs[recent].origin == code_[i].location &&
      join_earlier(i, operation, recent))
    return i + 1;
  Pack& pack = start(i, operation, exact);
  pack.previous = recent;
  recent = by_instruction_[i] - Packs::kFirst;
  return length == 1 ? i + 1 : add_lanes(pack, operation, length);
}

/// Reads the operation as an instruction. Returns false if it is not a single one.
[[gnu::always_inline]] inline bool PackFinder::read(const Instruction& instruction,
                                                    Operation& operation) const {
  const Value* const operands = operands_ + instruction.first_operand;
  operation.row = row_of(instruction.op);
  const auto take_all = [&] {
    operation.count = static_cast<uint8_t>(instruction.operand_count);
    operation.operands[0] = operands[0];
    if (operation.count > 1) operation.operands[1] = operands[1];
    if (operation.count > 2) operation.operands[2] = operands[2];
    return true;
  };
  if (operation_row(operation.row).is_plain) return take_all();
  const auto set = [&operation](Row row, uint8_t count, Value a, Value b, Value c = kLiteralZero) {
    operation.row = row;
    operation.count = count;
    operation.operands = {a, b, c};
    return true;
  };
  switch (instruction.op) {
    case Op::fadd: {
      const ValueNeeds::Addends sum = needs_.addends({operands, 2});
      return set(sum.subtracts ? kDifference : row_of(Op::fadd), 2, sum.values[0], sum.values[1]);
    }
    case Op::fmin:
    case Op::dmin:
      if (const Instruction* const maximum = needs_.clamped_maximum(module_, instruction)) {
        const auto bounded = module_.operands_of(*maximum);
        return set(row_of(instruction.op == Op::fmin ? Op::fsat : Op::dsat), 3, bounded[0], bounded[1],
                   operands[1]);
      }
      break;
    case Op::fsat:
    case Op::dsat: return set(row_of(instruction.op), 3, operands[0], kLiteralZero, kLiteralOne);
    case Op::frcp: return set(row_of(Op::fdiv), 2, kLiteralOne, operands[0]);
    case Op::drcp: return set(row_of(Op::ddiv), 2, kLiteralOne, operands[0]);
    case Op::mask: return set(row_of(Op::select), 3, operands[0], kLiteralOnes, kLiteralZero);
    case Op::select:
      if (types_.kind[instruction.first_result] == Kind::float_) operation.row = kFloatSelect;
      break;
    default: return false;
  }
  return take_all();
}

/// Returns the next instruction that is in no pack yet.
[[gnu::always_inline]] inline uint32_t PackFinder::add_operation(uint32_t i) {
  const Instruction& instruction = code_[i];
  const uint32_t before = by_instruction_[i];
  if (before != Packs::kOther && before != kAlone) return i + 1;  // in a dot product
  if (!products_.by_instruction.empty() && products_.by_instruction[i] != kNoIndex) {
    add_product(i, products_.all[products_.by_instruction[i]]);
    return i + 1;
  }
  Operation operation;
  if (!read(instruction, operation)) {
    want_operands(instruction);
    if (instruction.op == Op::unpack64) {
      define_vector(i, instruction, 2);
    } else {
      define(i, instruction);
    }
    return i + 1;
  }
  const uint32_t needs = flags_[instruction.first_result];
  const bool exact = (needs & ValueNeeds::kExact) != 0;
  if (instruction.op == Op::fmul && !exact && join_ && add_dot(i)) return i + 1;
  if (join_ && by_instruction_[i] != kAlone) return place(i, operation, exact);
  start(i, operation, exact);
  return i + 1;
}

uint32_t PackFinder::add_operations(uint32_t first) {
  uint32_t i = first;
  do {
    i = add_operation(i);
  } while (i < code_.size() && ir::is_arithmetic(code_[i].op));
  return i;
}

// ---- choosing ----

// Without a second vector the uses of vector 0 change, which are never read.
void PackFinder::use_together(std::span<const Value> lanes) {
  Gather gather{};
  for (uint32_t l = 0; l < lanes.size(); ++l) {
    if (lanes[l] != lanes[0]) gather.flags |= Gather::kDiffer;
    add_lane(gather, part_of(lanes[l]), l);
  }
  gather.kind = kind_of(gather, static_cast<uint32_t>(lanes.size()));
  use(gather, lanes);
}

void PackFinder::use(const Gather& gather, std::span<const Value> lanes) {
  switch (gather.kind) {
    case GatherKind::constant: return;
    case GatherKind::splat: return want(lanes[0]);
    case GatherKind::vector:
    case GatherKind::shuffle:
      ++vectors_[gather.first].uses;
      ++vectors_[gather.second].uses;
      return;
    case GatherKind::construct: return use_composed(lanes, 1);
  }
}

void PackFinder::use_composed(std::span<const Value> lanes, int32_t uses) {
  const auto part = [this](Value value) { return part_of(value); };
  const auto size = [this](uint32_t vector) -> uint32_t { return vectors_[vector].size; };
  const auto use_vector = [&](Value component) {
    uint32_t& count = vectors_[part_of(component) / kMostLanes].uses;
    count += static_cast<uint32_t>(uses);
  };
  if (const uint32_t odd = lane_to_insert(lanes, part, size); odd != kMostLanes) {
    use_vector(lanes[odd == 0 ? 1 : 0]);
    return want(lanes[odd]);
  }
  for (uint32_t l = 0; l < lanes.size();) {
    const uint32_t whole = whole_vector_at(lanes, l, part, size);
    if (whole == 0) {
      want(lanes[l++]);
    } else {
      use_vector(lanes[l]);
      l += whole;
    }
  }
}

/// When the packs are known: how each operand is gathered, and what that needs as scalars.
void PackFinder::count_uses() {
  for (Pack& pack : packs_.packs) {
    if (pack.size == 1) {
      for (uint32_t o = 0; o < pack.operand_count; ++o) want(pack.operands[o][0]);
      continue;
    }
    const bool scales = operation_row(pack.row).core == spv::OpFMul;
    for (uint32_t o = 0; o < pack.operand_count; ++o) {
      pack.gathers[o].kind = kind_of(pack.gathers[o], pack.size);
      // A vector times copies of one component is a vector times a scalar.
      const bool is_one = (pack.gathers[o].flags & (Gather::kDiffer | Gather::kFirst)) == Gather::kFirst;
      if (scales && is_one) pack.gathers[o].kind = GatherKind::splat;
      use(pack.gathers[o], std::span<const Value>(pack.operands[o]).first(pack.size));
    }
  }
}

/// Dissolves packs that are not worth their gathers and extractions. Backwards: the users of a pack have been
/// decided before it.
void PackFinder::prune() {
  for (size_t p = packs_.packs.size(); p-- != 0;) {
    Pack& pack = packs_.packs[p];
    if (pack.size != 1 && !is_worth_it(pack)) dissolve(pack);
  }
}

bool PackFinder::is_worth_it(const Pack& pack) const {
  const Gathers& gathers = pack.gathers;
  int32_t benefit = pack.size - 1 + static_cast<int32_t>(vectors_[pack.vector].uses);
  for (uint32_t l = 0; l < pack.size; ++l)
    benefit -= known_[code_[pack.members[l]].first_result].is_wanted ? 1 : 0;
  const bool scales = operation_row(pack.row).core == spv::OpFMul;
  for (uint32_t o = 0; o < pack.operand_count; ++o) {
    const GatherKind kind = gathers[o].kind;
    const bool free =
        kind == GatherKind::vector || kind == GatherKind::constant || (kind == GatherKind::splat && scales);
    benefit -= free ? 0 : 1;
  }
  for (uint32_t o = 0; o < pack.operand_count && benefit <= 0; ++o) {
    if (gathers[o].from_vectors()) benefit += extractions(pack.operands[o], pack.size);
  }
  return benefit > 0;
}

/// Lanes that would have to be extracted for scalar operations, and otherwise need not be.
int32_t PackFinder::extractions(const Lanes& lanes, uint32_t count) const {
  int32_t needed = 0;
  for (uint32_t l = 0; l < count; ++l) {
    if (is_constant(lanes[l]) || known_[lanes[l]].is_wanted) continue;
    const bool repeated = std::find(lanes.begin(), lanes.begin() + l, lanes[l]) != lanes.begin() + l;
    needed += repeated ? 0 : 1;
  }
  return needed;
}

void PackFinder::dissolve(Pack& pack) {
  const Gathers& gathers = pack.gathers;
  pack.is_vector = false;
  for (uint32_t o = 0; o < pack.operand_count; ++o) {
    const std::span<const Value> lanes = std::span<const Value>(pack.operands[o]).first(pack.size);
    if (gathers[o].kind == GatherKind::construct) use_composed(lanes, -1);
    if (gathers[o].from_vectors()) {
      --vectors_[gathers[o].first].uses;
      --vectors_[gathers[o].second].uses;
    }
    for (const Value lane : lanes) want(lane);
  }
}

void find_packs(const PackSources& sources, bool join, std::pmr::monotonic_buffer_resource& arena,
                Packs& packs) {
  PackFinder(sources, join, arena, packs).run();
}

}  // namespace texlate::spirv
