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

}  // namespace texlate::spirv
