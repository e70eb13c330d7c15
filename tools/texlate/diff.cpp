// texlate diff: one shader by all routes; where they differ, and a contact sheet.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/executor/comparison.h"
#include "tools/executor/picture.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"

namespace texlate::cli {

namespace {

void print_comparison(std::string_view name, const executor::Comparison& comparison, uint32_t undefined) {
  if (comparison.elements == 0) {
    fmt::print("{}: nothing to compare", name);
  } else {
    fmt::print("{}: {} of {} differ", name, comparison.different, comparison.elements);
  }
  if (comparison.masked != 0) {
    fmt::print(", {} left out as undefined in Direct3D ({})", comparison.masked,
               sim::undefined_names(undefined));
  }
  fmt::print("\n");
  if (comparison.different == 0) return;
  fmt::print("  first  {}\n  worst  {}\n", comparison.first, comparison.worst);
  fmt::print("  {} components, at most {} ULP, at most {:g} apart\n", comparison.words,
             comparison.worst_ulp == 0xffffffffu ? "NaN" : std::to_string(comparison.worst_ulp),
             comparison.worst_difference);
}

}  // namespace

void add_diff(CLI::App& command, RunArguments& arguments) {
  command.footer(
      "Exit status: 0 equal, 1 different or a complaint of a route, 2 not decided: a route could not run or "
      "was cut "
      "off, or nothing was compared.");
  command.add_option("input", arguments.input, "Shader; - for standard input")->required();
  command.add_option("--scene", arguments.scene,
                     "JSON scene (docs/scene.md); without it everything has a default");
  add_route_options(command, arguments);
  command.add_option("-o,--output", arguments.output,
                     "Contact sheet: each route, then the difference magnified (PNG)");
  command.add_option("--tolerance", arguments.tolerance, "ULP up to which floats count as equal")
      ->capture_default_str();
  command.add_option("--absolute", arguments.absolute, "Difference up to which floats count as equal")
      ->capture_default_str();
  command.add_option("--gain", arguments.gain, "Magnification of the difference")->capture_default_str();
  command.add_option("--budget", arguments.budget, "Lane instructions after which a run is cut off");
}

int run_diff(const RunArguments& given) {
  RunArguments arguments = given;
  if (arguments.via.empty()) arguments.via = {"ir", "ptx"};
  Execution execution;
  if (!prepare(arguments, execution)) return kExitUndecided;
  std::vector<executor::RouteResult> results(execution.routes.size());
  const auto name_of = [&](size_t i) { return executor::route_name(execution.routes[i]); };
  bool good = true;
  bool decided = true;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!execute(arguments, execution.routes[i], execution, results[i])) return kExitUndecided;
    fmt::print("{}: {}\n", name_of(i), effort_of(execution, results[i]));
    if (results[i].trouble.empty()) continue;
    const bool excused = i != 0 && executor::is_excused(execution.shader, results[0], results[i]);
    fmt::print("{}: {}{}\n", name_of(i), excused ? "where Direct3D defines nothing: " : "",
               results[i].trouble);
    good = good && excused;
    decided = decided && !results[i].cut_off;
  }
  for (size_t i = 1; i < results.size(); ++i) {
    if (results[0].cut_off || results[i].cut_off) {
      fmt::print("{} and {}: not compared, a route was cut off\n", name_of(0), name_of(i));
      continue;
    }
    const auto comparison = executor::compare_outputs(execution.shader, *execution.scene, results[0],
                                                      results[i], {arguments.tolerance, arguments.absolute});
    print_comparison(fmt::format("{} and {}", name_of(0), name_of(i)), comparison, results[0].any_undefined);
    good = good && comparison.different == 0;
    decided = decided && comparison.elements != 0;
  }
  if (!arguments.output.empty() && execution.shader.contract.stage == ir::Stage::pixel) {
    std::vector<sim::Picture> pictures;
    for (const executor::RouteResult& result : results)
      pictures.push_back(executor::picture_of(execution.shader, *execution.scene, result));
    for (size_t i = 1; i < results.size(); ++i)
      pictures.push_back(executor::difference_of(pictures[0], pictures[i], arguments.gain));
    if (!sim::write_png(arguments.output, executor::contact_sheet(pictures), execution.diagnostics)) {
      print_diagnostics(arguments, execution);
      return kExitInput;
    }
  }
  return !decided ? kExitUndecided : good ? kExitGood : kExitInput;
}

}  // namespace texlate::cli
