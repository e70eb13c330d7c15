#include "backend/spirv/values.h"

#include "ir/base/zeroed.h"

namespace texlate::spirv {

Values::Values(const ir::Module& module, ModuleBuilder& builder, FunctionBody& body, bool vectors,
               std::pmr::monotonic_buffer_resource& arena)
    : module_(module),
      builder_(builder),
      body_(body),
      ids_(zeroed<Ids>(arena, module.values.size()).data()),
      joins_(vectors),
      derived_(builder, body, module.memory()),
      gathered_(zeroed<Gathered>(arena, size_t{1} << kGatheredBits).data()) {}

Id Values::first_use(Value value, As as) {
  if (is_literal(value)) {
    switch (as) {
      case As::float_: return builder_.constant_float(value == kLiteralOne ? 1.0f : 0.0f);
      case As::uint:
      case As::int_: return builder_.constant(value == kLiteralOnes ? 0xffffffffu : 0);
      case As::boolean: return builder_.constant_bool(value != kLiteralZero);
      case As::double_: return builder_.constant_double(value == kLiteralOne ? 0x3ff0000000000000u : 0);
    }
  }
  Ids& ids = ids_[value];
  if (ids.lane != 0) return ids.as(as) = derived_.component(ids.lane / 4 - 1, ids.lane % 4, as);
  if (module_.is_constant(value)) return ids.as(as) = constant(value, as);
  if (module_.values[value].type != ir::Type::b32) return Id::none;
  return ids.as(as) = derived_.cast(as == As::float_ ? ids.uint : ids.float_, as, ids.place);
}

Id Values::constant(Value value, As as) {
  const uint64_t bits = module_.values[value].bits;
  if (as == As::boolean) return builder_.constant_bool(bits != 0);
  if (as == As::double_) return builder_.constant_double(bits);
  return builder_.constant(body_.type_of(as), static_cast<uint32_t>(bits));
}

void Values::define_same(Value result, Value value) {
  if (module_.is_constant(value)) {
    if (module_.values[value].type == ir::Type::b32) {
      use(value, As::float_);
      use(value, As::uint);
    } else {
      use(value, form(value));
    }
  }
  ids_[result] = ids_[value];
}

// ---- several values as one vector ----

Group Values::group_of(std::span<const Value> lanes) const {
  Group group;
  for (uint32_t l = 0; l < lanes.size(); ++l) {
    group.lanes[l] = lanes[l];
    group.parts[l] = part_of(lanes[l]);
    if (group.parts[l] == kUndefined) group.parts[l] = 0;  // after an error
  }
  return group;
}

/// In one of two places, which others may take over.
[[gnu::always_inline]] inline Values::Gathered& Values::place_of(const Lanes& lanes, As as) {
  const uint32_t sum = lanes[0].number() + lanes[1].number() * 5 + lanes[2].number() * 23 +
                       lanes[3].number() * 101 + static_cast<uint32_t>(as) * 401;
  const uint32_t place = (sum * 0x9e3779b1u) >> (32 - kGatheredBits);
  Gathered& known = gathered_[place];
  if (is_in(known, lanes, as)) return known;
  Gathered& other = gathered_[place ^ 1];
  return is_in(other, lanes, as) || (is_valid(known) && !is_valid(other)) ? other : known;
}

/// Not a whole vector.
Values::Gather Values::look_closer(Group& group, uint32_t count, As as) {
  Gather gather{GatherKind::construct, false, 0, 0, nullptr};
  uint32_t constants = 0;
  bool has_scalars = !joins_;
  for (uint32_t l = 0; l < count; ++l) {
    const uint32_t part = group.parts[l], vector = part / 4;
    gather.differ |= group.lanes[l] != group.lanes[0];
    if (part == kConstant) {
      ++constants;
    } else if (part == 0) {
      has_scalars = true;
    } else if (gather.first == 0 || gather.first == vector) {
      gather.first = vector;
    } else if (gather.second == 0 || gather.second == vector) {
      gather.second = vector;
    } else {
      has_scalars = true;
    }
  }
  if (constants == count) {
    gather.kind = GatherKind::constant;
  } else if (gather.first != 0 && !has_scalars && (gather.second == 0 || constants == 0)) {
    gather.kind = GatherKind::shuffle;
  }
  // Not a loop, which the compiler would make a call of memset.
  if (count < 4) group.lanes[3] = ir::kNoValue;
  if (count < 3) group.lanes[2] = ir::kNoValue;
  gather.place = &place_of(group.lanes, as);
  return gather;
}

/// One of this block that is known, or a new one.
Id Values::compose(const Group& group, uint32_t count, As as, const Gather& gather) {
  Gathered& place = *gather.place;
  if (is_in(place, group.lanes, as)) return place.vector;
  const bool is_constant = gather.kind == GatherKind::constant;
  const Id id = is_constant                          ? constants(group.lanes, count, as)
                : gather.kind == GatherKind::shuffle ? shuffle(group, count, as, gather)
                                                     : construct(group, count, as);
  place = {group.lanes, as, is_constant ? kAnywhere : body_.block(), id};
  return id;
}

Id Values::vector(std::span<const Value> lanes, As as) {
  const uint32_t count = static_cast<uint32_t>(lanes.size());
  Group group = group_of(lanes);
  const Gather gather = look(group, count, as);
  return vector(group, count, as, gather);
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
  const uint32_t first = part_of(lanes[0]);
  bool is_start = is_part(first) && first % 4 == 0;
  for (uint32_t l = 1; l < lanes.size(); ++l) is_start &= part_of(lanes[l]) == first + l;
  const uint32_t whole = first / 4 - 1;
  return is_start && derived_.is_loaded_at_entry(whole) ? derived_.id(whole, as) : vector(lanes, as);
}

Id Values::shuffle(const Group& group, uint32_t count, As as, const Gather& gather) {
  const Id whole = derived_.id(gather.first - 1, as);
  std::array<Operand, 6> words{whole, gather.second != 0 ? derived_.id(gather.second - 1, as)
                                                         : constants_among(group.lanes, count, as, whole)};
  const uint32_t size = derived_.size(gather.first - 1);
  for (uint32_t l = 0; l < count; ++l) {
    const uint32_t part = group.parts[l];
    words[2 + l] = literal(part == kConstant          ? size + l
                           : part / 4 == gather.first ? part % 4
                                                      : size + part % 4);
  }
  return body_.emit(spv::OpVectorShuffle, builder_.vector_type(body_.type_of(as), count),
                    std::span<const Operand>(words).first(count + 2));
}

/// A constant vector with the constants of `lanes` in their places; `otherwise` if there are none.
Id Values::constants_among(const Lanes& lanes, uint32_t count, As as, Id otherwise) {
  std::array<Id, kMostLanes> constants{};
  Id any = Id::none;
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
  for (uint32_t l = 0; l < count; ++l) constants[l] = constants[l] != Id::none ? constants[l] : any;
  return builder_.composite(builder_.vector_type(body_.type_of(as), count), {constants.data(), count});
}

/// The lane to insert if all other lanes are in their places in one vector; kMostLanes: it is not so, or
/// there are only two lanes.
uint32_t Values::lane_to_insert(const Group& group, uint32_t count) const {
  if (count < 3) return kMostLanes;
  for (uint32_t known = 0; known < 2; ++known) {
    const uint32_t part = group.parts[known];
    if (!is_part(part) || part % 4 != known || size_of(part) != count) continue;
    uint32_t odd = kMostLanes, odd_count = 0;
    for (uint32_t l = 0; l < count; ++l) {
      if (group.parts[l] == part - known + l) continue;
      odd = l;
      ++odd_count;
    }
    if (odd_count == 1) return odd;
  }
  return kMostLanes;
}

/// How many lanes, from `first` on, are one whole vector; 0: none.
uint32_t Values::whole_vector_at(const Group& group, uint32_t count, uint32_t first) const {
  const uint32_t part = group.parts[first];
  if (!is_part(part) || part % 4 != 0) return 0;
  const uint32_t size = size_of(part);
  if (first + size > count) return 0;
  for (uint32_t l = 1; l < size; ++l) {
    if (group.parts[first + l] != part + l) return 0;
  }
  return size;
}

/// Composed of vectors and scalars.
Id Values::construct(const Group& group, uint32_t count, As as) {
  const Id type = builder_.vector_type(body_.type_of(as), count);
  const auto whole_of = [&](uint32_t lane) { return derived_.id(group.parts[lane] / 4 - 1, as); };
  if (const uint32_t odd = joins_ ? lane_to_insert(group, count) : kMostLanes; odd != kMostLanes) {
    const Id whole = whole_of(odd == 0 ? 1 : 0);
    return body_.emit(spv::OpCompositeInsert, type, {use(group.lanes[odd], as), whole, literal(odd)});
  }
  std::array<Id, kMostLanes> parts{};
  uint32_t part_count = 0;
  for (uint32_t l = 0; l < count;) {
    const uint32_t whole = joins_ ? whole_vector_at(group, count, l) : 0;
    parts[part_count++] = whole == 0 ? use(group.lanes[l], as) : whole_of(l);
    l += whole == 0 ? 1 : whole;
  }
  return body_.emit(spv::OpCompositeConstruct, type, std::span<const Id>(parts).first(part_count));
}

}  // namespace texlate::spirv
