#include "sim/ir/bindings.h"

#include <algorithm>
#include <bit>

namespace texlate::sim {

namespace {

template <typename Declaration>
uint32_t slot_count(const Declaration& declaration) {
  const uint64_t count = uint64_t{declaration.upper_bound} - declaration.lower_bound + 1;
  const bool unbounded = declaration.upper_bound == 0xffffffffu;
  return static_cast<uint32_t>(unbounded ? std::min<uint64_t>(count, Bindings::kUnboundedSlots) : count);
}

uint32_t float_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

uint32_t size_of_axis(const TextureView& view, bool is_uav, uint32_t axis) {
  const DimensionInfo& info = dimension_info(view.dimension);
  if (axis >= info.axes) return 1;
  return (is_uav ? view.unordered_size() : view.size(0))[static_cast<int>(axis)];
}

uint32_t format_fact(Format format, ir::BindingFact fact) {
  const FormatInfo& info = format_info(format);
  switch (fact) {
    case ir::BindingFact::keep0:
    case ir::BindingFact::keep1:
    case ir::BindingFact::keep2:
    case ir::BindingFact::keep3: {
      const int component = static_cast<int>(fact) - static_cast<int>(ir::BindingFact::keep0);
      return info.has(component) ? 0xffffffffu : 0u;
    }
    case ir::BindingFact::missing_alpha: return info.has(3) ? 0u : missing_component(info, 3);
    case ir::BindingFact::reference_scale: {
      const ComponentLayout& red = info.layout.component[0];
      if (red.kind == Kind::snorm) return float_bits(-1.0f);
      if (red.kind != Kind::unorm || red.bits > 24) return 0;
      return float_bits(static_cast<float>((1u << red.bits) - 1u));
    }
    default: return 0;
  }
}

uint32_t texture_fact(const TextureView& view, bool is_uav, ir::BindingFact fact) {
  switch (fact) {
    case ir::BindingFact::bound: return 1;
    case ir::BindingFact::width: return size_of_axis(view, is_uav, 0);
    case ir::BindingFact::height: return size_of_axis(view, is_uav, 1);
    case ir::BindingFact::depth: return size_of_axis(view, is_uav, 2);
    case ir::BindingFact::layers: return dimension_info(view.dimension).slice >= 0 ? view.array_size() : 1;
    case ir::BindingFact::levels: return is_uav ? 1 : view.mip_count;
    case ir::BindingFact::samples: return view.texture->desc().samples;
    default: return format_fact(view.format, fact);
  }
}

uint32_t buffer_fact(const BufferView& view, ir::BindingFact fact) {
  switch (fact) {
    case ir::BindingFact::bound:
    case ir::BindingFact::height:
    case ir::BindingFact::depth:
    case ir::BindingFact::layers:
    case ir::BindingFact::levels:
    case ir::BindingFact::samples: return 1;
    case ir::BindingFact::width: return view.element_count;
    case ir::BindingFact::bytes:
      return view.kind == BufferKind::raw ? view.element_count : view.element_count * view.stride;
    default: return view.kind == BufferKind::typed ? format_fact(view.format, fact) : 0;
  }
}

}  // namespace

Bindings::Bindings(const ir::Module& module) {
  for (const ir::Resource& resource : module.resources) resources_.emplace_back(slot_count(resource));
  for (const ir::Sampler& sampler : module.samplers) samplers_.emplace_back(slot_count(sampler));
  for (const ir::ConstantBuffer& buffer : module.constant_buffers) {
    constant_buffers_.emplace_back(slot_count(buffer));
  }
}

uint32_t binding_fact(const BoundResource& resource, const ir::Resource& declaration, ir::BindingFact fact) {
  if (fact == ir::BindingFact::counter) return resource.buffer.bound() && resource.buffer.counter != nullptr;
  if (resource.texture.bound()) return texture_fact(resource.texture, declaration.is_uav, fact);
  if (resource.buffer.bound()) return buffer_fact(resource.buffer, fact);
  return 0;
}

uint32_t sampler_fact(const Sampler& sampler, ir::BindingFact fact) {
  using ir::BindingFact;
  switch (fact) {
    case BindingFact::compare_function: return static_cast<uint32_t>(sampler.comparison);
    case BindingFact::linear_filter:
      if (sampler.anisotropic || sampler.min_filter == sampler.mag_filter)
        return sampler.anisotropic || sampler.min_filter == Filter::linear;
      return sampler.min_filter == Filter::linear ? 3 : 2;
    case BindingFact::linear_mip: return sampler.anisotropic || sampler.mip_filter == Filter::linear;
    case BindingFact::address_u: return static_cast<uint32_t>(sampler.address[0]);
    case BindingFact::address_v: return static_cast<uint32_t>(sampler.address[1]);
    case BindingFact::address_w: return static_cast<uint32_t>(sampler.address[2]);
    case BindingFact::border_red:
    case BindingFact::border_green:
    case BindingFact::border_blue:
    case BindingFact::border_alpha:
      return float_bits(
          sampler.border[static_cast<uint32_t>(fact) - static_cast<uint32_t>(BindingFact::border_red)]);
    case BindingFact::min_lod: return float_bits(sampler.min_lod);
    case BindingFact::max_lod: return float_bits(sampler.max_lod);
    case BindingFact::lod_bias: return float_bits(sampler.mip_lod_bias);
    case BindingFact::max_anisotropy: return sampler.anisotropic ? sampler.max_anisotropy : 1;
    default: return 0;
  }
}

}  // namespace texlate::sim
