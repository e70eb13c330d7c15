// What a scene can bind to a shader, for the page's controls.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ir/module.h"

namespace texlate::page {

/// [{"section", "name", "kind", ...}]: the sections and names are those of scenes (docs/scene.md); `kind` is
/// texture, buffer, sampler, constants or input. Of a range of registers without an end, the first.
nlohmann::json slots_json(const ir::Module& module);

}  // namespace texlate::page
