// Describes a texture to the CUDA driver: arrays, views and sampler state (CUDA driver API, "Texture Object
// Management", cuArray3DCreate, cuMipmappedArrayCreate; docs/launch_abi.md).
#pragma once

#include <optional>
#include <string>

#include "sim/ptx/texture_object.h"
#include "tools/executor/cuda_driver.h"

namespace texlate::executor::cuda {

struct Format {
  uint32_t array = 0;     // ArrayFormat
  uint32_t channels = 0;  // 1, 2 or 4
  uint32_t view = 0;      // CUresourceViewFormat
  uint32_t flags = 0;     // TextureFlag: how texels are read
};
/// CUDA arrays hold one, two or four channels of 8, 16 or 32 bits in the order r, g, b, a. Returns nothing
/// for other formats.
std::optional<Format> format_of(sim::Format format);

/// An array for the view's dimension, with all mips and slices of its texture. Texture2D over a 1D texture
/// has height 1.
ArrayDescriptor array_of(const sim::TextureView& view, const Format& format, bool surface);

/// Nothing if the view covers its whole texture.
std::optional<ViewDescriptor> view_of(const sim::TextureView& view, const Format& format);

/// Coordinates are normalized, as mipmapped arrays require; linear memory has no sampler.
TextureDescriptor descriptor_of(const sim::ptx::TextureObject& object, const Format& format);

/// Why CUDA has no such view; empty if it has one.
std::string beyond_views(const sim::TextureView& view, bool surface);

}  // namespace texlate::executor::cuda
