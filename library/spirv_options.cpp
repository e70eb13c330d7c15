#include "library/spirv_options.h"

#include <array>
#include <bit>

#include "library/fixed_function_options.h"
#include "library/handles.h"
#include "library/pipeline.h"

namespace texlate::library {

namespace {

void require_multiple_of_4(uint32_t number, const std::string& name, const char* member) {
  if (number % 4 != 0) refuse_argument("{}.{} is {}, which is not a multiple of 4", name, member, number);
}

void check_push_constants(const texlate_spirv_binding& binding, const std::string& name) {
  constexpr uint32_t kMostDeclared = 4096 * 16;  // D3D10_REQ_CONSTANT_BUFFER_ELEMENT_COUNT rows
  const uint64_t end = uint64_t{binding.binding} + (binding.size != 0 ? binding.size : kMostDeclared);
  if (end > UINT32_MAX) refuse_argument("{} ends {} bytes into the push constants", name, end);
}

constexpr uint32_t kMostWords = 4096 * 4;  // D3D10_REQ_CONSTANT_BUFFER_ELEMENT_COUNT rows

void check_passing(const texlate_spirv_binding& binding, const std::string& name) {
  const uint32_t which = number_in(binding.register_class);
  switch (binding.passing) {
    case TEXLATE_PASSING_DESCRIPTOR: break;
    case TEXLATE_PASSING_TEXEL_BUFFER:
      if (which != TEXLATE_REGISTER_RESOURCE && which != TEXLATE_REGISTER_UAV &&
          which != TEXLATE_REGISTER_COUNTER)
        refuse_argument("{} is passed as a texel buffer, which is only possible for t#, u# and counters",
                        name);
      break;
    case TEXLATE_PASSING_PUSH_CONSTANTS:
      if (which != TEXLATE_REGISTER_CONSTANT_BUFFER)
        refuse_argument("{} is passed as push constants, which is only possible for cb#", name);
      if (binding.count != 1)
        refuse_argument("{}.count is {}, but push constants hold one register", name, binding.count);
      if (binding.array_size != 0)
        refuse_argument("{} is both push constants and an element of an array", name);
      require_multiple_of_4(binding.binding, name, "binding");
      require_multiple_of_4(binding.size, name, "size");
      check_push_constants(binding, name);
      break;
    case TEXLATE_PASSING_SPECIALIZATION:
      if (which != TEXLATE_REGISTER_CONSTANT_BUFFER)
        refuse_argument("{} is passed as specialization constants, which is only possible for cb#", name);
      if (binding.count != 1 || binding.array_size != 0)
        refuse_argument("{} is passed as specialization constants, which hold one register", name);
      if (binding.binding > UINT32_MAX - kMostWords)
        refuse_argument("{}.binding is {}, after which there are no ids for the words of a constant buffer",
                        name, binding.binding);
      break;
  }
}

void check_array(const texlate_spirv_binding& binding, const std::string& name) {
  if (binding.array_size == 0) {
    if (binding.element != 0 || binding.has_element_offset != 0)
      refuse_argument("{} names an element but {}.array_size is 0", name, name);
    return;
  }
  if (binding.array_size != TEXLATE_UNSIZED_ARRAY &&
      uint64_t{binding.element} + binding.count > binding.array_size) {
    refuse_argument("{} ends at element {}, beyond its array_size of {}", name,
                    uint64_t{binding.element} + binding.count - 1, binding.array_size);
  }
  if (binding.has_element_offset != 0)
    require_multiple_of_4(binding.element_offset_at, name, "element_offset_at");
  if (binding.has_element_offset != 0 && binding.element_offset_at > UINT32_MAX - sizeof(uint32_t))
    refuse_argument("{}.element_offset_at is {}, where no integer fits", name, binding.element_offset_at);
}

/// The numbers of the registers, and of their bindings or elements, must not wrap around.
void check_count(const texlate_spirv_binding& binding, const std::string& name) {
  if (binding.count == 0) refuse_argument("{}.count is 0", name);
  const uint32_t further = binding.count - 1;
  const auto check = [&](uint32_t first, const char* what) {
    if (further > UINT32_MAX - first)
      refuse_argument("{} ends at {} {}, beyond the last possible one, {}", name, what,
                      uint64_t{first} + further, UINT32_MAX);
  };
  check(binding.first, "register");
  if (binding.array_size != 0)
    check(binding.element, "element");
  else
    check(binding.binding, "binding");
}

spirv::BindingEntry take_binding(const texlate_spirv_binding& binding, const std::string& name) {
  require_enumerator(binding.register_class, TEXLATE_REGISTER_COUNTER, name + ".register_class");
  require_enumerator(binding.passing, TEXLATE_PASSING_SPECIALIZATION, name + ".passing");
  check_count(binding, name);
  check_passing(binding, name);
  check_array(binding, name);
  spirv::Place place;
  place.set = binding.set;
  place.binding = binding.binding;
  place.passing = static_cast<spirv::Passing>(binding.passing);
  place.size = binding.size;
  place.array_size = binding.array_size;
  place.element = binding.element;
  if (binding.has_element_offset != 0) place.offset_at = binding.element_offset_at;
  return {static_cast<spirv::RegisterClass>(binding.register_class), binding.space, binding.first, place,
          binding.count};
}

/// Refuses two entries for the same register, because it would be unclear which one applies.
void refuse_duplicates(const std::pmr::vector<spirv::BindingEntry>& entries) {
  std::pmr::vector<uint32_t> order(entries.get_allocator());
  for (uint32_t i = 0; i < entries.size(); ++i) order.push_back(i);
  const auto key = [&](uint32_t i) {
    return std::tuple(entries[i].register_class, entries[i].space, entries[i].reg);
  };
  std::ranges::stable_sort(order, {}, key);
  for (size_t i = 1; i < order.size(); ++i) {
    const spirv::BindingEntry& a = entries[order[i - 1]];
    const spirv::BindingEntry& b = entries[order[i]];
    if (a.register_class == b.register_class && a.space == b.space && b.reg - a.reg < a.count) {
      refuse_argument("options.spirv.bindings[{}] and [{}] both name register {} of space {}", order[i - 1],
                      order[i], b.reg, b.space);
    }
  }
}

/// The same for pairs of a texture and a sampler.
void refuse_duplicates(const std::pmr::vector<spirv::CombinedEntry>& pairs) {
  std::pmr::vector<uint32_t> order(pairs.get_allocator());
  for (uint32_t i = 0; i < pairs.size(); ++i) order.push_back(i);
  const auto key = [&](uint32_t i) {
    const spirv::CombinedEntry& pair = pairs[i];
    return std::tuple(pair.texture_space, pair.texture, pair.sampler_space, pair.sampler);
  };
  std::ranges::stable_sort(order, {}, key);
  for (size_t i = 1; i < order.size(); ++i) {
    const spirv::CombinedEntry& pair = pairs[order[i]];
    if (key(order[i - 1]) == key(order[i]))
      refuse_argument("options.spirv.combined[{}] and [{}] both name t{} of space {} with s{} of space {}",
                      order[i - 1], order[i], pair.texture, pair.texture_space, pair.sampler,
                      pair.sampler_space);
  }
}

/// The bindings of one set that an entry or a pair occupies.
struct Occupied {
  uint32_t set, first, last;
  uint32_t array_size;  // 0: descriptors of their own
  uint32_t index;       // in `bindings`, or behind these in `combined`
};

std::pmr::vector<Occupied> occupied_by(const SpirvSettings& settings) {
  std::pmr::vector<Occupied> all(settings.entries.get_allocator());
  uint32_t index = 0;
  for (const spirv::BindingEntry& entry : settings.entries) {
    const spirv::Place& at = entry.place;
    const uint32_t further = at.array_size != 0 ? 0 : entry.count - 1;
    if (at.passing != spirv::Passing::push_constants && at.passing != spirv::Passing::specialization)
      all.push_back({at.set, at.binding, at.binding + further, at.array_size, index});
    ++index;
  }
  for (const spirv::CombinedEntry& pair : settings.combined)
    all.push_back({pair.place.set, pair.place.binding, pair.place.binding, 0, index++});
  return all;
}

/// Refuses entries that disagree about a binding: whether it is an array, and of how many descriptors.
/// Registers may share elements of an array, because ranges of a descriptor table may overlap. Two
/// descriptors of their own at one binding are an error of the translation, if the shader has both registers.
void refuse_contradictions(const SpirvSettings& settings) {
  std::pmr::vector<Occupied> all = occupied_by(settings);
  std::ranges::stable_sort(all, {}, [](const Occupied& one) { return std::pair(one.set, one.first); });
  const auto name = [&](const Occupied& one) {
    const size_t bindings = settings.entries.size();
    return one.index < bindings ? fmt::format("options.spirv.bindings[{}]", one.index)
                                : fmt::format("options.spirv.combined[{}]", one.index - bindings);
  };
  const Occupied* single = nullptr;  // of those so far in this set, the one that ends last
  const Occupied* array = nullptr;   // the last one in this set
  for (const Occupied& one : all) {
    if (single != nullptr && single->set != one.set) single = nullptr;
    if (array != nullptr && (array->set != one.set || array->first != one.first)) array = nullptr;
    const Occupied* other = array != nullptr && array->array_size != one.array_size ? array : nullptr;
    if (one.array_size != 0 && single != nullptr && single->last >= one.first) other = single;
    if (other != nullptr)
      refuse_argument("{} and {} disagree about the array at set {}, binding {}", name(*other), name(one),
                      one.set, one.first);
    if (one.array_size != 0)
      array = &one;
    else if (single == nullptr || one.last > single->last)
      single = &one;
  }
}

void take_binding_map(const texlate_spirv_options& from, SpirvSettings& to) {
  const bool has_stride = from.struct_size > kOldestSpirvOptions;
  const Elements<texlate_spirv_binding> bindings(from.bindings, from.binding_count, from.binding_stride,
                                                 has_stride, kOldestSpirvBinding, "options.spirv.bindings");
  for (size_t i = 0; i < bindings.size(); ++i)
    to.entries.push_back(take_binding(bindings[i], bindings.name(i)));
  refuse_duplicates(to.entries);
  const Elements<texlate_spirv_combined> pairs(from.combined, from.combined_count, from.combined_stride,
                                               has_stride, kOldestSpirvCombined, "options.spirv.combined");
  for (size_t i = 0; i < pairs.size(); ++i) {
    const texlate_spirv_combined pair = pairs[i];
    spirv::Place place;
    place.set = pair.set;
    place.binding = pair.binding;
    to.combined.push_back({pair.texture_space, pair.texture, pair.sampler_space, pair.sampler, place});
  }
  refuse_duplicates(to.combined);
  refuse_contradictions(to);
  to.options.emit.bindings = {to.entries, to.combined, from.strict_bindings != 0};
}

void take_facts(const texlate_spirv_options& from, SpirvSettings& to) {
  const Elements<texlate_spirv_parameter> parameters(from.parameters, from.parameter_count,
                                                     from.parameter_stride, true, kOldestSpirvParameter,
                                                     "options.spirv.parameters");
  for (size_t i = 0; i < parameters.size(); ++i) {
    const texlate_spirv_parameter given = parameters[i];
    require_enumerator(given.fact, TEXLATE_FACT_MISSING_ALPHA, parameters.name(i) + ".fact");
    const uint32_t which = number_in(given.register_class);
    const bool is_of_register = number_in(given.fact) != TEXLATE_FACT_RASTER_SAMPLES;
    if (is_of_register && which != TEXLATE_REGISTER_RESOURCE && which != TEXLATE_REGISTER_UAV)
      refuse_argument("{}.register_class is neither RESOURCE nor UAV", parameters.name(i));
    to.facts.push_back({static_cast<spirv::Fact>(given.fact), which == TEXLATE_REGISTER_UAV, given.space,
                        given.first, given.is_constant != 0, given.value});
  }
  to.options.emit.facts = to.facts;
}

void take_swizzles(const texlate_spirv_options& from, SpirvSettings& to) {
  require(from.output_swizzles != nullptr || from.output_swizzle_count == 0,
          "options.spirv.output_swizzles is null but its count is not 0");
  for (size_t i = 0; i < from.output_swizzle_count; ++i) {
    spirv::Swizzle swizzle;
    for (uint32_t c = 0; c < 4; ++c) {
      swizzle[c] = from.output_swizzles[i][c];
      if (swizzle[c] > 3)
        refuse_argument("options.spirv.output_swizzles[{}][{}] is {}, which is not a component", i, c,
                        swizzle[c]);
    }
    to.swizzles.push_back(swizzle);
  }
  to.options.emit.swizzles = to.swizzles;
}

/// Whether the program is of a stage whose outputs another stage or a stream output buffer takes. Nothing is
/// known of a program that was read with errors.
bool has_next_stage(const texlate_program& program) {
  if (!program.valid) return true;
  const ir::Stage stage =
      program.is_ir ? program.module.stage : static_cast<ir::Stage>(program.program.version.stage);
  return stage == ir::Stage::vertex || stage == ir::Stage::domain || stage == ir::Stage::geometry;
}

void check_varying(const texlate_varying& given, const std::string& name) {
  const bool nobody = given.output_register == UINT32_MAX;
  if (given.input_register > 31 || (!nobody && given.output_register > 31))
    refuse_argument("{} names a register beyond 31", name);
  if (given.input_mask == 0 || given.input_mask > 15)
    refuse_argument("{}.input_mask is {}, which is not in 1 to 15", name, given.input_mask);
  if (given.output_mask > 15 || (!nobody && given.output_mask == 0))
    refuse_argument("{}.output_mask is {}, which is not in 1 to 15", name, given.output_mask);
}

/// Refuses two entries for one component of an input: only one of them could be written.
void refuse_shared_inputs(const std::pmr::vector<spirv::Varying>& varyings) {
  constexpr size_t kNone = SIZE_MAX;
  constexpr uint32_t kComponents = 4 * 32;
  std::array<size_t, kComponents> named;  // by input component: the entry that names it
  named.fill(kNone);
  for (size_t i = 0; i < varyings.size(); ++i) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((varyings[i].to_mask >> c) & 1) == 0) continue;
      size_t& by = named[4 * varyings[i].to + c];
      if (by != kNone)
        refuse_argument("options.spirv.varyings[{}] and [{}] both name component {} of input register {}", by,
                        i, "xyzw"[c], varyings[i].to);
      by = i;
    }
  }
}

void take_varyings(const texlate_spirv_options& from, const texlate_program& source, SpirvSettings& to) {
  const sm4::Program& program = source.program;
  const Elements<texlate_varying> varyings(from.varyings, from.varying_count, from.varying_stride, true,
                                           kOldestVarying, "options.spirv.varyings");
  require(from.varyings == nullptr || from.next == nullptr,
          "options.spirv has both varyings and the next program");
  require(from.varyings == nullptr || has_next_stage(source),
          "options.spirv.varyings is given, but this is not a vertex, domain or geometry shader");
  require(from.next == nullptr || has_next_stage(source),
          "options.spirv.next is given, but this is not a vertex, domain or geometry shader");
  for (size_t i = 0; i < varyings.size(); ++i) {
    const texlate_varying given = varyings[i];
    check_varying(given, varyings.name(i));
    const bool nobody = given.output_register == UINT32_MAX;
    to.varyings.push_back({nobody ? spirv::kNobody : given.output_register, given.input_register,
                           static_cast<uint8_t>(given.output_mask), static_cast<uint8_t>(given.input_mask)});
  }
  refuse_shared_inputs(to.varyings);
  if (from.next != nullptr) {
    require(from.next->valid, "options.spirv.next was read with errors");
    require(!program.output_signature.empty() && !from.next->program.input_signature.empty(),
            "options.spirv.next needs signatures, but this program or the next one has none");
    const sm4::Stage next = from.next->program.version.stage;
    if (source.valid) require_follows(next, program.version.stage, "options.spirv.next");
    link(program.output_signature, from.next->program.input_signature, to.varyings, next);
    to.options.emit.feeds_rasterizer = next != sm4::Stage::hull && next != sm4::Stage::geometry;
  }
  to.options.emit.varyings = to.varyings;
  to.options.emit.has_varyings = from.varyings != nullptr || from.next != nullptr;
}

constexpr uint32_t kBuffers = 4;

void check_components(const texlate_stream_output& entry, const std::string& name) {
  constexpr uint32_t kMostOfGap = 128;
  const bool is_gap = entry.semantic_name == nullptr;
  const uint32_t most = is_gap ? kMostOfGap : 4;
  if (entry.component_count == 0 || entry.component_count > most)
    refuse_argument("{}.component_count is {}, which is not in 1 to {}", name, entry.component_count, most);
  if (!is_gap && entry.first_component > 4 - entry.component_count)
    refuse_argument("{} selects {} components from component {} on, but a register has 4", name,
                    entry.component_count, entry.first_component);
}

/// Reads one entry of the declaration. Returns false if no output matches it.
bool take_stream_output(const texlate_stream_output& entry, const std::string& name,
                        const sm4::Program& program, std::array<uint32_t, kBuffers>& ends, SpirvSettings& to,
                        Diagnostics& diagnostics) {
  if (entry.buffer >= kBuffers) refuse_argument("{}.buffer is {}: there are 4", name, entry.buffer);
  if (entry.stream >= 4) refuse_argument("{}.stream is {}: there are 4", name, entry.stream);
  const uint32_t offset = ends[entry.buffer];
  check_components(entry, name);
  if (offset > UINT32_MAX - 4 * entry.component_count)
    refuse_argument("{} ends beyond the last possible byte of buffer {}", name, entry.buffer);
  ends[entry.buffer] += 4 * entry.component_count;
  if (entry.semantic_name == nullptr) return true;
  const sm4::SignatureElement* element =
      find_element(program.output_signature, entry.semantic_name, entry.semantic_index, entry.stream);
  if (element == nullptr || element->register_index == sm4::kNoRegister) {
    diagnostics.error({}, "stream output selects {}{} of stream {}, which the shader does not write",
                      entry.semantic_name, entry.semantic_index, entry.stream);
    return false;
  }
  const auto first = static_cast<uint32_t>(std::countr_zero(element->mask)) + entry.first_component;
  const uint32_t wanted = ((1u << entry.component_count) - 1) << first;
  if ((wanted & ~element->mask) != 0) {
    diagnostics.error({}, "stream output selects {} components of {}{}, which has {}",
                      entry.first_component + entry.component_count, entry.semantic_name,
                      entry.semantic_index, std::popcount(element->mask));
    return false;
  }
  if (to.captures.size() == spirv::kMostCaptures) refuse_argument("options.spirv.stream_output is too long");
  to.captures.push_back({element->register_index, static_cast<uint8_t>(entry.stream),
                         static_cast<uint8_t>(first), static_cast<uint8_t>(entry.component_count),
                         static_cast<uint8_t>(entry.buffer), offset, 0});
  return true;
}

/// What is captured into one buffer is of one stream (SPIR-V 2.16.1, universal validation rules).
void refuse_mixed_streams(const Elements<texlate_stream_output>& entries) {
  constexpr size_t kNone = SIZE_MAX;
  std::array<size_t, kBuffers> first;  // by buffer: the first entry that is not a gap
  first.fill(kNone);
  for (size_t i = 0; i < entries.size(); ++i) {
    const texlate_stream_output entry = entries[i];
    if (entry.semantic_name == nullptr) continue;
    size_t& by = first[entry.buffer];
    if (by == kNone) by = i;
    if (entries[by].stream != entry.stream)
      refuse_argument("options.spirv.stream_output[{}] and [{}] put streams {} and {} into buffer {}", by, i,
                      entries[by].stream, entry.stream, entry.buffer);
  }
}

bool take_stream_outputs(const texlate_spirv_options& from, const texlate_program& program, SpirvSettings& to,
                         Diagnostics& diagnostics) {
  const Elements<texlate_stream_output> entries(from.stream_output, from.stream_output_count,
                                                from.stream_output_stride, true, kOldestStreamOutput,
                                                "options.spirv.stream_output");
  require(from.buffer_strides != nullptr || from.buffer_stride_count == 0,
          "options.spirv.buffer_strides is null but its count is not 0");
  require(entries.size() == 0 || has_next_stage(program),
          "options.spirv.stream_output is given, but this is not a vertex, domain or geometry shader");
  std::array<uint32_t, kBuffers> ends{};
  bool good = true;
  for (size_t i = 0; i < entries.size(); ++i)
    good &= take_stream_output(entries[i], entries.name(i), program.program, ends, to, diagnostics);
  refuse_mixed_streams(entries);
  std::array<uint32_t, kBuffers> strides = ends;
  for (size_t b = 0; b < std::min<size_t>(kBuffers, from.buffer_stride_count); ++b) {
    const uint32_t given = from.buffer_strides[b];
    if (given == 0) continue;
    if (given % 4 != 0 || given < ends[b])
      refuse_argument(
          "options.spirv.buffer_strides[{}] is {}: not a multiple of 4, or less than the {} bytes of its "
          "entries",
          b, given, ends[b]);
    strides[b] = given;
  }
  for (spirv::Capture& capture : to.captures) capture.stride = strides[capture.buffer];
  to.options.emit.captures = to.captures;
  return good;
}

spirv::StateNumber state_number(const texlate_state_value& given, const char* member) {
  const StateValue value =
      take_state_value(given, 1, "options.spirv.point_size_state->" + std::string(member));
  return {value.bits[0], value.in_buffer, value.buffer, value.space, value.offset};
}

void take_point_size(const texlate_spirv_options& from, spirv::Options& to) {
  if (!(from.point_size_value >= 0)) refuse_argument("options.spirv.point_size_value is not a size");
  if (from.point_size_value != 0) to.point_size_value = from.point_size_value;
  if (from.point_size_state == nullptr) return;
  const texlate_point_size& state = *from.point_size_state;
  to.point_size_state = {state_number(state.size, "size"), state_number(state.least, "least"),
                         state_number(state.most, "most")};
}

void take_device(const texlate_spirv_options& from, SpirvSettings& to) {
  const Elements<texlate_device_property> properties(from.device, from.device_count, from.device_stride, true,
                                                     kOldestDeviceProperty, "options.spirv.device");
  for (size_t i = 0; i < properties.size(); ++i) {
    const texlate_device_property given = properties[i];
    if (given.name == nullptr) refuse_argument("{}.name is null", properties.name(i));
    if (!to.options.emit.device.set(given.name, given.value))
      refuse_argument(
          "{}.name is \"{}\", which is not a property that matters (texlate_device_property_name; "
          "robustness2 and null descriptors: options.spirv.robustness)",
          properties.name(i), given.name);
  }
}

/// The program as texlate prints it.
void make_listing(const texlate_program& program, spirv::Listing& listing) {
  std::pmr::vector<uint32_t> lines(listing.text.get_allocator());
  const bool has_chunks = !program.container.chunks.empty();
  print_listing(program.program, has_chunks ? &program.container : nullptr, listing.text, lines);
  for (size_t i = 0; i < lines.size(); ++i)
    listing.lines.push_back({program.program.instructions[i].location, lines[i]});
}

void check_version(uint32_t version) {
  // 0 is the default; otherwise 1.0, or minor versions 3 to 6.
  const bool good = version == 0 || version == static_cast<uint32_t>(spirv::Version::v1_0) ||
                    (version >= static_cast<uint32_t>(spirv::Version::v1_3) &&
                     version <= static_cast<uint32_t>(spirv::Version::v1_6) && (version & 0xff) == 0);
  if (!good)
    refuse_argument(
        "options.spirv.version is {:#x}, which is neither 0 nor 0x10000 nor in 0x10300 to 0x10600", version);
}

}  // namespace

bool take_spirv_options(const texlate_spirv_options& given, const texlate_program& program,
                        SpirvSettings& settings, Diagnostics& diagnostics) {
  const texlate_spirv_options from = versioned(&given, kOldestSpirvOptions, "options.spirv");
  require_enumerator(from.robustness, TEXLATE_ROBUSTNESS_SHADER, "options.spirv.robustness");
  check_version(from.version);
  take_binding_map(from, settings);
  take_facts(from, settings);
  take_device(from, settings);
  take_swizzles(from, settings);
  take_varyings(from, program, settings);
  spirv::Options& to = settings.options.emit;
  to.robustness =
      from.robustness == TEXLATE_ROBUSTNESS_SHADER ? spirv::Robustness::shader : spirv::Robustness::driver;
  if (from.version != 0) to.version = static_cast<spirv::Version>(from.version);
#define OPTION(member, type, standard, option, value, least, most, help) to.member = from.member != 0;
#include "backend/spirv/option_rows.inc"
#undef OPTION
  if (from.source_name != nullptr) to.source_name = from.source_name;
  if (from.source != nullptr) to.source = from.source;
  if (to.debug_info && from.source == nullptr && program.valid && !program.is_ir) {
    make_listing(program, settings.listing);
    to.listing = &settings.listing;
  }
  settings.messages = from.messages != 0;
  require_enumerator(from.discard, TEXLATE_DISCARD_FLAG, "options.spirv.discard");
  to.discard = from.discard == TEXLATE_DISCARD_FLAG ? spirv::Discard::flag : spirv::Discard::demote;
  take_point_size(from, to);
  settings.options.optimize = from.optimize != 0;
  settings.options.validate = from.validate != 0;
  return take_stream_outputs(from, program, settings, diagnostics);
}

}  // namespace texlate::library

const char* texlate_device_property_name(uint32_t index) {
  using texlate::spirv::kFeatures, texlate::spirv::kLimits;
  // The names of both tables are terminated literals.
  if (index < std::size(kFeatures)) return kFeatures[index].name.data();
  index -= static_cast<uint32_t>(std::size(kFeatures));
  return index < std::size(kLimits) ? kLimits[index].name.data() : nullptr;
}
