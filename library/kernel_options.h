// Converts the options of kernels from the C interface.
#pragma once

#include <string_view>

#include "backend/maxwell/target.h"
#include "backend/ptx/target.h"
#include "texlate/texlate.h"

namespace texlate::library {

/// What `kernel` holds was in `ptx` before 0.3. Either may be null. What no kernel can have is an argument
/// error, whatever the target.
void take_kernel_options(const texlate_ptx_options* ptx, const texlate_kernel_options* kernel,
                         std::string_view target, ptx::TargetOptions& to_ptx,
                         maxwell::TargetOptions& to_maxwell);

}  // namespace texlate::library
