// The ids that IR values have in a function.
#pragma once

#include <array>
#include <bit>

#include "backend/spirv/derived_values.h"
#include "backend/spirv/infer_types.h"

namespace texlate::spirv {

constexpr uint32_t kMostLanes = 4;

// Constants that operations take and the IR does not name; used instead of values.
constexpr ir::Value kLiteralZero(0xfffffff0u), kLiteralOne(0xfffffff1u), kLiteralOnes(0xfffffff2u);
constexpr bool is_literal(ir::Value value) {
  return value >= kLiteralZero;
}

using Lanes = std::array<ir::Value, kMostLanes>;

/// Values that become one vector.
struct Group {
  Lanes lanes;
  std::array<uint32_t, kMostLanes> parts;  // of the lanes, see Values::part_of()
};

/// How they are combined: they are a vector already, constants, components of one or two vectors, or what
/// remains.
enum class GatherKind : uint8_t { vector, constant, shuffle, construct };

class Values {
 public:
  /// `vectors`: false composes all vectors from components, as a reference for tests.
  Values(const ir::Module& module, ModuleBuilder& builder, FunctionBody& body, bool vectors,
         std::pmr::monotonic_buffer_resource& arena);

  /// Called before the first definition. `operations`: so many follow.
  void set(const ValueTypes& types, const ValueNeeds& needs, size_t operations) {
    types_ = types;
    needs_ = needs;
    derived_.expect(operations / 2);
  }
  const ValueTypes& types() const { return types_; }
  const ValueNeeds& needs() const { return needs_; }
  ValueNeeds& needs() { return needs_; }
  Kind kind(ir::Value value) const { return types_.kind[value]; }
  /// As what instructions take and return a value: 32 bits as their kind says.
  As form(ir::Value value) const {
    const ir::Type type = module_.values[value].type;
    return type == ir::Type::b1 ? As::boolean : type == ir::Type::b64 ? As::double_ : as_of(kind(value));
  }
  bool is_used(ir::Value value) const { return needs_.is_used(value); }

  /// The id of a value, which may be a literal; constants get theirs here.
  Id use(ir::Value value, As as) {
    if (!is_literal(value)) [[likely]] {
      const Id known = ids_[value].as(as);
      if (known != Id::none) [[likely]]
        return known;
    }
    return first_use(value, as);
  }
  // Several as one vector: 2 to 4 lanes, which may be literals
  /// Which component of which vector, in one number; 0: of none. Instead of it kConstant, or kUndefined for
  /// what has not been written yet.
  static constexpr uint32_t kConstant = 0xffffffffu, kUndefined = 0xfffffffeu;
  static bool is_part(uint32_t part) { return part != 0 && part < kUndefined; }
  uint32_t part_of(ir::Value value) const {
    if (is_literal(value)) return kConstant;
    const Ids& ids = ids_[value];
    if (ids.lane != 0) return ids.lane;
    if (module_.is_constant(value)) return kConstant;
    return ids.float_ != Id::none || ids.uint != Id::none ? 0 : kUndefined;
  }
  /// Of the result of an operation.
  bool is_defined(ir::Value result) const {
    const Ids& ids = ids_[result];
    return (ids.lane | word_of(ids.float_) | word_of(ids.uint)) != 0;
  }
  /// Does nothing need that component as a scalar so far?
  bool is_extracted(uint32_t part) const { return derived_.is_extracted(part / 4 - 1, part % 4); }
  /// Lanes that were combined into a vector in a block of the function; the lanes beyond are kNoValue.
  struct Gathered {
    Lanes lanes;
    As as;
    Id block;  // kAnywhere: all lanes are constants
    Id vector;

    bool is(const Lanes& other, As form) const {
      using Pairs = std::array<uint64_t, 2>;
      return as == form && std::bit_cast<Pairs>(lanes) == std::bit_cast<Pairs>(other);
    }
  };
  /// What is known about the lanes, and what follows from it.
  struct Gather {
    GatherKind kind;
    bool differ;             // not all lanes are the same value
    uint32_t first, second;  // 1 + the vectors with components in the lanes; 0: none
    Gathered* place;         // where it is known, or will be; null: for a whole vector
  };
  Gather look(Group& group, uint32_t count, As as) {
    const uint32_t part = group.parts[0];
    if (is_part(part) && part % 4 == 0 && joins_) {
      uint32_t l = 1;
      while (l < count && group.parts[l] == part + l) ++l;
      if (l == count && size_of(part) == count) return {GatherKind::vector, true, part / 4, 0, nullptr};
    }
    return look_closer(group, count, as);
  }
  /// Needs it no instruction?
  bool is_known(const Group& group, const Gather& gather, As as) const {
    return gather.kind <= GatherKind::constant || is_in(*gather.place, group.lanes, as);
  }
  Id vector(const Group& group, uint32_t count, As as, const Gather& gather) {
    return gather.kind == GatherKind::vector ? derived_.id(gather.first - 1, as)
                                             : compose(group, count, as, gather);
  }
  Id vector(std::span<const ir::Value> lanes, As as);
  /// The same for instructions that accept a longer vector: one that was loaded at entry and starts with the
  /// lanes, or otherwise as above.
  Id prefix(std::span<const ir::Value> lanes, As as);

  /// The value is `id`, in this form; if something needs it as the other kind, that is made here too.
  void define(ir::Value value, As as, Id id) {
    const bool is_float = is_float_form(as);
    ids_[value] = {is_float ? id : Id::none, is_float ? Id::none : id, 0, derived_.here()};
  }
  /// A vector that has been defined, see DerivedValues::add(); the value is a component of it.
  uint32_t add_vector(Id id, uint32_t size, As as) { return derived_.add(id, size, as); }
  void define_lane(ir::Value value, uint32_t vector, uint32_t lane) {
    ids_[value] = {Id::none, Id::none, (vector + 1) << 2 | lane, {}};
  }
  Id component(uint32_t vector, uint32_t lane, As as) { return derived_.component(vector, lane, as); }
  /// If something needs the value, which has just been defined, as the other kind, that is made here and not
  /// there: phis must be consecutive.
  void move_definition(ir::Value value) { ids_[value].place = derived_.here(); }
  /// `result` is `value`, in a block that only the block of `value` leads to.
  void define_same(ir::Value result, ir::Value value);
  /// Returns the words of the function's body; forgets what were components of its vectors.
  Words& finish_function() { return derived_.finish(); }

 private:
  static bool is_float_form(As as) { return as == As::float_ || as == As::double_; }
  struct Ids {
    Id float_;                   // of a b64: the double; none: there is none yet
    Id uint;                     // of a b1: the boolean; likewise
    uint32_t lane;               // (the number of a vector + 1) * 4 + component; 0: it is no component
    DerivedValues::Place place;  // of the definition of a b32 that is no component

    Id& as(As form) { return is_float_form(form) ? float_ : uint; }
  };
  static constexpr Id kAnywhere{0xffffffffu};
  static constexpr uint32_t kGatheredBits = 7;
  bool is_valid(const Gathered& known) const {
    return known.block == body_.block() || known.block == kAnywhere;
  }
  bool is_in(const Gathered& place, const Lanes& lanes, As as) const {
    return place.is(lanes, as) && is_valid(place);
  }
  Gathered& place_of(const Lanes& lanes, As as);

  bool is_constant(ir::Value value) const { return is_literal(value) || module_.is_constant(value); }
  bool is_zero(ir::Value value) const {
    return is_literal(value) ? value == kLiteralZero : module_.values[value].bits == 0;  // of a constant
  }
  Group group_of(std::span<const ir::Value> lanes) const;
  Gather look_closer(Group& group, uint32_t count, As as);
  Id compose(const Group& group, uint32_t count, As as, const Gather& gather);
  Id constants(const Lanes& lanes, uint32_t count, As as);
  Id shuffle(const Group& group, uint32_t count, As as, const Gather& gather);
  Id construct(const Group& group, uint32_t count, As as);
  uint32_t lane_to_insert(const Group& group, uint32_t count) const;
  uint32_t whole_vector_at(const Group& group, uint32_t count, uint32_t first) const;
  uint32_t size_of(uint32_t part) const { return derived_.size(part / 4 - 1); }
  Id constants_among(const Lanes& lanes, uint32_t count, As as, Id otherwise);

  Id first_use(ir::Value value, As as);
  Id constant(ir::Value value, As as);

  const ir::Module& module_;
  ModuleBuilder& builder_;
  FunctionBody& body_;
  ValueTypes types_;
  ValueNeeds needs_;
  Ids* ids_;  // by value
  const bool joins_;
  DerivedValues derived_;
  Gathered* gathered_;  // 1 << kGatheredBits of them
};

}  // namespace texlate::spirv
