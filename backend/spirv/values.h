// The ids that IR values have in a function.
#pragma once

#include <array>
#include <bit>

#include "backend/spirv/derived_values.h"
#include "backend/spirv/packs.h"
#include "ir/base/diagnostics.h"

namespace texlate::spirv {

class Values {
 public:
  /// `vectors`: false composes all vectors from components, as a reference for tests.
  Values(const ir::Module& module, ModuleBuilder& builder, FunctionBody& body, bool vectors,
         std::pmr::monotonic_buffer_resource& arena);

  /// Called before the first definition.
  void set(const ValueTypes& types, const ValueNeeds& needs) {
    types_ = types;
    needs_ = needs;
  }
  const ValueTypes& types() const { return types_; }
  const ValueNeeds& needs() const { return needs_; }
  ValueNeeds& needs() { return needs_; }
  Kind kind(ir::Value value) const { return types_.kind[value]; }
  bool is_used(ir::Value value) const { return needs_.is_used(value); }
  /// The SPIR-V type of a value.
  Id type(ir::Value value);

  // The id of a value; constants get theirs here.
  Id as_float(ir::Value value) { return use(value, Kind::float_); }
  Id as_uint(ir::Value value) { return use(value, Kind::uint); }
  Id as_bool(ir::Value value);
  Id as_double(ir::Value value);
  Id use(ir::Value value, Kind kind) {
    const Id known = kind == Kind::float_ ? ids_[value].float_ : ids_[value].uint;
    return known != 0 ? known : first_use(value, kind);
  }
  /// The id of a value that may be a literal of packs.h.
  Id use(ir::Value value, As as) {
    if (!is_literal(value)) [[likely]] {
      const Ids& ids = ids_[value];
      const Id known = as == As::float_ || as == As::double_ ? ids.float_ : ids.uint;
      if (known != 0) [[likely]]
        return known;
    }
    return first_use(value, as);
  }
  /// Several as one vector: 2 to 4 lanes, which may be literals.
  Id vector(std::span<const ir::Value> lanes, As as);
  /// The same for instructions that accept a longer vector: one that was loaded at entry and starts with the
  /// lanes, or otherwise as above.
  Id prefix(std::span<const ir::Value> lanes, As as);
  /// As its type requires; 32-bit values with that kind.
  Id use_as(ir::Value value, ir::Type type, Kind kind);

  /// The value is `id`; if something needs it as the other kind, that is made here too.
  void define(ir::Value value, Kind kind, Id id) {
    const DerivedValues::Place place = derived_.here();
    ids_[value] = kind == Kind::float_ ? Ids{id, 0, 0, place} : Ids{0, id, 0, place};
  }
  /// A vector that has been defined, see DerivedValues::add(); the value is a component of it.
  uint32_t add_vector(Id id, uint32_t size, As as) { return derived_.add(id, size, as); }
  void define_lane(ir::Value value, uint32_t vector, uint32_t lane) {
    ids_[value] = {0, 0, (vector + 1) << 2 | lane, {}};
  }
  Id component(uint32_t vector, uint32_t lane, As as) { return derived_.component(vector, lane, as); }
  void define_bool(ir::Value value, Id id) { ids_[value] = {0, id, 0, {}}; }
  void define_double(ir::Value value, Id id) { ids_[value] = {id, 0, 0, {}}; }
  /// As its type requires.
  void define_as(ir::Value value, Id id);
  /// The same, but the other kind is made where `define` would later: phis must be consecutive.
  void define_phi(ir::Value value, Id id);
  Id phi(ir::Value value) const;
  /// `result` is `value`, in a block that only the block of `value` leads to.
  void define_same(ir::Value result, ir::Value value);
  /// Zeros, for values that could not be expressed.
  void define_nothing(ir::Value value);
  /// Returns the words of the function's body; forgets what were components of its vectors.
  Words& finish_function();

 private:
  struct Ids {
    Id float_;                   // of a b64: the double; 0: there is none yet
    Id uint;                     // of a b1: the boolean; likewise
    uint32_t lane;               // (the number of a vector + 1) * 4 + component; 0: it is no component
    DerivedValues::Place place;  // of the definition of a b32 that is no component
  };
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
  static constexpr uint32_t kNoVector = 0xffffffffu;
  static constexpr Id kAnywhere = 0xffffffffu;
  static constexpr uint32_t kGatheredBits = 7;
  bool is_valid(const Gathered& known) const {
    return known.block == body_.block() || known.block == kAnywhere;
  }

  bool is_constant(ir::Value value) const { return is_literal(value) || module_.is_constant(value); }
  bool is_zero(ir::Value value) const {
    return is_literal(value) ? value == kLiteralZero : module_.values[value].bits == 0;  // of a constant
  }
  uint32_t lane_of(ir::Value value) const { return is_literal(value) ? 0 : ids_[value].lane; }
  Id gather(std::span<const ir::Value> values, As as);
  Id constants(const Lanes& lanes, uint32_t count, As as);
  Id shuffle(const Lanes& lanes, uint32_t count, As as, uint32_t first, uint32_t second);
  Id construct(const Lanes& lanes, uint32_t count, As as);
  Id constants_among(const Lanes& lanes, uint32_t count, As as, Id otherwise);

  Id first_use(ir::Value value, Kind kind);
  Id first_use(ir::Value value, As as);

  const ir::Module& module_;
  ModuleBuilder& builder_;
  FunctionBody& body_;
  ValueTypes types_;
  ValueNeeds needs_;
  Ids* ids_;  // by value
  const bool joins_;
  DerivedValues derived_;
  std::array<Gathered, 1 << kGatheredBits> gathered_{};
};

}  // namespace texlate::spirv
