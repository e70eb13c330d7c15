// Parameters of a request: what Direct3D's pipeline state says, and the shader must do itself in Vulkan.
#pragma once

#include <optional>
#include <vector>

#include "library/vkd3d/request.h"

namespace texlate::vkd3d {

/// The parameters of structure PARAMETER_INFO, or else those of SPIRV_TARGET_INFO in the same form.
std::vector<Parameter1> parameters_of(const Request& request);

/// The first parameter with this name, as in vkd3d-shader; null if the client does not give it.
const Parameter1* find(const std::vector<Parameter1>& all, ParameterName name);

/// The varying that fog adds to a shader, as in vkd3d-shader: FOG0.x in the register after the last. Nothing
/// if the shader has it, or needs none. `signature` is that of the inputs of a pixel shader, else of the
/// outputs.
std::optional<SignatureElement> added_fog(const Request& request, texlate_stage stage,
                                          const Signature& signature);

}  // namespace texlate::vkd3d
