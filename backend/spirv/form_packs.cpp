// Which scalar operations of a function go together: dot products, packs, and whether a pack is worth its
// gathers and extractions.

#include "backend/spirv/vectorizer.h"

namespace texlate::spirv {

// ---- dot products ----

void Vectorizer::find_chains() {
  uint32_t open = kNone, last = kNone;
  for (uint32_t i = 0; i < instructions_.size(); ++i) {
    if (instructions_[i].first_operand == 0) continue;
    const bool follows = open != kNone && is_fma(i) && !precise(i) && word(i, 7) == word(last, 2) &&
                         scalar_uses_[word(last, 2)] == 1 && dots_[open].size < kMostLanes &&
                         instructions_[i].block == instructions_[last].block;
    if (follows) {
      dots_[open].members[dots_[open].size++] = i;
    } else {
      if (open != kNone && dots_[open].size < 2) dots_.pop_back();
      open = kNone;
      if (op(i) == spv::OpFMul && !precise(i)) {
        open = static_cast<uint32_t>(dots_.size());
        dots_.push_back({{i}, 1});
      }
    }
    last = i;
  }
  if (open != kNone && dots_[open].size < 2) dots_.pop_back();
  for (uint32_t d = 0; d < dots_.size(); ++d) {
    for (uint32_t l = 0; l < dots_[d].size; ++l) instructions_[dots_[d].members[l]].dot = d;
  }
}

void Vectorizer::choose_dots() {
  for (Dot& dot : dots_) {
    if (align_factors(dot)) continue;
    for (uint32_t l = 0; l < dot.size; ++l) instructions_[dot.members[l]].dot = kNone;
  }
}

Id Vectorizer::factor(const Dot& dot, uint32_t lane, uint32_t side) const {
  const uint32_t i = dot.members[lane];
  return word(i, first_operand(i) + side);
}

bool Vectorizer::align_factors(Dot& dot) {
  for (uint32_t side = 0; side < 2; ++side) {
    const Id vector = vector_of(factor(dot, 0, side));
    if (vector == 0) return false;
  }
  const Id left = vector_of(factor(dot, 0, 0)), right = vector_of(factor(dot, 0, 1));
  for (uint32_t l = 1; l < dot.size; ++l) {
    Id a = vector_of(factor(dot, l, 0)), b = vector_of(factor(dot, l, 1));
    if (a != left || b != right) {
      if (a != right || b != left) return false;
      const uint32_t i = dot.members[l], w = first_operand(i) + instructions_[i].offset;
      std::swap(code_[w], code_[w + 1]);
    }
  }
  return true;
}

Lanes Vectorizer::factors(const Dot& dot, uint32_t side) const {
  Lanes lanes{};
  for (uint32_t l = 0; l < dot.size; ++l) lanes[l] = factor(dot, l, side);
  return lanes;
}

void Vectorizer::write_dot(uint32_t i, const Dot& dot) {
  for (uint32_t l = 0; l + 1 < dot.size; ++l) builder_.forget(word(dot.members[l], 2));
  const Lanes left = factors(dot, 0), right = factors(dot, 1);
  const Id a = gather(classify(left, dot.size), left, dot.size);
  const Id b = gather(classify(right, dot.size), right, dot.size);
  append(out_, spv::OpDot, {word(i, 1), word(i, 2), a, b});
}

// ---- forming packs ----

uint8_t Vectorizer::packable(const Instruction& instruction) const {
  const spv::Op what = static_cast<spv::Op>(instruction.op);
  const uint32_t* const words = code_.data() + instruction.offset;
  uint8_t first = 3;
  if (what == spv::OpExtInst) {
    if (!is_component_wise(static_cast<GLSLstd450>(words[4]))) return 0;
    first = 5;
  } else if (!is_component_wise(what)) {
    return 0;
  }
  // Of scalars. Only a bit cast may make one of a vector.
  if (builder_.component_count(words[1]) != 1 || instruction.words > first + kMostOperands) return 0;
  if (what == spv::OpBitcast && builder_.component_count(type_of(words[3])) != 1) return 0;
  return first;
}

// Only of conversions between types of one size does the operation not tell the operand's type.
uint64_t Vectorizer::operation_of(uint32_t i) const {
  const Instruction& instruction = instructions_[i];
  const uint32_t* const words = code_.data() + instruction.offset;
  uint32_t detail = 0;
  if (instruction.first_operand == 5) detail = words[4];
  if (instruction.op == spv::OpBitcast) detail = type_of(words[3]);
  if (instruction.precise) detail |= 1u << 15;
  return uint64_t{words[1]} << 32 | detail << 16 | instruction.op;
}

void Vectorizer::form_packs() {
  const uint32_t count = static_cast<uint32_t>(instructions_.size());
  for (uint32_t i = 0; i < count; ++i) {
    const Instruction& instruction = instructions_[i];
    if (instruction.first_operand == 0 || instruction.dot != kNone) continue;
    const uint64_t operation = operation_of(i);
    const uint32_t key = static_cast<uint32_t>((operation * 0x9e3779b97f4a7c15ull) >> 57);
    Pack::LaneSets lanes;
    const uint32_t pack = best_pack(i, operation, key, lanes);
    if (pack != kNone) {
      join(pack, i, lanes);
      continue;
    }
    packs_.push_back({operation, {i}, 1, instruction.block, recent_[key]});
    recent_[key] = static_cast<uint32_t>(packs_.size()) - 1;
  }
}

uint32_t Vectorizer::best_pack(uint32_t i, uint64_t operation, uint32_t key, Pack::LaneSets& lanes) const {
  const Instruction& instruction = instructions_[i];
  uint32_t best = kNone, best_cost = kNone;
  Pack::LaneSets tried_lanes;
  uint32_t p = recent_[key];
  for (uint32_t tried = 0; p != kNone && tried < kMostTries; p = packs_[p].previous, ++tried) {
    const Pack& pack = packs_[p];
    if (pack.block != instruction.block) break;
    if (pack.size == kMostLanes || pack.operation != operation) continue;
    const uint32_t cost = join_cost(pack, i, tried_lanes);
    if (cost < best_cost) {
      lanes = tried_lanes;
      best = p;
      best_cost = cost;
      if (cost == 0) break;
    }
  }
  return best;
}

uint32_t Vectorizer::join_cost(const Pack& pack, uint32_t i, Pack::LaneSets& lanes) const {
  const Instruction& instruction = instructions_[i];
  const uint32_t* const words = code_.data() + instruction.offset;
  const uint32_t first = instruction.first_operand, last = instruction.words;
  for (uint32_t w = first; w < last; ++w) {
    const Id id = words[w];
    if (in_function(id) && values_[id].at >= pack.members[0]) return kNone;
  }
  uint32_t cost = 0, constructs = 0;
  for (uint32_t w = first; w < last; ++w) {
    lanes[w - first] = lanes_with(pack, i, w);
    const GatherKind kind = classify(lanes[w - first], pack.size + 1).kind;
    cost += kind == GatherKind::vector || kind == GatherKind::constant ? 0 : 1;
    constructs += kind == GatherKind::construct ? 1 : 0;
  }
  return constructs == last - first ? kNone : cost + constructs;
}

// Of a pack of one nothing is kept: its operands may become components of vectors after it.
LaneSet Vectorizer::lanes_with(const Pack& pack, uint32_t i, uint32_t w) const {
  LaneSet set;
  if (pack.size == 1) {
    add_lane(set, word(pack.members[0], w), 0);
  } else {
    set = pack.lanes[w - instructions_[i].first_operand];
  }
  add_lane(set, word(i, w), pack.size);
  return set;
}

void Vectorizer::join(uint32_t index, uint32_t i, const Pack::LaneSets& lanes) {
  Pack& pack = packs_[index];
  pack.lanes = lanes;
  if (pack.size == 1) {
    pack.vector = builder_.new_id();
    Value& vector = value(pack.vector);
    vector.defined = true;
    vector.at = pack.members[0];
    add_lane(pack, index, 0);
  }
  pack.members[pack.size++] = i;
  add_lane(pack, index, pack.size - 1);
  value(pack.vector).size = static_cast<uint8_t>(pack.size);
}

void Vectorizer::add_lane(const Pack& pack, uint32_t index, uint32_t lane) {
  const uint32_t i = pack.members[lane];
  const Id result = word(i, 2);
  instructions_[i].pack = index;
  Value& scalar = value(result);
  Value& vector = value(pack.vector);
  scalar.vector = pack.vector;
  scalar.lane = static_cast<uint8_t>(lane);
  scalar.at = pack.members[0];
  scalar.next_component = vector.first_component;
  vector.first_component = result;
}

// ---- gathering ----

void Vectorizer::add_lane(LaneSet& set, Id id, uint32_t lane) const {
  if (lane == 0) set.lane0 = id;
  set.differ |= id != set.lane0;
  const bool defined = in_function(id);
  if (!defined && builder_.is_constant(id)) {
    set.constants = true;
    return;
  }
  const Id vector = defined ? values_[id].vector : 0;
  if (vector == 0) {
    set.scalars = true;
    return;
  }
  set.moved |= values_[id].lane != lane;
  if (set.first == 0 || set.first == vector) {
    set.first = vector;
  } else if (set.second == 0 || set.second == vector) {
    set.second = vector;
  } else {
    set.many = true;
  }
}

Gather Vectorizer::classify(const LaneSet& set, uint32_t count) const {
  if (set.first == 0 && !set.scalars) return {GatherKind::constant};
  if (!set.differ && set.first == 0) return {GatherKind::splat};
  if (set.scalars || set.many || (set.constants && set.second != 0)) return {GatherKind::construct};
  if (!set.moved && !set.constants && set.second == 0 && vector_size(set.first) == count)
    return {GatherKind::vector, set.first, 0};
  return {GatherKind::shuffle, set.first, set.second};
}

Gather Vectorizer::classify(const Lanes& lanes, uint32_t count) const {
  LaneSet set;
  for (uint32_t l = 0; l < count; ++l) add_lane(set, lanes[l], l);
  return classify(set, count);
}

Gather Vectorizer::classify(Pack& pack, uint32_t operand) const {
  LaneSet& set = pack.lanes[operand];
  if (values_[set.first].dissolved || values_[set.second].dissolved) {
    set = {};
    const uint32_t w = first_operand(pack.members[0]) + operand;
    for (uint32_t l = 0; l < pack.size; ++l) add_lane(set, word(pack.members[l], w), l);
  }
  return classify(set, pack.size);
}

Lanes Vectorizer::lanes_of(const Pack& pack, uint32_t w) const {
  Lanes lanes{};
  for (uint32_t l = 0; l < pack.size; ++l) lanes[l] = word(pack.members[l], w);
  return lanes;
}

bool Vectorizer::is_gather(uint32_t i) const {
  if (op(i) != spv::OpCompositeConstruct || word_count(i) - 3 > kMostLanes || word_count(i) - 3 < 2)
    return false;
  for (uint32_t w = 3; w < word_count(i); ++w) {
    if (builder_.component_count(type_of(word(i, w))) != 1) return false;
  }
  return true;
}

Lanes Vectorizer::lanes_of(uint32_t i) const {
  Lanes lanes{};
  for (uint32_t w = 3; w < word_count(i); ++w) lanes[w - 3] = word(i, w);
  return lanes;
}

// ---- choosing ----

void Vectorizer::use_lanes(const Gather& gather, const Lanes& lanes, uint32_t count, uint32_t change) {
  if (gather.kind == GatherKind::construct || gather.kind == GatherKind::splat) {
    for (uint32_t l = 0; l < count; ++l) use_scalar(lanes[l], change);
    return;
  }
  if (gather.first != 0) vector_uses_[gather.first] += change;
  if (gather.second != 0) vector_uses_[gather.second] += change;
}

void Vectorizer::count_uses() {
  std::ranges::fill(scalar_uses_, 0);
  std::ranges::fill(vector_uses_, 0);
  auto use_all = [this](const Lanes& lanes, uint32_t count) {
    use_lanes(classify(lanes, count), lanes, count, 1);
  };
  for (uint32_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& instruction = instructions_[i];
    if (instruction.dot != kNone) {
      const Dot& dot = dots_[instruction.dot];
      if (dot.members[0] != i) continue;
      use_all(factors(dot, 0), dot.size);
      use_all(factors(dot, 1), dot.size);
    } else if (instruction.pack != kNone && !is_dissolved(packs_[instruction.pack])) {
      Pack& pack = packs_[instruction.pack];
      if (pack.members[0] != i) continue;
      const uint32_t first = instruction.first_operand;
      for (uint32_t w = first; w < instruction.words; ++w)
        pack.gathers[w - first] = classify(pack, w - first);
      use_operands(pack, 1);
    } else if (is_gather(i)) {
      use_all(lanes_of(i), word_count(i) - 3);
    } else if (!is_component(i)) {
      for_each_operand(instruction, [&](uint32_t w) { use_scalar(word(i, w), 1); });
    }
  }
}

void Vectorizer::use_operands(const Pack& pack, uint32_t change) {
  const uint32_t i = pack.members[0], first = first_operand(i);
  for (uint32_t w = first; w < word_count(i); ++w) {
    const Gather& gather = pack.gathers[w - first];
    if (gather.kind == GatherKind::vector) {
      vector_uses_[gather.first] += change;
    } else {
      use_lanes(gather, lanes_of(pack, w), pack.size, change);
    }
  }
}

bool Vectorizer::is_component(uint32_t i) const {
  return op(i) == spv::OpCompositeExtract && values_[word(i, 2)].vector != 0;
}

// Backwards: who uses a pack has been decided before it.
bool Vectorizer::prune() {
  bool any = false;
  for (size_t p = packs_.size(); p-- != 0;) {
    const Pack& pack = packs_[p];
    if (pack.size < 2) continue;
    const uint32_t i = pack.members[0], first = first_operand(i);
    int32_t benefit = static_cast<int32_t>(pack.size) - 1 + static_cast<int32_t>(vector_uses_[pack.vector]);
    for (uint32_t l = 0; l < pack.size; ++l) benefit -= scalar_uses_[word(pack.members[l], 2)] != 0 ? 1 : 0;
    for (uint32_t w = first; w < word_count(i); ++w) {
      const GatherKind kind = pack.gathers[w - first].kind;
      const bool free = kind == GatherKind::vector || kind == GatherKind::constant ||
                        (kind == GatherKind::splat && is_scaling(op(i)));
      benefit -= free ? 0 : 1;
      if (kind == GatherKind::vector || kind == GatherKind::shuffle)
        benefit += extractions(lanes_of(pack, w), pack.size);
    }
    if (benefit > 0) continue;
    dissolve(pack);
    any = true;
  }
  return any;
}

int32_t Vectorizer::extractions(const Lanes& lanes, uint32_t count) const {
  int32_t needed = 0;
  for (uint32_t l = 0; l < count; ++l) {
    const bool repeated = std::find(lanes.begin(), lanes.begin() + l, lanes[l]) != lanes.begin() + l;
    needed += !repeated && in_function(lanes[l]) && scalar_uses_[lanes[l]] == 0 ? 1 : 0;
  }
  return needed;
}

void Vectorizer::dissolve(const Pack& pack) {
  use_operands(pack, ~0u);
  for (uint32_t l = 0; l < pack.size; ++l) {
    const uint32_t i = pack.members[l];
    value(word(i, 2)).vector = 0;
    for (uint32_t w = first_operand(i); w < word_count(i); ++w) use_scalar(word(i, w), 1);
  }
  value(pack.vector).dissolved = true;
}

}  // namespace texlate::spirv
