#include "backend/launch/launch_abi.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/builder.h"

namespace texlate::launch {

namespace {

/// The pairs that are sampled, and the samplers of which facts are read. A comparison that is not the texture
/// object's is expanded into code, in a function, which reads them.
void find_samplers(const ir::Module& module, bool comparing_objects, Layout& layout) {
  layout.samplers.assign(module.samplers.size(), Layout::kNotUsed);
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op == ir::Op::binding) {
      const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
      if (query.is_sampler_fact()) layout.samplers[query.resource] = 0;
    }
    if (instruction.op != ir::Op::tex_sample && instruction.op != ir::Op::tex_gather) continue;
    const ir::ResourceAccess& access = module.access_of(instruction);
    if (instruction.op == ir::Op::tex_sample && access.compare && !comparing_objects) {
      layout.samplers[access.sampler] = 0;
      continue;
    }
    SampledPair* const known = find_pair(layout.pairs, access);
    if (known != nullptr) known->compares |= access.compare;
    if (known == nullptr) layout.pairs.push_back({access.resource, access.sampler, 0, false, access.compare});
  }
}

// PTX has no surface atomic that returns a value (PTX ISA 9.7.11.3 sured), and surface accesses are outside
// its memory consistency model (PTX ISA 8.1): a texel that the kernel wrote cannot be read as a surface, and
// nothing guarantees that other groups see it. Views that need either are linear memory.
void find_forms(const ir::Module& module, Layout& layout) {
  const size_t count = module.resources.size();
  layout.atomic.assign(count, 0);
  std::pmr::vector<uint8_t> read(count, 0, module.memory()), written(count, 0, module.memory());
  for (const ir::Instruction& instruction : module.code) {
    if (!ir::info(instruction.op).has(ir::kResource)) continue;
    const uint16_t resource = module.access_of(instruction).resource;
    // A load from a surface does not report residency.
    if (instruction.op == ir::Op::surf_load) read[resource] = 1;
    if (instruction.op == ir::Op::surf_load && module.access_of(instruction).feedback) written[resource] = 1;
    if (instruction.op == ir::Op::surf_store) written[resource] = 1;
    if (instruction.op == ir::Op::surf_atomic) layout.atomic[resource] = 1;
  }
  for (size_t i = 0; i < count; ++i) {
    const ir::Resource& resource = module.resources[i];
    const bool buffer = resource.dimension == ir::Dimension::buffer;
    const bool memory =
        buffer || layout.atomic[i] != 0 || resource.globally_coherent || (read[i] != 0 && written[i] != 0);
    layout.forms.push_back(ir::is_untyped(resource.dimension) ? BindingForm::memory
                           : !resource.is_uav ? buffer ? BindingForm::linear_texture : BindingForm::texture
                           : memory           ? BindingForm::memory
                                              : BindingForm::surface);
  }
}

}  // namespace

void make_layout(const ir::Module& module, bool comparing_objects, Layout& layout) {
  find_forms(module, layout);
  find_samplers(module, comparing_objects, layout);
  uint32_t offset = head_size(module.stage);
  const auto place = [&offset](const auto& binding, uint32_t record_size) {
    const uint32_t at = offset;
    offset += is_table(binding) ? table_record::kSize : record_size * range_size(binding);
    return at;
  };
  for (const ir::ConstantBuffer& buffer : module.constant_buffers)
    layout.constant_buffers.push_back(place(buffer, constant_buffer_record::kSize));
  for (const ir::Resource& resource : module.resources)
    layout.resources.push_back(place(resource, record::kSize));
  for (uint32_t i = 0; i < module.samplers.size(); ++i) {
    if (layout.samplers[i] != Layout::kNotUsed)
      layout.samplers[i] = place(module.samplers[i], sampler_record::kSize);
  }
  offset = (offset + 15) / 16 * 16;
  for (SampledPair& pair : layout.pairs) {
    const ir::Sampler& sampler = module.samplers[pair.sampler];
    const ir::Resource& resource = module.resources[pair.resource];
    pair.offset = offset;
    // For two long ranges, the block would have to hold their product.
    pair.is_table = is_table(resource) || is_table(sampler) ||
                    uint64_t{range_size(resource)} * range_size(sampler) > kLongestRange;
    offset += pair.is_table ? table_record::kSize : 8 * range_size(resource) * range_size(sampler);
  }
  layout.size = (offset + 15) / 16 * 16;
  layout.in_memory = layout.size > kParameterLimit;
}

uint32_t output_plane_register(const ir::Module& module, uint32_t parameter) {
  if (module.outputs[parameter].reg < ir::kSpecialRegister) return module.outputs[parameter].reg;
  uint32_t reg = kFirstSpecialRegister;
  for (uint32_t i = 0; i < parameter; ++i) reg += module.outputs[i].reg >= ir::kSpecialRegister ? 1 : 0;
  return reg;
}

std::pmr::vector<OutputPlane> output_planes(const ir::Module& module) {
  std::pmr::vector<OutputPlane> planes(module.memory());
  for (uint32_t i = 0; i < module.outputs.size(); ++i) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (!module.outputs[i].has(c)) continue;
      planes.push_back({output_plane_register(module, i) * 4 + c, module.outputs[i].reg * 4 + c});
    }
  }
  std::ranges::sort(planes, {}, &OutputPlane::plane);
  return planes;
}

bool writes_all_pixels(const ir::Module& module) {
  return module.stage == ir::Stage::pixel && module.relied.launch.helper_lanes == false &&
         std::ranges::none_of(module.code,
                              [](const ir::Instruction& each) { return each.op == ir::Op::discard; });
}

uint16_t add_memory(ir::Module& module, Layout& layout, const ir::Resource& memory, uint32_t offset) {
  module.resources.push_back(memory);
  layout.resources.push_back(offset);
  layout.forms.push_back(BindingForm::memory);
  layout.atomic.push_back(0);
  return static_cast<uint16_t>(module.resources.size() - 1);
}

uint32_t fact_offset(ir::BindingFact fact) {
  using ir::BindingFact;
  static_assert(record::kBytes == record::kWidth, "the width of a raw buffer is its bytes");
  static constexpr auto kOffsets = [] {
    // Facts from each of these on are in consecutive words.
    constexpr std::pair<BindingFact, uint32_t> kRuns[] = {
        {BindingFact::bound, record::kHandle},
        {BindingFact::width, record::kWidth},
        {BindingFact::bytes, record::kBytes},
        {BindingFact::keep0, record::kKeep},
        {BindingFact::missing_alpha, record::kMissingAlpha},
        {BindingFact::reference_scale, record::kReferenceScale},
        {BindingFact::row_pitch, record::kRowPitch},
        {BindingFact::counter, record::kCounter},
        {BindingFact::compare_function, 0},  // of a sampler, see sampler_record
    };
    std::array<uint32_t, static_cast<size_t>(BindingFact::max_anisotropy) + 1> offsets{};
    for (const auto& [first, offset] : kRuns) {
      const auto start = static_cast<uint32_t>(first);
      for (uint32_t i = start; i < offsets.size(); ++i) offsets[i] = offset + 4 * (i - start);
    }
    return offsets;
  }();
  return kOffsets[static_cast<size_t>(fact)];
}

}  // namespace texlate::launch
