// The page's questions and their answers.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace texlate::page {

/// Answers one request: an object whose "do" is "translate", "run" or "trace" (docs/playground.md lists the
/// members). A request that cannot be answered has an answer with "error", and errors of the shader and of
/// the scene are in "diagnostics" and "scene_diagnostics".
nlohmann::json answer(const nlohmann::json& request);

}  // namespace texlate::page
