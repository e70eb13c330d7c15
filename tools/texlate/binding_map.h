// The SPIR-V binding map of the command line: a JSON file (docs/spirv.md has the schema).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "texlate/texlate.h"

namespace texlate::cli {

struct BindingMap {
  std::vector<texlate_spirv_binding> bindings;
  std::vector<texlate_spirv_combined> combined;
};

/// False: `error` says what is wrong and where ("bindings[2]: ...").
bool parse_binding_map(std::string_view json, BindingMap& map, std::string& error);

}  // namespace texlate::cli
