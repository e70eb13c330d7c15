#include "backend/launch/launch_abi.h"

#include "ir/builder.h"

namespace texlate::launch {

namespace {

/// Kernel parameters: 4,096 bytes (PTX ISA 5.1.6.1, before sm_70 with .version 8.1).
constexpr uint32_t kParameterLimit = 4096;
constexpr uint32_t kRangeLimit = 4096 / constant_buffer_record::kSize;

template <typename Binding>
bool check_range(const Binding& binding, const char* file, Diagnostics& diagnostics) {
  if (binding.upper_bound - binding.lower_bound < kRangeLimit) return true;
  diagnostics.error({}, "range {}{}[{}:{}] is too large for ptx, which passes bindings by value", file,
                    binding.id, binding.lower_bound, binding.upper_bound);
  return false;
}

void find_pairs(const ir::Module& module, Layout& layout) {
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op != ir::Op::tex_sample && instruction.op != ir::Op::tex_gather) continue;
    const ir::ResourceAccess& access = module.access_of(instruction);
    bool known = false;
    for (const SampledPair& pair : layout.pairs) {
      known |= pair.resource == access.resource && pair.sampler == access.sampler;
    }
    if (!known) layout.pairs.push_back({access.resource, access.sampler, 0});
  }
}

void find_samplers(const ir::Module& module, Layout& layout) {
  layout.samplers.assign(module.samplers.size(), Layout::kNotUsed);
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op != ir::Op::binding) continue;
    const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
    if (query.is_sampler_fact()) layout.samplers[query.resource] = 0;
  }
}

// PTX has no surface atomic that returns a value (PTX ISA 9.7.11.4), and surface accesses are outside of its
// memory consistency model (PTX ISA 8.1): a texel that the kernel wrote cannot be read as a surface, nor can
// other groups be promised to see it. Views that need either are memory.
void find_forms(const ir::Module& module, Layout& layout) {
  const size_t count = module.resources.size();
  layout.atomic.assign(count, 0);
  std::pmr::vector<uint8_t> read(count, 0, module.memory()), written(count, 0, module.memory());
  for (const ir::Instruction& instruction : module.code) {
    if (!ir::info(instruction.op).has(ir::kResource)) continue;
    const uint16_t resource = module.access_of(instruction).resource;
    if (instruction.op == ir::Op::surf_load) read[resource] = 1;
    if (instruction.op == ir::Op::surf_store) written[resource] = 1;
    if (instruction.op == ir::Op::surf_atomic) layout.atomic[resource] = 1;
  }
  for (size_t i = 0; i < count; ++i) {
    const ir::Resource& resource = module.resources[i];
    const bool buffer = resource.dimension == ir::Dimension::buffer;
    const bool untyped = resource.dimension == ir::Dimension::raw_buffer ||
                         resource.dimension == ir::Dimension::structured_buffer;
    const bool memory =
        buffer || layout.atomic[i] != 0 || resource.globally_coherent || (read[i] != 0 && written[i] != 0);
    layout.forms.push_back(untyped            ? BindingForm::memory
                           : !resource.is_uav ? buffer ? BindingForm::linear_texture : BindingForm::texture
                           : memory           ? BindingForm::memory
                                              : BindingForm::surface);
  }
}

}  // namespace

bool make_layout(const ir::Module& module, Layout& layout, Diagnostics& diagnostics) {
  bool good = true;
  uint32_t offset = module.stage == ir::Stage::compute ? 0 : stream_head::kSize;
  for (const ir::ConstantBuffer& buffer : module.constant_buffers) {
    good = good && check_range(buffer, "cb", diagnostics);
    if (!good) return false;
    layout.constant_buffers.push_back(offset);
    offset += constant_buffer_record::kSize * range_size(buffer);
  }
  for (const ir::Resource& resource : module.resources) {
    good = good && check_range(resource, resource.is_uav ? "u" : "t", diagnostics);
    if (!good) return false;
    layout.resources.push_back(offset);
    offset += record::kSize * range_size(resource);
  }
  find_forms(module, layout);
  find_samplers(module, layout);
  for (uint32_t i = 0; i < module.samplers.size(); ++i) {
    if (layout.samplers[i] == Layout::kNotUsed) continue;
    if (!check_range(module.samplers[i], "s", diagnostics)) return false;
    layout.samplers[i] = offset;
    offset += sampler_record::kSize * range_size(module.samplers[i]);
  }
  find_pairs(module, layout);
  for (SampledPair& pair : layout.pairs) {
    pair.offset = offset;
    const ir::Sampler& sampler = module.samplers[pair.sampler];
    if (!check_range(sampler, "s", diagnostics)) return false;
    offset += 8 * range_size(module.resources[pair.resource]) * range_size(sampler);
  }
  layout.size = (offset + 15) / 16 * 16;
  if (layout.size > kParameterLimit) {
    diagnostics.error({}, "the bindings need {} bytes of kernel parameters, ptx passes {} at most",
                      layout.size, kParameterLimit);
    return false;
  }
  return true;
}

uint32_t output_plane_register(const ir::Module& module, uint32_t parameter) {
  if (module.outputs[parameter].reg < ir::kSpecialRegister) return module.outputs[parameter].reg;
  uint32_t reg = kFirstSpecialRegister;
  for (uint32_t i = 0; i < parameter; ++i) reg += module.outputs[i].reg >= ir::kSpecialRegister ? 1 : 0;
  return reg;
}

uint32_t fact_offset(ir::BindingFact fact, bool raw_buffer) {
  using ir::BindingFact;
  switch (fact) {
    case BindingFact::bound: return record::kHandle;
    case BindingFact::width: return raw_buffer ? record::kBytes : record::kWidth;
    case BindingFact::height: return record::kHeight;
    case BindingFact::depth: return record::kDepth;
    case BindingFact::layers: return record::kLayers;
    case BindingFact::levels: return record::kLevels;
    case BindingFact::samples: return record::kSamples;
    case BindingFact::bytes: return record::kBytes;
    case BindingFact::keep0:
    case BindingFact::keep1:
    case BindingFact::keep2:
    case BindingFact::keep3:
      return record::kKeep + 4 * (static_cast<uint32_t>(fact) - static_cast<uint32_t>(BindingFact::keep0));
    case BindingFact::missing_alpha: return record::kMissingAlpha;
    case BindingFact::reference_scale: return record::kReferenceScale;
    case BindingFact::row_pitch: return record::kRowPitch;
    case BindingFact::slice_pitch: return record::kSlicePitch;
    case BindingFact::compare_function: return sampler_record::kCompareFunction;
    case BindingFact::linear_filter: return sampler_record::kLinearFilter;
    case BindingFact::linear_mip: return sampler_record::kLinearMip;
    case BindingFact::address_u:
    case BindingFact::address_v:
    case BindingFact::address_w:
      return sampler_record::kAddress +
             4 * (static_cast<uint32_t>(fact) - static_cast<uint32_t>(BindingFact::address_u));
    case BindingFact::border_red:
    case BindingFact::border_green:
    case BindingFact::border_blue:
    case BindingFact::border_alpha:
      return sampler_record::kBorder +
             4 * (static_cast<uint32_t>(fact) - static_cast<uint32_t>(BindingFact::border_red));
    case BindingFact::min_lod: return sampler_record::kMinLod;
    case BindingFact::max_lod: return sampler_record::kMaxLod;
    case BindingFact::lod_bias: return sampler_record::kLodBias;
  }
  return 0;
}

SurfaceFormat default_surface_format(const ir::Resource& resource, bool atomic) {
  SurfaceFormat format;
  if (atomic) format.count = 1;
  switch (resource.component_types[0]) {
    case ir::ComponentType::uint: format.kind = TexelKind::uint; break;
    case ir::ComponentType::sint: format.kind = TexelKind::sint; break;
    case ir::ComponentType::unorm: return {4, 8, TexelKind::unorm, true};
    case ir::ComponentType::snorm: return {4, 8, TexelKind::snorm, true};
    default: break;
  }
  return format;
}

}  // namespace texlate::launch
