// The state of vectorize(): what is known of a function's ids, its packs and its dot products.
// vectorize.cpp reads and writes the function, form_packs.cpp decides what goes together.
#pragma once

#include <algorithm>
#include <array>

#include "backend/spirv/component_wise.h"
#include "backend/spirv/instruction_layout.h"
#include "backend/spirv/vectorize.h"

namespace texlate::spirv {

constexpr uint32_t kMostLanes = 4;

using Lanes = std::array<Id, kMostLanes>;  // 0 behind the last one

/// How the lanes of an operand become one vector.
enum class GatherKind : uint8_t { vector, constant, splat, shuffle, construct };

/// What is known of the lanes of an operand, lane by lane, and what follows once they are all known.
struct Gather {
  static constexpr uint8_t kConstants = 1;  // among the lanes
  static constexpr uint8_t kScalars = 2;    // neither constants nor components of `first` and `second`
  static constexpr uint8_t kDiffer = 4;     // not all lanes are one id
  static constexpr uint8_t kMoved = 8;      // some component is in a different lane than in its vector

  Id first, second;  // the vectors whose components stand in lanes
  uint8_t flags;
  GatherKind kind;

  /// One of them at least.
  bool has(uint8_t wanted) const { return (flags & wanted) != 0; }
  bool from_vectors() const { return kind == GatherKind::vector || kind == GatherKind::shuffle; }
};

class Vectorizer {
 public:
  Vectorizer(ModuleBuilder& builder, std::span<uint32_t> code, std::pmr::memory_resource* memory)
      : builder_(builder),
        code_(code),
        scratch_(memory),
        values_(&scratch_),
        instructions_(&scratch_),
        packs_(&scratch_),
        gathers_(&scratch_),
        dots_(&scratch_),
        constructs_(&scratch_),
        gathered_(&scratch_),
        out_(memory) {
    // An instruction of a pack has four words at least, and a pack of two or more has one id more.
    values_.reserve(builder.bound() + code.size() / 8);
    instructions_.reserve(code.size() / 4);
    packs_.reserve(code.size() / 8);
    recent_.fill(kNone);
    out_.reserve(code.size());
  }

  /// The words that take the place of `code`.
  Words& run();

 private:
  static constexpr uint32_t kNone = 0xffffffffu;

  enum class State : uint8_t {
    usual,
    constant,
    dissolved,  // the vector of a pack whose members stand together at its place, as scalars
    replaced,   // `vector` takes its place
  };
  /// What is known of an id; all zeros: nothing.
  struct Value {
    Id type;            // of constants and what the function defines
    uint32_t at;        // 1 + where it is defined, or the first member of its pack; 0: not in the function
    uint32_t uses;      // by itself; vectors of packs: as a whole
    Id vector;          // it is component `lane` of this vector
    Id next_component;  // the scalars that are components of a vector are chained, the vector first
    uint8_t lane;
    uint8_t size;  // of a vector whose components may be taken where it is defined
    State state;
  };

  // An instruction is known by the position of its first word in code_.
  enum class Role : uint8_t {
    label,
    vector,     // defines a vector
    component,  // extracts one: made where the vector is defined, if anything needs it
    construct,  // of scalars
    operation,  // may be in a pack; not in a dot product
    dot,
  };
  /// One that takes part; the others are copied unchanged.
  struct Instruction {
    uint32_t at;
    Role role;
    bool precise = false;
    uint32_t index = kNone;  // of its pack, dot product or construct
  };
  using Gathers = std::array<Gather, kMostOperands>;
  struct Pack {
    uint64_t operation;  // see operation_of()
    std::array<uint32_t, kMostLanes> members;
    uint32_t previous;  // the pack before this one with the same key
    Id vector;          // 0: a pack of one
    uint8_t size;
    uint8_t first_operand;  // word of it
    uint8_t operands;
    bool precise;
    uint32_t gathers;  // of its operands, in gathers_; a pack of one has none
  };
  /// A sum of products of the components of two vectors: members are OpFMul, then Fma with the one before as
  /// its addend; the last one's result is the dot product.
  struct Dot {
    std::array<uint32_t, kMostLanes> members{};
    uint32_t size = 0;
    bool chosen = false;              // otherwise the chain stays what it is
    std::array<Gather, 2> gathers{};  // of each side
  };
  /// OpCompositeConstruct of scalars: it gathers lanes too.
  struct Construct {
    uint32_t at;
    uint32_t size;
    Gather gather;
  };

  // ---- reading ----

  spv::Op op(uint32_t at) const { return static_cast<spv::Op>(code_[at] & 0xffff); }
  uint32_t word_count(uint32_t at) const { return code_[at] >> 16; }
  uint32_t result(uint32_t at) const { return code_[at + 2]; }
  uint32_t first_operand(uint32_t at) const { return at + spirv::first_operand(op(at)); }

  Id type_of(Id id) const { return values_[id].type; }
  bool is_constant(Id id) const { return values_[id].state == State::constant; }
  bool is_dissolved(Id vector) const { return values_[vector].state == State::dissolved; }

  /// Words that are ids; what lies between is literal.
  template <typename Word, typename Visit>
  static void for_each_operand(Word* words, const Layout& layout, Visit visit) {
    const uint32_t last = std::min<uint32_t>(words[0] >> 16, layout.first + layout.operands);
    for (uint32_t w = layout.first; w < last; ++w) {
      if (w != layout.literal) visit(words[w]);
    }
  }

  void decode();

  void define(uint32_t at, Form form);

  void make_component(Id scalar, Id vector, uint32_t lane);

  /// OpCompositeConstruct of scalars that may be a vector.
  bool is_gather(uint32_t at) const;

  // ---- dot products ----

  bool is_fma(uint32_t at) const { return op(at) == spv::OpExtInst && code_[at + 4] == GLSLstd450Fma; }

  /// A chain of a product and sums that stand one behind the other, as a dot product is written; it takes no
  /// part in packs. A chain from component to component of other instructions does not stand so.
  bool find_chain(uint32_t first);

  /// With the packs known: chains whose factors are no components of two vectors stay what they are.
  void choose_dots();

  /// Are the factors of each side components of one vector? Factors may have changed sides from lane to lane.
  bool align_factors(const Dot& dot);

  // ---- forming packs ----

  /// Equal where instructions do the same with other operands.
  uint64_t operation_of(const Instruction& instruction) const;

  void form_packs();

  /// Among the newest ones of a key: the pack of the block that takes least to join, and the gathers of its
  /// operands then; kNone: there is none.
  uint32_t best_pack(uint32_t at, uint32_t block, uint64_t operation, uint32_t newest,
                     Gathers& gathers) const;

  /// Instructions that gathering takes if the one at `at` joins; kNone: it should not.
  uint32_t join_cost(const Pack& pack, uint32_t at, Gathers& gathers) const;

  /// An operand's gather if the one at `at` joins. Of a pack of one nothing is kept: its operands may become
  /// components of vectors after it.
  Gather gather_with(const Pack& pack, uint32_t at, uint32_t operand) const {
    const Id id0 = operand_of(pack, 0, operand), id = code_[at + pack.first_operand + operand];
    Gather gather{};
    if (pack.size == 1) {
      add_lane(gather, id0, 0);
    } else {
      gather = gathers_[pack.gathers][operand];
    }
    if (id != id0) gather.flags |= Gather::kDiffer;
    add_lane(gather, id, pack.size);
    return gather;
  }

  void join(Pack& pack, uint32_t at, const Gathers& gathers);

  void add_member(Pack& pack, uint32_t at);

  // ---- gathering ----

  static bool is_scaling(spv::Op what) { return what == spv::OpFMul; }

  void add_lane(Gather& gather, Id id, uint32_t lane) const {
    const Value& known = values_[id];
    if (known.vector == 0) {
      gather.flags |= known.state == State::constant ? Gather::kConstants : Gather::kScalars;
      return;
    }
    if (known.lane != lane) gather.flags |= Gather::kMoved;
    if (gather.first == 0 || gather.first == known.vector) {
      gather.first = known.vector;
    } else if (gather.second == 0 || gather.second == known.vector) {
      gather.second = known.vector;
    } else {
      gather.flags |= Gather::kScalars;
    }
  }
  GatherKind kind_of(const Gather& gather, uint32_t count) const {
    if (gather.first == 0) {
      if (!gather.has(Gather::kScalars)) return GatherKind::constant;
      return gather.has(Gather::kDiffer) ? GatherKind::construct : GatherKind::splat;
    }
    const uint8_t apart = gather.second != 0 ? Gather::kScalars | Gather::kConstants : Gather::kScalars;
    if (gather.has(apart)) return GatherKind::construct;
    const bool in_place = gather.second == 0 && !gather.has(Gather::kMoved | Gather::kConstants);
    return in_place && values_[gather.first].size == count ? GatherKind::vector : GatherKind::shuffle;
  }
  Gather classify(const Lanes& lanes, uint32_t count) const;

  uint32_t operand_of(const Pack& pack, uint32_t lane, uint32_t operand) const {
    return code_[pack.members[lane] + pack.first_operand + operand];
  }
  Lanes lanes_of(const Pack& pack, uint32_t operand) const {
    Lanes lanes{};
    for (uint32_t l = 0; l < pack.size; ++l) lanes[l] = operand_of(pack, l, operand);
    return lanes;
  }
  Lanes lanes_of(const Dot& dot, uint32_t side) const;
  Lanes lanes_of(const Construct& construct) const;

  // ---- choosing ----

  /// With the packs and dot products known: what is gathered how. Uses become those of the result.
  void choose_gathers();

  /// What comes with its vector is not used by itself.
  void use_vectors(const Gather& gather, const Lanes& lanes, uint32_t count);
  void use_scalars(const Gather& gather, const Lanes& lanes, uint32_t count);

  /// Dissolves packs that are not worth their gathers and extractions.
  bool prune();

  bool is_worth_it(const Pack& pack) const;

  /// Lanes that would have to be extracted for scalar operations and otherwise need not.
  int32_t extractions(const Lanes& lanes, uint32_t count) const;

  void dissolve(const Pack& pack);

  /// What took a dissolved pack's vector takes its scalars.
  void leave_dissolved();

  // ---- writing ----

  void rewrite();

  /// Everything before `end` that has been neither copied nor skipped.
  void copy_until(uint32_t end);

  /// What is replaced gives way to its vector.
  void replace_operands(uint32_t begin, uint32_t end);

  void leave_out(uint32_t at) {
    if (at != next_) copy_until(at);
    next_ = at + word_count(at);
  }

  /// What defines a vector, with the components that something needs.
  void write_vector(uint32_t at);

  void write_components(Id vector);

  void write_pack(const Pack& pack);

  /// A vector times one scalar.
  bool write_scaling(const Pack& pack, std::array<uint32_t, 8>& words);

  void write_dot(const Dot& dot);

  void write_construct(const Construct& construct);

  /// Uses of the id are replaced by that vector.
  void replace(Id id, Id vector);

  /// The lanes as one vector; made once a block.
  Id gather(const Gather& how, const Lanes& lanes, uint32_t count);

  /// Among the last ones of this block; 0: not there.
  Id gathered(const Lanes& lanes) const;

  void write_gathering(const Gather& how, Id type, Id id, const Lanes& lanes, uint32_t count);

  /// A constant vector that has the constants of `lanes` in their places; `otherwise` if there are none.
  Id constants_among(const Lanes& lanes, uint32_t count, Id otherwise);

  static constexpr uint32_t kRecentSize = 128;
  static constexpr uint32_t kMostTries = 2;
  static constexpr size_t kGatheredInReach = 16;

  struct Gathered {
    Lanes lanes;
    Id vector;
  };

  ModuleBuilder& builder_;
  const std::span<uint32_t> code_;
  std::pmr::monotonic_buffer_resource scratch_;
  Buffer<Value> values_;  // by id
  Buffer<Instruction> instructions_;
  std::pmr::vector<Pack> packs_;
  std::pmr::vector<Gathers> gathers_;
  std::pmr::vector<Dot> dots_;
  std::pmr::vector<Construct> constructs_;
  std::array<uint32_t, kRecentSize> recent_;  // the newest pack by key
  Buffer<Gathered> gathered_;                 // in this block
  uint32_t next_ = 0;                         // everything before it has been copied or skipped
  uint32_t replaced_uses_ = 0;                // of ids that are replaced, behind next_
  Words out_;
};

}  // namespace texlate::spirv
