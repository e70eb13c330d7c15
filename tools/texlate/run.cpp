// texlate run: one shader by one route, its outputs as a picture, as JSON, or its UAVs on standard output.

#include "tools/texlate/run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/executor/picture.h"
#include "tools/executor/unguarded.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"

namespace texlate::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownWords = 64;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && std::string_view(text).substr(text.size() - end.size()) == end;
}

Json as_json(const Execution& execution, const executor::RouteResult& result) {
  Json json;
  const uint32_t count = execution.scene->element_count();
  const ir::Module& module = execution.shader.contract;
  if (module.stage != ir::Stage::compute) {
    json["elements"] = count;
    json["written"] = result.written;
    for (const ir::Parameter& parameter : module.outputs) {
      const uint32_t reg = sim::output_plane_register(module, parameter);
      for (uint32_t c = 0; c < 4; ++c) {
        if (((parameter.mask >> c) & 1) == 0) continue;
        const auto first = result.outputs.begin() + static_cast<ptrdiff_t>((size_t{reg} * 4 + c) * count);
        json["outputs"][fmt::format("o{}.{}", reg, "xyzw"[c])] = std::vector<uint32_t>(first, first + count);
      }
    }
  }
  for (const auto& range : execution.scene->uav_ranges()) {
    const auto first = result.uavs.begin() + static_cast<ptrdiff_t>(range.first);
    json["uavs"][range.name] = std::vector<uint32_t>(first, first + static_cast<ptrdiff_t>(range.count));
  }
  json["undefined"] = result.any_undefined;
  return json;
}

void print_uavs(const Execution& execution, const executor::RouteResult& result) {
  for (const auto& range : execution.scene->uav_ranges()) {
    fmt::print("{}: {} words\n", range.name, range.count);
    const size_t shown = std::min(range.count, kShownWords);
    for (size_t i = 0; i < shown; ++i) {
      const uint32_t word = result.uavs[range.first + i];
      if (i % 8 == 0) fmt::print("  {:5}:", i);
      if (range.is_float) {
        fmt::print(" {:>10.6g}", std::bit_cast<float>(word));
      } else {
        fmt::print(" {:08x}", word);
      }
      if (i % 8 == 7 || i + 1 == shown) fmt::print("\n");
    }
    if (shown < range.count) fmt::print("  ... {} more\n", range.count - shown);
  }
}

bool write_outputs(const RunArguments& arguments, Execution& execution, const executor::RouteResult& result) {
  if (ends_with(arguments.output, ".png")) {
    const bool pixel = execution.shader.contract.stage == ir::Stage::pixel;
    const std::optional<sim::Picture> picture =
        pixel ? executor::picture_of(execution.shader, *execution.scene, result)
              : executor::picture_of_uav(execution.shader, *execution.scene);
    if (!picture) {
      std::fprintf(
          stderr,
          "texlate: error: only pixel shaders and float 2D views for unordered access make a picture; -o "
          "OUT.json takes any outputs\n");
      return false;
    }
    const sim::Picture shown = executor::enlarged(*picture, arguments.scale);
    if (sim::write_png(arguments.output, shown, execution.diagnostics)) return true;
    print_diagnostics(arguments, execution);
    return false;
  }
  std::ofstream file(arguments.output);
  file << as_json(execution, result).dump(1) << '\n';
  file.close();
  if (!file.good()) std::fprintf(stderr, "%s: error: cannot be written\n", arguments.output.c_str());
  return file.good();
}

bool execute_unguarded(const RunArguments& arguments, Execution& execution, executor::RouteResult& result) {
  executor::RunLimits limits;
  limits.max_lane_instructions = arguments.budget;
  if (executor::run_unguarded(execution.shader, *execution.scene, limits, result, execution.diagnostics))
    return true;
  print_diagnostics(arguments, execution);
  return false;
}

}  // namespace

void add_run(CLI::App& command, RunArguments& arguments) {
  command.add_option("input", arguments.input, "Shader; - for standard input")->required();
  command.add_option("--scene", arguments.scene,
                     "JSON scene (docs/scene.md); without it everything has a default");
  add_route_options(command, arguments);
  command.get_option("--via")->expected(1);
  command.add_option(
      "-o,--output", arguments.output,
      "OUT.png (pixel shaders; compute shaders with a typed 2D view) or OUT.json; without it UAVs are "
      "printed");
  command.add_flag("--unguarded", arguments.unguarded,
                   "Instead of a route: PTX without the guards of ld; what PTX leaves undefined is magenta");
  command.add_option("--scale", arguments.scale, "Enlarges pictures")->check(CLI::Range(1, 64));
  command.add_option("--budget", arguments.budget, "Lane instructions after which the run is cut off");
}

int run_run(const RunArguments& given) {
  RunArguments arguments = given;
  if (arguments.via.empty()) arguments.via = {"ir"};
  Execution execution;
  if (!prepare(arguments, execution)) return kExitInput;
  executor::RouteResult result;
  if (arguments.unguarded) {
    if (!execute_unguarded(arguments, execution, result)) return kExitInput;
  } else if (!execute(arguments, execution.routes[0], execution, result)) {
    return kExitInput;
  }
  if (!result.trouble.empty())
    fmt::print(stderr, "{}: {}: {}\n", arguments.input, result.failed ? "error" : "warning", result.trouble);
  if (result.failed) return kExitInput;
  if (!arguments.output.empty()) return write_outputs(arguments, execution, result) ? kExitGood : kExitInput;
  print_uavs(execution, result);
  if (execution.shader.contract.stage != ir::Stage::compute) {
    const auto written = std::count(result.written.begin(), result.written.end(), 1u);
    fmt::print("{} of {} elements written (-o OUT.png or OUT.json keeps them)\n", written,
               execution.scene->element_count());
  }
  fmt::print("{}\n", effort_of(execution, result));
  return kExitGood;
}

}  // namespace texlate::cli
