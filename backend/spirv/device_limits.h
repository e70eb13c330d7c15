// The limits of the device that the caller gave: what a module may count.
#pragma once

#include "backend/spirv/emit.h"

namespace texlate::spirv {

/// Reports each limit that the module exceeds. `host` is what emit() has reported.
bool check_limits(const ir::Module& module, const Options& options, const HostInterface& host,
                  Diagnostics& diagnostics);

}  // namespace texlate::spirv
