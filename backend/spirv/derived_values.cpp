#include "backend/spirv/derived_values.h"

#include <algorithm>

namespace texlate::spirv {

namespace {

constexpr As other_than(As as) {
  return as == As::float_ ? As::uint : As::float_;
}

}  // namespace

uint32_t DerivedValues::add(Id id, uint32_t size, As as) {
  const uint32_t number = static_cast<uint32_t>(vectors_.size());
  *vectors_.extend(1) = {id, Id::none, here(), as, static_cast<uint8_t>(size), false, {}, {}};
  return number;
}

Id DerivedValues::other_id(uint32_t number) {
  Vector& vector = vectors_[number];
  if (vector.other == Id::none) {
    vector.other = builder_.new_id();
    ask(vector);
  }
  return vector.other;
}

Id DerivedValues::component(uint32_t number, uint32_t lane, As as) {
  Vector& vector = vectors_[number];
  Id& id = (vector.as == as ? vector.components : vector.other_components)[lane];
  if (id == Id::none) {
    id = builder_.new_id();
    ask(vector);
  }
  return id;
}

Id DerivedValues::cast(Id scalar, As as, Place place) {
  const Id id = builder_.new_id();
  casts_.push_back({place, as, id, scalar});
  return id;
}

/// Flattened: appending an instruction would be a call otherwise.
[[gnu::flatten]] void DerivedValues::write_parts(const Vector& vector) {
  const Id type = body_.type_of(vector.as);
  const auto extract = [this](Id component_type, Id component, Id of, uint32_t lane) {
    append(finished_, spv::OpCompositeExtract, {component_type, component, of, literal(lane)});
  };
  for (uint32_t l = 0; l < vector.size; ++l) {
    if (vector.components[l] != Id::none) extract(type, vector.components[l], vector.id, l);
  }
  const auto others = std::ranges::count_if(vector.other_components, [](Id id) { return id != Id::none; });
  if (others == 0 && vector.other == Id::none) return;
  const Id other_type = body_.type_of(other_than(vector.as));
  if (others == 1 && vector.other == Id::none) {
    // A single component is cast as a scalar.
    uint32_t lane = 0;
    while (vector.other_components[lane] == Id::none) ++lane;
    Id component = vector.components[lane];
    if (component == Id::none) extract(type, component = builder_.new_id(), vector.id, lane);
    return append(finished_, spv::OpBitcast, {other_type, vector.other_components[lane], component});
  }
  const Id other = vector.other != Id::none ? vector.other : builder_.new_id();
  append(finished_, spv::OpBitcast, {builder_.vector_type(other_type, vector.size), other, vector.id});
  for (uint32_t l = 0; l < vector.size; ++l) {
    if (vector.other_components[l] != Id::none) extract(other_type, vector.other_components[l], other, l);
  }
}

/// Both lists are in the order of the places; vectors are in that order from the start.
void DerivedValues::write_stream(const Words& words, uint32_t at_entry, std::span<const Cast> casts) {
  const std::span<const uint32_t> all(words.data(), words.size());
  size_t copied = 0;
  const auto copy_until = [&](size_t position) {
    finished_.append(all.subspan(copied, position - copied));
    copied = position;
  };
  const auto write_casts = [&](size_t end) {
    for (; !casts.empty() && casts[0].place.position < end; casts = casts.subspan(1)) {
      copy_until(casts[0].place.position);
      append(finished_, spv::OpBitcast, {body_.type_of(casts[0].as), casts[0].id, casts[0].of});
    }
  };
  for (const Vector& vector : vectors_) {
    if (!vector.is_asked || vector.place.at_entry != at_entry) continue;
    write_casts(vector.place.position);
    copy_until(vector.place.position);
    write_parts(vector);
  }
  write_casts(all.size() + 1);
  copy_until(all.size());
}

Words& DerivedValues::finish() {
  Words* result = &finished_;
  if (asked_ == 0 && casts_.empty()) {
    result = &body_.finish();
  } else {
    finished_.clear();
    finished_.reserve(body_.entry().size() + body_.blocks().size() + asked_ * size_t{16} + casts_.size() * 4);
    // Those at the entry first.
    std::stable_sort(casts_.begin(), casts_.end(), [](const Cast& a, const Cast& b) {
      if (a.place.at_entry != b.place.at_entry) return a.place.at_entry != 0;
      return a.place.position < b.place.position;
    });
    const size_t at_entry = static_cast<size_t>(
        std::ranges::count_if(casts_, [](const Cast& cast) { return cast.place.at_entry != 0; }));
    const std::span<const Cast> casts(casts_.data(), casts_.size());
    write_stream(body_.entry(), 1, casts.first(at_entry));
    write_stream(body_.blocks(), 0, casts.subspan(at_entry));
  }
  vectors_.clear();
  casts_.clear();
  asked_ = 0;
  return *result;
}

}  // namespace texlate::spirv
