// All that SPIR-V and Vulkan promise, for ir::legalize.
#pragma once

#include "ir/passes/legalize.h"

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
const ir::MemoryTable& memory_guarantees(Robustness robustness);
/// `keeps_halves`: the module declares that denormals of 16 bits are kept.
const ir::ArithmeticTable& arithmetic_guarantees(bool keeps_halves = false);

inline ir::Guarantees guarantees(Robustness robustness, bool clamps_levels = true,
                                 bool keeps_halves = false) {
  return {texture_guarantees(robustness, clamps_levels), memory_guarantees(robustness),
          arithmetic_guarantees(keeps_halves),
          "Vulkan, FragDepth, DepthGreater and \"Depth Clamping and Range Adjustment\""};
}

}  // namespace texlate::spirv
