#define SPV_ENABLE_UTILITY_CODE
#include "backend/spirv/vectorize.h"

#include <algorithm>
#include <array>

#include "backend/spirv/component_wise.h"

namespace texlate::spirv {

namespace {

constexpr uint32_t kNone = 0xffffffffu;
constexpr uint32_t kMostLanes = 4;
constexpr uint32_t kMostOperands = 3;

using Lanes = std::array<Id, kMostLanes>;

/// How the lanes of an operand become one vector.
enum class GatherKind : uint8_t { vector, constant, splat, shuffle, construct };

struct Gather {
  GatherKind kind = GatherKind::construct;
  Id first = 0, second = 0;  // shuffle: the vectors; second 0: constants where there are any
};

bool has_value(spv::Op op) {
  bool has_result = false, has_type = false;
  spv::HasResultAndType(op, &has_result, &has_type);
  return has_result && has_type;
}

class Vectorizer {
 public:
  Vectorizer(ModuleBuilder& builder, Words& code, std::pmr::memory_resource* memory)
      : builder_(builder),
        code_(code),
        values_(builder.bound(), memory),
        instructions_(memory),
        packs_(memory),
        dots_(memory),
        recent_(kRecentSize, kNone, memory),
        gathered_(memory),
        late_(memory),
        out_(memory) {
    instructions_.reserve(code.size() / 4);
    values_.reserve(builder.bound() + code.size() / 16);
    out_.reserve(code.size());
  }

  void run() {
    decode();
    find_chains();
    form_packs();
    choose_dots();
    count_uses();
    if (prune()) count_uses();
    rewrite();
    code_.swap(out_);
  }

 private:
  /// What is known of an id that the function defines.
  struct Value {
    Id type = 0;
    uint32_t at = 0;  // the instruction where it is defined, its pack's first one if it has one
    Id vector = 0;    // it is component `lane` of this vector
    uint8_t lane = 0;
    bool defined = false;    // in this function
    uint32_t pack = kNone;   // the vector of this pack
    Id first_component = 0;  // vectors: scalars that are components of it, chained by next_component
    Id next_component = 0;
    Id alias = 0;  // this vector is another one
    uint32_t scalar_uses = 0, vector_uses = 0;
  };
  struct Instruction {
    uint32_t offset;
    uint32_t pack = kNone;
    uint32_t block = 0;
    uint32_t dot = kNone;
    uint8_t first_operand = 0;  // word of the first operand of what may be in a pack; 0: may not
    bool has_value = false;     // it has a result and a type
    bool precise = false;
  };
  /// A sum of products of the components of two vectors: members are OpFMul, then Fma with the one before as
  /// its addend; the last one's result is the dot product.
  struct Dot {
    std::array<uint32_t, kMostLanes> members{};
    uint32_t size = 0;
  };
  struct Pack {
    std::array<uint32_t, kMostLanes> members{};  // instructions
    uint32_t size = 0;
    uint32_t previous = kNone;  // the pack before this one with the same key
    uint32_t key = 0;
    Id vector = 0;
    bool dissolved = false;  // members stand together at its place, as scalars
  };

  // ---- reading ----

  spv::Op op(uint32_t i) const { return static_cast<spv::Op>(code_[instructions_[i].offset] & 0xffff); }
  uint32_t word_count(uint32_t i) const { return code_[instructions_[i].offset] >> 16; }
  uint32_t word(uint32_t i, uint32_t w) const { return code_[instructions_[i].offset + w]; }
  Value& value(Id id) { return values_[id]; }

  bool in_function(Id id) const { return id < values_.size() && values_[id].defined; }
  Id type_of(Id id) const { return in_function(id) ? values_[id].type : builder_.global_type(id); }
  bool is_constant(Id id) const { return !in_function(id) && builder_.is_constant(id); }
  uint32_t vector_size(Id vector) const {
    const Value& known = values_[vector];
    return known.pack != kNone ? packs_[known.pack].size : builder_.component_count(known.type);
  }

  /// Words that are ids, as a range of word positions; what lies between is literal.
  template <typename Visit>
  void for_each_operand(uint32_t i, Visit visit) const {
    const uint32_t count = word_count(i);
    if (const uint32_t operands = instructions_[i].first_operand; operands != 0) {
      for (uint32_t w = operands; w < count; ++w) visit(w);
      return;
    }
    uint32_t first = 1, last = count, skip = kNone;
    if (instructions_[i].has_value) first += 2;
    switch (op(i)) {
      case spv::OpExtInst: first += 2; break;
      case spv::OpCompositeExtract: last = first + 1; break;
      case spv::OpVectorShuffle:
      case spv::OpCompositeInsert: last = first + 2; break;
      case spv::OpSelectionMerge:
      case spv::OpLoopMerge:
      case spv::OpLabel:
      case spv::OpBranch:
      case spv::OpLine: return;
      case spv::OpSwitch:
      case spv::OpBranchConditional: last = first + 1; break;
      case spv::OpImageSampleDrefImplicitLod:
      case spv::OpImageSampleDrefExplicitLod:
      case spv::OpImageGather:
      case spv::OpImageDrefGather:
      case spv::OpImageWrite:
      case spv::OpImageSparseSampleDrefImplicitLod:
      case spv::OpImageSparseSampleDrefExplicitLod:
      case spv::OpImageSparseGather:
      case spv::OpImageSparseDrefGather: skip = first + 3; break;
      case spv::OpImageSampleImplicitLod:
      case spv::OpImageSampleExplicitLod:
      case spv::OpImageFetch:
      case spv::OpImageRead:
      case spv::OpImageSparseSampleImplicitLod:
      case spv::OpImageSparseSampleExplicitLod:
      case spv::OpImageSparseFetch:
      case spv::OpImageSparseRead: skip = first + 2; break;
      default: break;
    }
    for (uint32_t w = first; w < last; ++w) {
      if (w != skip) visit(w);
    }
  }

  void decode() {
    uint32_t block = 0;
    for (uint32_t at = 0; at < code_.size(); at += code_[at] >> 16) {
      const uint32_t index = static_cast<uint32_t>(instructions_.size());
      const spv::Op what = static_cast<spv::Op>(code_[at] & 0xffff);
      if (what == spv::OpLabel) ++block;
      instructions_.push_back({at, kNone, block});
      Instruction& instruction = instructions_.back();
      instruction.has_value = has_value(what);
      if (instruction.has_value) define(index, what, at);
      for_each_operand(index, [&](uint32_t w) { use_scalar(code_[at + w], 1); });
    }
  }

  void define(uint32_t index, spv::Op what, uint32_t at) {
    Instruction& instruction = instructions_[index];
    instruction.precise = builder_.is_precise(code_[at + 2]);
    Value& known = value(code_[at + 2]);
    known.type = code_[at + 1];
    known.at = index;
    known.defined = true;
    instruction.first_operand = packable(index);
    if (what == spv::OpCompositeExtract && code_[at] >> 16 == 5)
      component_of(code_[at + 2], code_[at + 3], code_[at + 4]);
  }

  void component_of(Id scalar, Id vector, uint32_t lane) {
    if (!in_function(vector) || builder_.component_count(values_[vector].type) < 2) return;
    if (op(values_[vector].at) == spv::OpCompositeConstruct) return;
    Value& known = value(scalar);
    known.vector = vector;
    known.lane = static_cast<uint8_t>(lane);
    known.at = values_[vector].at;
    known.next_component = values_[vector].first_component;
    values_[vector].first_component = scalar;
  }

  // ---- dot products ----

  bool is_fma(uint32_t i) const { return op(i) == spv::OpExtInst && word(i, 4) == GLSLstd450Fma; }

  /// Chains of a product and sums that stand one behind the other, as a dot product is written; they take no
  /// part in packs. A chain from component to component of other instructions does not stand so.
  void find_chains() {
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

  /// With the packs known: chains whose factors are no components of two vectors stay what they are.
  void choose_dots() {
    for (Dot& dot : dots_) {
      if (align_factors(dot)) continue;
      for (uint32_t l = 0; l < dot.size; ++l) instructions_[dot.members[l]].dot = kNone;
    }
  }

  Id factor(const Dot& dot, uint32_t lane, uint32_t side) const {
    const uint32_t i = dot.members[lane];
    return word(i, first_operand(i) + side);
  }

  /// Are the factors of each side components of one vector? Factors may have changed sides from lane to lane.
  bool align_factors(Dot& dot) {
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
  Id vector_of(Id id) const { return in_function(id) ? values_[id].vector : 0; }

  Lanes factors(const Dot& dot, uint32_t side) const {
    Lanes lanes{};
    for (uint32_t l = 0; l < dot.size; ++l) lanes[l] = factor(dot, l, side);
    return lanes;
  }

  void write_dot(uint32_t i, const Dot& dot) {
    for (uint32_t l = 0; l + 1 < dot.size; ++l) builder_.forget(word(dot.members[l], 2));
    const Id a = gather(factors(dot, 0), dot.size);
    const Id b = gather(factors(dot, 1), dot.size);
    append(out_, spv::OpDot, {word(i, 1), word(i, 2), a, b});
  }

  // ---- forming packs ----

  /// Position of the first operand; 0: the instruction cannot be in a pack.
  uint8_t packable(uint32_t i) const {
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

  bool precise(uint32_t i) const { return instructions_[i].precise; }

  bool same_operation(uint32_t a, uint32_t b, uint32_t first) const {
    if (op(a) != op(b) || word(a, 1) != word(b, 1) || precise(a) != precise(b)) return false;
    if (first == 5 && word(a, 4) != word(b, 4)) return false;
    // Only of conversions between types of one size does the operation not tell the operand's type.
    return op(a) != spv::OpBitcast || type_of(word(a, first)) == type_of(word(b, first));
  }

  void form_packs() {
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

  uint32_t best_pack(uint32_t i, uint32_t first, uint32_t key) const {
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

  /// Instructions that gathering takes if `i` joins; kNone: it must not or should not.
  uint32_t join_cost(const Pack& pack, uint32_t i, uint32_t first) const {
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

  void join(uint32_t index, uint32_t i) {
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

  void add_lane(uint32_t index, uint32_t lane) {
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

  Gather classify(const Lanes& lanes, uint32_t count) const {
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

  static bool is_scaling(spv::Op what) { return what == spv::OpFMul; }

  Lanes lanes_of(const Pack& pack, uint32_t w) const {
    Lanes lanes{};
    for (uint32_t l = 0; l < pack.size; ++l) lanes[l] = word(pack.members[l], w);
    return lanes;
  }

  uint32_t first_operand(uint32_t i) const { return instructions_[i].first_operand; }

  /// OpCompositeConstruct of scalars: it gathers lanes too.
  bool is_gather(uint32_t i) const {
    if (op(i) != spv::OpCompositeConstruct || word_count(i) - 3 > kMostLanes || word_count(i) - 3 < 2)
      return false;
    for (uint32_t w = 3; w < word_count(i); ++w) {
      if (builder_.component_count(type_of(word(i, w))) != 1) return false;
    }
    return true;
  }
  Lanes lanes_of(uint32_t i) const {
    Lanes lanes{};
    for (uint32_t w = 3; w < word_count(i); ++w) lanes[w - 3] = word(i, w);
    return lanes;
  }

  // ---- choosing ----

  void use_lanes(const Lanes& lanes, uint32_t count, uint32_t change) {
    const Gather gather = classify(lanes, count);
    if (gather.kind == GatherKind::construct || gather.kind == GatherKind::splat) {
      for (uint32_t l = 0; l < count; ++l) use_scalar(lanes[l], change);
      return;
    }
    if (gather.first != 0) value(gather.first).vector_uses += change;
    if (gather.second != 0) value(gather.second).vector_uses += change;
  }
  void use_scalar(Id id, uint32_t change) {
    if (in_function(id)) value(id).scalar_uses += change;
  }

  void count_uses() {
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
  void use_operands(const Pack& pack, uint32_t change) {
    const uint32_t i = pack.members[0];
    for (uint32_t w = first_operand(i); w < word_count(i); ++w)
      use_lanes(lanes_of(pack, w), pack.size, change);
  }

  /// An extraction that is made where the vector is defined, if anything needs it.
  bool is_component(uint32_t i) const {
    return op(i) == spv::OpCompositeExtract && values_[word(i, 2)].vector != 0;
  }

  // Backwards: who uses a pack has been decided before it.
  bool prune() {
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

  /// Lanes that would have to be extracted for scalar operations and otherwise need not.
  int32_t extractions(const Lanes& lanes, uint32_t count) const {
    int32_t needed = 0;
    for (uint32_t l = 0; l < count; ++l) {
      const bool repeated = std::find(lanes.begin(), lanes.begin() + l, lanes[l]) != lanes.begin() + l;
      needed += !repeated && in_function(lanes[l]) && values_[lanes[l]].scalar_uses == 0 ? 1 : 0;
    }
    return needed;
  }

  void dissolve(uint32_t index) {
    Pack& pack = packs_[index];
    use_operands(pack, ~0u);
    for (uint32_t l = 0; l < pack.size; ++l) {
      const uint32_t i = pack.members[l];
      value(word(i, 2)).vector = 0;
      for (uint32_t w = first_operand(i); w < word_count(i); ++w) use_scalar(word(i, w), 1);
    }
    pack.dissolved = true;
  }

  // ---- writing ----

  void rewrite() {
    for (uint32_t i = 0; i < instructions_.size(); ++i) {
      const spv::Op what = op(i);
      if (what != spv::OpPhi && what != spv::OpLine) write_late_components();
      if (what == spv::OpLabel) gathered_.clear();
      const uint32_t index = instructions_[i].pack;
      if (index != kNone) {
        if (packs_[index].members[0] == i) write_pack(packs_[index]);
        continue;
      }
      if (const uint32_t dot = instructions_[i].dot; dot != kNone) {
        if (dots_[dot].members[dots_[dot].size - 1] == i) write_dot(i, dots_[dot]);
        continue;
      }
      if (is_component(i)) continue;
      if (is_gather(i) && write_gather(i)) continue;
      copy(i);
      if (what == spv::OpPhi) {
        late_.push_back(word(i, 2));
      } else {
        if (instructions_[i].has_value) write_components(word(i, 2));
      }
    }
  }

  void copy(uint32_t i) {
    const size_t start = out_.size();
    const uint32_t* const words = code_.data() + instructions_[i].offset;
    out_.insert(out_.end(), words, words + word_count(i));
    for_each_operand(i, [&](uint32_t w) {
      Id& id = out_[start + w];
      if (in_function(id) && values_[id].alias != 0) id = values_[id].alias;
    });
  }

  // Phis stand together at the start of a block.
  void write_late_components() {
    for (const Id id : late_) write_components(id);
    late_.clear();
  }

  void write_components(Id vector) {
    for (Id id = values_[vector].first_component; id != 0; id = values_[id].next_component) {
      const Value& scalar = values_[id];
      if (scalar.vector != vector || scalar.scalar_uses == 0) continue;
      append(out_, spv::OpCompositeExtract, {scalar.type, id, vector, scalar.lane});
    }
  }

  void write_pack(const Pack& pack) {
    if (pack.dissolved) {
      for (uint32_t l = 0; l < pack.size; ++l) copy(pack.members[l]);
      return;
    }
    // What decorated the scalars decorates the vector, and no extraction.
    for (uint32_t l = 0; l < pack.size; ++l) builder_.forget(word(pack.members[l], 2));
    const uint32_t i = pack.members[0];
    const uint32_t first = first_operand(i);
    std::array<uint32_t, 8> words{builder_.vector_type(word(i, 1), pack.size), pack.vector};
    uint32_t count = 2;
    spv::Op what = op(i);
    if (what == spv::OpExtInst) {
      words[count++] = word(i, 3);
      words[count++] = word(i, 4);
    }
    if (is_scaling(what) && write_scaling(pack, words)) {
      what = spv::OpVectorTimesScalar;
      count = 4;
    } else {
      for (uint32_t w = first; w < word_count(i); ++w) words[count++] = gather(lanes_of(pack, w), pack.size);
    }
    append(out_, what, std::span<const uint32_t>(words.data(), count));
    if (precise(i)) builder_.decorate(pack.vector, spv::DecorationNoContraction);
    value(pack.vector).type = words[0];
    write_components(pack.vector);
  }

  /// A vector times one scalar.
  bool write_scaling(const Pack& pack, std::array<uint32_t, 8>& words) {
    for (uint32_t side = 0; side < 2; ++side) {
      const Lanes lanes = lanes_of(pack, 3 + side);
      bool same = true;
      for (uint32_t l = 1; l < pack.size; ++l) same &= lanes[l] == lanes[0];
      if (!same || (in_function(lanes[0]) && values_[lanes[0]].vector != 0)) continue;
      words[2] = gather(lanes_of(pack, 4 - side), pack.size);
      words[3] = lanes[0];
      return true;
    }
    return false;
  }

  /// The lanes as one vector; made once a block.
  Id gather(const Lanes& lanes, uint32_t count) {
    const Gather how = classify(lanes, count);
    if (how.kind == GatherKind::vector) return how.first;
    const Id type = builder_.vector_type(type_of(lanes[0]), count);
    if (how.kind == GatherKind::constant) return builder_.composite(type, {lanes.data(), count});
    if (const Id known = gathered(lanes, count)) return known;
    const Id id = builder_.new_id();
    write_gathering(how, type, id, lanes, count);
    gathered_.push_back({lanes, count, id});
    return id;
  }

  /// Among the last ones of this block; 0: not there.
  Id gathered(const Lanes& lanes, uint32_t count) const {
    const size_t oldest = gathered_.size() - std::min<size_t>(gathered_.size(), kGatheredInReach);
    for (size_t g = gathered_.size(); g-- != oldest;) {
      if (gathered_[g].count == count && gathered_[g].lanes == lanes) return gathered_[g].vector;
    }
    return 0;
  }

  /// False: the instruction stays as it is.
  bool write_gather(uint32_t i) {
    const uint32_t count = word_count(i) - 3;
    const Lanes lanes = lanes_of(i);
    const Gather how = classify(lanes, count);
    const Id result = word(i, 2);
    if (how.kind == GatherKind::vector || how.kind == GatherKind::constant) {
      // No instruction: whoever uses the result uses that vector.
      value(result).alias = gather(lanes, count);
      builder_.forget(result);
      return true;
    }
    if (const Id known = gathered(lanes, count)) {
      value(result).alias = known;
      builder_.forget(result);
      return true;
    }
    write_gathering(how, word(i, 1), result, lanes, count);
    gathered_.push_back({lanes, count, result});
    return true;
  }

  void write_gathering(const Gather& how, Id type, Id id, const Lanes& lanes, uint32_t count) {
    std::array<uint32_t, 8> words{type, id};
    if (how.kind != GatherKind::shuffle) {
      std::copy_n(lanes.begin(), count, words.begin() + 2);
      return append(out_, spv::OpCompositeConstruct, {words.data(), count + 2});
    }
    words[2] = how.first;
    words[3] = how.second != 0 ? how.second : constants_among(lanes, count, how.first);
    const uint32_t size = vector_size(how.first);
    for (uint32_t l = 0; l < count; ++l) {
      const bool constant = is_constant(lanes[l]);
      const bool from_first = !constant && values_[lanes[l]].vector == how.first;
      words[4 + l] = from_first ? values_[lanes[l]].lane : size + (constant ? l : values_[lanes[l]].lane);
    }
    append(out_, spv::OpVectorShuffle, {words.data(), count + 4});
  }

  /// A constant vector that has the constants of `lanes` in their places; `otherwise` if there are none.
  Id constants_among(const Lanes& lanes, uint32_t count, Id otherwise) {
    Lanes constants{};
    Id any = 0;
    for (uint32_t l = 0; l < count; ++l) {
      if (is_constant(lanes[l])) any = lanes[l];
    }
    if (any == 0) return otherwise;
    for (uint32_t l = 0; l < count; ++l) constants[l] = is_constant(lanes[l]) ? lanes[l] : any;
    return builder_.composite(builder_.vector_type(type_of(any), count), {constants.data(), count});
  }

  static constexpr uint32_t kRecentSize = 128;
  static constexpr uint32_t kMostTries = 4;
  static constexpr size_t kGatheredInReach = 16;

  struct Gathered {
    Lanes lanes;
    uint32_t count;
    Id vector;
  };

  ModuleBuilder& builder_;
  Words& code_;
  std::pmr::vector<Value> values_;  // by id
  std::pmr::vector<Instruction> instructions_;
  std::pmr::vector<Pack> packs_;
  std::pmr::vector<Dot> dots_;
  std::pmr::vector<uint32_t> recent_;    // the newest pack by key
  std::pmr::vector<Gathered> gathered_;  // in this block
  std::pmr::vector<Id> late_;            // phis whose components are still to be written
  Words out_;
};

}  // namespace

void vectorize(ModuleBuilder& builder, Words& code, std::pmr::memory_resource* memory) {
  Vectorizer(builder, code, memory).run();
}

}  // namespace texlate::spirv
