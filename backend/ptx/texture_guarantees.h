// What PTX promises of textures, surfaces and buffers.
#pragma once

#include "ir/passes/texture_guarantees.h"

namespace texlate::ptx {

extern const ir::GuaranteeTable kTextureGuarantees;

}  // namespace texlate::ptx
