#include "backend/spirv/descriptor_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace texlate::spirv {

namespace {

/// Name of a descriptor's register, for messages.
std::string name_of(const ir::Module& module, const Descriptor& descriptor) {
  const Registers registers = registers_of(module, descriptor.register_class, descriptor.index);
  const bool is_counter = descriptor.register_class == RegisterClass::counter;
  return fmt::format("{}{}{}", is_counter ? "the counter of " : "", registers.letters, registers.lower_bound);
}

}  // namespace

/// The type of a variable: the object, or an array of it (a run-time array if the range is unbounded). In an
/// array of the host, it has that array's size.
Id DescriptorReport::array_of(Id object, const Registers& registers, const Place& place) {
  const bool is_hosts = place.array_size != 0;
  if (registers.lower_bound == registers.upper_bound && !is_hosts) return object;
  if (is_hosts ? place.array_size == kUnsizedArray : registers.upper_bound == 0xffffffffu) {
    builder_.require(spv::CapabilityRuntimeDescriptorArrayEXT);
    builder_.require_extension("SPV_EXT_descriptor_indexing");
    return builder_.type(spv::OpTypeRuntimeArray, {object});
  }
  const uint32_t count = is_hosts ? place.array_size : registers.upper_bound - registers.lower_bound + 1;
  return builder_.array_type(object, count);
}

Id DescriptorReport::declare(spv::StorageClass storage, Id object, DescriptorKind kind,
                             RegisterClass register_class, uint32_t index) {
  const Registers registers = registers_of(module_, register_class, index);
  const Place& place = places_.of(register_class, index);
  const Id variable = builder_.variable(storage, array_of(object, registers, place));
  std::string name;
  if (options_.names)
    name = fmt::format("{}{}{}", registers.letters, registers.id,
                       register_class == RegisterClass::counter ? "_counter" : "");
  describe(variable, {kind, register_class, index, 0, place}, name);
  return variable;
}

Id DescriptorReport::declare_combined(Id object, uint32_t resource, const CombinedEntry& entry) {
  const Id variable = builder_.variable(spv::StorageClassUniformConstant, object);
  const auto pair = static_cast<uint32_t>(&entry - options_.bindings.combined.data());
  std::string name;
  if (options_.names) {
    name = fmt::format("t{}", entry.texture);
    if (entry.sampler != CombinedEntry::kNoSampler) name += fmt::format("_s{}", entry.sampler);
  }
  describe(variable,
           {DescriptorKind::combined_image_sampler, RegisterClass::resource, resource, pair, entry.place},
           name);
  return variable;
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

uint32_t DescriptorReport::specialization_id(Fact which, uint32_t index, uint32_t word) const {
  switch (which) {
    case Fact::raster_samples: break;
    case Fact::bound:
    case Fact::missing_alpha: return register_fact_id(module_, which, index, word);
    case Fact::known: return known_id(module_, index);
    case Fact::word: return places_.constant_buffers[index].binding + word;
  }
  return kRasterSamplesId;
}

/// The caller's entry for the fact: the first constant, otherwise the last entry; null: there is none. An
/// entry for the first register of a range counts for those without one.
const FactSource* DescriptorReport::source_of(Fact which, uint32_t index, uint32_t element) const {
  const FactSource* found = nullptr;
  for (const FactSource& source : options_.facts) {
    if (source.fact != which) continue;
    if (which != Fact::raster_samples) {
      const ir::Resource& declared = module_.resources[index];
      if (declared.is_uav != source.is_uav || declared.space != source.space ||
          declared.lower_bound + element != source.reg)
        continue;
    }
    if (found == nullptr || !found->is_constant) found = &source;
  }
  return found == nullptr && element != 0 ? source_of(which, index, 0) : found;
}

/// The caller may give one id to several facts of one type. It has not seen that an id of docs/spirv.md is in
/// use.
void DescriptorReport::refuse_shared_id(const Constant& chosen) {
  const auto is_bool = [](const Constant& one) { return one.what.fact == Fact::bound; };
  for (const Constant& other : constants_) {
    if (other.what.id != chosen.what.id ||
        (is_bool(other) == is_bool(chosen) && other.is_chosen && chosen.is_chosen))
      continue;
    diagnostics_.error({}, "two specialization constants would have id {} on spirv", chosen.what.id);
    break;
  }
}

Id DescriptorReport::fact(Fact which, uint32_t index, uint32_t word) {
  for (const Constant& known : constants_) {
    if (known.what.fact == which && known.what.index == index && known.what.word == word) return known.id;
  }
  const bool is_bool = which == Fact::bound;
  const Id type = is_bool ? builder_.bool_type() : builder_.uint_type();
  const bool is_of_register = is_bool || which == Fact::missing_alpha;
  const FactSource* const source = source_of(which, index, is_of_register ? word : 0);
  // One that counts for the whole range is one constant.
  if (source != nullptr && is_of_register && word != 0 && source == source_of(which, index, 0))
    return fact(which, index);
  if (source != nullptr && source->is_constant)
    return is_bool ? builder_.constant_bool(source->value != 0) : constant(source->value);
  const uint32_t number = source != nullptr ? source->value : specialization_id(which, index, word);
  Constant made{{number, which, index, word}, source != nullptr || which == Fact::word};
  refuse_shared_id(made);
  if (host_ != nullptr) host_->specializations.push_back(made.what);
  if (is_bool) {
    made.id = builder_.specialization(spv::OpSpecConstantTrue, type, {}, number);
  } else {
    uint32_t otherwise = which == Fact::raster_samples ? 1 : 0;
    if (which == Fact::known) otherwise = module_.specialized[index].value;
    made.id = builder_.specialization(spv::OpSpecConstant, type, {otherwise}, number);
  }
  constants_.push_back(made);
  return made.id;
}

Id DescriptorReport::register_fact(Fact which, uint32_t index, Value at) {
  const uint32_t count = fact_count(module_.resources[index]);
  if (at == ir::kNoValue || count == 1) return fact(which, index);
  if (module_.is_constant(at)) {
    const uint32_t element = module_.constant_bits(at);
    return fact(which, index, element < count ? element : 0);
  }
  const Id type = which == Fact::bound ? builder_.bool_type() : builder_.uint_type();
  const Id first = fact(which, index);
  Id chosen = first;
  for (uint32_t element = 1; element < count; ++element) {
    const Id own = fact(which, index, element);
    if (own == first && chosen == first) continue;  // the caller knows that they are equal
    const Id is_it = emit(spv::OpIEqual, As::boolean, {as_uint(at), constant(element)});
    chosen = select(type, {is_it, own, chosen});
  }
  return chosen;
}

// ---- checks ----

/// A strict map must contain everything that the shader reads.
void DescriptorReport::refuse_default_place(const Descriptor& descriptor) {
  if (descriptor.kind == DescriptorKind::combined_image_sampler) return;
  const Registers registers = registers_of(module_, descriptor.register_class, descriptor.index);
  if (!options_.bindings.find_entry(descriptor.register_class, registers.space, registers.lower_bound))
    diagnostics_.error({}, "{} of space {} is not in the binding map, and the map is strict",
                       name_of(module_, descriptor), registers.space);
}

/// An array of the host must contain every register of a range that has an end. How far an unbounded range
/// goes is for the host to know.
void DescriptorReport::refuse_short_array(const Descriptor& descriptor) {
  const Place& at = descriptor.place;
  if (at.array_size == 0 || at.array_size == kUnsizedArray) return;
  const Registers registers = registers_of(module_, descriptor.register_class, descriptor.index);
  const uint32_t further = registers.upper_bound - registers.lower_bound;
  if (registers.upper_bound == 0xffffffffu || uint64_t{at.element} + further < at.array_size) return;
  diagnostics_.error({},
                     "{} and the {} registers after it end at element {} of set {}, binding {}, an array "
                     "of {} on spirv",
                     name_of(module_, descriptor), further, uint64_t{at.element} + further, at.set,
                     at.binding, at.array_size);
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
    diagnostics_.error({}, "{} and {} are both at set {}, binding {} on spirv",
                       name_of(module_, *sorted[i - 1]), name_of(module_, *sorted[i]), sorted[i]->place.set,
                       sorted[i]->place.binding);
  }
}

}  // namespace texlate::spirv
