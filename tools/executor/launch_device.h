// The operations that a launch with the launch ABI (docs/launch_abi.md) needs from a machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/ptx/texture_object.h"

namespace texlate::executor {

class LaunchDevice {
 public:
  virtual ~LaunchDevice() = default;
  /// Makes host memory visible to the device. Returns its device address.
  virtual uint64_t map_memory(std::span<std::byte> memory, bool writable = true) = 0;
  /// The handle of a texture object, never 0.
  virtual uint64_t add_texture(const sim::ptx::TextureObject& object) = 0;
  /// The handle of a surface object, never 0.
  virtual uint64_t add_surface(const sim::TextureView& view) = 0;
};

}  // namespace texlate::executor
