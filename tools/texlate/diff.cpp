// texlate diff: runs one shader by all routes, and shows the differences and a contact sheet.

#include <fmt/format.h>

#include "tools/executor/comparison.h"
#include "tools/executor/picture.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/pipeline_run.h"

namespace texlate::cli {

namespace {

struct Arguments : RunArguments {
  std::string output;
  std::string against;
  uint32_t tolerance = 0;
  uint32_t steps = 1;
  uint32_t scale = 1;
  uint32_t gain = 16;
  uint64_t max_pixels = 0;
  double absolute = 0;
};
Arguments g_arguments;

/// The results so far.
struct Verdict {
  bool good = true;
  bool decided = true;
  int status() const { return !decided ? kExitUndecided : good ? kExitGood : kExitInput; }
};

void print_comparison(std::string_view name, const executor::Comparison& comparison, uint32_t undefined) {
  if (comparison.elements == 0) {
    fmt::print("{}: nothing to compare", name);
  } else {
    fmt::print("{}: {} of {} differ", name, comparison.different, comparison.elements);
  }
  if (comparison.masked != 0) {
    fmt::print(", {} skipped as undefined in Direct3D ({})", comparison.masked,
               sim::undefined_names(undefined));
  }
  if (comparison.unassigned != 0)
    fmt::print(", {} components skipped that the shader does not write", comparison.unassigned);
  fmt::print("\n");
  if (comparison.different == 0) return;
  fmt::print("  first  {}\n  worst  {}\n", comparison.first, comparison.worst);
  fmt::print("  {} components, at most {} ULP, at most {:g} apart\n", comparison.words,
             comparison.worst_ulp == 0xffffffffu ? "NaN" : std::to_string(comparison.worst_ulp),
             comparison.worst_difference);
}

std::vector<Option> diff_options() {
  std::vector<Option> options = {
      {.names = "SHADER",
       .to = &g_arguments.input,
       .help = "Shader assembly or a DXBC container; - for standard input",
       .value = "SHADER",
       .completion = Completion::file},
      pipeline_option(g_arguments.pipeline),
      {.names = "--via",
       .to = &g_arguments.via,
       .help = "The routes; all others are compared with the first ('texlate help routes')",
       .value = "ROUTES",
       .choices = route_names(),
       .comma_list = true},
      {.names = "--tolerance",
       .to = &g_arguments.tolerance,
       .help = "Floats that differ by at most this many ULP count as equal",
       .value = "ULP"},
      {.names = "--absolute",
       .to = &g_arguments.absolute,
       .help = "Floats that differ by at most this much count as equal; without it and --tolerance, "
               "2e-6 for vulkan and cuda, whose drivers decode texels less exactly",
       .value = "D"},
      {.names = "--max-pixels",
       .to = &g_arguments.max_pixels,
       .help = "How many pixels, vertices or words may differ",
       .value = "N"},
      {.names = "--against",
       .to = &g_arguments.against,
       .help = "A picture that each route must draw as well; it may be enlarged by a whole number",
       .value = "PNG",
       .completion = Completion::file},
      {.names = "--steps",
       .to = &g_arguments.steps,
       .help = "How far a colour may be from the picture of --against, in steps of 1/255",
       .value = "N",
       .most = 255},
  };
  for (Option& option : route_options(g_arguments)) options.push_back(std::move(option));
  constexpr std::string_view kTopic = "Contact sheet";
  options.push_back(
      {.names = "-o,--output",
       .to = &g_arguments.output,
       .help = "A PNG with the picture of each route and the magnified differences, all labelled",
       .value = "OUT.png",
       .topic = kTopic,
       .completion = Completion::file});
  options.push_back({.names = "--gain",
                     .to = &g_arguments.gain,
                     .help = "Factor by which colour differences are magnified",
                     .value = "N",
                     .topic = kTopic,
                     .least = 1});
  options.push_back({.names = "--scale",
                     .to = &g_arguments.scale,
                     .help = "Factor by which the pictures are enlarged",
                     .value = "N",
                     .topic = kTopic,
                     .least = 1,
                     .most = 64});
  return options;
}

/// Checks that the table of options cannot express.
bool is_consistent(const Given& given) {
  std::string wrong;
  if (given.has("--output") && suffix_of(g_arguments.output) != ".png")
    wrong = fmt::format("'{}': the contact sheet must be a .png", g_arguments.output);
  for (const char* const option : {"--gain", "--scale"}) {
    if (given.has(option) && !given.has("--output")) wrong = fmt::format("{} needs --output", option);
  }
  if (given.has("--steps") && !given.has("--against")) wrong = "--steps needs --against";
  if (g_arguments.via.size() < 2 && g_arguments.against.empty())
    wrong = "two routes are needed, as in --via ir,ptx, or a picture (--against)";
  if (given.has("--pipeline") == !g_arguments.input.empty())
    wrong = wrong.empty() ? "either a SHADER or a --pipeline is needed" : wrong;
  for (const char* const option : {"--scene", "--tolerance", "--absolute"}) {
    if (given.has("--pipeline") && given.has(option))
      wrong = fmt::format("{} cannot be combined with --pipeline", option);
  }
  if (!wrong.empty()) usage_error(wrong);
  return wrong.empty() &&
         are_distinct({g_arguments.input, g_arguments.scene, g_arguments.pipeline, g_arguments.against},
                      {{g_arguments.output, "--output"}});
}

std::string name_of(const auto& execution, size_t i) {
  return std::string(executor::route_name(execution.routes[i]));
}

void report_faults(const Execution& execution, const RouteRuns& runs, Verdict& verdict) {
  for (size_t i = 0; i < runs.results.size(); ++i) {
    const executor::RouteResult& result = runs.results[i];
    fmt::print("{}: {}\n", name_of(execution, i), effort_of(execution, result));
    if (result.trouble.empty()) continue;
    const bool wrong = is_at_fault(execution, result);
    fmt::print("{}: {}{}\n", name_of(execution, i),
               wrong ? "" : "only about undefined values: ", result.trouble);
    verdict.good = verdict.good && !wrong;
    verdict.decided = verdict.decided && !result.cut_off;
  }
}

void compare_routes(const Execution& execution, const std::vector<executor::RouteResult>& results,
                    const std::optional<executor::Tolerance>& given, Verdict& verdict) {
  for (size_t i = 1; i < results.size(); ++i) {
    const std::string names = fmt::format("{} and {}", name_of(execution, 0), name_of(execution, i));
    if (results[0].cut_off || results[i].cut_off) {
      fmt::print("{}: not compared, because a route was cut off\n", names);
      continue;
    }
    const executor::Route routes[] = {execution.routes[0], execution.routes[i]};
    const auto comparison = executor::compare_outputs(execution.shader, *execution.scene, results[0],
                                                      results[i], tolerance_of(given, routes[0], routes[1]));
    print_comparison(names, comparison, results[0].any_undefined);
    const double usual = executor::default_tolerance(routes[0], routes[1]).absolute;
    if (comparison.different != 0 && !given && usual != 0)
      fmt::print(
          "  within {:g} is equal by default, because a driver decodes texels less exactly; filters, "
          "LODs and\n  transcendental functions need more, for example --absolute 0.02 (docs/spirv.md)\n",
          usual);
    verdict.good = verdict.good && comparison.different <= g_arguments.max_pixels;
    verdict.decided = verdict.decided && comparison.elements != 0;
  }
}

/// Returns false if there is no such picture, or none to compare it with.
bool compare_with_golden(const auto& execution, const std::vector<sim::Picture>& pictures,
                         sim::Picture& golden, Verdict& verdict) {
  if (g_arguments.against.empty()) return true;
  Diagnostics diagnostics;
  if (!sim::read_png(g_arguments.against, golden, diagnostics)) {
    file_error(g_arguments.against, "cannot be read as a PNG picture");
    return false;
  }
  if (pictures[0].width == 0) {
    file_error(g_arguments.input, "a picture needs a pixel shader or a UAV that is a 2D view of floats");
    return false;
  }
  for (size_t i = 0; i < pictures.size(); ++i) {
    const uint32_t factor = std::max(1u, golden.width / pictures[i].width);
    const sim::Picture enlarged = executor::enlarged(pictures[i], factor);
    const uint64_t pixels =
        executor::different_texels(enlarged, golden, g_arguments.steps) / (uint64_t{factor} * factor);
    fmt::print("{} and {}: {} of {} pixels differ\n", name_of(execution, i), g_arguments.against, pixels,
               pictures[i].texels.size() / 4);
    if (enlarged.width != golden.width || enlarged.height != golden.height)
      fmt::print("  {} x {} texels are not a whole multiple of {} x {}\n", golden.width, golden.height,
                 pictures[i].width, pictures[i].height);
    verdict.good = verdict.good && pixels <= g_arguments.max_pixels;
  }
  return true;
}

bool write_sheet(const auto& execution, const std::vector<sim::Picture>& pictures,
                 const sim::Picture& golden) {
  if (g_arguments.output.empty()) return true;
  if (pictures[0].width == 0) {
    file_error(g_arguments.input,
               "a contact sheet needs a pixel shader or a UAV that is a 2D view of floats");
    return false;
  }
  std::vector<executor::Labelled> sheet;
  for (size_t i = 0; i < pictures.size(); ++i)
    sheet.push_back({executor::enlarged(pictures[i], g_arguments.scale), name_of(execution, i)});
  for (size_t i = 1; i < pictures.size(); ++i) {
    sheet.push_back(
        {executor::enlarged(executor::difference_of(pictures[0], pictures[i], g_arguments.gain),
                            g_arguments.scale),
         fmt::format("{} - {}, x{}", name_of(execution, 0), name_of(execution, i), g_arguments.gain)});
  }
  if (golden.width != 0) sheet.push_back({golden, "expected"});
  return write_file(g_arguments.output, sim::encode_png(executor::contact_sheet(sheet)));
}

/// Pictures of whole draws: the colours must be equal, in steps of 1/255.
int diff_whole_draws() {
  PipelineExecution execution;
  std::vector<executor::PipelineResult> results;
  const bool prepared = prepare_pipeline(g_arguments, execution);
  if (prepared && !are_distinct(execution.files, {{g_arguments.output, "--output"}})) return kExitUsage;
  const bool ran = prepared && execute_pipelines(g_arguments, execution, results);
  write_messages(messages_of(g_arguments, execution));
  if (!ran) return kExitUndecided;
  Verdict verdict;
  std::vector<sim::Picture> pictures;
  for (size_t i = 0; i < results.size(); ++i) {
    fmt::print("{}: {}\n", name_of(execution, i), effort_of(results[i]));
    if (!results[i].trouble.empty()) fmt::print("{}: {}\n", name_of(execution, i), results[i].trouble);
    verdict.good = verdict.good && results[i].trouble.empty();
    pictures.push_back(results[i].picture);
  }
  for (size_t i = 1; i < pictures.size(); ++i) {
    const uint64_t pixels = executor::different_texels(pictures[0], pictures[i], 0);
    const uint64_t samples = executor::different_samples(results[0], results[i]);
    fmt::print("{} and {}: {} of {} pixels differ, and depth or stencil of {} samples\n",
               name_of(execution, 0), name_of(execution, i), pixels, pictures[0].texels.size() / 4, samples);
    verdict.good = verdict.good && pixels <= g_arguments.max_pixels && samples <= g_arguments.max_pixels;
  }
  sim::Picture golden;
  if (!compare_with_golden(execution, pictures, golden, verdict)) return kExitUndecided;
  if (!write_sheet(execution, pictures, golden)) return kExitUndecided;
  return verdict.status();
}

int run_diff(const Given& given) {
  if (!is_consistent(given)) return kExitUsage;
  if (!g_arguments.pipeline.empty()) return diff_whole_draws();
  Execution execution;
  RouteRuns runs;
  Verdict verdict;
  const bool prepared = prepare(g_arguments, execution);
  if (prepared && !are_distinct(execution.scene->files(), {{g_arguments.output, "--output"}}))
    return kExitUsage;
  const bool ran = prepared && execute_all(g_arguments, execution, runs);
  if (ran) report_faults(execution, runs, verdict);
  print_messages(g_arguments, execution);
  if (!ran) return kExitUndecided;
  std::optional<executor::Tolerance> tolerance;
  if (given.has("--tolerance") || given.has("--absolute"))
    tolerance = executor::Tolerance{g_arguments.tolerance, g_arguments.absolute};
  compare_routes(execution, runs.results, tolerance, verdict);
  sim::Picture golden;
  if (!compare_with_golden(execution, runs.pictures, golden, verdict)) return kExitUndecided;
  if (!write_sheet(execution, runs.pictures, golden)) return kExitUndecided;
  return verdict.status();
}

}  // namespace

Command diff_command() {
  g_arguments.via = {"ir", "ptx"};
  return {
      .name = "diff",
      .summary = "Run a shader by several routes and compare what they draw and write",
      .description =
          "Elements whose value depends on something that Direct3D leaves undefined are not compared. If "
          "there is any such element, no unordered access view is compared. Nor are outputs that the shader "
          "does not write. Stencil is compared in its eight bits.",
      .options = diff_options,
      .run = run_diff,
      .statuses =
          {{kExitGood, "all routes agree"},
           {kExitInput,
            "routes differ, or one reports a fault (poison, a deadlock) in something that Direct3D defines"},
           {kExitUndecided,
            "no verdict: a file could not be read or written, a route could not run or was cut off by "
            "--budget, there was nothing to compare, or the command line is wrong"}},
      .examples = {{"texlate diff shader.asm --scene scene.json --via ir,ptx,maxwell -o sheet.png",
                    "the same with the pictures side by side"},
                   {"texlate diff shader.asm --via ir --against golden.png",
                    "compare with a picture that is known to be right"}}};
}

}  // namespace texlate::cli
