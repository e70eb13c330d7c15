#include "tools/texlate/random_diff.h"

#include <fmt/format.h>

#include "sim/scene/random_scene.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"

namespace texlate::cli {

namespace {

/// What all of the routes can express.
sim::RandomSceneLimits limits_of(const Execution& execution) {
  sim::RandomSceneLimits limits;
  for (const executor::Route route : execution.routes) {
    limits.texture_objects |=
        executor::runs_ptx(route) || route == executor::Route::maxwell || route == executor::Route::cuda;
    limits.all_bound |= route == executor::Route::dksh;
    limits.vulkan |= route == executor::Route::vulkan;
  }
  return limits;
}

/// How to see the difference again, in the order in which the user gave the options.
std::string command_for(const RunArguments& arguments, const std::string& scene) {
  std::string command = fmt::format("texlate diff {} --scene {} --via {}", arguments.input, scene,
                                    fmt::join(arguments.via, ","));
  for (const std::string& instance : arguments.classes) command += fmt::format(" --class {}", instance);
  if (arguments.lenient) command += " --lenient";
  if (arguments.robustness != "driver") command += fmt::format(" --robustness {}", arguments.robustness);
  if (!arguments.without.empty()) command += fmt::format(" --without {}", arguments.without);
  if (arguments.derivatives != "each") command += fmt::format(" --derivatives {}", arguments.derivatives);
  return command;
}

}  // namespace

int run_random_scenes(const RunArguments& arguments, Execution& execution, RandomScenes& random,
                      const std::function<SceneVerdict()>& judge) {
  const sim::RandomSceneLimits limits = limits_of(execution);
  for (uint64_t seed = random.seed; seed - random.seed < random.count; ++seed) {
    execution.scene_text = sim::random_scene(execution.shader.contract, seed, limits);
    execution.scene =
        sim::Scene::make(execution.scene_text, ".", execution.shader.contract, execution.scene_diagnostics);
    if (execution.scene == nullptr) return kExitUndecided;
    const SceneVerdict verdict = judge();
    if (verdict == SceneVerdict::agree) continue;
    if (!write_file(random.keep, execution.scene_text)) return kExitUndecided;
    fmt::print("This is the scene of seed {}; it is in {}. Again: {}\n", seed, random.keep,
               command_for(arguments, random.keep));
    return verdict == SceneVerdict::differ ? kExitInput : kExitUndecided;
  }
  fmt::print("{} random scenes from seed {}: no differences in {} elements", random.count, random.seed,
             random.elements);
  if (random.masked != 0) fmt::print(", {} skipped as undefined in Direct3D", random.masked);
  fmt::print("\n");
  return random.elements != 0 ? kExitGood : kExitUndecided;
}

}  // namespace texlate::cli
