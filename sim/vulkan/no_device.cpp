// For systems without Vulkan (WebAssembly).

#include "ir/base/diagnostics.h"
#include "sim/vulkan/device.h"

namespace texlate::sim::vulkan {

std::unique_ptr<Device> Device::open(const DeviceOptions&, Diagnostics& diagnostics) {
  diagnostics.error({}, "vulkan: this system has no Vulkan");
  return nullptr;
}

}  // namespace texlate::sim::vulkan
