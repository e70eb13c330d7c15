#include "backend/spirv/descriptor_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace texlate::spirv {

namespace {

/// A short name under construction: registers and words.
struct Name {
  char text[32];
  size_t length = 0;
  Name& add(std::string_view part) {
    length += part.copy(text + length, sizeof text - length);
    return *this;
  }
  Name& add(uint32_t number) {
    length = static_cast<size_t>(std::to_chars(text + length, text + sizeof text, number).ptr - text);
    return *this;
  }
  operator std::string_view() const { return {text, length}; }
};

constexpr std::string_view prefix_of(RegisterClass register_class) {
  switch (register_class) {
    case RegisterClass::constant_buffer: return "cb";
    case RegisterClass::sampler: return "s";
    case RegisterClass::resource: return "t";
    case RegisterClass::view:
    case RegisterClass::counter: return "u";
  }
  return {};
}

/// visit(what the module declares).
template <typename Visit>
auto visit_declared(const ir::Module& module, RegisterClass register_class, uint32_t index, Visit visit) {
  if (register_class == RegisterClass::constant_buffer) return visit(module.constant_buffers[index]);
  if (register_class == RegisterClass::sampler) return visit(module.samplers[index]);
  return visit(module.resources[index]);
}

}  // namespace

const Place& DescriptorReport::place_of(RegisterClass register_class, uint32_t index) const {
  switch (register_class) {
    case RegisterClass::constant_buffer: return places_.constant_buffers[index];
    case RegisterClass::sampler: return places_.samplers[index];
    case RegisterClass::counter: return places_.counters[index];
    case RegisterClass::resource:
    case RegisterClass::view: break;
  }
  return places_.resources[index];
}

void DescriptorReport::describe(Id variable, DescriptorKind kind, RegisterClass register_class,
                                uint32_t index) {
  Name name;
  name.add(prefix_of(register_class));
  name.add(visit_declared(module_, register_class, index, [](const auto& declared) { return declared.id; }));
  if (register_class == RegisterClass::counter) name.add("_counter");
  describe(variable, {kind, register_class, index, 0, place_of(register_class, index)}, name);
}

void DescriptorReport::describe_combined(Id variable, uint32_t resource, const CombinedEntry& entry) {
  const auto pair = static_cast<uint32_t>(&entry - options_.bindings.combined.data());
  Name name;
  name.add("t").add(entry.texture);
  if (entry.sampler != CombinedEntry::kNoSampler) name.add("_s").add(entry.sampler);
  describe(variable,
           {DescriptorKind::combined_image_sampler, RegisterClass::resource, resource, pair, entry.place},
           name);
}

void DescriptorReport::describe(Id variable, const Descriptor& descriptor, std::string_view name) {
  builder_.decorate(variable, spv::DecorationDescriptorSet, descriptor.place.set);
  builder_.decorate(variable, spv::DecorationBinding, descriptor.place.binding);
  if (options_.names) builder_.name(variable, name);
  add(descriptor);
}

void DescriptorReport::add(const Descriptor& descriptor) {
  // A constant buffer may have two variables, one per type.
  if (std::ranges::find(described_, descriptor) != described_.end()) return;
  described_.push_back(descriptor);
  if (host_ != nullptr) host_->descriptors.push_back(descriptor);
}

// ---- facts ----

uint32_t DescriptorReport::specialization_id(Fact which, uint32_t resource) const {
  switch (which) {
    case Fact::raster_samples: return kRasterSamplesId;
    case Fact::bound: return bound_id(resource);
    case Fact::missing_alpha: return missing_alpha_id(resource);
    case Fact::known: return known_id(module_, resource);
    case Fact::word: break;
  }
  return 0;
}

/// The caller's entry for the fact: the first constant, otherwise the last entry; null: there is none.
const FactSource* DescriptorReport::source_of(Fact which, uint32_t resource) const {
  const FactSource* found = nullptr;
  for (const FactSource& source : options_.facts) {
    if (source.fact != which) continue;
    if (which != Fact::raster_samples) {
      const ir::Resource& declared = module_.resources[resource];
      if (declared.is_uav != source.is_uav || declared.space != source.space ||
          declared.lower_bound != source.reg)
        continue;
    }
    if (found == nullptr || !found->is_constant) found = &source;
  }
  return found;
}

/// The caller may give one id to several facts of one type. It has not seen that an id of docs/spirv.md is in
/// use.
void DescriptorReport::refuse_shared_id(const SpecId& chosen) {
  for (const SpecId& other : ids_) {
    if (other.id != chosen.id || (other.is_bool == chosen.is_bool && !other.is_default && !chosen.is_default))
      continue;
    diagnostics_.error({}, "two specialization constants would have id {} on spirv", chosen.id);
    break;
  }
  ids_.push_back(chosen);
}

Id DescriptorReport::fact(Fact which, uint32_t resource) {
  const bool is_bool = which == Fact::bound;
  const Id type = is_bool ? builder_.bool_type() : builder_.uint_type();
  const FactSource* const source = which == Fact::known ? nullptr : source_of(which, resource);
  if (source != nullptr && source->is_constant)
    return is_bool ? builder_.constant_bool(source->value != 0) : constant(source->value);
  const uint32_t id = source != nullptr ? source->value : specialization_id(which, resource);
  refuse_shared_id({id, is_bool, source == nullptr});
  if (host_ != nullptr) host_->specializations.push_back({id, which, resource});
  if (is_bool) return builder_.specialization(spv::OpSpecConstantTrue, type, {}, id);
  uint32_t otherwise = which == Fact::raster_samples ? 1 : 0;
  if (which == Fact::known) otherwise = module_.specialized[resource].value;
  return builder_.specialization(spv::OpSpecConstant, type, {otherwise}, id);
}

Id DescriptorReport::constant_word(uint32_t buffer, uint32_t word) {
  for (const Word& known : words_) {
    if (known.buffer == buffer && known.word == word) return known.id;
  }
  const uint32_t number = places_.constant_buffers[buffer].binding + word;
  refuse_shared_id({number, false, false});
  if (host_ != nullptr) host_->specializations.push_back({number, Fact::word, buffer, word});
  const Id id = builder_.specialization(spv::OpSpecConstant, builder_.uint_type(), {0u}, number);
  words_.push_back({buffer, word, id});
  return id;
}

// ---- checks ----

/// Name of a descriptor's register, for messages.
std::string DescriptorReport::register_name(const Descriptor& descriptor) const {
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

/// A strict map must contain everything that the shader reads.
void DescriptorReport::refuse_default_place(const Descriptor& descriptor) {
  if (descriptor.kind == DescriptorKind::combined_image_sampler) return;
  const auto check = [&](const auto& declared) {
    if (options_.bindings.find_entry(descriptor.register_class, declared.space, declared.lower_bound)) return;
    diagnostics_.error({}, "{} of space {} is not in the binding map, and the map is strict",
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

/// An array of the host must contain every register of a range that has an end. How far an unbounded range
/// goes is for the host to know.
void DescriptorReport::refuse_short_array(const Descriptor& descriptor) {
  const Place& at = descriptor.place;
  if (at.array_size == 0 || at.array_size == kUnsizedArray) return;
  visit_declared(module_, descriptor.register_class, descriptor.index, [&](const auto& declared) {
    const uint32_t further = declared.upper_bound - declared.lower_bound;
    if (declared.upper_bound == 0xffffffffu || uint64_t{at.element} + further < at.array_size) return;
    diagnostics_.error({},
                       "{} and the {} registers after it end at element {} of set {}, binding {}, an array "
                       "of {} on spirv",
                       register_name(descriptor), further, uint64_t{at.element} + further, at.set, at.binding,
                       at.array_size);
  });
}

/// Two registers at one binding are ambiguous for the host. Elements of one array may share it.
void DescriptorReport::check() {
  std::pmr::vector<const Descriptor*> sorted(module_.memory());
  for (const Descriptor& descriptor : described_) {
    if (options_.bindings.strict) refuse_default_place(descriptor);
    refuse_short_array(descriptor);
    if (descriptor.kind != DescriptorKind::push_constants) sorted.push_back(&descriptor);
  }
  const auto place = [](const Descriptor* one) { return std::pair(one->place.set, one->place.binding); };
  const auto is_element = [](const Descriptor* one) { return one->place.array_size != 0; };
  // At one binding the elements of arrays come last.
  std::ranges::stable_sort(sorted, {},
                           [&](const Descriptor* one) { return std::pair(place(one), is_element(one)); });
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (place(sorted[i - 1]) != place(sorted[i]) || is_element(sorted[i - 1])) continue;
    diagnostics_.error({}, "{} and {} are both at set {}, binding {} on spirv", register_name(*sorted[i - 1]),
                       register_name(*sorted[i]), sorted[i]->place.set, sorted[i]->place.binding);
  }
}

}  // namespace texlate::spirv
