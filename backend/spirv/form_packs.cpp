// Which scalar operations of a function go together: dot products, packs, and whether a pack is worth its
// gathers and extractions.

#include "backend/spirv/vectorizer.h"

namespace texlate::spirv {

// ---- dot products ----

bool Vectorizer::find_chain(uint32_t first) {
  std::array<uint32_t, kMostLanes> chain{first};
  uint32_t size = 1;
  for (uint32_t i = first + 1; i < instructions_.size() && size < kMostLanes; ++i) {
    const Instruction& next = instructions_[i];
    if (next.role == Role::label) break;
    if (next.role != Role::operation) continue;
    const Id sum = result(instructions_[chain[size - 1]].at);
    if (next.precise || !is_fma(next.at) || code_[next.at + 7] != sum || values_[sum].uses != 1) break;
    chain[size++] = i;
  }
  if (size < 2) return false;
  Dot& dot = dots_.emplace_back();
  dot.size = size;
  for (uint32_t l = 0; l < size; ++l) {
    Instruction& member = instructions_[chain[l]];
    dot.members[l] = member.at;
    member.role = Role::dot;
    member.index = static_cast<uint32_t>(dots_.size() - 1);
  }
  return true;
}

void Vectorizer::choose_dots() {
  for (Dot& dot : dots_) dot.chosen = align_factors(dot);
}

bool Vectorizer::align_factors(const Dot& dot) {
  auto vector_at = [this](uint32_t word) { return values_[code_[word]].vector; };
  const uint32_t first = first_operand(dot.members[0]);
  const Id left = vector_at(first), right = vector_at(first + 1);
  if (left == 0 || right == 0) return false;
  for (uint32_t l = 1; l < dot.size; ++l) {
    const uint32_t factor = first_operand(dot.members[l]);
    const Id a = vector_at(factor), b = vector_at(factor + 1);
    if (a == left && b == right) continue;
    if (a != right || b != left) return false;
    std::swap(code_[factor], code_[factor + 1]);
  }
  return true;
}

// ---- forming packs ----

// Only of conversions between types of one size does the operation not tell the operand's type.
uint64_t Vectorizer::operation_of(const Instruction& instruction) const {
  const uint32_t* const words = code_.data() + instruction.at;
  const spv::Op what = op(instruction.at);
  uint32_t detail = 0;
  if (what == spv::OpExtInst) detail = words[4];
  if (what == spv::OpBitcast) detail = type_of(words[3]);
  if (instruction.precise) detail |= 1u << 15;
  return uint64_t{words[1]} << 32 | detail << 16 | static_cast<uint32_t>(what);
}

void Vectorizer::form_packs() {
  const uint32_t count = static_cast<uint32_t>(instructions_.size());
  uint32_t block = 0;
  for (uint32_t i = 0; i < count; ++i) {
    Instruction& instruction = instructions_[i];
    if (instruction.role == Role::label) block = instruction.at;
    if (instruction.role != Role::operation) continue;
    const uint32_t at = instruction.at;
    if (op(at) == spv::OpFMul && !instruction.precise && find_chain(i)) continue;
    const uint64_t operation = operation_of(instruction);
    const uint32_t key = static_cast<uint32_t>((operation * 0x9e3779b97f4a7c15ull) >> 57);
    Gathers gathers;
    instruction.index = best_pack(at, block, operation, recent_[key], gathers);
    if (instruction.index != kNone) {
      join(packs_[instruction.index], at, gathers);
      continue;
    }
    instruction.index = static_cast<uint32_t>(packs_.size());
    // Filled where it stays: built elsewhere, its copy would wait for each of these stores.
    Pack& pack = packs_.emplace_back();
    pack.operation = operation;
    pack.members[0] = at;
    pack.previous = recent_[key];
    pack.size = 1;
    pack.first_operand = spirv::first_operand(op(at));
    pack.operands = static_cast<uint8_t>(word_count(at) - pack.first_operand);
    pack.precise = instruction.precise;
    recent_[key] = instruction.index;
  }
}

uint32_t Vectorizer::best_pack(uint32_t at, uint32_t block, uint64_t operation, uint32_t newest,
                               Gathers& gathers) const {
  if (newest == kNone || packs_[newest].members[0] < block) return kNone;
  // A pack stands behind all operands.
  uint32_t earliest = block;
  const uint32_t end = at + word_count(at);
  for (uint32_t w = first_operand(at); w < end; ++w) earliest = std::max(earliest, values_[code_[w]].at);
  uint32_t best = kNone, best_cost = kNone;
  Gathers tried_gathers;
  uint32_t p = newest;
  for (uint32_t tried = 0; p != kNone && tried < kMostTries; p = packs_[p].previous, ++tried) {
    const Pack& pack = packs_[p];
    if (pack.members[0] < earliest) break;
    if (pack.size == kMostLanes || pack.operation != operation) continue;
    const uint32_t cost = join_cost(pack, at, tried_gathers);
    if (cost < best_cost) {
      best = p;
      gathers = tried_gathers;
      best_cost = cost;
      if (cost == 0) break;
    }
  }
  return best;
}

uint32_t Vectorizer::join_cost(const Pack& pack, uint32_t at, Gathers& gathers) const {
  uint32_t cost = 0, constructs = 0;
  for (uint32_t o = 0; o < pack.operands; ++o) {
    gathers[o] = gather_with(pack, at, o);
    const GatherKind kind = kind_of(gathers[o], pack.size + 1u);
    cost += kind == GatherKind::vector || kind == GatherKind::constant ? 0 : 1;
    constructs += kind == GatherKind::construct ? 1 : 0;
  }
  return constructs == pack.operands ? kNone : cost + constructs;
}

void Vectorizer::join(Pack& pack, uint32_t at, const Gathers& gathers) {
  if (pack.size == 1) {
    pack.gathers = static_cast<uint32_t>(gathers_.size());
    gathers_.push_back(gathers);
    pack.vector = builder_.new_id();
    values_.extend_zeroed(1);
    values_.back().at = pack.members[0] + 1;
    pack.size = 0;
    add_member(pack, pack.members[0]);
  } else {
    gathers_[pack.gathers] = gathers;
  }
  add_member(pack, at);
}

void Vectorizer::add_member(Pack& pack, uint32_t at) {
  values_[pack.vector].size = pack.size + 1;
  make_component(result(at), pack.vector, pack.size);
  pack.members[pack.size++] = at;
}

// ---- gathering ----

Gather Vectorizer::classify(const Lanes& lanes, uint32_t count) const {
  Gather gather{};
  for (uint32_t l = 0; l < count; ++l) {
    if (lanes[l] != lanes[0]) gather.flags |= Gather::kDiffer;
    add_lane(gather, lanes[l], l);
  }
  gather.kind = kind_of(gather, count);
  return gather;
}

Lanes Vectorizer::lanes_of(const Dot& dot, uint32_t side) const {
  Lanes lanes{};
  for (uint32_t l = 0; l < dot.size; ++l) lanes[l] = code_[first_operand(dot.members[l]) + side];
  return lanes;
}

Lanes Vectorizer::lanes_of(const Construct& construct) const {
  Lanes lanes{};
  for (uint32_t l = 0; l < construct.size; ++l) lanes[l] = code_[construct.at + 3 + l];
  return lanes;
}

// ---- choosing ----

void Vectorizer::choose_gathers() {
  for (Pack& pack : packs_) {
    if (pack.size == 1) continue;
    for (uint32_t o = 0; o < pack.operands; ++o) {
      Gather& gather = gathers_[pack.gathers][o];
      gather.kind = kind_of(gather, pack.size);
      if (gather.from_vectors()) use_vectors(gather, lanes_of(pack, o), pack.size);
    }
  }
  for (Dot& dot : dots_) {
    if (!dot.chosen) continue;
    for (uint32_t side = 0; side < 2; ++side) {
      const Lanes lanes = lanes_of(dot, side);
      dot.gathers[side] = classify(lanes, dot.size);
      if (dot.gathers[side].from_vectors()) use_vectors(dot.gathers[side], lanes, dot.size);
    }
  }
  for (Construct& construct : constructs_) {
    const Lanes lanes = lanes_of(construct);
    construct.gather = classify(lanes, construct.size);
    if (construct.gather.from_vectors()) use_vectors(construct.gather, lanes, construct.size);
  }
}

// Where there is no second vector, it is id 0's uses that change: nobody asks for them.
void Vectorizer::use_vectors(const Gather& gather, const Lanes& lanes, uint32_t count) {
  for (uint32_t l = 0; l < count; ++l) --values_[lanes[l]].uses;
  ++values_[gather.first].uses;
  ++values_[gather.second].uses;
}

void Vectorizer::use_scalars(const Gather& gather, const Lanes& lanes, uint32_t count) {
  for (uint32_t l = 0; l < count; ++l) ++values_[lanes[l]].uses;
  --values_[gather.first].uses;
  --values_[gather.second].uses;
}

// Backwards: who uses a pack has been decided before it.
bool Vectorizer::prune() {
  bool any = false;
  for (size_t p = packs_.size(); p-- != 0;) {
    const Pack& pack = packs_[p];
    if (pack.size == 1 || is_worth_it(pack)) continue;
    dissolve(pack);
    any = true;
  }
  return any;
}

bool Vectorizer::is_worth_it(const Pack& pack) const {
  int32_t benefit = pack.size - 1 + static_cast<int32_t>(values_[pack.vector].uses);
  for (uint32_t l = 0; l < pack.size; ++l) benefit -= values_[result(pack.members[l])].uses != 0 ? 1 : 0;
  for (uint32_t o = 0; o < pack.operands; ++o) {
    const GatherKind kind = gathers_[pack.gathers][o].kind;
    const bool free = kind == GatherKind::vector || kind == GatherKind::constant ||
                      (kind == GatherKind::splat && is_scaling(op(pack.members[0])));
    benefit -= free ? 0 : 1;
  }
  for (uint32_t o = 0; o < pack.operands && benefit <= 0; ++o) {
    if (gathers_[pack.gathers][o].from_vectors()) benefit += extractions(lanes_of(pack, o), pack.size);
  }
  return benefit > 0;
}

int32_t Vectorizer::extractions(const Lanes& lanes, uint32_t count) const {
  int32_t needed = 0;
  for (uint32_t l = 0; l < count; ++l) {
    const Value& lane = values_[lanes[l]];
    if (lane.at == 0 || lane.uses != 0) continue;
    const bool repeated = std::find(lanes.begin(), lanes.begin() + l, lanes[l]) != lanes.begin() + l;
    needed += repeated ? 0 : 1;
  }
  return needed;
}

void Vectorizer::dissolve(const Pack& pack) {
  for (uint32_t o = 0; o < pack.operands; ++o) {
    if (gathers_[pack.gathers][o].from_vectors())
      use_scalars(gathers_[pack.gathers][o], lanes_of(pack, o), pack.size);
  }
  for (uint32_t l = 0; l < pack.size; ++l) values_[result(pack.members[l])].vector = 0;
  values_[pack.vector].state = State::dissolved;
}

void Vectorizer::leave_dissolved() {
  auto leave = [this](Gather& gather, const auto& of, auto... operand) {
    if (!is_dissolved(gather.first) && !is_dissolved(gather.second)) return;
    if (gather.from_vectors()) use_scalars(gather, lanes_of(of, operand...), of.size);
    gather.kind = gather.has(Gather::kDiffer) ? GatherKind::construct : GatherKind::splat;
  };
  for (Pack& pack : packs_) {
    if (pack.size == 1 || is_dissolved(pack.vector)) continue;
    for (uint32_t o = 0; o < pack.operands; ++o) leave(gathers_[pack.gathers][o], pack, o);
  }
  for (Dot& dot : dots_) {
    for (uint32_t side = 0; side < 2; ++side) leave(dot.gathers[side], dot, side);
  }
  for (Construct& construct : constructs_) leave(construct.gather, construct);
}

}  // namespace texlate::spirv
