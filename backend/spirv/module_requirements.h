// The capabilities and extensions that a module declares, and the features of the device that allow them.
#pragma once

#include <cstdint>
#include <span>

#include "backend/spirv/descriptors.h"
#include "ir/module.h"

namespace texlate::spirv {

/// Lists them in `host` by name. `words`, the translation of `module`, must be well-formed.
void list_requirements(std::span<const uint32_t> words, const ir::Module& module, HostInterface& host);

}  // namespace texlate::spirv
