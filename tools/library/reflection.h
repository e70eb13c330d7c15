// What a host must know to launch a translation, as JSON.
#pragma once

#include <string>

#include "backend/ptx/emit.h"
#include "backend/spirv/emit.h"

namespace texlate::library {

/// Appends the JSON that docs/launch_abi.md describes.
void reflect_ptx(const ir::Module& module, const ptx::Options& options, const ptx::Layout& layout,
                 std::pmr::string& json);

/// Appends the JSON that docs/spirv.md describes.
void reflect_spirv(const ir::Module& module, const spirv::Options& options, const spirv::HostInterface& host,
                   std::pmr::string& json);

}  // namespace texlate::library
