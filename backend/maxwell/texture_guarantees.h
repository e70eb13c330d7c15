// What Maxwell promises for resource operations of kernels.
#pragma once

#include "ir/passes/texture_guarantees.h"

namespace texlate::maxwell {

extern const ir::GuaranteeTable kTextureGuarantees;

}  // namespace texlate::maxwell
