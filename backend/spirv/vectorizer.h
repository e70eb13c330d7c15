// The state of vectorize(): what is known of a function's ids, its packs and its dot products.
// vectorize.cpp reads and writes the function, form_packs.cpp decides what goes together.
#pragma once

#include <algorithm>
#include <array>

#include "backend/spirv/component_wise.h"
#include "backend/spirv/vectorize.h"

namespace texlate::spirv {

constexpr uint32_t kMostLanes = 4;

using Lanes = std::array<Id, kMostLanes>;

/// How the lanes of an operand become one vector.
enum class GatherKind : uint8_t { vector, constant, splat, shuffle, construct };

struct Gather {
  GatherKind kind = GatherKind::construct;
  Id first = 0, second = 0;  // shuffle: the vectors; second 0: constants where there are any
};

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

  void run();

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  static constexpr uint32_t kMostOperands = 3;

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
  uint32_t vector_size(Id vector) const;

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

  void decode();

  void define(uint32_t index, spv::Op what, uint32_t at);

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
  uint8_t packable(uint32_t i) const;

  bool precise(uint32_t i) const { return instructions_[i].precise; }

  bool same_operation(uint32_t a, uint32_t b, uint32_t first) const;

  void form_packs();

  uint32_t best_pack(uint32_t i, uint32_t first, uint32_t key) const;

  /// Instructions that gathering takes if `i` joins; kNone: it must not or should not.
  uint32_t join_cost(const Pack& pack, uint32_t i, uint32_t first) const;

  void join(uint32_t index, uint32_t i);

  void add_lane(uint32_t index, uint32_t lane);

  // ---- gathering ----

  Gather classify(const Lanes& lanes, uint32_t count) const;

  static bool is_scaling(spv::Op what) { return what == spv::OpFMul; }

  Lanes lanes_of(const Pack& pack, uint32_t w) const;

  uint32_t first_operand(uint32_t i) const { return instructions_[i].first_operand; }

  /// OpCompositeConstruct of scalars: it gathers lanes too.
  bool is_gather(uint32_t i) const;
  Lanes lanes_of(uint32_t i) const;

  // ---- choosing ----

  void use_lanes(const Lanes& lanes, uint32_t count, uint32_t change);
  void use_scalar(Id id, uint32_t change);

  void count_uses();
  void use_operands(const Pack& pack, uint32_t change);

  /// An extraction that is made where the vector is defined, if anything needs it.
  bool is_component(uint32_t i) const;

  bool prune();

  /// Lanes that would have to be extracted for scalar operations and otherwise need not.
  int32_t extractions(const Lanes& lanes, uint32_t count) const;

  void dissolve(uint32_t index);

  // ---- writing ----

  void rewrite();

  void copy(uint32_t i);

  void write_late_components();

  void write_components(Id vector);

  void write_pack(const Pack& pack);

  /// A vector times one scalar.
  bool write_scaling(const Pack& pack, std::array<uint32_t, 8>& words);

  /// The lanes as one vector; made once a block.
  Id gather(const Lanes& lanes, uint32_t count);

  /// Among the last ones of this block; 0: not there.
  Id gathered(const Lanes& lanes, uint32_t count) const;

  /// False: the instruction stays as it is.
  bool write_gather(uint32_t i);

  void write_gathering(const Gather& how, Id type, Id id, const Lanes& lanes, uint32_t count);

  /// A constant vector that has the constants of `lanes` in their places; `otherwise` if there are none.
  Id constants_among(const Lanes& lanes, uint32_t count, Id otherwise);

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

}  // namespace texlate::spirv
