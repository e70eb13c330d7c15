// What PTX promises about textures, surfaces and buffers.
#pragma once

#include "ir/passes/texture_guarantees.h"

namespace texlate::ptx {

extern const ir::GuaranteeTable kTextureGuarantees;
/// The same with what the caller guarantees. `all_mapped`: no tiled resource is bound. `native_compare`: the
/// host's texture objects compare with the samplers' functions.
ir::GuaranteeTable texture_guarantees(bool all_mapped, bool native_compare);

}  // namespace texlate::ptx
