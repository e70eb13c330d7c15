// What PTX promises of textures, surfaces and buffers.
#pragma once

#include "ir/passes/texture_guarantees.h"

namespace texlate::ptx {

extern const ir::GuaranteeTable kTextureGuarantees;
/// The same where nothing bound is a tiled resource.
extern const ir::GuaranteeTable kAllMappedGuarantees;
/// Both again, if the host's texture objects compare with the samplers' functions.
extern const ir::GuaranteeTable kComparingGuarantees;
extern const ir::GuaranteeTable kComparingAllMappedGuarantees;

}  // namespace texlate::ptx
