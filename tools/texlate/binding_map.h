// The SPIR-V binding map of the command line: a JSON file (docs/spirv.md has the schema).
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

/// False: an error says what is wrong and where in the text.
bool parse_binding_map(std::string_view json, BindingMap& map, Diagnostics& diagnostics);

}  // namespace texlate::cli
