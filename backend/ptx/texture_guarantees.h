// What PTX promises about textures, surfaces and buffers.
#pragma once

#include "ir/passes/texture_guarantees.h"

namespace texlate::ptx {

extern const ir::GuaranteeTable kTextureGuarantees;
/// The same if no tiled resource is bound.
extern const ir::GuaranteeTable kAllMappedGuarantees;
/// Both again, if the host's texture objects compare with the samplers' functions.
extern const ir::GuaranteeTable kComparingGuarantees;
extern const ir::GuaranteeTable kComparingAllMappedGuarantees;

}  // namespace texlate::ptx
