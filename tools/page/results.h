// What routes made of a scene, for the page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "sim/scene/png_file.h"
#include "tools/executor/shader.h"

namespace texlate::page {

/// {"width", "height", "elements", "pictures": [{"label", "route"?, "png" (base64), "width", "height"}],
/// "verdicts": [{"text", "good"}], "differences": [{"route", "element", "at"?: [x, y]}]}. `results` have
/// shared masks, and `pictures` has one for each of them, empty where the shader draws none. The first route
/// is compared with each of the others.
nlohmann::json results_json(const executor::Shader& shader, const sim::Scene& scene,
                            std::span<const executor::Route> routes,
                            std::span<const executor::RouteResult> results,
                            std::span<const sim::Picture> pictures);

/// The route's picture: of a pixel shader's first output, or of the first view that a compute shader wrote;
/// empty without either.
sim::Picture picture_of_run(const executor::Shader& shader, const sim::Scene& scene,
                            const executor::RouteResult& result);

}  // namespace texlate::page
