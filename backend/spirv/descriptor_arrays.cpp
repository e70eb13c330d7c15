// Registers that are elements of an array of descriptors: of the range that the shader declares, or of an
// array of the host, whose element a number in the push constants can move (one heap for all draws). And the
// last look at all places together.

#include <fmt/format.h>

#include <algorithm>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

Place Emitter::place_of(RegisterClass register_class, uint32_t space, uint32_t reg) {
  return options_.bindings.find(register_class, space, reg);
}

/// Which element; `at`, an index into the range of registers, counts from the place's own one.
Id Emitter::descriptor_index(const Place& place, Value at) {
  const bool is_fixed = at == ir::kNoValue || module_.is_constant(at);
  const uint32_t first = place.array_size != 0 ? place.element : 0;
  const uint32_t fixed = first + (is_fixed && at != ir::kNoValue ? module_.constant_bits(at) : 0);
  Id index = is_fixed ? 0 : as_uint(at);
  if (place.offset_at != kNoOffset) {
    const Id offset = push_constant_word(place.offset_at);
    index = index == 0 ? offset : emit(spv::OpIAdd, Scalar::uint, {index, offset});
  }
  return index == 0 ? constant(fixed) : add(index, fixed);
}

/// What a descriptor is of, in messages.
std::string Emitter::register_name(const Descriptor& descriptor) const {
  switch (descriptor.register_class) {
    case RegisterClass::constant_buffer:
      return fmt::format("cb{}", module_.constant_buffers[descriptor.index].lower_bound);
    case RegisterClass::sampler: return fmt::format("s{}", module_.samplers[descriptor.index].lower_bound);
    case RegisterClass::resource: return fmt::format("t{}", module_.resources[descriptor.index].lower_bound);
    case RegisterClass::view: return fmt::format("u{}", module_.resources[descriptor.index].lower_bound);
    case RegisterClass::counter: break;
  }
  return fmt::format("the counter of u{}", module_.resources[descriptor.index].lower_bound);
}

/// A strict map names all that the shader reads.
void Emitter::refuse_default_place(const Descriptor& descriptor) {
  if (descriptor.kind == DescriptorKind::combined_image_sampler) return;
  const auto check = [&](const auto& declared) {
    if (options_.bindings.find_entry(descriptor.register_class, declared.space, declared.lower_bound)) return;
    diagnostics_.error({}, "{} of space {} is not in the binding map, which is strict",
                       register_name(descriptor), declared.space);
  };
  switch (descriptor.register_class) {
    case RegisterClass::constant_buffer: return check(module_.constant_buffers[descriptor.index]);
    case RegisterClass::sampler: return check(module_.samplers[descriptor.index]);
    case RegisterClass::resource:
    case RegisterClass::view:
    case RegisterClass::counter: return check(module_.resources[descriptor.index]);
  }
}

/// Two registers at one place: what would the host bind? Elements of arrays may share theirs.
void Emitter::check_places() {
  std::pmr::vector<const Descriptor*> sorted(module_.memory());
  for (const Descriptor& descriptor : described_) {
    if (options_.bindings.strict) refuse_default_place(descriptor);
    if (descriptor.kind != DescriptorKind::push_constants && descriptor.place.array_size == 0)
      sorted.push_back(&descriptor);
  }
  const auto place = [](const Descriptor* one) { return std::pair(one->place.set, one->place.binding); };
  std::ranges::stable_sort(sorted, {}, place);
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (place(sorted[i - 1]) != place(sorted[i])) continue;
    diagnostics_.error({}, "{} and {} are both at set {}, binding {} on spirv", register_name(*sorted[i - 1]),
                       register_name(*sorted[i]), sorted[i]->place.set, sorted[i]->place.binding);
  }
}

}  // namespace texlate::spirv
