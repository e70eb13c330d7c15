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
                         values_[word(last, 2)].scalar_uses == 1 && dots_[open].size < kMostLanes &&
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
  const Id a = gather(factors(dot, 0), dot.size);
  const Id b = gather(factors(dot, 1), dot.size);
  append(out_, spv::OpDot, {word(i, 1), word(i, 2), a, b});
}

// ---- forming packs ----

uint8_t Vectorizer::packable(uint32_t i) const {
  const spv::Op what = op(i);
  uint8_t first = 3;
  if (what == spv::OpExtInst) {
    if (!is_component_wise(static_cast<GLSLstd450>(word(i, 4)))) return 0;
    first = 5;
  } else if (!is_component_wise(what)) {
    return 0;
  }
  // Of 32-bit scalars and booleans.
  if (builder_.component_count(word(i, 1)) != 1 || word_count(i) - first > kMostOperands) return 0;
  for (uint32_t w = first; w < word_count(i); ++w) {
    if (builder_.component_count(type_of(word(i, w))) != 1) return 0;
  }
  return first;
}

bool Vectorizer::same_operation(uint32_t a, uint32_t b, uint32_t first) const {
  if (op(a) != op(b) || word(a, 1) != word(b, 1) || precise(a) != precise(b)) return false;
  if (first == 5 && word(a, 4) != word(b, 4)) return false;
  // Only of conversions between types of one size does the operation not tell the operand's type.
  return op(a) != spv::OpBitcast || type_of(word(a, first)) == type_of(word(b, first));
}

void Vectorizer::form_packs() {
  for (uint32_t i = 0; i < instructions_.size(); ++i) {
    const uint32_t first = instructions_[i].dot == kNone ? instructions_[i].first_operand : 0;
    if (first == 0) continue;
    uint32_t key = static_cast<uint32_t>(op(i)) * 31 + word(i, 1) * 7 + (first == 5 ? word(i, 4) : 0);
    key = (key ^ key >> 5) % kRecentSize;
    const uint32_t pack = best_pack(i, first, key);
    if (pack != kNone) {
      join(pack, i);
      continue;
    }
    Pack fresh;
    fresh.members[0] = i;
    fresh.size = 1;
    fresh.key = key;
    fresh.previous = recent_[key];
    recent_[key] = static_cast<uint32_t>(packs_.size());
    packs_.push_back(fresh);
  }
}

uint32_t Vectorizer::best_pack(uint32_t i, uint32_t first, uint32_t key) const {
  uint32_t best = kNone, best_cost = kNone;
  uint32_t p = recent_[key];
  for (uint32_t tried = 0; p != kNone && tried < kMostTries; p = packs_[p].previous, ++tried) {
    const Pack& pack = packs_[p];
    if (instructions_[pack.members[0]].block != instructions_[i].block) break;
    if (pack.size == kMostLanes || !same_operation(pack.members[0], i, first)) continue;
    const uint32_t cost = join_cost(pack, i, first);
    if (cost < best_cost) {
      best = p;
      best_cost = cost;
    }
  }
  return best;
}

uint32_t Vectorizer::join_cost(const Pack& pack, uint32_t i, uint32_t first) const {
  for (uint32_t w = first; w < word_count(i); ++w) {
    const Id id = word(i, w);
    if (in_function(id) && values_[id].at >= pack.members[0]) return kNone;
  }
  uint32_t cost = 0, constructs = 0;
  for (uint32_t w = first; w < word_count(i); ++w) {
    Lanes lanes = lanes_of(pack, w);
    lanes[pack.size] = word(i, w);
    const Gather gather = classify(lanes, pack.size + 1);
    cost += gather.kind == GatherKind::vector || gather.kind == GatherKind::constant ? 0 : 1;
    constructs += gather.kind == GatherKind::construct ? 1 : 0;
  }
  return constructs == word_count(i) - first ? kNone : cost + constructs;
}

void Vectorizer::join(uint32_t index, uint32_t i) {
  Pack& pack = packs_[index];
  if (pack.size == 1) {
    pack.vector = builder_.new_id();
    if (values_.size() <= pack.vector) values_.resize(pack.vector + 1);
    Value& vector = value(pack.vector);
    vector.pack = index;
    vector.defined = true;
    vector.at = pack.members[0];
    add_lane(index, 0);
  }
  pack.members[pack.size++] = i;
  add_lane(index, pack.size - 1);
}

void Vectorizer::add_lane(uint32_t index, uint32_t lane) {
  const Pack& pack = packs_[index];
  const uint32_t i = pack.members[lane];
  instructions_[i].pack = index;
  Value& scalar = value(word(i, 2));
  scalar.vector = pack.vector;
  scalar.lane = static_cast<uint8_t>(lane);
  scalar.at = pack.members[0];
  scalar.next_component = values_[pack.vector].first_component;
  values_[pack.vector].first_component = word(i, 2);
}

// ---- gathering ----

Gather Vectorizer::classify(const Lanes& lanes, uint32_t count) const {
  bool constants = false, scalars = false, same = true, many = false, identity = true;
  Id first = 0, second = 0;
  for (uint32_t l = 0; l < count; ++l) {
    const Id id = lanes[l];
    same &= id == lanes[0];
    if (is_constant(id)) {
      constants = true;
      continue;
    }
    const Id vector = in_function(id) ? values_[id].vector : 0;
    if (vector == 0) {
      scalars = true;
      continue;
    }
    identity &= values_[id].lane == l;
    if (first == 0 || first == vector) {
      first = vector;
    } else if (second == 0 || second == vector) {
      second = vector;
    } else {
      many = true;
    }
  }
  if (first == 0 && !scalars) return {GatherKind::constant};
  if (same && first == 0) return {GatherKind::splat};
  if (scalars || many || (constants && second != 0)) return {GatherKind::construct};
  if (identity && !constants && second == 0 && vector_size(first) == count)
    return {GatherKind::vector, first, 0};
  return {GatherKind::shuffle, first, second};
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

void Vectorizer::use_lanes(const Lanes& lanes, uint32_t count, uint32_t change) {
  const Gather gather = classify(lanes, count);
  if (gather.kind == GatherKind::construct || gather.kind == GatherKind::splat) {
    for (uint32_t l = 0; l < count; ++l) use_scalar(lanes[l], change);
    return;
  }
  if (gather.first != 0) value(gather.first).vector_uses += change;
  if (gather.second != 0) value(gather.second).vector_uses += change;
}

void Vectorizer::use_scalar(Id id, uint32_t change) {
  if (in_function(id)) value(id).scalar_uses += change;
}

void Vectorizer::count_uses() {
  for (Value& known : values_) known.scalar_uses = known.vector_uses = 0;
  for (uint32_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& instruction = instructions_[i];
    if (instruction.dot != kNone) {
      const Dot& dot = dots_[instruction.dot];
      if (dot.members[0] != i) continue;
      use_lanes(factors(dot, 0), dot.size, 1);
      use_lanes(factors(dot, 1), dot.size, 1);
    } else if (instruction.pack != kNone && !packs_[instruction.pack].dissolved) {
      const Pack& pack = packs_[instruction.pack];
      if (pack.members[0] == i) use_operands(pack, 1);
    } else if (is_gather(i)) {
      use_lanes(lanes_of(i), word_count(i) - 3, 1);
    } else if (!is_component(i)) {
      for_each_operand(i, [&](uint32_t w) { use_scalar(word(i, w), 1); });
    }
  }
}

void Vectorizer::use_operands(const Pack& pack, uint32_t change) {
  const uint32_t i = pack.members[0];
  for (uint32_t w = first_operand(i); w < word_count(i); ++w) use_lanes(lanes_of(pack, w), pack.size, change);
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
    const uint32_t i = pack.members[0];
    int32_t benefit =
        static_cast<int32_t>(pack.size) - 1 + static_cast<int32_t>(value(pack.vector).vector_uses);
    for (uint32_t l = 0; l < pack.size; ++l)
      benefit -= value(word(pack.members[l], 2)).scalar_uses != 0 ? 1 : 0;
    for (uint32_t w = first_operand(i); w < word_count(i); ++w) {
      const GatherKind kind = classify(lanes_of(pack, w), pack.size).kind;
      const bool free = kind == GatherKind::vector || kind == GatherKind::constant ||
                        (kind == GatherKind::splat && is_scaling(op(i)));
      benefit -= free ? 0 : 1;
      if (kind == GatherKind::vector || kind == GatherKind::shuffle)
        benefit += extractions(lanes_of(pack, w), pack.size);
    }
    if (benefit > 0) continue;
    dissolve(static_cast<uint32_t>(p));
    any = true;
  }
  return any;
}

int32_t Vectorizer::extractions(const Lanes& lanes, uint32_t count) const {
  int32_t needed = 0;
  for (uint32_t l = 0; l < count; ++l) {
    const bool repeated = std::find(lanes.begin(), lanes.begin() + l, lanes[l]) != lanes.begin() + l;
    needed += !repeated && in_function(lanes[l]) && values_[lanes[l]].scalar_uses == 0 ? 1 : 0;
  }
  return needed;
}

void Vectorizer::dissolve(uint32_t index) {
  Pack& pack = packs_[index];
  use_operands(pack, ~0u);
  for (uint32_t l = 0; l < pack.size; ++l) {
    const uint32_t i = pack.members[l];
    value(word(i, 2)).vector = 0;
    for (uint32_t w = first_operand(i); w < word_count(i); ++w) use_scalar(word(i, w), 1);
  }
  pack.dissolved = true;
}

}  // namespace texlate::spirv
