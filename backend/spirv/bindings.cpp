#include "backend/spirv/bindings.h"

#include <algorithm>

#include "backend/spirv/survey.h"

namespace texlate::spirv {

using ir::BindingFact;

namespace {

spv::Dim image_dim(Dimension dimension) {
  if (dimension == Dimension::buffer) return spv::DimBuffer;
  if (ir::is_cube(dimension)) return spv::DimCube;
  return static_cast<spv::Dim>(spv::Dim1D + ir::coordinate_count(dimension) - 1);
}

/// The formats of capability Shader (SPIR-V 3.11).
constexpr uint32_t kUsualFormats[] = {
    spv::ImageFormatRgba32f,    spv::ImageFormatRgba16f,  spv::ImageFormatR32f,     spv::ImageFormatRgba8,
    spv::ImageFormatRgba8Snorm, spv::ImageFormatRgba32i,  spv::ImageFormatRgba16i,  spv::ImageFormatRgba8i,
    spv::ImageFormatR32i,       spv::ImageFormatRgba32ui, spv::ImageFormatRgba16ui, spv::ImageFormatRgba8ui,
    spv::ImageFormatR32ui};
constexpr uint32_t kSignedFormats[] = {
    spv::ImageFormatRgba32i, spv::ImageFormatRgba16i, spv::ImageFormatRgba8i,
    spv::ImageFormatRg32i,   spv::ImageFormatRg16i,   spv::ImageFormatRg8i,
    spv::ImageFormatR32i,    spv::ImageFormatR16i,    spv::ImageFormatR8i};

/// Unknown if SPIR-V has none (SPIR-V 3.11).
uint32_t image_format(const backend::ViewFormat& view) {
  using backend::TexelKind;
  using backend::TexelPacking;
#define TEXLATE_VIEW_FORMAT(dxgi, number, count, width, texel, order, image, name)       \
  if (view.components == count && view.bits == width && view.kind == TexelKind::texel && \
      view.packing == TexelPacking::order)                                               \
    return spv::ImageFormat##image;
#include "backend/view_formats.inc"
#undef TEXLATE_VIEW_FORMAT
  return spv::ImageFormatUnknown;
}

bool is_one_of(std::span<const uint32_t> formats, uint32_t format) {
  return std::ranges::find(formats, format) != formats.end();
}

}  // namespace

bool Bindings::is_multisampled(const ir::Resource& resource) const {
  return ir::is_multisampled(resource.dimension) &&
         !(options_.single_sample_images && resource.sample_count == 1);
}

Id Bindings::texel_component(uint32_t index) {
  switch (module_.resources[index].component_types[0]) {
    case ir::ComponentType::uint: return builder_.uint_type();
    case ir::ComponentType::sint: return builder_.int_type();
    default: return builder_.float_type();
  }
}

/// A texel buffer of words.
Id Bindings::words_type(bool is_uav) {
  builder_.require(is_uav ? spv::CapabilityImageBuffer : spv::CapabilitySampledBuffer);
  return builder_.type(spv::OpTypeImage,
                       {builder_.uint_type(), spv::DimBuffer, literal(0), literal(0), literal(0),
                        literal(is_uav ? 2 : 1), is_uav ? spv::ImageFormatR32ui : spv::ImageFormatUnknown});
}

Id Bindings::image_type(uint32_t index) {
  const ir::Resource& resource = module_.resources[index];
  const Dimension dimension = resource.dimension;
  if (ir::is_untyped(dimension)) return words_type(resource.is_uav);
  const Id sampled_type = texel_component(index);
  if (dimension == Dimension::texture1d || dimension == Dimension::texture1d_array)
    builder_.require(resource.is_uav ? spv::CapabilityImage1D : spv::CapabilitySampled1D);
  if (dimension == Dimension::buffer)
    builder_.require(resource.is_uav ? spv::CapabilityImageBuffer : spv::CapabilitySampledBuffer);
  if (dimension == Dimension::texture_cube_array && !resource.is_uav)
    builder_.require(spv::CapabilitySampledCubeArray);
  uint32_t format = spv::ImageFormatUnknown;
  if (resource.is_uav) format = view_format(index);
  // Depth 2: whether it compares is up to the instruction.
  return builder_.type(spv::OpTypeImage,
                       {sampled_type, image_dim(dimension), literal(resource.is_uav ? 0 : 2),
                        literal(ir::is_array(dimension) ? 1 : 0), literal(is_multisampled(resource) ? 1 : 0),
                        literal(resource.is_uav ? 2 : 1), literal(format)});
}

/// The caller's format for a view that is read or, where the device needs one, written; or the one that the
/// device can do without.
uint32_t Bindings::chosen_format(uint32_t index) const {
  const bool reads_any = options_.device.has(Feature::read_without_format);
  const bool writes_any = options_.device.has(Feature::write_without_format);
  const bool is_read = uses_.is_read[index] != 0, is_written = uses_.is_written[index] != 0;
  const bool needs_format = is_read || (is_written && !writes_any);
  const backend::ViewFormat* const given =
      backend::find_format(options_.view_formats, module_.resources[index].id);
  uint32_t format = spv::ImageFormatUnknown;
  if (needs_format && given != nullptr) format = image_format(*given);
  const bool unknown_works = (!is_read || reads_any) && (!is_written || writes_any);
  if (!is_one_of(kUsualFormats, format) && unknown_works && !options_.device.has(Feature::extended_formats))
    return spv::ImageFormatUnknown;
  if (format != spv::ImageFormatUnknown || !is_read || reads_any) return format;
  // Without "typed UAV load additional formats", Direct3D loads no others (docs/reference/direct3d.md 1.3).
  switch (module_.resources[index].component_types[0]) {
    case ir::ComponentType::sint: return spv::ImageFormatR32i;
    case ir::ComponentType::uint: return spv::ImageFormatR32ui;
    case ir::ComponentType::float_: return spv::ImageFormatR32f;
    default: return format;
  }
}

/// A format is named only where atomics, reading or the device require one.
uint32_t Bindings::view_format(uint32_t index) {
  if (uses_.has_atomics[index] != 0) {
    const ir::ComponentType type = module_.resources[index].component_types[0];
    return type == ir::ComponentType::float_ ? spv::ImageFormatR32f
           : type == ir::ComponentType::sint ? spv::ImageFormatR32i
                                             : spv::ImageFormatR32ui;
  }
  const uint32_t format = chosen_format(index);
  if (format == spv::ImageFormatUnknown) {
    if (uses_.is_read[index] != 0) builder_.require(spv::CapabilityStorageImageReadWithoutFormat);
    if (uses_.is_written[index] != 0) builder_.require(spv::CapabilityStorageImageWriteWithoutFormat);
    return format;
  }
  if (!is_one_of(kUsualFormats, format)) builder_.require(spv::CapabilityStorageImageExtendedFormats);
  // The format's components have the type of the image (Vulkan, VUID-StandaloneSpirv-Image-04965).
  const ir::Resource& view = module_.resources[index];
  const bool is_signed = view.component_types[0] == ir::ComponentType::sint;
  const bool is_integer = is_signed || view.component_types[0] == ir::ComponentType::uint;
  if (is_integer && is_signed != is_one_of(kSignedFormats, format))
    diagnostics_.error(
        module_.location_of(code_[current_]),
        "u{} is declared with {} integers and its format has {} ones, which cannot be expressed on spirv",
        view.id, is_signed ? "signed" : "unsigned", is_signed ? "unsigned" : "signed");
  return format;
}

/// struct { member; }
Id Bindings::block_of(Id member) {
  const Id block = builder_.own_type(spv::OpTypeStruct, {member});
  builder_.decorate(block, has_storage_buffers() ? spv::DecorationBlock : spv::DecorationBufferBlock);
  builder_.decorate_member(block, 0, spv::DecorationOffset, 0);
  return block;
}

// struct { T words[]; }, for buffers of bytes.
Id Bindings::buffer_block(Kind kind) {
  Id& block = block_type_[static_cast<uint32_t>(kind)];
  if (block != Id::none) return block;
  const Id words = builder_.own_type(spv::OpTypeRuntimeArray, {type_of(kind)});
  builder_.decorate(words, spv::DecorationArrayStride, 4);
  return block = block_of(words);
}

// In Direct3D two slots may view one resource (for example as raw and as structured), and one invocation sees
// its stores through the other view in program order. SPIR-V assumes the contrary of variables without this
// decoration (2.18.2). A resource that is read as t# cannot be written at the same time: the runtime unbinds
// it (Direct3D 11) or resource states forbid it (12).
bool Bindings::may_alias(uint32_t index) const {
  const auto buffer = [&](uint32_t i) { return ir::is_buffer(module_.resources[i].dimension); };
  for (uint32_t i = 0; i < module_.resources.size(); ++i) {
    if (i == index || !module_.resources[i].is_uav || buffer(i) != buffer(index)) continue;
    if (uses_.is_written[i] != 0 || (uses_.is_written[index] != 0 && uses_.is_read[i] != 0)) return true;
  }
  return false;
}

Bindings::Binding& Bindings::declare_resource(uint32_t index) {
  Binding& binding = resources_[index];
  if (binding.variable != Id::none) return binding;
  const ir::Resource& resource = module_.resources[index];
  const bool words = is_block(index);
  const Id object = words ? buffer_block(values_.types().buffers[index]) : image_type(index);
  binding.pointee = object;
  binding.variable = report_.declare(storage_of(kind_of(index)), object, kind_of(index),
                                     resource.is_uav ? RegisterClass::view : RegisterClass::resource, index);
  if (resource.is_uav) {
    decorate_view(index);
  } else if (words) {
    builder_.decorate(binding.variable, spv::DecorationNonWritable);
  }
  return binding;
}

void Bindings::decorate_view(uint32_t index) {
  const ir::Resource& view = module_.resources[index];
  const Id variable = resources_[index].variable;
  if (uses_.is_written[index] == 0) builder_.decorate(variable, spv::DecorationNonWritable);
  if (uses_.is_read[index] == 0) builder_.decorate(variable, spv::DecorationNonReadable);
  if (may_alias(index)) builder_.decorate(variable, spv::DecorationAliased);
  // A view that is not globally coherent is coherent within the group: barriers must make its stores visible
  // (D3D11.3 7.14.4).
  const bool barrier = std::ranges::any_of(module_.code, [](const Instruction& instruction) {
    return instruction.op == Op::barrier &&
           (instruction.payload & (ir::kBarrierUavGlobal | ir::kBarrierUavGroup)) != 0;
  });
  if (view.globally_coherent || view.rasterizer_ordered || barrier)
    builder_.decorate(variable, spv::DecorationCoherent);
}

template <typename Declared>
Bindings::Descriptor Bindings::descriptor(uint32_t index, const Declared& declared, DescriptorKind kind,
                                          const Place& place, Value at, bool is_marked) const {
  if (!declared.is_range()) return {index, kind, &place, false, ir::kNoValue, false};
  return {index, kind, &place, true, at, is_marked && at != ir::kNoValue && !module_.is_constant(at)};
}

Bindings::Descriptor Bindings::resource(uint32_t index, Value at, bool is_marked) const {
  return descriptor(index, module_.resources[index], kind_of(index), places_.resources[index], at, is_marked);
}

Bindings::Descriptor Bindings::resource_of(const Instruction& instruction) const {
  const ir::ResourceAccess& contract = access(instruction);
  return resource(contract.resource, slot(instruction, Slot::resource_index), contract.non_uniform);
}

Bindings::Descriptor Bindings::sampler_of(const Instruction& instruction) const {
  const ir::ResourceAccess& contract = access(instruction);
  return descriptor(contract.sampler, module_.samplers[contract.sampler], DescriptorKind::sampler,
                    places_.samplers[contract.sampler], slot(instruction, Slot::sampler_index),
                    contract.non_uniform);
}

/// For what uses a descriptor: each pointer and each object through which it is accessed (Vulkan,
/// VUID-RuntimeSpirv-NonUniform-06274).
Id Bindings::marked(Id id, bool non_uniform) {
  if (non_uniform) builder_.decorate(id, spv::DecorationNonUniformEXT);
  return id;
}

Id Bindings::index(const Descriptor& from) {
  return push_constants_.index(from.kind, *from.place, from.at, from.non_uniform);
}

spv::StorageClass Bindings::storage_of(DescriptorKind kind) const {
  if (kind != DescriptorKind::storage_buffer) return spv::StorageClassUniformConstant;
  return has_storage_buffers() ? spv::StorageClassStorageBuffer : spv::StorageClassUniform;
}

/// The variable or, of an array, a pointer to the element.
Id Bindings::element(Id variable, Id object, const Descriptor& from) {
  if (!from.is_array()) return variable;
  return marked(access_chain(storage_of(from.kind), object, {variable, index(from)}), from.non_uniform);
}

/// The object, loaded; that of a single descriptor at entry.
Id Bindings::object(Binding& binding, const Descriptor& from) {
  const auto load = [&] {
    const Id pointer = element(binding.variable, binding.pointee, from);
    return marked(emit(spv::OpLoad, binding.pointee, {pointer}), from.non_uniform);
  };
  if (from.is_range) return load();
  if (binding.object == Id::none) binding.object = at_entry(load);
  return binding.object;
}

Id Bindings::image_of(const Descriptor& from) {
  Binding& binding = resources_[from.index];
  if (const CombinedEntry* const pair = only_combined(module_.resources[from.index]);
      pair != nullptr && !from.is_range) {
    if (binding.object != Id::none) return binding.object;
    const Id both = combined_object(from.index, *pair);
    return binding.object = at_entry([&] { return emit(spv::OpImage, image_type(from.index), {both}); });
  }
  return object(declare_resource(from.index), from);
}

Id Bindings::image(const Instruction& instruction) {
  return image_of(resource_of(instruction));
}

Id Bindings::sampler(const Instruction& instruction) {
  const Descriptor from = sampler_of(instruction);
  Binding& binding = samplers_[from.index];
  if (binding.variable == Id::none) {
    binding.pointee = builder_.type(spv::OpTypeSampler, {});
    binding.variable = report_.declare(spv::StorageClassUniformConstant, binding.pointee, from.kind,
                                       RegisterClass::sampler, from.index);
  }
  return object(binding, from);
}

// Must be in the block that uses it (SPIR-V 3.42.10, OpSampledImage).
Id Bindings::sampled_image(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module_.resources[contract.resource];
  const ir::Sampler& declared = module_.samplers[contract.sampler];
  if (const CombinedEntry* pair = find_combined(resource, &declared)) {
    if (!resource.is_range() && !declared.is_range()) {
      return combined_object(contract.resource, *pair);
    }
    refuse(instruction, "a range of registers in a combined descriptor");
  }
  const Id texture = image(instruction);
  const Id state = sampler(instruction);
  for (size_t i = pairs_.size(); i-- != 0 && pairs_[i].block == body_.block();) {
    if (pairs_[i].image == texture && pairs_[i].sampler == state) return pairs_[i].sampled;
  }
  const Id type = builder_.type(spv::OpTypeSampledImage, {image_type(contract.resource)});
  const Id both = marked(emit(spv::OpSampledImage, type, {texture, state}),
                         resource_of(instruction).non_uniform || sampler_of(instruction).non_uniform);
  pairs_.push_back({texture, state, both, body_.block()});
  return both;
}

/// The pair of a texture and a sampler; null: the first pair of the texture.
const CombinedEntry* Bindings::find_combined(const ir::Resource& texture, const ir::Sampler* sampler) const {
  for (const CombinedEntry& entry : options_.bindings.combined) {
    if (entry.texture_space == texture.space && entry.texture == texture.lower_bound &&
        (sampler == nullptr ||
         (entry.sampler_space == sampler->space && entry.sampler == sampler->lower_bound)))
      return &entry;
  }
  return nullptr;
}

/// The first pair of a texture that has no binding of its own.
const CombinedEntry* Bindings::only_combined(const ir::Resource& texture) const {
  if (texture.is_uav ||
      options_.bindings.find_entry(RegisterClass::resource, texture.space, texture.lower_bound) != nullptr)
    return nullptr;
  return find_combined(texture, nullptr);
}

/// Loaded at entry.
Id Bindings::combined_object(uint32_t resource, const CombinedEntry& entry) {
  Binding& binding = combined_[static_cast<size_t>(&entry - options_.bindings.combined.data())];
  if (binding.variable == Id::none) {
    binding.pointee = builder_.type(spv::OpTypeSampledImage, {image_type(resource)});
    binding.variable = report_.declare_combined(binding.pointee, resource, entry);
  }
  if (binding.object == Id::none)
    binding.object = at_entry([&] { return emit(spv::OpLoad, binding.pointee, {binding.variable}); });
  return binding.object;
}

Id Bindings::image_size(const ir::Resource& resource, Id texture, Value level) {
  const bool has_mips =
      !resource.is_uav && !is_multisampled(resource) && resource.dimension != Dimension::buffer;
  const Id type = builder_.vector_type(builder_.uint_type(), size_count(resource.dimension));
  if (!has_mips) return emit(spv::OpImageQuerySize, type, {texture});
  return emit(spv::OpImageQuerySizeLod, type,
              {texture, level == ir::kNoValue ? constant(0) : as_uint(level)});
}

/// Bytes of a raw or structured buffer with this many words, or its elements.
Id Bindings::buffer_size(const ir::Resource& resource, Id words, BindingFact fact) {
  if (fact == BindingFact::bytes || resource.dimension == Dimension::raw_buffer) {
    return emit(spv::OpShiftLeftLogical, As::uint, {words, constant(2)});
  }
  return emit(spv::OpUDiv, As::uint, {words, constant(std::max(1u, resource.stride / 4))});
}

/// A fact of an image; some need no query.
Id Bindings::image_fact(const Descriptor& from, BindingFact fact) {
  const ir::Resource& resource = module_.resources[from.index];
  const Dimension dimension = resource.dimension;
  const Id uint = builder_.uint_type();
  builder_.require(spv::CapabilityImageQuery);
  const Id texture = image_of(from);
  const uint32_t count = size_count(dimension);
  uint32_t part = 0;
  if (fact == BindingFact::height) part = 1;
  if (fact == BindingFact::depth) part = 2;
  if (fact == BindingFact::layers) part = count - 1;
  bool is_known = false;
  switch (fact) {
    case BindingFact::levels: is_known = resource.is_uav || ir::is_multisampled(dimension); break;
    case BindingFact::samples: is_known = !is_multisampled(resource); break;
    case BindingFact::layers: is_known = !ir::is_array(dimension); break;
    case BindingFact::height: is_known = count - (ir::is_array(dimension) ? 1 : 0) < 2; break;
    default: is_known = part >= count; break;
  }
  if (is_known) return constant(1);
  if (fact == BindingFact::levels) return emit(spv::OpImageQueryLevels, uint, {texture});
  if (fact == BindingFact::samples) return emit(spv::OpImageQuerySamples, uint, {texture});
  const Id sizes = image_size(resource, texture, ir::kNoValue);
  return count > 1 ? emit(spv::OpCompositeExtract, uint, {sizes, literal(part)}) : sizes;
}

Id Bindings::query(const Descriptor& from, BindingFact fact) {
  const ir::Resource& declared = module_.resources[from.index];
  const Id uint = builder_.uint_type();
  if (from.kind == DescriptorKind::storage_buffer) {
    const Binding& binding = declare_resource(from.index);
    const Id buffer = element(binding.variable, binding.pointee, from);
    return buffer_size(declared, emit(spv::OpArrayLength, uint, {buffer, literal(0)}), fact);
  }
  if (from.place->passing != Passing::texel_buffer) return image_fact(from, fact);
  builder_.require(spv::CapabilityImageQuery);
  return buffer_size(declared, emit(spv::OpImageQuerySize, uint, {image_of(from)}), fact);
}

void Bindings::emit_fact(const Instruction& instruction, BindingFact fact) {
  define(instruction.first_result, Kind::uint, query(instruction, fact));
}

void Bindings::emit_query(const Instruction& instruction) {
  const ir::BindingQuery which = ir::BindingQuery::unpack(instruction.payload);
  const Value at = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
  if (which.is_sampler_fact()) return refuse(instruction, "a property of a sampler");
  if (instruction.op == Op::bound) {
    return define_bool(instruction.first_result, is_guarded()
                                                     ? report_.register_fact(Fact::bound, which.resource, at)
                                                     : builder_.constant_bool(true));
  }
  if (which.fact == BindingFact::missing_alpha)
    return define(instruction.first_result, Kind::uint,
                  report_.register_fact(Fact::missing_alpha, which.resource, at));
  if (which.fact > BindingFact::bytes) return refuse(instruction, "this property of a binding");
  const Descriptor from = resource(which.resource, at, instruction.has(ir::kNonUniform));
  define(instruction.first_result, Kind::uint, query(from, which.fact));
}

// ---- counters ----

/// A counter is a storage buffer of one word, or the first texel of a texel buffer.
Id Bindings::counter_pointer(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& view = module_.resources[contract.resource];
  const Place& place = places_.counters[contract.resource];
  const Descriptor from = descriptor(contract.resource, view, spirv::kind_of(view, place), place,
                                     slot(instruction, Slot::resource_index), contract.non_uniform);
  Id& counter = resources_[from.index].counter;
  const Id uint = builder_.uint_type();
  const bool texels = from.kind == DescriptorKind::storage_texel_buffer;
  if (!texels && counter_block_ == Id::none) counter_block_ = block_of(uint);
  const Id type = texels ? words_type(true) : counter_block_;
  const spv::StorageClass storage = storage_of(from.kind);
  if (counter == Id::none)
    counter = report_.declare(storage, type, from.kind, RegisterClass::counter, from.index);
  if (texels) return texel_of(element(counter, type, from), uint, Id::none, from);
  if (!from.is_array()) return access_chain(storage, uint, {counter, constant(0)});
  const Id at = index(from);
  return marked(access_chain(storage, uint, {counter, at, constant(0)}), from.non_uniform);
}

// ---- words and texels ----

Id Bindings::word_pointer(const Instruction& instruction, Id word, Kind kind) {
  const Descriptor from = resource_of(instruction);
  const Binding& binding = declare_resource(from.index);
  const Id type = builder_.pointer_type(storage_of(from.kind), type_of(kind));
  if (!from.is_array()) return emit(spv::OpAccessChain, type, {binding.variable, constant(0), word});
  const Id at = index(from);
  return marked(emit(spv::OpAccessChain, type, {binding.variable, at, constant(0), word}), from.non_uniform);
}

Id Bindings::texel_pointer(const Instruction& instruction, Id type, Id where) {
  const Descriptor from = resource_of(instruction);
  const Binding& binding = declare_resource(from.index);
  return texel_of(element(binding.variable, binding.pointee, from), type, where, from);
}

/// `where`: none for the first texel.
Id Bindings::texel_of(Id view, Id type, Id where, const Descriptor& from) {
  const Id pointer = builder_.pointer_type(spv::StorageClassImage, type);
  const Id at = where != Id::none ? where : constant(0);
  return marked(emit(spv::OpImageTexelPointer, pointer, {view, at, constant(0)}), from.non_uniform);
}

void Bindings::forget_entry_values() {
  for (const std::span<Binding> bindings : {resources_, samplers_, combined_}) {
    for (Binding& binding : bindings) binding.object = Id::none;
  }
  pairs_.clear();
}

}  // namespace texlate::spirv
