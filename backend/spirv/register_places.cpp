#include "backend/spirv/register_places.h"

#include "ir/base/zeroed.h"

namespace texlate::spirv {

RegisterPlaces find_places(const ir::Module& module, const BindingMap& map,
                           std::pmr::monotonic_buffer_resource& arena) {
  RegisterPlaces places{
      zeroed<Place>(arena, module.constant_buffers.size()), zeroed<Place>(arena, module.samplers.size()),
      zeroed<Place>(arena, module.resources.size()), zeroed<Place>(arena, module.resources.size())};
  const auto find = [&map](RegisterClass which, const auto& declared) {
    return map.find(which, declared.space, declared.lower_bound);
  };
  for (size_t i = 0; i < module.constant_buffers.size(); ++i) {
    const ir::ConstantBuffer& buffer = module.constant_buffers[i];
    places.constant_buffers[i] = find(RegisterClass::constant_buffer, buffer);
    if (buffer.is_range()) places.constant_buffers[i].passing = Passing::descriptor;
  }
  for (size_t i = 0; i < module.samplers.size(); ++i)
    places.samplers[i] = find(RegisterClass::sampler, module.samplers[i]);
  for (size_t i = 0; i < module.resources.size(); ++i) {
    const ir::Resource& resource = module.resources[i];
    places.resources[i] = find(resource.is_uav ? RegisterClass::view : RegisterClass::resource, resource);
    places.counters[i] = find(RegisterClass::counter, resource);
  }
  return places;
}

const Place& RegisterPlaces::of(RegisterClass register_class, uint32_t index) const {
  switch (register_class) {
    case RegisterClass::constant_buffer: return constant_buffers[index];
    case RegisterClass::sampler: return samplers[index];
    case RegisterClass::counter: return counters[index];
    case RegisterClass::resource:
    case RegisterClass::view: break;
  }
  return resources[index];
}

Registers registers_of(const ir::Module& module, RegisterClass register_class, uint32_t index) {
  const auto make = [](std::string_view letters, const auto& declared) {
    return Registers{letters, declared.id, declared.lower_bound, declared.upper_bound, declared.space};
  };
  switch (register_class) {
    case RegisterClass::constant_buffer: return make("cb", module.constant_buffers[index]);
    case RegisterClass::sampler: return make("s", module.samplers[index]);
    case RegisterClass::resource: return make("t", module.resources[index]);
    case RegisterClass::view:
    case RegisterClass::counter: break;
  }
  return make("u", module.resources[index]);
}

DescriptorKind kind_of(const ir::Resource& resource, const Place& place) {
  const bool is_texels = place.passing == Passing::texel_buffer;
  if (ir::is_untyped(resource.dimension) && !is_texels) return DescriptorKind::storage_buffer;
  if (is_texels || resource.dimension == ir::Dimension::buffer)
    return resource.is_uav ? DescriptorKind::storage_texel_buffer : DescriptorKind::uniform_texel_buffer;
  return resource.is_uav ? DescriptorKind::storage_image : DescriptorKind::sampled_image;
}

}  // namespace texlate::spirv
