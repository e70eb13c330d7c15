// What Vulkan promises about textures, surfaces and buffers.
#pragma once

#include "ir/passes/texture_guarantees.h"

namespace texlate::spirv {

/// Who handles out-of-bounds accesses and unbound slots.
enum class Robustness : uint8_t {
  driver,  // the device: robustBufferAccess2, robustImageAccess2 and nullDescriptor of VK_EXT_robustness2 are
           // enabled
  shader,  // the code: nothing is assumed; every descriptor that the module names is written, unbound slots
           // with any resource of the right kind and their specialization constant set to false (see emit.h)
};

/// `clamps_levels`: the device has shaderResourceMinLod.
ir::GuaranteeTable texture_guarantees(Robustness robustness, bool clamps_levels = true);

}  // namespace texlate::spirv
