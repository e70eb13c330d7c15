#include "tools/executor/parameter_block.h"

#include <algorithm>
#include <cstring>

#include "tools/executor/texture_objects.h"

namespace texlate::executor {

namespace {

using ir::BindingFact;

constexpr BindingFact kTextureFacts[] = {
    BindingFact::width,  BindingFact::height,  BindingFact::depth,         BindingFact::layers,
    BindingFact::levels, BindingFact::samples, BindingFact::keep0,         BindingFact::keep1,
    BindingFact::keep2,  BindingFact::keep3,   BindingFact::missing_alpha, BindingFact::reference_scale,
};
constexpr BindingFact kBufferFacts[] = {BindingFact::width, BindingFact::levels};
constexpr BindingFact kSamplerFacts[] = {
    BindingFact::compare_function, BindingFact::linear_filter,  BindingFact::linear_mip,
    BindingFact::address_u,        BindingFact::address_v,      BindingFact::address_w,
    BindingFact::border_red,       BindingFact::border_green,   BindingFact::border_blue,
    BindingFact::border_alpha,     BindingFact::min_lod,        BindingFact::max_lod,
    BindingFact::lod_bias,         BindingFact::max_anisotropy,
};

bool is_linear_buffer(ir::Dimension dimension) {
  return dimension == ir::Dimension::raw_buffer || dimension == ir::Dimension::structured_buffer;
}

/// A buffer without elements also needs an address.
std::byte nothing[16];

}  // namespace

bool view_format_of(sim::Format format, backend::ViewFormat& result) {
  const uint32_t number = sim::format_info(format).dxgi;
  const auto found = std::ranges::find(backend::kViewFormats, number, &backend::NamedViewFormat::number);
  if (found == std::end(backend::kViewFormats)) return false;
  result = *found;
  return true;
}

ParameterBlock::ParameterBlock(const ir::Module& module, const launch::Layout& layout,
                               const sim::Bindings& bindings, LaunchDevice& device)
    : module_(module), layout_(layout), bindings_(bindings), device_(device) {
  bytes_.assign(std::max(16u, layout.size), std::byte{0});
  put_constant_buffers();
  put_resources();
  put_samplers();
  put_pairs();
}

void ParameterBlock::put32(uint32_t offset, uint32_t value) {
  std::memcpy(into_->data() + offset, &value, 4);
}
void ParameterBlock::put64(uint32_t offset, uint64_t value) {
  std::memcpy(into_->data() + offset, &value, 8);
}

std::vector<std::byte> ParameterBlock::parameters() {
  if (!layout_.in_memory) return bytes_;
  const uint64_t address = device_.map_memory(bytes_, false);
  std::vector<std::byte> pointer(sizeof address);
  std::memcpy(pointer.data(), &address, sizeof address);
  return pointer;
}

// The position of a range's first record: in the block, or in a table that end_range maps.
template <typename Binding>
uint32_t ParameterBlock::begin_range(const Binding& binding, uint32_t place, size_t records,
                                     uint32_t record_size) {
  return begin_table(launch::is_table(binding), place, records * record_size);
}

uint32_t ParameterBlock::begin_table(bool is_table, uint32_t place, size_t bytes) {
  if (!is_table) return place;
  into_ = &tables_.emplace_back(bytes);
  return 0;
}

void ParameterBlock::end_range(uint32_t place, size_t count, size_t samplers) {
  if (into_ == &bytes_) return;
  const std::vector<std::byte>& table = *into_;
  into_ = &bytes_;
  if (table.empty()) return;
  put64(place + launch::table_record::kAddress, device_.map_memory(tables_.back(), false));
  put32(place + launch::table_record::kCount, static_cast<uint32_t>(count));
  put32(place + launch::table_record::kSamplers, static_cast<uint32_t>(samplers));
}

uint64_t ParameterBlock::map_words(std::span<const uint32_t> words, bool writable) {
  if (words.empty()) return 0;
  auto* memory = const_cast<uint32_t*>(words.data());  // written only if the launch allows it
  return device_.map_memory(std::as_writable_bytes(std::span(memory, words.size())), writable);
}

void ParameterBlock::put_streams(const sim::StreamLaunch& launch) {
  put64(launch::stream_head::kInputs, map_words(launch.inputs, false));
  put64(launch::stream_head::kOutputs, map_words(launch.outputs, true));
  put64(launch::stream_head::kCovered, map_words(launch.covered, false));
  if (launch::writes_all_pixels(module_)) {
    std::ranges::copy(std::span(launch.covered), launch.written.begin());
    if (launch.covered.empty()) std::ranges::fill(launch.written, 1u);
  } else {
    put64(launch::stream_head::kWritten, map_words(launch.written, true));
  }
  put32(launch::stream_head::kCount, launch.count);
  put32(launch::stream_head::kSamples, launch.samples);
}

void ParameterBlock::put_primitives(const PrimitiveLaunch& launch) {
  namespace head = launch::primitive_head;
  put64(launch::stream_head::kInputs, map_words(launch.inputs, false));
  put64(launch::stream_head::kOutputs, map_words(launch.outputs, true));
  put32(launch::stream_head::kCount, launch.threads);
  put64(head::kVertices, map_words(launch.vertices, false));
  put64(head::kConstants, launch.written_constants.empty() ? map_words(launch.read_constants, false)
                                                           : map_words(launch.written_constants, true));
  put64(head::kIds, map_words(launch.ids, false));
  put32(head::kPrimitives, launch.primitives);
  put32(head::kSlots, launch.slots);
  if (module_.stage != ir::Stage::geometry) return;
  put64(head::kEmitted, map_words(launch.emitted, true));
  put64(head::kTags, map_words(launch.tags, true));
  put64(head::kFirst, map_words(launch.first, false));
}

void ParameterBlock::put_constant_buffers() {
  for (uint32_t i = 0; i < module_.constant_buffers.size(); ++i) {
    const auto& registers = bindings_.constant_buffers(i);
    const uint32_t place = layout_.constant_buffers[i];
    const uint32_t first = begin_range(module_.constant_buffers[i], place, registers.size(),
                                       launch::constant_buffer_record::kSize);
    for (uint32_t r = 0; r < registers.size(); ++r) {
      const std::span<const uint32_t> words = registers[r];
      if (words.empty()) continue;
      const uint32_t record = first + r * launch::constant_buffer_record::kSize;
      put64(record + launch::constant_buffer_record::kAddress, map_words(words, false));
      put32(record + launch::constant_buffer_record::kRows, static_cast<uint32_t>(words.size() / 4));
    }
    end_range(place, registers.size());
  }
}

void ParameterBlock::put_resources() {
  views_.resize(module_.resources.size());
  for (uint32_t i = 0; i < module_.resources.size(); ++i) {
    const auto& registers = bindings_.resources(i);
    views_[i].resize(registers.size());
    const uint32_t place = layout_.resources[i];
    const uint32_t first = begin_range(module_.resources[i], place, registers.size(), launch::record::kSize);
    for (uint32_t r = 0; r < registers.size(); ++r) {
      const uint32_t record = first + r * launch::record::kSize;
      if (!registers[r].bound()) continue;
      put_facts(i, record, registers[r]);
      if (registers[r].texture.bound()) {
        views_[i][r] = as_bound(i, registers[r].texture);
        put_texture(i, record, views_[i][r]);
      } else {
        put_buffer(i, record, registers[r].buffer);
      }
    }
    end_range(place, registers.size());
  }
}

void ParameterBlock::put_facts(uint32_t resource, uint32_t record, const sim::BoundResource& bound) {
  const ir::Resource& declaration = module_.resources[resource];
  if (is_linear_buffer(declaration.dimension)) {
    for (BindingFact fact : kBufferFacts) {
      put32(record + launch::fact_offset(fact), sim::binding_fact(bound, declaration, fact));
    }
    return;
  }
  for (BindingFact fact : kTextureFacts) {
    put32(record + launch::fact_offset(fact), sim::binding_fact(bound, declaration, fact));
  }
}

void ParameterBlock::put_texture(uint32_t resource, uint32_t record, const sim::TextureView& view) {
  if (!module_.resources[resource].is_uav) {
    sim::ptx::TextureObject object;
    object.view = view;
    object.normalized = false;
    put64(record + launch::record::kHandle, device_.add_texture(object));
    return;
  }
  if (layout_.forms[resource] == launch::BindingForm::surface) {
    put64(record + launch::record::kHandle, device_.add_surface(view));
    return;
  }
  sim::Texture& texture = *view.texture;
  const bool volume = texture.desc().dimension == sim::Dimension::texture3d;
  const uint32_t slice = volume ? 0 : view.first_slice;
  const uint32_t depth = volume ? view.first_slice : 0;
  const std::byte* first = texture.texel(view.first_mip, slice, 0, 0, depth);
  const uint64_t base = device_.map_memory(texture.memory());
  put64(record + launch::record::kHandle, base + static_cast<uint64_t>(first - texture.memory().data()));
  const sim::Extent size = view.size(0);
  const uint32_t row = size.width * sim::format_info(view.format).bytes;
  const ptrdiff_t layers = texture.desc().array_size > 1 ? texture.texel(view.first_mip, 1, 0, 0, 0) -
                                                               texture.texel(view.first_mip, 0, 0, 0, 0)
                                                         : 0;
  put32(record + launch::record::kRowPitch, row);
  put32(record + launch::record::kSlicePitch, volume ? row * size.height : static_cast<uint32_t>(layers));
}

void ParameterBlock::put_buffer(uint32_t resource, uint32_t record, const sim::BufferView& view) {
  const ir::Resource& declaration = module_.resources[resource];
  if (!declaration.is_uav && declaration.dimension == ir::Dimension::buffer) {
    sim::ptx::TextureObject object;
    object.view = buffer_as_texture(view);
    object.normalized = false;
    put64(record + launch::record::kHandle, device_.add_texture(object));
    return;
  }
  uint64_t bytes = view.element_count;
  if (view.kind == sim::BufferKind::structured) bytes *= view.stride;
  if (view.kind == sim::BufferKind::typed) bytes *= sim::format_info(view.format).bytes;
  std::span<std::byte> memory(view.data, bytes);
  if (bytes == 0) memory = nothing;
  put64(record + launch::record::kHandle, device_.map_memory(memory, declaration.is_uav));
  if (view.counter != nullptr) {
    put64(record + launch::record::kCounter,
          device_.map_memory(std::as_writable_bytes(std::span<uint32_t>(view.counter, 1))));
  }
}

// The replacements on this target: 1D textures have height 1, and samples are slices
// (backend/ptx/texture_guarantees.cpp).
sim::TextureView ParameterBlock::as_bound(uint32_t, const sim::TextureView& view) {
  sim::TextureView bound = view;
  switch (view.dimension) {
    case sim::Dimension::texture1d: bound.dimension = sim::Dimension::texture2d; return bound;
    case sim::Dimension::texture1d_array: bound.dimension = sim::Dimension::texture2d_array; return bound;
    case sim::Dimension::texture2dms:
    case sim::Dimension::texture2dms_array: return samples_as_slices(view);
    default: return bound;
  }
}

sim::TextureView ParameterBlock::samples_as_slices(const sim::TextureView& view) {
  const sim::TextureDesc& source = view.texture->desc();
  sim::TextureDesc desc = source;
  desc.dimension = sim::Dimension::texture2d_array;
  desc.samples = 1;
  desc.array_size = view.slice_count * source.samples;
  desc.format = view.format;
  desc.limited = false;
  Diagnostics diagnostics;
  auto copy = sim::Texture::create(desc, diagnostics);
  if (!copy) return {};
  const size_t bytes = sim::format_info(view.format).bytes;
  for (uint32_t slice = 0; slice < view.slice_count; ++slice) {
    for (uint32_t sample = 0; sample < source.samples; ++sample) {
      for (uint32_t y = 0; y < source.size.height; ++y) {
        for (uint32_t x = 0; x < source.size.width; ++x) {
          std::memcpy(copy->texel(0, slice * source.samples + sample, x, y, 0),
                      view.texture->texel(0, view.first_slice + slice, x, y, 0, sample), bytes);
        }
      }
    }
  }
  copies_.push_back(std::move(*copy));
  return sim::TextureView::whole(copies_.back());
}

sim::TextureView ParameterBlock::buffer_as_texture(const sim::BufferView& view) {
  sim::TextureDesc desc;
  desc.dimension = sim::Dimension::texture1d;
  desc.format = view.format;
  desc.size = {std::max(1u, view.element_count), 1, 1};
  desc.limited = false;
  Diagnostics diagnostics;
  auto copy = sim::Texture::create(desc, diagnostics);
  if (!copy) return {};
  std::memcpy(copy->memory().data(), view.data,
              size_t{view.element_count} * sim::format_info(view.format).bytes);
  copies_.push_back(std::move(*copy));
  return sim::TextureView::whole(copies_.back());
}

void ParameterBlock::put_samplers() {
  for (uint32_t i = 0; i < module_.samplers.size(); ++i) {
    if (layout_.samplers[i] == launch::Layout::kNotUsed) continue;
    const auto& registers = bindings_.samplers(i);
    const uint32_t place = layout_.samplers[i];
    const uint32_t first =
        begin_range(module_.samplers[i], place, registers.size(), launch::sampler_record::kSize);
    for (uint32_t r = 0; r < registers.size(); ++r) {
      const uint32_t record = first + r * launch::sampler_record::kSize;
      for (BindingFact fact : kSamplerFacts) {
        put32(record + launch::fact_offset(fact), sim::sampler_fact(registers[r], fact));
      }
    }
    end_range(place, registers.size());
  }
}

// One texture object for each pair of texture and sampler that is used.
void ParameterBlock::put_pairs() {
  for (const launch::SampledPair& pair : layout_.pairs) {
    const auto& samplers = bindings_.samplers(pair.sampler);
    const size_t textures = views_[pair.resource].size();
    const uint32_t first = begin_table(pair.is_table, pair.offset, 8 * textures * samplers.size());
    for (uint32_t t = 0; t < textures; ++t) {
      if (!views_[pair.resource][t].bound()) continue;
      for (uint32_t s = 0; s < samplers.size(); ++s) {
        sim::ptx::TextureObject object;
        object.view = views_[pair.resource][t];
        const ir::Dimension dimension = module_.resources[pair.resource].dimension;
        static_cast<sim::ptx::SamplerObject&>(object) =
            sampler_object(samplers[s], dimension != ir::Dimension::texture1d &&
                                            dimension != ir::Dimension::texture1d_array);
        object.border = border_of(samplers[s], sim::format_info(object.view.format));
        if (pair.compares) object.comparison = samplers[s].comparison;
        const uint32_t count = static_cast<uint32_t>(samplers.size());
        put64(first + 8 * (t * count + s), device_.add_texture(object));
      }
    }
    end_range(pair.offset, textures, samplers.size());
  }
}

}  // namespace texlate::executor
