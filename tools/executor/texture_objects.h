// Direct3D's sampler state as a CUDA texture object holds it (docs/launch_abi.md, "Texture objects").
#pragma once

#include <string_view>

#include "sim/ptx/texture_object.h"
#include "sim/texture_unit/sampler.h"

namespace texlate::executor {

/// The part that a texture object has a place for. Never a comparison: CUDA's has no function for it.
/// `anisotropic`: false for the texture that replaces a 1D texture, which would be anisotropic along the axis
/// that it lacks.
sim::ptx::SamplerObject sampler_object(const sim::Sampler& sampler, bool anisotropic = true);

/// What a texture object with this number of axes (cubes: 0) cannot express: "address mode mirror_once".
/// Empty: it fits.
std::string_view beyond_texture_objects(const sim::Sampler& sampler, uint32_t axes);

}  // namespace texlate::executor
