// What PTX promises of textures, surfaces and buffers.
#pragma once

#include "ir/passes/texture_guarantees.h"

namespace texlate::ptx {

extern const ir::GuaranteeTable kTextureGuarantees;
/// The same where nothing bound is a tiled resource.
extern const ir::GuaranteeTable kAllMappedGuarantees;

}  // namespace texlate::ptx
