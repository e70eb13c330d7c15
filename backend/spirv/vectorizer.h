// The state of vectorize(): what is known of a function's ids, its packs and its dot products.
// vectorize.cpp reads and writes the function, form_packs.cpp decides what goes together.
#pragma once

#include <algorithm>
#include <array>

#include "backend/spirv/component_wise.h"
#include "backend/spirv/vectorize.h"
#include "ir/base/zeroed.h"

namespace texlate::spirv {

constexpr uint32_t kMostLanes = 4;

using Lanes = std::array<Id, kMostLanes>;

/// How the lanes of an operand become one vector.
enum class GatherKind : uint8_t { vector, constant, splat, shuffle, construct };

/// What is known of the lanes of an operand, lane by lane.
struct LaneSet {
  Id lane0 = 0;
  Id first = 0, second = 0;  // the vectors whose components stand in lanes
  bool constants = false, scalars = false;
  bool differ = false;  // not all lanes are one id
  bool moved = false;   // some component stands in another lane than in its vector
  bool many = false;    // more than two vectors
};

struct Gather {
  GatherKind kind = GatherKind::construct;
  Id first = 0, second = 0;  // shuffle: the vectors; second 0: constants where there are any
};

class Vectorizer {
 public:
  Vectorizer(ModuleBuilder& builder, Words& code, std::pmr::memory_resource* memory)
      : builder_(builder),
        code_(code),
        scratch_(memory),
        instructions_(&scratch_),
        packs_(&scratch_),
        dots_(&scratch_),
        gathered_(&scratch_),
        late_(&scratch_),
        out_(memory) {
    instructions_.reserve(code.size() / 4);
    packs_.reserve(code.size() / 8);
    recent_.fill(kNone);
    out_.reserve(code.size());
  }

  void run();

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  static constexpr uint32_t kMostOperands = 3;

  /// What is known of an id that the function defines; all zeros: nothing.
  struct alignas(32) Value {
    Id type;
    uint32_t at;         // the instruction where it is defined, its pack's first one if it has one
    Id vector;           // it is component `lane` of this vector
    Id first_component;  // vectors: scalars that are components of it, chained by next_component
    Id next_component;
    Id alias;  // this vector is another one
    uint8_t lane;
    uint8_t size;    // of the vector of a pack
    bool defined;    // in this function
    bool dissolved;  // the vector of a pack whose members stand together at its place, as scalars
  };
  struct alignas(32) Instruction {
    uint32_t offset;
    uint32_t block = 0;
    uint32_t pack = kNone;
    uint32_t dot = kNone;
    uint16_t op = 0;
    uint16_t words = 0;
    // Words that are ids: [first, last) but for `skip`.
    uint16_t first = 0, last = 0;
    uint8_t skip = 0;
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
    uint64_t operation;                        // see operation_of()
    std::array<uint32_t, kMostLanes> members;  // instructions
    uint32_t size;
    uint32_t block;
    uint32_t previous;  // the pack before this one with the same key
    Id vector = 0;      // 0: a pack of one
    using LaneSets = std::array<LaneSet, kMostOperands>;
    LaneSets lanes{};                             // of each operand
    std::array<Gather, kMostOperands> gathers{};  // of each operand, from count_uses() on
  };

  // ---- reading ----

  spv::Op op(uint32_t i) const { return static_cast<spv::Op>(instructions_[i].op); }
  uint32_t word_count(uint32_t i) const { return instructions_[i].words; }
  uint32_t word(uint32_t i, uint32_t w) const { return code_[instructions_[i].offset + w]; }
  Value& value(Id id) { return values_[id]; }

  bool in_function(Id id) const { return id < values_.size() && values_[id].defined; }
  Id type_of(Id id) const { return in_function(id) ? values_[id].type : builder_.global_type(id); }
  bool is_constant(Id id) const { return !in_function(id) && builder_.is_constant(id); }
  uint32_t vector_size(Id vector) const;

  /// Words that are ids, as word positions; what lies between is literal.
  template <typename Visit>
  void for_each_operand(const Instruction& instruction, Visit visit) const {
    for (uint32_t w = instruction.first; w < instruction.last; ++w) {
      if (w != instruction.skip) visit(w);
    }
  }
  static void find_operands(Instruction& instruction);

  void decode();

  void define(Instruction& instruction, uint32_t index);

  void component_of(Id scalar, Id vector, uint32_t lane);

  // ---- dot products ----

  bool is_fma(uint32_t i) const { return op(i) == spv::OpExtInst && word(i, 4) == GLSLstd450Fma; }

  /// Chains of a product and sums that stand one behind the other, as a dot product is written; they take no
  /// part in packs. A chain from component to component of other instructions does not stand so.
  void find_chains();

  /// With the packs known: chains whose factors are no components of two vectors stay what they are.
  void choose_dots();

  Id factor(const Dot& dot, uint32_t lane, uint32_t side) const;

  /// Are the factors of each side components of one vector? Factors may have changed sides from lane to lane.
  bool align_factors(Dot& dot);
  Id vector_of(Id id) const { return in_function(id) ? values_[id].vector : 0; }

  Lanes factors(const Dot& dot, uint32_t side) const;

  void write_dot(uint32_t i, const Dot& dot);

  // ---- forming packs ----

  /// Position of the first operand; 0: the instruction cannot be in a pack.
  uint8_t packable(const Instruction& instruction) const;

  bool precise(uint32_t i) const { return instructions_[i].precise; }

  /// Equal where instructions do the same with other operands.
  uint64_t operation_of(uint32_t i) const;

  void form_packs();

  /// The pack that takes least to join, kNone if there is none, and the lanes of its operands then.
  uint32_t best_pack(uint32_t i, uint64_t operation, uint32_t key, Pack::LaneSets& lanes) const;

  /// Instructions that gathering takes if `i` joins; kNone: it must not or should not.
  uint32_t join_cost(const Pack& pack, uint32_t i, Pack::LaneSets& lanes) const;
  LaneSet lanes_with(const Pack& pack, uint32_t i, uint32_t w) const;

  void join(uint32_t index, uint32_t i, const Pack::LaneSets& lanes);

  void add_lane(const Pack& pack, uint32_t index, uint32_t lane);

  // ---- gathering ----

  void add_lane(LaneSet& set, Id id, uint32_t lane) const;
  Gather classify(const LaneSet& set, uint32_t count) const;
  Gather classify(const Lanes& lanes, uint32_t count) const;
  Gather classify(Pack& pack, uint32_t operand) const;

  static bool is_scaling(spv::Op what) { return what == spv::OpFMul; }

  Lanes lanes_of(const Pack& pack, uint32_t w) const;

  uint32_t first_operand(uint32_t i) const { return instructions_[i].first_operand; }

  /// OpCompositeConstruct of scalars: it gathers lanes too.
  bool is_gather(uint32_t i) const;
  Lanes lanes_of(uint32_t i) const;

  // ---- choosing ----

  void use_lanes(const Gather& gather, const Lanes& lanes, uint32_t count, uint32_t change);
  void use_scalar(Id id, uint32_t change) {
    if (id < values_.size()) scalar_uses_[id] += change;
  }

  void count_uses();
  void use_operands(const Pack& pack, uint32_t change);

  /// An extraction that is made where the vector is defined, if anything needs it.
  bool is_component(uint32_t i) const;

  bool prune();

  /// Lanes that would have to be extracted for scalar operations and otherwise need not.
  int32_t extractions(const Lanes& lanes, uint32_t count) const;

  void dissolve(const Pack& pack);
  bool is_dissolved(const Pack& pack) const { return values_[pack.vector].dissolved; }

  // ---- writing ----

  void rewrite();

  void copy(uint32_t i);

  void write_late_components();

  void write_components(Id vector);

  void write_pack(const Pack& pack);

  /// A vector times one scalar.
  bool write_scaling(const Pack& pack, std::array<uint32_t, 8>& words);

  /// The lanes as one vector; made once a block.
  Id gather(const Gather& how, const Lanes& lanes, uint32_t count);

  /// Among the last ones of this block; 0: not there.
  Id gathered(const Lanes& lanes, uint32_t count) const;

  /// False: the instruction stays as it is.
  bool write_gather(uint32_t i);

  void write_gathering(const Gather& how, Id type, Id id, const Lanes& lanes, uint32_t count);

  /// A constant vector that has the constants of `lanes` in their places; `otherwise` if there are none.
  Id constants_among(const Lanes& lanes, uint32_t count, Id otherwise);

  static constexpr uint32_t kRecentSize = 128;
  static constexpr uint32_t kMostTries = 2;
  static constexpr size_t kGatheredInReach = 16;

  struct Gathered {
    Lanes lanes;
    uint32_t count;
    Id vector;
  };

  ModuleBuilder& builder_;
  Words& code_;
  std::pmr::monotonic_buffer_resource scratch_;
  // By id, of those that the function defines and the vectors of packs.
  std::span<Value> values_;
  std::span<uint32_t> scalar_uses_, vector_uses_;
  std::pmr::vector<Instruction> instructions_;
  std::pmr::vector<Pack> packs_;
  std::pmr::vector<Dot> dots_;
  std::array<uint32_t, kRecentSize> recent_;  // the newest pack by key
  std::pmr::vector<Gathered> gathered_;       // in this block
  std::pmr::vector<Id> late_;                 // phis whose components are still to be written
  bool has_aliases_ = false;
  Words out_;
};

}  // namespace texlate::spirv
