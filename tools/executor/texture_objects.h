// Direct3D's sampler state in the form of a CUDA texture object (docs/launch_abi.md, "Texture objects").
#pragma once

#include <array>
#include <string_view>

#include "sim/ptx/texture_object.h"
#include "sim/texture_unit/sampler.h"

namespace texlate::executor {

/// The part that a texture object can hold. Never a comparison, because CUDA has no function for it.
/// `anisotropic` is false for the texture that replaces a 1D texture, which would otherwise be anisotropic
/// along the missing axis.
sim::ptx::SamplerObject sampler_object(const sim::Sampler& sampler, bool anisotropic = true);

/// The border color of a texture object for this format: an integer format has the bits of integers where
/// Direct3D has their values.
std::array<float, 4> border_of(const sim::Sampler& sampler, const sim::FormatInfo& format);

/// Why a texture object with this number of axes (cubes: 0) cannot express the state: "address mode
/// mirror_once". Empty if it can.
std::string_view beyond_texture_objects(const sim::Sampler& sampler, uint32_t axes);

}  // namespace texlate::executor
