// Descriptors: their types, variables and places; what a shader can ask about them.

#include <algorithm>
#include <charconv>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

using ir::BindingFact;
using ir::Dimension;

namespace {

/// Components of OpImageQuerySize*: axes, then layers.
uint32_t size_count(Dimension dimension) {
  const uint32_t axes = ir::is_cube(dimension) ? 2 : ir::coordinate_count(dimension);
  return axes + (ir::is_array(dimension) ? 1 : 0);
}

uint32_t image_dim(Dimension dimension) {
  switch (dimension) {
    case Dimension::buffer: return spv::DimBuffer;
    case Dimension::texture1d:
    case Dimension::texture1d_array: return spv::Dim1D;
    case Dimension::texture3d: return spv::Dim3D;
    case Dimension::texture_cube:
    case Dimension::texture_cube_array: return spv::DimCube;
    default: return spv::Dim2D;
  }
}

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

/// Formats beyond those of capability Shader (SPIR-V 3.11).
bool is_extended(uint32_t format) {
  switch (format) {
    case spv::ImageFormatRgba32f:
    case spv::ImageFormatRgba16f:
    case spv::ImageFormatR32f:
    case spv::ImageFormatRgba8:
    case spv::ImageFormatRgba8Snorm:
    case spv::ImageFormatRgba32i:
    case spv::ImageFormatRgba16i:
    case spv::ImageFormatRgba8i:
    case spv::ImageFormatR32i:
    case spv::ImageFormatRgba32ui:
    case spv::ImageFormatRgba16ui:
    case spv::ImageFormatRgba8ui:
    case spv::ImageFormatR32ui: return false;
    default: return true;
  }
}

}  // namespace

void Emitter::declare_bindings() {
  resources_.assign(module_.resources.size(), {});
  for (size_t i = 0; i < resources_.size(); ++i) {
    const ir::Resource& resource = module_.resources[i];
    const RegisterClass which = resource.is_uav ? RegisterClass::view : RegisterClass::resource;
    resources_[i].place = place_of(which, resource.space, resource.lower_bound);
  }
  samplers_.assign(module_.samplers.size(), {});
  for (size_t i = 0; i < samplers_.size(); ++i) {
    const ir::Sampler& sampler = module_.samplers[i];
    samplers_[i].place = place_of(RegisterClass::sampler, sampler.space, sampler.lower_bound);
  }
  constant_buffers_.assign(module_.constant_buffers.size(), {});
  for (size_t i = 0; i < constant_buffers_.size(); ++i) {
    const ir::ConstantBuffer& buffer = module_.constant_buffers[i];
    constant_buffers_[i].place = place_of(RegisterClass::constant_buffer, buffer.space, buffer.lower_bound);
    if (buffer.is_range()) constant_buffers_[i].place.passing = Passing::descriptor;
  }
  locals_.assign(module_.locals.size(), 0);
  shared_.assign(module_.shared.size(), 0);
  tables_.assign(module_.tables.size(), 0);
}

void Emitter::describe(Id variable, DescriptorKind kind, RegisterClass register_class, uint32_t index) {
  static constexpr std::string_view kPrefixes[] = {"cb", "s", "t", "u", "u"};
  Descriptor descriptor{kind, register_class, index, 0, {}};
  Name name;
  name.add(kPrefixes[static_cast<size_t>(register_class)]);
  auto place = [&](const auto& declared) {
    name.add(declared.id);
    descriptor.place = options_.bindings.find(register_class, declared.space, declared.lower_bound);
  };
  switch (register_class) {
    case RegisterClass::constant_buffer: place(module_.constant_buffers[index]); break;
    case RegisterClass::sampler: place(module_.samplers[index]); break;
    case RegisterClass::counter:
      place(module_.resources[index]);
      name.add("_counter");
      break;
    default: place(module_.resources[index]); break;
  }
  describe(variable, descriptor, name);
}

void Emitter::describe(Id variable, const Descriptor& descriptor, std::string_view name) {
  builder_.decorate(variable, spv::DecorationDescriptorSet, descriptor.place.set);
  builder_.decorate(variable, spv::DecorationBinding, descriptor.place.binding);
  if (options_.names) builder_.name(variable, name);
  report(descriptor);
}

void Emitter::report(const Descriptor& descriptor) {
  // A constant buffer may have two variables, one a type.
  if (std::find(described_.begin(), described_.end(), descriptor) != described_.end()) return;
  described_.push_back(descriptor);
  if (host_ != nullptr) host_->descriptors.push_back(descriptor);
}

/// The specialization constant of a fact, or the number that the caller says it is.
Id Emitter::specialize(Fact fact, uint32_t resource) {
  const bool is_bool = fact == Fact::bound;
  const Id type = is_bool ? builder_.bool_type() : builder_.uint_type();
  uint32_t id = fact == Fact::raster_samples ? kRasterSamplesId
                : is_bool                    ? bound_id(resource)
                                             : missing_alpha_id(resource);
  for (const FactSource& parameter : options_.facts) {
    if (parameter.fact != fact) continue;
    if (fact != Fact::raster_samples) {
      const ir::Resource& declared = module_.resources[resource];
      if (declared.is_uav != parameter.is_uav || declared.space != parameter.space ||
          declared.lower_bound != parameter.reg)
        continue;
    }
    if (parameter.is_constant)
      return is_bool ? builder_.constant_bool(parameter.value != 0) : constant(parameter.value);
    id = parameter.value;
  }
  if (host_ != nullptr) host_->specializations.push_back({id, fact, resource});
  if (is_bool) return builder_.specialization(spv::OpSpecConstantTrue, type, {}, id);
  return builder_.specialization(spv::OpSpecConstant, type, {fact == Fact::raster_samples ? 1u : 0u}, id);
}

/// Of an image as SPIR-V sees it.
bool Emitter::is_multisampled(const ir::Resource& resource) const {
  return ir::is_multisampled(resource.dimension) &&
         !(options_.single_sample_images && resource.sample_count == 1);
}

DescriptorKind Emitter::resource_kind(uint32_t index) const {
  const ir::Resource& resource = module_.resources[index];
  if (is_block(index)) return DescriptorKind::storage_buffer;
  if (resource.dimension == Dimension::buffer || resources_[index].place.passing == Passing::texel_buffer) {
    return resource.is_uav ? DescriptorKind::storage_texel_buffer : DescriptorKind::uniform_texel_buffer;
  }
  return resource.is_uav ? DescriptorKind::storage_image : DescriptorKind::sampled_image;
}

bool Emitter::is_block(uint32_t index) const {
  const Dimension dimension = module_.resources[index].dimension;
  return (dimension == Dimension::raw_buffer || dimension == Dimension::structured_buffer) &&
         resources_[index].place.passing != Passing::texel_buffer;
}

// A range of registers is an array of descriptors, an unbounded one a run-time array; what lives in the
// host's array has that one's size.
Id Emitter::array_of(Id element, uint32_t lower_bound, uint32_t upper_bound, const Place& place,
                     Id& pointee) {
  pointee = element;
  const bool is_hosts = place.array_size != 0;
  if (lower_bound == upper_bound && !is_hosts) return element;
  if (is_hosts ? place.array_size == kUnsizedArray : upper_bound == 0xffffffffu) {
    builder_.require(spv::CapabilityRuntimeDescriptorArrayEXT);
    builder_.require_extension("SPV_EXT_descriptor_indexing");
    return builder_.type(spv::OpTypeRuntimeArray, {element});
  }
  return builder_.array_type(element, is_hosts ? place.array_size : upper_bound - lower_bound + 1);
}

Id Emitter::image_type(uint32_t index) {
  const ir::Resource& resource = module_.resources[index];
  const Dimension dimension = resource.dimension;
  Id sampled_type = builder_.float_type();
  uint32_t format = spv::ImageFormatUnknown;
  if (dimension == Dimension::raw_buffer || dimension == Dimension::structured_buffer) {
    // A texel buffer of words.
    builder_.require(resource.is_uav ? spv::CapabilityImageBuffer : spv::CapabilitySampledBuffer);
    return builder_.type(spv::OpTypeImage,
                         {builder_.uint_type(), spv::DimBuffer, 0u, 0u, 0u, resource.is_uav ? 2u : 1u,
                          resource.is_uav ? spv::ImageFormatR32ui : spv::ImageFormatUnknown});
  }
  const ir::ComponentType type = resource.component_types[0];
  if (type == ir::ComponentType::uint) sampled_type = builder_.uint_type();
  if (type == ir::ComponentType::sint) sampled_type = builder_.int_type();
  const bool one_dimensional = dimension == Dimension::texture1d || dimension == Dimension::texture1d_array;
  if (resource.is_uav) {
    if (one_dimensional) builder_.require(spv::CapabilityImage1D);
    if (dimension == Dimension::buffer) builder_.require(spv::CapabilityImageBuffer);
    if (has_atomics_[index] != 0) {
      format = type == ir::ComponentType::sint ? spv::ImageFormatR32i : spv::ImageFormatR32ui;
    } else {
      // A format is named only where reading needs one: stores without it are the device's business
      // everywhere.
      if (is_read_[index] != 0 && index < options_.view_formats.size()) format = options_.view_formats[index];
      if (format == spv::ImageFormatUnknown) {
        if (is_read_[index] != 0) builder_.require(spv::CapabilityStorageImageReadWithoutFormat);
        if (is_written_[index] != 0) builder_.require(spv::CapabilityStorageImageWriteWithoutFormat);
      } else if (is_extended(format)) {
        builder_.require(spv::CapabilityStorageImageExtendedFormats);
      }
    }
  } else {
    if (one_dimensional) builder_.require(spv::CapabilitySampled1D);
    if (dimension == Dimension::buffer) builder_.require(spv::CapabilitySampledBuffer);
    if (dimension == Dimension::texture_cube_array) builder_.require(spv::CapabilitySampledCubeArray);
  }
  // Depth 2: compared or not, the instruction says which.
  return builder_.type(
      spv::OpTypeImage,
      {sampled_type, image_dim(dimension), resource.is_uav ? 0u : 2u, ir::is_array(dimension) ? 1u : 0u,
       is_multisampled(resource) ? 1u : 0u, resource.is_uav ? 2u : 1u, format});
}

// struct { T words[]; }, for buffers of bytes.
Id Emitter::buffer_block(Kind kind) {
  Id& block = block_type_[static_cast<uint32_t>(kind)];
  if (block != 0) return block;
  const Id words = builder_.own_type(spv::OpTypeRuntimeArray, {type_of(kind)});
  builder_.decorate(words, spv::DecorationArrayStride, 4);
  block = builder_.own_type(spv::OpTypeStruct, {words});
  builder_.decorate(block, spv::DecorationBlock);
  builder_.decorate_member(block, 0, spv::DecorationOffset, 0);
  return block;
}

// In Direct3D two slots may view one resource (as raw and as structured, say), and one invocation sees its
// stores through the other view in program order. SPIR-V assumes the contrary of variables without this
// decoration (2.18.2). What is read as t# cannot be written at the same time: the runtime unbinds it
// (Direct3D 11) or resource states forbid it (12).
bool Emitter::may_alias(uint32_t index) const {
  const auto buffer = [&](uint32_t i) { return ir::is_buffer(module_.resources[i].dimension); };
  for (uint32_t i = 0; i < module_.resources.size(); ++i) {
    if (i == index || !module_.resources[i].is_uav || buffer(i) != buffer(index)) continue;
    if (is_written_[i] != 0 || (is_written_[index] != 0 && is_read_[i] != 0)) return true;
  }
  return false;
}

void Emitter::declare_resource(uint32_t index) {
  Binding& binding = resources_[index];
  if (binding.variable != 0) return;
  const ir::Resource& resource = module_.resources[index];
  const bool words = is_block(index);
  const spv::StorageClass storage = words ? spv::StorageClassStorageBuffer : spv::StorageClassUniformConstant;
  const Id object = words ? buffer_block(buffer_kind_[index]) : image_type(index);
  const Id type =
      array_of(object, resource.lower_bound, resource.upper_bound, binding.place, binding.pointee);
  binding.variable = builder_.variable(storage, type);
  describe(binding.variable, resource_kind(index),
           resource.is_uav ? RegisterClass::view : RegisterClass::resource, index);
  if (words && !resource.is_uav) {
    builder_.decorate(binding.variable, spv::DecorationNonWritable);
    return;
  }
  if (!resource.is_uav) return;
  if (is_written_[index] == 0) builder_.decorate(binding.variable, spv::DecorationNonWritable);
  if (is_read_[index] == 0) builder_.decorate(binding.variable, spv::DecorationNonReadable);
  if (may_alias(index)) builder_.decorate(binding.variable, spv::DecorationAliased);
  // What is not globally coherent is so within the group: barriers must make its stores visible
  // (D3D11.3 7.14.4).
  bool barrier = false;
  for (const Instruction& instruction : module_.code) {
    barrier |= instruction.op == Op::barrier &&
               (instruction.payload & (ir::kBarrierUavGlobal | ir::kBarrierUavGroup)) != 0;
  }
  if (resource.globally_coherent || resource.rasterizer_ordered || barrier)
    builder_.decorate(binding.variable, spv::DecorationCoherent);
}

void Emitter::require_indexing(uint32_t index, bool non_uniform) {
  const ir::Resource& resource = module_.resources[index];
  const bool words = is_block(index);
  const bool texels = !words && (resource.dimension == Dimension::buffer ||
                                 resources_[index].place.passing == Passing::texel_buffer);
  if (non_uniform || texels) builder_.require_extension("SPV_EXT_descriptor_indexing");
  if (non_uniform) builder_.require(spv::CapabilityShaderNonUniformEXT);
  if (words) {
    builder_.require(non_uniform ? spv::CapabilityStorageBufferArrayNonUniformIndexingEXT
                                 : spv::CapabilityStorageBufferArrayDynamicIndexing);
  } else if (resource.is_uav) {
    builder_.require(texels ? (non_uniform ? spv::CapabilityStorageTexelBufferArrayNonUniformIndexingEXT
                                           : spv::CapabilityStorageTexelBufferArrayDynamicIndexingEXT)
                            : (non_uniform ? spv::CapabilityStorageImageArrayNonUniformIndexingEXT
                                           : spv::CapabilityStorageImageArrayDynamicIndexing));
  } else {
    builder_.require(texels ? (non_uniform ? spv::CapabilityUniformTexelBufferArrayNonUniformIndexingEXT
                                           : spv::CapabilityUniformTexelBufferArrayDynamicIndexingEXT)
                            : (non_uniform ? spv::CapabilitySampledImageArrayNonUniformIndexingEXT
                                           : spv::CapabilitySampledImageArrayDynamicIndexing));
  }
}

Id Emitter::image_of(uint32_t index, Value at, bool non_uniform) {
  Binding& binding = resources_[index];
  if (const CombinedEntry* pair = only_combined(index);
      pair != nullptr && !module_.resources[index].is_range()) {
    if (binding.object != 0) return binding.object;
    const Id both = combined_object(index, *pair);
    return binding.object = at_entry([&] { return emit(spv::OpImage, image_type(index), {both}); });
  }
  declare_resource(index);
  const Id type = binding.pointee;
  const Place& place = binding.place;
  const bool constant_index = !is_indexed(place, at);
  if (!module_.resources[index].is_range()) {
    if (binding.object != 0) return binding.object;
    if (!constant_index) require_indexing(index, false);
    return binding.object = at_entry([&] {
             if (place.array_size == 0) return emit(spv::OpLoad, type, {binding.variable});
             const Id element = descriptor_index(place, ir::kNoValue);
             return emit(spv::OpLoad, type,
                         {access_chain(spv::StorageClassUniformConstant, type, {binding.variable, element})});
           });
  }
  if (!constant_index) require_indexing(index, non_uniform);
  const Id pointer =
      access_chain(spv::StorageClassUniformConstant, type, {binding.variable, descriptor_index(place, at)});
  const Id object = emit(spv::OpLoad, type, {pointer});
  if (non_uniform && !constant_index) {
    builder_.decorate(pointer, spv::DecorationNonUniformEXT);
    builder_.decorate(object, spv::DecorationNonUniformEXT);
  }
  return object;
}

Id Emitter::image(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  return image_of(contract.resource, slot(instruction, Slot::resource_index), contract.non_uniform);
}

/// Does the descriptor's index differ among invocations? Marked so, an index may have turned out constant, or
/// its register be none of a range: then nothing is indexed, and no capability asked for.
bool Emitter::is_non_uniform(const Instruction& instruction, Slot index) const {
  const ir::ResourceAccess& contract = access(instruction);
  const bool is_range = index == Slot::sampler_index ? module_.samplers[contract.sampler].is_range()
                                                     : module_.resources[contract.resource].is_range();
  const Value at = slot(instruction, index);
  return contract.non_uniform && is_range && at != ir::kNoValue && !module_.is_constant(at);
}

Id Emitter::sampler(const ir::ResourceAccess& contract, const Instruction& instruction) {
  const ir::Sampler& declared = module_.samplers[contract.sampler];
  Binding& binding = samplers_[contract.sampler];
  const Id type = builder_.type(spv::OpTypeSampler, {});
  if (binding.variable == 0) {
    const Id array =
        array_of(type, declared.lower_bound, declared.upper_bound, binding.place, binding.pointee);
    binding.variable = builder_.variable(spv::StorageClassUniformConstant, array);
    describe(binding.variable, DescriptorKind::sampler, RegisterClass::sampler, contract.sampler);
  }
  const Place& place = binding.place;
  const Value at = declared.is_range() ? slot(instruction, Slot::sampler_index) : ir::kNoValue;
  const bool constant_index = !is_indexed(place, at);
  const bool non_uniform = contract.non_uniform && declared.is_range();
  if (!constant_index) {
    builder_.require(non_uniform ? spv::CapabilitySampledImageArrayNonUniformIndexingEXT
                                 : spv::CapabilitySampledImageArrayDynamicIndexing);
    if (non_uniform) {
      builder_.require(spv::CapabilityShaderNonUniformEXT);
      builder_.require_extension("SPV_EXT_descriptor_indexing");
    }
  }
  if (!declared.is_range()) {
    if (binding.object != 0) return binding.object;
    return binding.object = at_entry([&] {
             if (place.array_size == 0) return emit(spv::OpLoad, type, {binding.variable});
             const Id element = descriptor_index(place, ir::kNoValue);
             return emit(spv::OpLoad, type,
                         {access_chain(spv::StorageClassUniformConstant, type, {binding.variable, element})});
           });
  }
  const Id pointer =
      access_chain(spv::StorageClassUniformConstant, type, {binding.variable, descriptor_index(place, at)});
  const Id object = emit(spv::OpLoad, type, {pointer});
  if (non_uniform && !constant_index) {
    builder_.decorate(pointer, spv::DecorationNonUniformEXT);
    builder_.decorate(object, spv::DecorationNonUniformEXT);
  }
  return object;
}

// Must stand in the block that uses it (SPIR-V 3.42.10, OpSampledImage).
Id Emitter::sampled_image(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  if (const CombinedEntry* pair = combined_entry(contract.resource, contract.sampler)) {
    if (!module_.resources[contract.resource].is_range() && !module_.samplers[contract.sampler].is_range()) {
      return combined_object(contract.resource, *pair);
    }
    refuse(instruction, "a range of registers in a combined descriptor");
  }
  const Id texture = image(instruction);
  const Id state = sampler(contract, instruction);
  for (size_t i = pairs_.size(); i-- != 0 && pairs_[i].block == block_;) {
    if (pairs_[i].image == texture && pairs_[i].sampler == state) return pairs_[i].sampled;
  }
  const Id type = builder_.type(spv::OpTypeSampledImage, {image_type(contract.resource)});
  const Id both = emit(spv::OpSampledImage, type, {texture, state});
  if (is_non_uniform(instruction, Slot::resource_index) || is_non_uniform(instruction, Slot::sampler_index))
    builder_.decorate(both, spv::DecorationNonUniformEXT);
  pairs_.push_back({texture, state, both, block_});
  return both;
}

const CombinedEntry* Emitter::combined_entry(uint32_t resource, uint32_t sampler) const {
  const ir::Resource& texture = module_.resources[resource];
  const ir::Sampler& state = module_.samplers[sampler];
  for (const CombinedEntry& entry : options_.bindings.combined) {
    if (entry.texture_space == texture.space && entry.texture == texture.lower_bound &&
        entry.sampler_space == state.space && entry.sampler == state.lower_bound) {
      return &entry;
    }
  }
  return nullptr;
}

/// The first pair of a texture that has no place of its own.
const CombinedEntry* Emitter::only_combined(uint32_t resource) const {
  const ir::Resource& texture = module_.resources[resource];
  if (texture.is_uav ||
      options_.bindings.find_entry(RegisterClass::resource, texture.space, texture.lower_bound) != nullptr) {
    return nullptr;
  }
  for (const CombinedEntry& entry : options_.bindings.combined) {
    if (entry.texture_space == texture.space && entry.texture == texture.lower_bound) return &entry;
  }
  return nullptr;
}

/// Loaded at entry.
Id Emitter::combined_object(uint32_t resource, const CombinedEntry& entry) {
  const Id type = builder_.type(spv::OpTypeSampledImage, {image_type(resource)});
  for (Combined& known : combined_) {
    if (known.entry != &entry) continue;
    if (known.object == 0) known.object = at_entry([&] { return emit(spv::OpLoad, type, {known.variable}); });
    return known.object;
  }
  const Id variable = builder_.variable(spv::StorageClassUniformConstant, type);
  const auto pair = static_cast<uint32_t>(&entry - options_.bindings.combined.data());
  describe(variable,
           {DescriptorKind::combined_image_sampler, RegisterClass::resource, resource, pair, entry.place},
           Name().add("t").add(entry.texture).add("_s").add(entry.sampler));
  const Id object = at_entry([&] { return emit(spv::OpLoad, type, {variable}); });
  combined_.push_back({&entry, variable, object});
  return object;
}

/// Robustness shader: is something bound? The caller says so; driver: unbound slots answer for themselves.
Id Emitter::bound(uint32_t resource) {
  Binding& binding = resources_[resource];
  if (binding.bound == 0) {
    binding.bound = specialize(Fact::bound, resource);
  }
  return binding.bound;
}

/// Bytes of a raw or structured buffer of so many words, or its elements.
Id Emitter::buffer_size(const ir::Resource& resource, Id words, BindingFact fact) {
  if (fact == BindingFact::bytes || resource.dimension == Dimension::raw_buffer) {
    return emit(spv::OpShiftLeftLogical, Scalar::uint, {words, constant(2)});
  }
  return emit(spv::OpUDiv, Scalar::uint, {words, constant(std::max(1u, resource.stride / 4))});
}

// Sizes of mip 0, levels, samples: a fact of an unbound slot is 0.
Id Emitter::query(uint32_t index, Value at, BindingFact fact) {
  const ir::Resource& resource = module_.resources[index];
  const Id uint = builder_.uint_type();
  Id result;
  if (is_block(index)) {
    declare_resource(index);
    Id buffer = resources_[index].variable;
    if (const Place& place = resources_[index].place; is_element(place, resource)) {
      if (is_indexed(place, at)) require_indexing(index, false);
      buffer = access_chain(spv::StorageClassStorageBuffer, resources_[index].pointee,
                            {buffer, descriptor_index(place, at)});
    }
    const Id words = emit(spv::OpArrayLength, uint, {buffer, 0u});
    result = buffer_size(resource, words, fact);
  } else if (resources_[index].place.passing == Passing::texel_buffer) {
    builder_.require(spv::CapabilityImageQuery);
    result = buffer_size(resource, emit(spv::OpImageQuerySize, uint, {image_of(index, at, false)}), fact);
  } else {
    builder_.require(spv::CapabilityImageQuery);
    const Id texture = image_of(index, at, false);
    const Dimension dimension = resource.dimension;
    if (fact == BindingFact::levels) {
      if (resource.is_uav || ir::is_multisampled(dimension)) return constant(1);
      result = emit(spv::OpImageQueryLevels, uint, {texture});
    } else if (fact == BindingFact::samples) {
      if (!is_multisampled(resource)) return constant(1);
      result = emit(spv::OpImageQuerySamples, uint, {texture});
    } else {
      const uint32_t count = size_count(dimension);
      uint32_t part = 0;
      if (fact == BindingFact::height) part = 1;
      if (fact == BindingFact::depth) part = 2;
      if (fact == BindingFact::layers) {
        if (!ir::is_array(dimension)) return constant(1);
        part = count - 1;
      }
      if (part >= count || (fact == BindingFact::height && count - (ir::is_array(dimension) ? 1 : 0) < 2))
        return constant(1);
      const Id type = builder_.vector_type(uint, count);
      const bool plain = resource.is_uav || is_multisampled(resource) || dimension == Dimension::buffer;
      result = plain ? emit(spv::OpImageQuerySize, type, {texture})
                     : emit(spv::OpImageQuerySizeLod, type, {texture, constant(0)});
      if (count > 1) result = emit(spv::OpCompositeExtract, uint, {result, part});
    }
  }
  return guarded() ? select(uint, {bound(index), result, constant(0)}) : result;
}

void Emitter::emit_binding(const Instruction& instruction) {
  const ir::BindingQuery which = ir::BindingQuery::unpack(instruction.payload);
  const Value at = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
  if (which.is_sampler_fact()) return refuse(instruction, "a fact of a sampler");
  if (instruction.op == Op::bound) {
    return define_bool(instruction.first_result,
                       guarded() ? bound(which.resource) : builder_.constant_bool(true));
  }
  Id id = 0;
  switch (which.fact) {
    case BindingFact::width:
    case BindingFact::height:
    case BindingFact::depth:
    case BindingFact::layers:
    case BindingFact::levels:
    case BindingFact::samples:
    case BindingFact::bytes: id = query(which.resource, at, which.fact); break;
    case BindingFact::missing_alpha: {
      Binding& binding = resources_[which.resource];
      if (binding.missing_alpha == 0) {
        binding.missing_alpha = specialize(Fact::missing_alpha, which.resource);
      }
      id = guarded() ? select(Scalar::uint, {bound(which.resource), binding.missing_alpha, constant(0)})
                     : binding.missing_alpha;
      break;
    }
    default: break;
  }
  if (id == 0) return refuse(instruction, "this fact of a binding");
  define(instruction.first_result, Kind::uint, id);
}

}  // namespace texlate::spirv
