// The SPIR-V binding map of the command line: a JSON file (schema: docs/spirv.md).
#pragma once

#include <string_view>
#include <vector>

#include "ir/base/diagnostics.h"
#include "texlate/texlate.h"

namespace texlate::cli {

struct BindingMap {
  std::vector<texlate_spirv_binding> bindings;
  std::vector<texlate_spirv_combined> combined;
};

/// Returns false with an error and its location in the text.
bool parse_binding_map(std::string_view json, BindingMap& map, Diagnostics& diagnostics);

}  // namespace texlate::cli
