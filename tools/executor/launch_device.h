// What a launch by the launch ABI (docs/launch_abi.md) needs of the machine that it runs on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/ptx/texture_object.h"

namespace texlate::executor {

class LaunchDevice {
 public:
  virtual ~LaunchDevice() = default;
  /// Makes host memory visible; returns its address on the device.
  virtual uint64_t map_memory(std::span<std::byte> memory, bool writable = true) = 0;
  /// The handle of a texture object, never 0.
  virtual uint64_t add_texture(const sim::ptx::TextureObject& object) = 0;
  /// The handle of a surface object, never 0.
  virtual uint64_t add_surface(const sim::TextureView& view) = 0;
};

}  // namespace texlate::executor
