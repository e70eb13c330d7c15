// The capabilities and extensions that a module declares.
#pragma once

#include <cstdint>
#include <span>

#include "backend/spirv/descriptors.h"

namespace texlate::spirv {

/// Lists them in `host` by name, in the order of the module, which must be well-formed.
void list_requirements(std::span<const uint32_t> words, HostInterface& host);

}  // namespace texlate::spirv
