// How a PTX kernel uses its parameters and opaque variables: as textures, surfaces or memory.
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
  bool has_geometry = false;  // some access gives dimension and type
  bool compared = false;      // some access has a reference
  uint32_t line = 0;          // of the first use
  /// Of 8 bytes inside an array: their place in the parameter block; otherwise kNone.
  uint32_t offset = sim::ptx::kNone;
};

/// The entry's parameters in order, then the module's opaque variables, then the words of parameters that are
/// arrays (a host's own parameter block). Handles and addresses are traced from ld.param through mov, cvta,
/// selp and sums. An access is an error if its handle comes from elsewhere or from several parameters, or if
/// accesses to one object have different geometries. Returns false if there were errors.
bool find_foreign_uses(const sim::ptx::Module& module, const sim::ptx::Function& entry,
                       std::vector<ForeignNode>& nodes, Diagnostics& diagnostics);

}  // namespace texlate::executor
