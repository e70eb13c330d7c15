// What a PTX kernel does with its parameters and opaque variables: which are textures, surfaces, memory.
#pragma once

#include <vector>

#include "ir/base/diagnostics.h"
#include "ir/resource.h"
#include "sim/ptx/module.h"

namespace texlate::executor {

enum class ForeignUse : uint8_t { none, texture, sampler, surface, memory };

struct ForeignNode {
  ForeignUse use = ForeignUse::none;
  ir::Dimension dimension = ir::Dimension::texture2d;
  ir::ComponentType type = ir::ComponentType::float_;
  bool has_geometry = false;  // some access says dimension and type
  bool compared = false;      // some access has a reference
  uint32_t line = 0;          // of the first use
};

/// The entry's parameters by their order, then the module's opaque variables. Handles and addresses are
/// followed from ld.param through mov, cvta, selp and sums; one that the kernel takes from elsewhere, or that
/// comes from several, is an error at the access, and so are accesses to one object that differ in geometry.
/// False: there were errors.
bool find_foreign_uses(const sim::ptx::Module& module, const sim::ptx::Function& entry,
                       std::vector<ForeignNode>& nodes, Diagnostics& diagnostics);

}  // namespace texlate::executor
