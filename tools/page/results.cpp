#include "tools/page/results.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "sim/scene/png_codec.h"
#include "tools/executor/comparison.h"
#include "tools/executor/picture.h"
#include "tools/page/base64.h"

namespace texlate::page {

namespace {

using Json = nlohmann::json;

Json picture_json(const sim::Picture& picture, const std::string& label) {
  return {{"label", label},
          {"width", picture.width},
          {"height", picture.height},
          {"png", base64(sim::encode_png(picture))}};
}

}  // namespace

sim::Picture picture_of_run(const executor::Shader& shader, const sim::Scene& scene,
                            const executor::RouteResult& result) {
  if (shader.contract.stage == ir::Stage::pixel) return executor::picture_of(shader, scene, result);
  return executor::picture_of_uav(shader, scene).value_or(sim::Picture{});
}

Json results_json(const executor::Shader& shader, const sim::Scene& scene,
                  std::span<const executor::Route> routes, std::span<const executor::RouteResult> results,
                  std::span<const sim::Picture> pictures) {
  Json page = {{"width", scene.width()},
               {"height", scene.height()},
               {"elements", scene.element_count()},
               {"pictures", Json::array()},
               {"verdicts", Json::array()}};
  const auto name = [&](size_t i) { return std::string(executor::route_name(routes[i])); };
  const auto say = [&](const std::string& text, bool good) {
    page["verdicts"].push_back({{"text", text}, {"good", good}});
  };
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].trouble.empty())
      say(name(i) + ": " + results[i].trouble, executor::is_excused(shader, results[i], results[i]));
    if (pictures[i].width == 0) continue;
    Json picture = picture_json(pictures[i], name(i));
    picture["route"] = name(i);
    page["pictures"].push_back(std::move(picture));
  }
  constexpr uint32_t kGain = 16;
  for (size_t i = 1; i < results.size(); ++i) {
    const auto comparison = executor::compare_outputs(shader, scene, results[0], results[i],
                                                      executor::default_tolerance(routes[0], routes[i]));
    std::string text = fmt::format("{} and {}: {} of {} differ", name(0), name(i), comparison.different,
                                   comparison.elements);
    if (comparison.masked != 0) text += fmt::format(", {} undefined in Direct3D", comparison.masked);
    if (!comparison.first.empty()) text += "; the first: " + comparison.first;
    say(text, comparison.different == 0);
    if (pictures[0].width == 0 || pictures[i].width != pictures[0].width ||
        pictures[i].height != pictures[0].height)
      continue;
    page["pictures"].push_back(picture_json(executor::difference_of(pictures[0], pictures[i], kGain),
                                            fmt::format("{} - {}, x{}", name(0), name(i), kGain)));
  }
  return page;
}

}  // namespace texlate::page
