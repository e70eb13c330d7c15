#include "tools/page/requests.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "library/pipeline.h"
#include "tools/executor/comparison.h"
#include "tools/page/base64.h"
#include "tools/page/results.h"
#include "tools/page/traced.h"
#include "tools/page/translation.h"

namespace texlate::page {

namespace {

using Json = nlohmann::json;

// Members of other types than expected count as missing: the page wrote the request.
std::string text_of(const Json& request, const char* name, const std::string& otherwise = {}) {
  const auto at = request.find(name);
  return at != request.end() && at->is_string() ? at->get<std::string>() : otherwise;
}
uint64_t number_of(const Json& json, const char* name, uint64_t otherwise) {
  const auto at = json.find(name);
  return at != json.end() && at->is_number_unsigned() ? at->get<uint64_t>() : otherwise;
}
std::vector<std::string> words_of(const Json& request, const char* name, std::vector<std::string> otherwise) {
  const auto at = request.find(name);
  if (at == request.end() || !at->is_array()) return otherwise;
  std::vector<std::string> words;
  for (const Json& word : *at) {
    if (word.is_string()) words.push_back(word.get<std::string>());
  }
  return words;
}

std::string shader_of(const Json& request) {
  return request.contains("container") ? from_base64(text_of(request, "container"))
                                       : text_of(request, "text");
}

TranslationOptions options_of(const Json& request) {
  TranslationOptions options;
  options.targets = words_of(request, "targets", options.targets);
  options.sm = static_cast<uint32_t>(number_of(request, "sm", 0));
  options.guards_by_driver = text_of(request, "robustness") != "shader";
  const auto lenient = request.find("lenient");
  options.lenient = lenient != request.end() && lenient->is_boolean() && lenient->get<bool>();
  return options;
}

Json translate(const Json& request) {
  const TranslationOptions options = options_of(request);
  Source source;
  Diagnostics diagnostics;
  const bool good = read_source(shader_of(request), options, source, diagnostics);
  Json page = good ? translation_json(source, options)
                   : Json{{"text", source.text}, {"was_container", source.was_container}};
  page["good"] = good;
  page["diagnostics"] = diagnostics_json(diagnostics);
  return page;
}

/// A shader on its scene. Its machines are those that need neither a driver nor another program.
struct Stage {
  executor::Shader shader;
  std::unique_ptr<sim::Scene> scene;
  std::vector<executor::Route> routes;
  Diagnostics diagnostics, scene_diagnostics;
  executor::RunLimits limits;
};

bool prepare(const Json& request, Stage& stage) {
  for (const std::string& name : words_of(request, "via", {"ir", "ptx", "maxwell"})) {
    for (const executor::Route route : executor::kRoutes) {
      if (executor::route_name(route) == name) stage.routes.push_back(route);
    }
  }
  stage.shader.lenient = options_of(request).lenient;
  stage.limits.max_lane_instructions = number_of(request, "budget", uint64_t{1} << 30);
  if (!executor::load_shader(shader_of(request), stage.shader, stage.routes, stage.diagnostics)) return false;
  stage.scene =
      sim::Scene::make(text_of(request, "scene", "{}"), ".", stage.shader.contract, stage.scene_diagnostics);
  return stage.scene != nullptr;
}

Json with_messages(Json page, const Stage& stage, bool good) {
  page["good"] = good;
  page["diagnostics"] = diagnostics_json(stage.diagnostics);
  page["scene_diagnostics"] = diagnostics_json(stage.scene_diagnostics);
  return page;
}

Json run(const Json& request) {
  Stage stage;
  if (!prepare(request, stage)) return with_messages(Json::object(), stage, false);
  std::vector<executor::RouteResult> results(stage.routes.size());
  std::vector<sim::Picture> pictures;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!executor::run_route(stage.routes[i], stage.shader, *stage.scene, stage.limits, results[i],
                             stage.diagnostics))
      return with_messages(Json::object(), stage, false);
    pictures.push_back(picture_of_run(stage.shader, *stage.scene, results[i]));
  }
  executor::share_masks(stage.shader, *stage.scene, stage.limits, stage.routes, results);
  return with_messages(results_json(stage.shader, *stage.scene, stage.routes, results, pictures), stage,
                       true);
}

/// {"at": [x, y, z]}; missing numbers are 0.
std::array<uint32_t, 3> place_of(const Json& request) {
  std::array<uint32_t, 3> at{};
  const auto given = request.find("at");
  for (size_t i = 0; given != request.end() && given->is_array() && i < std::min<size_t>(3, given->size());
       ++i) {
    if ((*given)[i].is_number_unsigned())
      at[i] = static_cast<uint32_t>(std::min<uint64_t>((*given)[i].get<uint64_t>(), UINT32_MAX));
  }
  return at;
}

Json trace(const Json& request) {
  Stage stage;
  const std::string guards = text_of(request, "guards", "ptx");
  Json own = request;
  own["via"] = Json::array({"ir"});
  if (guards != "none") own["via"].push_back(guards);
  if (!prepare(own, stage)) return with_messages(Json::object(), stage, false);
  executor::TraceOptions options;
  options.max_lines = number_of(request, "max_lines", 2000);
  options.max_lane_instructions = stage.limits.max_lane_instructions;
  executor::NamedLane place;
  std::string problem;
  if (!executor::find_lane(*stage.scene, stage.shader.contract, place_of(request), place, problem))
    return {{"good", false}, {"error", problem}};
  options.lane = place.lane;
  if (guards == "ptx") options.guarded = &stage.shader.legal;
  if (guards == "maxwell") options.guarded = &stage.shader.legal_maxwell;
  sm4::Program program;
  dxbc::Container container;
  Diagnostics ignored;  // prepare() has kept what there is to say
  program.lenient = stage.shader.lenient;
  executor::Trace traced;
  const bool good =
      library::read_program(shader_of(request), dxbc::DigestCheck::ignore, program, container, ignored) &&
      executor::trace(program, stage.shader, *stage.scene, options, traced, stage.diagnostics);
  return with_messages(good ? trace_json(traced, program, place.name) : Json::object(), stage, good);
}

}  // namespace

Json answer(const Json& request) {
  const std::string wish = request.is_object() ? text_of(request, "do") : std::string();
  if (wish == "translate") return translate(request);
  if (wish == "run") return run(request);
  if (wish == "trace") return trace(request);
  return {{"good", false}, {"error", "no such request"}};
}

}  // namespace texlate::page
