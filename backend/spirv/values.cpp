#include "backend/spirv/values.h"

#include "ir/base/zeroed.h"

namespace texlate::spirv {

using ir::Value;

Values::Values(const ir::Module& module, ModuleBuilder& builder, FunctionBody& body, bool vectors,
               std::pmr::monotonic_buffer_resource& arena)
    : module_(module),
      builder_(builder),
      body_(body),
      ids_(zeroed<Ids>(arena, module.values.size()).data()),
      joins_(vectors),
      derived_(builder, body, module.memory()) {}

Id Values::type(Value value) {
  switch (module_.values[value].type) {
    case ir::Type::b1: return builder_.bool_type();
    case ir::Type::b64: return builder_.double_type();
    case ir::Type::b32: return body_.type_of(kind(value));
  }
  return 0;
}

Id Values::as_bool(Value value) {
  Ids& ids = ids_[value];
  if (ids.uint != 0) return ids.uint;
  if (ids.lane != 0) return ids.uint = derived_.component(ids.lane / 4 - 1, ids.lane % 4, As::boolean);
  if (module_.is_constant(value)) ids.uint = builder_.constant_bool(module_.values[value].bits != 0);
  return ids.uint;
}

Id Values::as_double(Value value) {
  Ids& ids = ids_[value];
  if (ids.float_ != 0) return ids.float_;
  if (ids.lane != 0) return ids.float_ = derived_.component(ids.lane / 4 - 1, ids.lane % 4, As::double_);
  if (module_.is_constant(value)) ids.float_ = builder_.constant_double(module_.values[value].bits);
  return ids.float_;
}

Id Values::first_use(Value value, Kind kind) {
  Ids& ids = ids_[value];
  if (ids.lane != 0) {
    return (kind == Kind::float_ ? ids.float_ : ids.uint) =
               derived_.component(ids.lane / 4 - 1, ids.lane % 4, as_of(kind));
  }
  if (module_.is_constant(value)) {
    const Id id = builder_.constant(body_.type_of(kind), module_.constant_bits(value));
    return (kind == Kind::float_ ? ids.float_ : ids.uint) = id;
  }
  Id& known = kind == Kind::float_ ? ids.uint : ids.float_;
  return (kind == Kind::float_ ? ids.float_ : ids.uint) = derived_.cast(known, as_of(kind), ids.place);
}

Id Values::use_as(Value value, ir::Type type, Kind kind) {
  switch (type) {
    case ir::Type::b1: return as_bool(value);
    case ir::Type::b64: return as_double(value);
    case ir::Type::b32: return use(value, kind);
  }
  return 0;
}

void Values::define_as(Value value, Id id) {
  switch (module_.values[value].type) {
    case ir::Type::b1: return define_bool(value, id);
    case ir::Type::b64: return define_double(value, id);
    case ir::Type::b32: return define(value, kind(value), id);
  }
}

void Values::define_phi(Value value, Id id) {
  const ir::Type type = module_.values[value].type;
  const bool is_float = type == ir::Type::b64 || (type == ir::Type::b32 && kind(value) == Kind::float_);
  ids_[value] = is_float ? Ids{id, 0, 0, {}} : Ids{0, id, 0, {}};
}

Id Values::phi(Value value) const {
  return kind(value) == Kind::float_ ? ids_[value].float_ : ids_[value].uint;
}

void Values::define_same(Value result, Value value) {
  if (module_.is_constant(value)) {
    switch (module_.values[value].type) {
      case ir::Type::b1: as_bool(value); break;
      case ir::Type::b64: as_double(value); break;
      case ir::Type::b32:
        as_float(value);
        as_uint(value);
        break;
    }
  }
  ids_[result] = ids_[value];
}

void Values::define_nothing(Value value) {
  switch (module_.values[value].type) {
    case ir::Type::b1: return define_bool(value, builder_.constant_bool(false));
    case ir::Type::b64: return define_double(value, builder_.constant_double(0));
    case ir::Type::b32: {
      const Id zero = builder_.constant_float(0);
      ids_[value] = {zero, builder_.constant(0), 0, {}};
      return;
    }
  }
}

Id Values::first_use(Value value, As as) {
  if (is_literal(value)) {
    switch (as) {
      case As::float_: return builder_.constant_float(value == kLiteralOne ? 1.0f : 0.0f);
      case As::uint: return builder_.constant(value == kLiteralOnes ? 0xffffffffu : 0);
      case As::boolean: return builder_.constant_bool(value != kLiteralZero);
      case As::double_: return builder_.constant_double(value == kLiteralOne ? 0x3ff0000000000000u : 0);
    }
  }
  switch (as) {
    case As::float_: return as_float(value);
    case As::uint: return as_uint(value);
    case As::boolean: return as_bool(value);
    case As::double_: return as_double(value);
  }
  return 0;
}

// ---- several values as one vector ----

Id Values::vector(std::span<const Value> lanes, As as) {
  const uint32_t count = static_cast<uint32_t>(lanes.size());
  const uint32_t first = lane_of(lanes[0]);
  if (joins_ && first != 0 && first % 4 == 0) {
    // All lanes are in their places in one vector.
    uint32_t l = 1;
    while (l < count && lane_of(lanes[l]) == first + l) ++l;
    const uint32_t vector = first / 4 - 1;
    if (l == count && derived_.size(vector) == count) return derived_.id(vector, as);
  }
  return gather(lanes, as);
}

Id Values::constants(const Lanes& lanes, uint32_t count, As as) {
  const Id type = builder_.vector_type(body_.type_of(as), count);
  bool all_zero = true;
  for (uint32_t l = 0; l < count; ++l) all_zero &= is_zero(lanes[l]);
  if (all_zero) return builder_.null(type);
  std::array<Id, kMostLanes> parts{};
  for (uint32_t l = 0; l < count; ++l) parts[l] = use(lanes[l], as);
  return builder_.composite(type, {parts.data(), count});
}

Id Values::prefix(std::span<const Value> lanes, As as) {
  uint32_t whole = kNoVector;
  for (uint32_t l = 0; l < lanes.size(); ++l) {
    const uint32_t lane = lane_of(lanes[l]);
    if (lane == 0 || lane % 4 != l || (l != 0 && lane / 4 - 1 != whole)) return vector(lanes, as);
    whole = lane / 4 - 1;
  }
  if (!derived_.is_loaded_at_entry(whole)) return vector(lanes, as);
  return derived_.id(whole, as);
}

/// A vector of this block that is known, or a new one.
Id Values::gather(std::span<const Value> values, As as) {
  const uint32_t count = static_cast<uint32_t>(values.size());
  Lanes lanes;
  for (uint32_t l = 0; l < kMostLanes; ++l) lanes[l] = l < count ? values[l] : ir::kNoValue;
  // In one of two places, which others may take over.
  const uint32_t sum =
      lanes[0] + lanes[1] * 5 + lanes[2] * 23 + lanes[3] * 101 + static_cast<uint32_t>(as) * 401;
  const uint32_t place = (sum * 0x9e3779b1u) >> (32 - kGatheredBits);
  Gathered* known = &gathered_[place];
  if (known->is(lanes, as) && is_valid(*known)) return known->vector;
  Gathered& other = gathered_[place ^ 1];
  if (other.is(lanes, as) && is_valid(other)) return other.vector;
  if (is_valid(*known) && !is_valid(other)) known = &other;
  uint32_t first = kNoVector, second = kNoVector;
  uint32_t constant_count = 0;
  bool is_shuffle = joins_;
  for (uint32_t l = 0; l < count; ++l) {
    if (is_constant(lanes[l])) {
      ++constant_count;
      continue;
    }
    const uint32_t lane = ids_[lanes[l]].lane;
    const uint32_t vector = lane / 4 - 1;
    if (lane == 0) {
      is_shuffle = false;
    } else if (first == kNoVector || first == vector) {
      first = vector;
    } else if (second == kNoVector || second == vector) {
      second = vector;
    } else {
      is_shuffle = false;
    }
  }
  is_shuffle &= constant_count == 0 || second == kNoVector;
  const bool is_constant = constant_count == count;
  const Id id = is_constant  ? constants(lanes, count, as)
                : is_shuffle ? shuffle(lanes, count, as, first, second)
                             : construct(lanes, count, as);
  *known = {lanes, as, is_constant ? kAnywhere : body_.block(), id};
  return id;
}

Id Values::shuffle(const Lanes& lanes, uint32_t count, As as, uint32_t first, uint32_t second) {
  const Id whole = derived_.id(first, as);
  std::array<uint32_t, 6> words{
      whole, second != kNoVector ? derived_.id(second, as) : constants_among(lanes, count, as, whole)};
  const uint32_t size = derived_.size(first);
  for (uint32_t l = 0; l < count; ++l) {
    if (is_constant(lanes[l])) {
      words[2 + l] = size + l;
      continue;
    }
    const uint32_t lane = ids_[lanes[l]].lane;
    words[2 + l] = lane / 4 - 1 == first ? lane % 4 : size + lane % 4;
  }
  return body_.emit(spv::OpVectorShuffle, builder_.vector_type(body_.type_of(as), count),
                    std::span<const uint32_t>(words.data(), count + 2));
}

/// A constant vector with the constants of `lanes` in their places; `otherwise` if there are none.
Id Values::constants_among(const Lanes& lanes, uint32_t count, As as, Id otherwise) {
  std::array<Id, kMostLanes> constants{};
  Id any = 0;
  bool has_constants = false, all_zero = true;
  for (uint32_t l = 0; l < count; ++l) {
    if (!is_constant(lanes[l])) continue;
    has_constants = true;
    all_zero &= is_zero(lanes[l]);
  }
  if (!has_constants) return otherwise;
  if (all_zero) return builder_.null(builder_.vector_type(body_.type_of(as), count));
  for (uint32_t l = 0; l < count; ++l) {
    if (is_constant(lanes[l])) any = constants[l] = use(lanes[l], as);
  }
  for (uint32_t l = 0; l < count; ++l) constants[l] = constants[l] != 0 ? constants[l] : any;
  return builder_.composite(builder_.vector_type(body_.type_of(as), count), {constants.data(), count});
}

/// Composed of vectors and scalars.
Id Values::construct(const Lanes& all, uint32_t count, As as) {
  const std::span<const Value> lanes = std::span<const Value>(all).first(count);
  const Id type = builder_.vector_type(body_.type_of(as), count);
  const auto part = [this](Value value) { return lane_of(value); };
  const auto size = [this](uint32_t vector) { return derived_.size(vector - 1); };
  if (const uint32_t odd = joins_ ? lane_to_insert(lanes, part, size) : kMostLanes; odd != kMostLanes) {
    const Id whole = derived_.id(lane_of(lanes[odd == 0 ? 1 : 0]) / 4 - 1, as);
    return body_.emit(spv::OpCompositeInsert, type, {use(lanes[odd], as), whole, odd});
  }
  std::array<Id, kMostLanes> parts{};
  uint32_t part_count = 0;
  for (uint32_t l = 0; l < count;) {
    const uint32_t whole = joins_ ? whole_vector_at(lanes, l, part, size) : 0;
    parts[part_count++] = whole == 0 ? use(lanes[l], as) : derived_.id(lane_of(lanes[l]) / 4 - 1, as);
    l += whole == 0 ? 1 : whole;
  }
  return body_.emit(spv::OpCompositeConstruct, type, std::span<const uint32_t>(parts.data(), part_count));
}

Words& Values::finish_function() {
  gathered_ = {};
  return derived_.finish();
}

}  // namespace texlate::spirv
