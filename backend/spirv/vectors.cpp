#include "backend/spirv/vectors.h"

#include <algorithm>

namespace texlate::spirv {

namespace {

constexpr As other_than(As as) {
  return as == As::float_ ? As::uint : As::float_;
}

}  // namespace

uint32_t Vectors::add(Id id, uint32_t size, As as) {
  const uint32_t number = static_cast<uint32_t>(vectors_.size());
  *vectors_.extend(1) = {id,    0,  static_cast<uint32_t>(body_.here()), as, static_cast<uint8_t>(size),
                         body_.is_at_entry(), false, {}, {}};
  return number;
}

Id Vectors::id(uint32_t number, As as) {
  Vector& vector = vectors_[number];
  if (vector.as == as) return vector.id;
  if (vector.other == 0) {
    vector.other = builder_.new_id();
    asked_ += vector.is_asked ? 0 : 1;
    vector.is_asked = true;
  }
  return vector.other;
}

Id Vectors::component(uint32_t number, uint32_t lane, As as) {
  Vector& vector = vectors_[number];
  Id& id = (vector.as == as ? vector.components : vector.other_components)[lane];
  if (id == 0) {
    id = builder_.new_id();
    asked_ += vector.is_asked ? 0 : 1;
    vector.is_asked = true;
  }
  return id;
}

void Vectors::write_parts(const Vector& vector) {
  const Id type = body_.type_of(vector.as);
  const auto extract = [this](Id component_type, Id component, Id of, uint32_t lane) {
    append(finished_, spv::OpCompositeExtract, {component_type, component, of, lane});
  };
  for (uint32_t l = 0; l < vector.size; ++l) {
    if (vector.components[l] != 0) extract(type, vector.components[l], vector.id, l);
  }
  const auto others = std::ranges::count_if(vector.other_components, [](Id id) { return id != 0; });
  if (others == 0 && vector.other == 0) return;
  const Id other_type = body_.type_of(other_than(vector.as));
  if (others == 1 && vector.other == 0) {
    // One component is turned by itself.
    uint32_t lane = 0;
    while (vector.other_components[lane] == 0) ++lane;
    Id component = vector.components[lane];
    if (component == 0) extract(type, component = builder_.new_id(), vector.id, lane);
    return append(finished_, spv::OpBitcast, {other_type, vector.other_components[lane], component});
  }
  const Id other = vector.other != 0 ? vector.other : builder_.new_id();
  append(finished_, spv::OpBitcast, {builder_.vector_type(other_type, vector.size), other, vector.id});
  for (uint32_t l = 0; l < vector.size; ++l) {
    if (vector.other_components[l] != 0) extract(other_type, vector.other_components[l], other, l);
  }
}

void Vectors::write_stream(const Words& words, bool entry) {
  size_t copied = 0;
  const std::span<const uint32_t> all(words.data(), words.size());
  for (const Vector& vector : vectors_) {
    if (!vector.is_asked || vector.at_entry != entry) continue;
    finished_.append(all.subspan(copied, vector.position - copied));
    copied = vector.position;
    write_parts(vector);
  }
  finished_.append(all.subspan(copied));
}

Words& Vectors::finish() {
  if (asked_ == 0) {
    vectors_.clear();
    return body_.finish();
  }
  finished_.clear();
  finished_.reserve(body_.entry().size() + body_.blocks().size() + asked_ * 16);
  write_stream(body_.entry(), true);
  write_stream(body_.blocks(), false);
  vectors_.clear();
  asked_ = 0;
  return finished_;
}

}  // namespace texlate::spirv
