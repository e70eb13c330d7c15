#include "library/spirv_options.h"

#include <array>
#include <bit>

#include "library/handles.h"

namespace texlate::library {

namespace {

// Sizes in version 0.1.
constexpr size_t kOldestOptions = offsetof(texlate_spirv_options, binding_stride);
constexpr size_t kOldestBinding = offsetof(texlate_spirv_binding, size);
constexpr size_t kOldestCombined = sizeof(texlate_spirv_combined);

void require_multiple_of_4(uint32_t number, const std::string& name, const char* member) {
  if (number % 4 != 0) refuse_argument("{}.{} is {}, which is not a multiple of 4", name, member, number);
}

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
}

spirv::BindingEntry take_binding(const texlate_spirv_binding& binding, const std::string& name) {
  require_enumerator(binding.register_class, TEXLATE_REGISTER_COUNTER, name + ".register_class");
  require_enumerator(binding.passing, TEXLATE_PASSING_PUSH_CONSTANTS, name + ".passing");
  if (binding.count == 0) refuse_argument("{}.count is 0", name);
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

void take_bindings(const texlate_spirv_options& from, SpirvSettings& to) {
  const bool has_stride = from.struct_size > kOldestOptions;
  const Elements<texlate_spirv_binding> bindings(from.bindings, from.binding_count, from.binding_stride,
                                                 has_stride, kOldestBinding, "options.spirv.bindings");
  for (size_t i = 0; i < bindings.size(); ++i)
    to.entries.push_back(take_binding(bindings[i], bindings.name(i)));
  refuse_duplicates(to.entries);
  const Elements<texlate_spirv_combined> pairs(from.combined, from.combined_count, from.combined_stride,
                                               has_stride, kOldestCombined, "options.spirv.combined");
  for (size_t i = 0; i < pairs.size(); ++i) {
    const texlate_spirv_combined pair = pairs[i];
    spirv::Place place;
    place.set = pair.set;
    place.binding = pair.binding;
    to.combined.push_back({pair.texture_space, pair.texture, pair.sampler_space, pair.sampler, place});
  }
  to.options.emit.bindings = {to.entries, to.combined, from.strict_bindings != 0};
}

void take_facts(const texlate_spirv_options& from, SpirvSettings& to) {
  const Elements<texlate_spirv_parameter> parameters(
      from.parameters, from.parameter_count, from.parameter_stride, true, sizeof(texlate_spirv_parameter),
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

void take_varyings(const texlate_spirv_options& from, const sm4::Program& program, SpirvSettings& to) {
  const Elements<texlate_varying> varyings(from.varyings, from.varying_count, from.varying_stride, true,
                                           sizeof(texlate_varying), "options.spirv.varyings");
  require(from.varyings == nullptr || from.next == nullptr,
          "options.spirv has both varyings and the next program");
  for (size_t i = 0; i < varyings.size(); ++i) {
    const texlate_varying given = varyings[i];
    const bool nobody = given.output_register == UINT32_MAX;
    if (given.input_register > 31 || (!nobody && given.output_register > 31))
      refuse_argument("{} names a register beyond 31", varyings.name(i));
    if (given.input_mask == 0 || given.input_mask > 15 || given.output_mask > 15)
      refuse_argument("{} has a mask that is not in 1 to 15", varyings.name(i));
    to.varyings.push_back({nobody ? spirv::kNobody : given.output_register, given.input_register,
                           static_cast<uint8_t>(given.output_mask), static_cast<uint8_t>(given.input_mask)});
  }
  if (from.next != nullptr) {
    require(from.next->valid, "options.spirv.next was read with errors");
    require(!program.output_signature.empty() && !from.next->program.input_signature.empty(),
            "options.spirv.next needs signatures, but this program or the next one has none");
    link(program.output_signature, from.next->program.input_signature, to.varyings);
  }
  to.options.emit.varyings = to.varyings;
  to.options.emit.has_varyings = from.varyings != nullptr || from.next != nullptr;
}

constexpr uint32_t kBuffers = 4;

/// Reads one entry of the declaration. Returns false if no output matches it.
bool take_stream_output(const texlate_stream_output& entry, const std::string& name,
                        const sm4::Program& program, std::array<uint32_t, kBuffers>& ends, SpirvSettings& to,
                        Diagnostics& diagnostics) {
  if (entry.buffer >= kBuffers) refuse_argument("{}.buffer is {}: there are 4", name, entry.buffer);
  if (entry.stream >= 4) refuse_argument("{}.stream is {}: there are 4", name, entry.stream);
  const uint32_t offset = ends[entry.buffer];
  if (entry.component_count > 128) refuse_argument("{}.component_count is {}", name, entry.component_count);
  ends[entry.buffer] += 4 * entry.component_count;
  if (entry.semantic_name == nullptr) return true;
  if (entry.component_count == 0 || entry.first_component + entry.component_count > 4)
    refuse_argument("{} selects components {} to {} of 4", name, entry.first_component,
                    entry.first_component + entry.component_count);
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

bool take_stream_outputs(const texlate_spirv_options& from, const sm4::Program& program, SpirvSettings& to,
                         Diagnostics& diagnostics) {
  const Elements<texlate_stream_output> entries(from.stream_output, from.stream_output_count,
                                                from.stream_output_stride, true,
                                                sizeof(texlate_stream_output), "options.spirv.stream_output");
  require(from.buffer_strides != nullptr || from.buffer_stride_count == 0,
          "options.spirv.buffer_strides is null but its count is not 0");
  std::array<uint32_t, kBuffers> ends{};
  bool good = true;
  for (size_t i = 0; i < entries.size(); ++i)
    good &= take_stream_output(entries[i], entries.name(i), program, ends, to, diagnostics);
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

void check_version(uint32_t version) {
  // 0 is the default; otherwise minor versions 3 to 6.
  const bool good =
      version == 0 || (version >= static_cast<uint32_t>(spirv::Version::v1_3) &&
                       version <= static_cast<uint32_t>(spirv::Version::v1_6) && (version & 0xff) == 0);
  if (!good)
    refuse_argument("options.spirv.version is {:#x}, which is neither 0 nor in 0x10300 to 0x10600", version);
}

}  // namespace

bool take_spirv_options(const texlate_spirv_options& given, const sm4::Program& program,
                        SpirvSettings& settings, Diagnostics& diagnostics) {
  const texlate_spirv_options from = versioned(&given, kOldestOptions, "options.spirv");
  require_enumerator(from.robustness, TEXLATE_ROBUSTNESS_SHADER, "options.spirv.robustness");
  check_version(from.version);
  take_bindings(from, settings);
  take_facts(from, settings);
  take_swizzles(from, settings);
  take_varyings(from, program, settings);
  spirv::Options& to = settings.options.emit;
  to.robustness =
      from.robustness == TEXLATE_ROBUSTNESS_SHADER ? spirv::Robustness::shader : spirv::Robustness::driver;
  if (from.version != 0) to.version = static_cast<spirv::Version>(from.version);
  to.debug = from.debug != 0;
  if (from.source_name != nullptr) to.source_name = from.source_name;
  to.float_controls = from.float_controls != 0;
  to.preserve_specials = from.preserve_specials != 0;
  to.point_size = from.point_size != 0;
  to.dual_source = from.dual_source_blending != 0;
  to.single_sample_images = from.single_sample_images != 0;
  settings.options.optimize = from.optimize != 0;
  settings.options.validate = from.validate != 0;
  return take_stream_outputs(from, program, settings, diagnostics);
}

}  // namespace texlate::library
