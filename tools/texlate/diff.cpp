// texlate diff: runs one shader, or two, by all routes, and shows the differences and a contact sheet.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <span>

#include "sim/scene/png_codec.h"
#include "tools/executor/comparison.h"
#include "tools/executor/picture.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/parting.h"
#include "tools/texlate/pipeline_run.h"
#include "tools/texlate/random_diff.h"

namespace texlate::cli {

namespace {

struct DiffArguments : RunArguments {
  std::vector<std::string> inputs;
  std::string output;
  std::string against;
  uint32_t tolerance = 0;
  uint32_t steps = 1;
  uint32_t scale = 1;
  uint32_t gain = 16;
  uint64_t max_pixels = 0;
  double absolute = 0;
  RandomScenes random = {.keep = "random_scene.json"};
};
DiffArguments g_diff;

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
       .to = &g_diff.inputs,
       .help = "Shader assembly or a DXBC container, - for standard input; a second one is run on the same "
               "scene and compared with the first",
       .value = "SHADER",
       .completion = Completion::file},
      pipeline_option(g_diff.pipeline),
      {.names = "--via",
       .to = &g_diff.via,
       .help = "The routes; all others are compared with the first ('texlate help routes')",
       .value = "ROUTES",
       .choices = route_names,
       .comma_list = true},
      {.names = "--tolerance",
       .to = &g_diff.tolerance,
       .help = "Floats that differ by at most this many ULP count as equal",
       .value = "ULP"},
      {.names = "--absolute",
       .to = &g_diff.absolute,
       .help = "Floats that differ by at most this much count as equal; without it and --tolerance, "
               "2e-6 for vulkan and cuda, whose drivers decode texels less exactly",
       .value = "D"},
      {.names = "--max-pixels",
       .to = &g_diff.max_pixels,
       .help = "How many pixels, vertices or words may differ",
       .value = "N"},
      {.names = "--against",
       .to = &g_diff.against,
       .help = "A picture that each route must draw as well; it may be enlarged by a whole number",
       .value = "PNG",
       .completion = Completion::file},
      {.names = "--steps",
       .to = &g_diff.steps,
       .help = "How far a color may be from the picture of --against and, with --pipeline, from another "
               "route's, in steps of 1/255; without it 0, and 1 between vulkan and other routes",
       .value = "N",
       .most = 255},
  };
  for (Option& option : route_options(g_diff)) options.push_back(std::move(option));
  constexpr std::string_view kRandom = "Random scenes";
  options.push_back({.names = "--random",
                     .to = &g_diff.random.count,
                     .help = "Run this many random scenes, which fit the shader's declarations, until the "
                             "routes differ: sizes, formats, views, contents, samplers, constants, inputs, "
                             "unbound slots",
                     .value = "N",
                     .topic = kRandom,
                     .least = 1});
  options.push_back({.names = "--seed",
                     .to = &g_diff.random.seed,
                     .help = "Number of the first random scene; the next one has the next number",
                     .value = "S",
                     .topic = kRandom});
  options.push_back({.names = "--keep",
                     .to = &g_diff.random.keep,
                     .help = "Where the random scene is written on which routes differ",
                     .value = "FILE",
                     .topic = kRandom,
                     .completion = Completion::file});
  constexpr std::string_view kTopic = "Contact sheet";
  options.push_back(
      {.names = "-o,--output",
       .to = &g_diff.output,
       .help = "A PNG with the picture of each route and the magnified differences, all labeled",
       .value = "OUT.png",
       .topic = kTopic,
       .completion = Completion::file});
  options.push_back({.names = "--gain",
                     .to = &g_diff.gain,
                     .help = "Factor by which color differences are magnified",
                     .value = "N",
                     .topic = kTopic,
                     .least = 1});
  options.push_back({.names = "--scale",
                     .to = &g_diff.scale,
                     .help = "Factor by which the pictures are enlarged",
                     .value = "N",
                     .topic = kTopic,
                     .least = 1,
                     .most = 64});
  return options;
}

/// Checks that the table of options cannot express.
bool is_consistent_diff(const Given& given) {
  std::string wrong;
  if (given.has("--output") && suffix_of(g_diff.output) != ".png")
    wrong = fmt::format("'{}': the contact sheet must be a .png", g_diff.output);
  for (const char* const option : {"--gain", "--scale"}) {
    if (given.has(option) && !given.has("--output")) wrong = fmt::format("{} needs --output", option);
  }
  for (const char* const option : {"--seed", "--keep"}) {
    if (given.has(option) && !given.has("--random")) wrong = fmt::format("{} needs --random", option);
  }
  for (const char* const option : {"--scene", "--against", "--output"}) {
    if (given.has(option) && given.has("--random"))
      wrong = fmt::format("--random makes its own scenes: it does not go with {}", option);
  }
  if (given.has("--steps") && !given.has("--against") && !given.has("--pipeline"))
    wrong = "--steps needs --against or --pipeline";
  const size_t count = g_diff.inputs.size();
  if (count > 2) wrong = fmt::format("only two shaders can be compared: unexpected '{}'", g_diff.inputs[2]);
  if (count == 2 && g_diff.inputs[0] == "-" && g_diff.inputs[1] == "-")
    wrong = "only one of the shaders can be standard input";
  if (std::max<size_t>(count, 1) * g_diff.via.size() < 2 && g_diff.against.empty())
    wrong = "two routes are needed, as in --via ir,ptx, or a second shader, or a picture (--against)";
  if (count == 2 && given.has("--binary")) wrong = "--binary is for one shader";
  if (count == 2 && given.has("--random")) wrong = "--random is for one shader";
  if (given.has("--pipeline") == (count != 0) && wrong.empty())
    wrong = "either a SHADER or a --pipeline is needed";
  for (const char* const option :
       {"--scene", "--tolerance", "--absolute", "--random", "--known", "--binary"}) {
    if (given.has("--pipeline") && given.has(option))
      wrong = fmt::format("{} cannot be combined with --pipeline", option);
  }
  if (!wrong.empty()) usage_error(wrong);
  std::vector<std::string> read = g_diff.inputs;
  read.insert(read.end(), {g_diff.scene, g_diff.known, g_diff.binary, g_diff.pipeline, g_diff.against});
  std::vector<WrittenFile> written = {{g_diff.output, "--output"}};
  if (given.has("--random")) written.push_back({g_diff.random.keep, "--keep"});
  return wrong.empty() && are_distinct(read, written);
}

/// A shader that has been run by all routes.
struct ShaderRun {
  RunArguments arguments;
  Execution execution;
  RouteRuns runs;
};

/// One shader by one route.
struct Run {
  std::string name;  // "ptx", or "b.asm: ptx"
  executor::Route route;
  const executor::RouteResult* result;  // null for a whole pipeline
  const sim::Picture* picture;
};

std::vector<Run> runs_of(const std::vector<std::unique_ptr<ShaderRun>>& shaders) {
  std::vector<Run> runs;
  for (const auto& shader : shaders) {
    for (size_t i = 0; i < shader->runs.results.size(); ++i) {
      const executor::Route route = shader->execution.routes[i];
      std::string name(executor::route_name(route));
      if (shaders.size() > 1) {
        const bool one = shader->runs.results.size() == 1;
        name = one ? shader->arguments.input : fmt::format("{}: {}", shader->arguments.input, name);
      }
      runs.push_back({std::move(name), route, &shader->runs.results[i], &shader->runs.pictures[i]});
    }
  }
  return runs;
}

/// Does one of the runs compute levels of cubes as hardware does, and does the shader use one?
bool has_hardware_levels(const Execution& execution, const Run& a, const Run& b) {
  if (a.route != executor::Route::dksh && b.route != executor::Route::dksh) return false;
  const ir::Module& module = execution.shader.contract;
  return std::ranges::any_of(module.code, [&](const ir::Instruction& instruction) {
    if (instruction.op != ir::Op::tex_sample) return false;
    const ir::ResourceAccess& access = module.access_of(instruction);
    return ir::is_cube(access.dimension) &&
           (access.lod == ir::LodRule::implicit || access.lod == ir::LodRule::bias);
  });
}

void report_faults(const Execution& execution, std::span<const Run> runs, Verdict& verdict) {
  for (const Run& run : runs) {
    const executor::RouteResult& result = *run.result;
    fmt::print("{}: {}\n", run.name, effort_of(execution, result));
    if (result.trouble.empty()) continue;
    const bool wrong = is_at_fault(execution, result);
    fmt::print("{}: {}{}\n", run.name, wrong ? "" : "only about undefined values: ", result.trouble);
    verdict.good = verdict.good && !wrong;
    verdict.decided = verdict.decided && !result.cut_off;
  }
}

/// "3,4", if the text is about pixel (3, 4).
std::string pixel_in(std::string_view first) {
  const size_t at = first.find(" of pixel (");
  const size_t end = first.find("): ");
  if (at == std::string_view::npos || end == std::string_view::npos) return {};
  std::string place(first.substr(at + 11, end - at - 11));
  std::erase(place, ' ');
  return place;
}

/// How the first pixel that differs comes about: where the two routes part, and the command that shows the
/// whole way.
void explain_difference(const Execution& execution, const std::string& place, const Run& a, const Run& b,
                        const executor::Tolerance& tolerance) {
  const std::string& input = g_diff.inputs[0];
  if (place.empty() || input == "-") return;
  if (g_diff.inputs.size() == 1 && g_diff.binary.empty() && a.route != b.route) {
    RunArguments arguments = g_diff;
    arguments.input = input;
    PartingRequest request = {arguments, execution, a.route, b.route, tolerance, 0};
    while (fmt::format("{},{}", execution.scene->pixel_of(request.element)[0],
                       execution.scene->pixel_of(request.element)[1]) != place)
      ++request.element;
    fmt::print("{}", parting_text(request));
  }
  const std::string scene = g_diff.scene.empty() ? "" : " --scene " + g_diff.scene;
  fmt::print("  see how it comes about: texlate trace {}{} --pixel {}\n", input, scene, place);
}

/// Compares all runs with the first, whose shader and scene `execution` has.
void compare_runs(const Execution& execution, std::span<const Run> runs,
                  const std::optional<executor::Tolerance>& given, Verdict& verdict) {
  const Run& first = runs[0];
  for (const Run& run : runs.subspan(1)) {
    const std::string names = fmt::format("{} and {}", first.name, run.name);
    if (first.result->cut_off || run.result->cut_off) {
      fmt::print("{}: not compared, because a route was cut off\n", names);
      continue;
    }
    const executor::Tolerance tolerance = tolerance_of(given, first.route, run.route);
    const auto comparison =
        executor::compare_outputs(execution.shader, *execution.scene, *first.result, *run.result, tolerance);
    print_comparison(names, comparison, first.result->any_undefined | run.result->any_undefined);
    if (comparison.different != 0)
      explain_difference(execution, pixel_in(comparison.first), first, run, tolerance);
    const double usual = executor::default_tolerance(first.route, run.route).absolute;
    if (comparison.different != 0 && !given && usual != 0)
      fmt::print(
          "  within {:g} is equal by default, because a driver decodes texels less exactly; filters, "
          "LODs and\n  transcendental functions need more, for example --absolute 0.02 (docs/spirv.md)\n",
          usual);
    if (comparison.different != 0 && !given && has_hardware_levels(execution, first, run))
      fmt::print(
          "  hardware takes the level of a cube from coordinates on each pixel's own face: where a quad "
          "meets "
          "an\n  edge, other mips are blended, for example --absolute 0.05 (docs/dksh.md)\n");
    verdict.good = verdict.good && comparison.different <= g_diff.max_pixels;
    verdict.decided = verdict.decided && comparison.elements != 0;
  }
}

/// What is drawn, for messages: the first shader, or the pipeline.
const std::string& drawn_file() {
  return g_diff.inputs.empty() ? g_diff.pipeline : g_diff.inputs[0];
}

/// Returns false if there is no such picture, or none to compare it with.
bool compare_with_golden(std::span<const Run> runs, sim::Picture& golden, Verdict& verdict) {
  if (g_diff.against.empty()) return true;
  Diagnostics diagnostics;
  if (!sim::read_png(g_diff.against, golden, diagnostics)) {
    file_error(g_diff.against, "cannot be read as a PNG picture");
    return false;
  }
  if (runs[0].picture->width == 0) {
    file_error(drawn_file(), "a picture needs a pixel shader or a UAV that is a 2D view of floats");
    return false;
  }
  for (const Run& run : runs) {
    const sim::Picture& picture = *run.picture;
    const uint32_t factor = std::max(1u, golden.width / std::max(1u, picture.width));
    const sim::Picture enlarged = executor::enlarged(picture, factor);
    const uint64_t pixels =
        executor::different_texels(enlarged, golden, g_diff.steps) / (uint64_t{factor} * factor);
    fmt::print("{} and {}: {} of {} pixels differ\n", run.name, g_diff.against, pixels,
               picture.texels.size() / 4);
    if (enlarged.width != golden.width || enlarged.height != golden.height)
      fmt::print("  {} x {} texels are not a whole multiple of {} x {}\n", golden.width, golden.height,
                 picture.width, picture.height);
    verdict.good = verdict.good && pixels <= g_diff.max_pixels;
  }
  return true;
}

bool write_sheet(std::span<const Run> runs, const sim::Picture& golden) {
  if (g_diff.output.empty()) return true;
  if (std::ranges::any_of(runs, [](const Run& run) { return run.picture->width == 0; })) {
    file_error(drawn_file(), "a contact sheet needs a pixel shader or a UAV that is a 2D view of floats");
    return false;
  }
  std::vector<executor::Labeled> sheet;
  for (const Run& run : runs) sheet.push_back({executor::enlarged(*run.picture, g_diff.scale), run.name});
  for (const Run& run : runs.subspan(1)) {
    const sim::Picture difference = executor::difference_of(*runs[0].picture, *run.picture, g_diff.gain);
    sheet.push_back({executor::enlarged(difference, g_diff.scale),
                     fmt::format("{} - {}, x{}", runs[0].name, run.name, g_diff.gain)});
  }
  if (golden.width != 0) sheet.push_back({golden, "expected"});
  return write_file(g_diff.output, sim::encode_png(executor::contact_sheet(sheet)));
}

/// Why two shaders cannot be compared element by element; empty if they can.
std::string mismatch(const ShaderRun& a, const ShaderRun& b) {
  const ir::Module &first = a.execution.shader.contract, &second = b.execution.shader.contract;
  if (first.stage != second.stage) return "the shaders are of different stages";
  if (a.execution.foreign || b.execution.foreign) return "PTX of any origin can only be run, not compared";
  const auto views_a = a.execution.scene->uav_ranges(), views_b = b.execution.scene->uav_ranges();
  const auto is_same = [](const sim::Scene::UavRange& one, const sim::Scene::UavRange& other) {
    return one.count == other.count && one.format == other.format;
  };
  if (!std::ranges::equal(views_a, views_b, is_same))
    return "the shaders have different unordered access views: what one stores cannot be compared";
  if (first.stage == ir::Stage::compute) return {};
  const auto outputs = [](const ir::Module& module) {
    std::set<std::pair<uint32_t, uint8_t>> registers;
    for (const ir::Parameter& output : module.outputs)
      registers.emplace(sim::output_plane_register(module, output), output.mask);
    return registers;
  };
  if (outputs(first) != outputs(second)) return "the shaders have different outputs";
  return {};
}

/// Runs one shader by all routes. Returns false if messages were printed and nothing was run.
bool run_shader(const std::string& input, ShaderRun& shader) {
  shader.arguments = g_diff;
  shader.arguments.input = input;
  return prepare(shader.arguments, shader.execution) &&
         execute_all(shader.arguments, shader.execution, shader.runs);
}

std::optional<executor::Tolerance> given_tolerance(const Given& given) {
  if (!given.has("--tolerance") && !given.has("--absolute")) return std::nullopt;
  return executor::Tolerance{g_diff.tolerance, g_diff.absolute};
}

/// Are there no differences and no faults? Prints nothing.
bool agree(const Execution& execution, const std::vector<executor::RouteResult>& results,
           const std::optional<executor::Tolerance>& given) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (is_at_fault(execution, results[i]) || results[i].cut_off) return false;
    if (i == 0) continue;
    const auto comparison =
        executor::compare_outputs(execution.shader, *execution.scene, results[0], results[i],
                                  tolerance_of(given, execution.routes[0], execution.routes[i]));
    if (comparison.different > g_diff.max_pixels) return false;
    g_diff.random.elements += comparison.elements;
    g_diff.random.masked += comparison.masked;
  }
  return true;
}

int run_random(const Given& given) {
  std::vector<std::unique_ptr<ShaderRun>> shaders;
  ShaderRun& shader = *shaders.emplace_back(std::make_unique<ShaderRun>());
  shader.arguments = g_diff;
  shader.arguments.input = g_diff.inputs[0];
  if (!prepare(shader.arguments, shader.execution)) {
    print_messages(shader.arguments, shader.execution);
    return kExitUndecided;
  }
  if (shader.execution.foreign) {
    usage_error("--random needs a shader, whose declarations say what can be bound");
    return kExitUsage;
  }
  const auto tolerance = given_tolerance(given);
  const int status = run_random_scenes(shader.arguments, shader.execution, g_diff.random, [&] {
    shader.runs = {};
    if (!execute_all(shader.arguments, shader.execution, shader.runs)) return SceneVerdict::undecided;
    if (agree(shader.execution, shader.runs.results, tolerance)) return SceneVerdict::agree;
    g_diff.scene = g_diff.random.keep;  // for what is said about the difference
    Verdict verdict;
    const std::vector<Run> runs = runs_of(shaders);
    report_faults(shader.execution, runs, verdict);
    compare_runs(shader.execution, runs, tolerance, verdict);
    return verdict.decided ? SceneVerdict::differ : SceneVerdict::undecided;
  });
  print_messages(shader.arguments, shader.execution);
  return status;
}

/// Pictures of whole draws: the colors must be equal, in steps of 1/255; a driver's may be one step apart.
int diff_whole_draws(const Given& given) {
  PipelineExecution execution;
  std::vector<executor::PipelineResult> results;
  const bool prepared = prepare_pipeline(g_diff, execution);
  if (prepared && !are_distinct(execution.files, {{g_diff.output, "--output"}})) return kExitUsage;
  const bool ran = prepared && execute_pipelines(g_diff, execution, results);
  write_messages(messages_of(g_diff, execution));
  if (!ran) return kExitUndecided;
  Verdict verdict;
  std::vector<Run> runs;
  for (size_t i = 0; i < results.size(); ++i) {
    const executor::Route route = execution.routes[i];
    runs.push_back({std::string(executor::route_name(route)), route, nullptr, &results[i].picture});
    fmt::print("{}: {}\n", runs[i].name, effort_of(execution, route, results[i]));
    if (!results[i].trouble.empty()) fmt::print("{}: {}\n", runs[i].name, results[i].trouble);
    verdict.good = verdict.good && results[i].trouble.empty();
  }
  for (size_t i = 1; i < runs.size(); ++i) {
    const executor::DrawTolerance tolerance = executor::draw_tolerance(runs[0].route, runs[i].route);
    const uint32_t steps = given.has("--steps") ? g_diff.steps : tolerance.steps;
    const uint64_t pixels = executor::different_texels(*runs[0].picture, *runs[i].picture, steps);
    const uint64_t samples = executor::different_samples(results[0], results[i], tolerance.depth);
    fmt::print("{} and {}: {} of {} pixels differ, and depth or stencil of {} samples\n", runs[0].name,
               runs[i].name, pixels, runs[0].picture->texels.size() / 4, samples);
    if (const double worst = executor::worst_depth(results[0], results[i]); worst != 0)
      fmt::print("  depths are at most {:.2g} apart\n", worst);
    verdict.good = verdict.good && pixels <= g_diff.max_pixels && samples <= g_diff.max_pixels;
  }
  sim::Picture golden;
  if (!compare_with_golden(runs, golden, verdict)) return kExitUndecided;
  if (!write_sheet(runs, golden)) return kExitUndecided;
  return verdict.status();
}

int run_diff(const Given& given) {
  if (!is_consistent_diff(given)) return kExitUsage;
  if (!g_diff.pipeline.empty()) return diff_whole_draws(given);
  std::vector<std::unique_ptr<ShaderRun>> shaders;
  Verdict verdict;
  if (given.has("--random")) return run_random(given);
  for (const std::string& input : g_diff.inputs) {
    ShaderRun& shader = *shaders.emplace_back(std::make_unique<ShaderRun>());
    const bool ran = run_shader(input, shader);
    print_messages(shader.arguments, shader.execution);
    if (!ran) return kExitUndecided;
    if (!are_distinct(shader.execution.scene->files(), {{g_diff.output, "--output"}})) return kExitUsage;
  }
  if (shaders.size() == 2) {
    if (const std::string why = mismatch(*shaders[0], *shaders[1]); !why.empty()) {
      file_error(g_diff.inputs[1], "cannot be compared with " + g_diff.inputs[0] + ": " + why);
      return kExitUndecided;
    }
  }
  const std::vector<Run> runs = runs_of(shaders);
  size_t next = 0;
  for (const auto& shader : shaders) {
    const size_t count = shader->runs.results.size();
    report_faults(shader->execution, std::span(runs).subspan(next, count), verdict);
    next += count;
  }
  compare_runs(shaders[0]->execution, runs, given_tolerance(given), verdict);
  sim::Picture golden;
  if (!compare_with_golden(runs, golden, verdict)) return kExitUndecided;
  if (!write_sheet(runs, golden)) return kExitUndecided;
  return verdict.status();
}

}  // namespace

Command diff_command() {
  g_diff.via = {"ir", "ptx"};
  return {
      .name = "diff",
      .summary = "Run a shader by several routes, or two shaders, and compare what they draw and write",
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
                   {"texlate diff old.asm new.asm --scene scene.json --via ir",
                    "does a changed shader still draw the same?"},
                   {"texlate diff shader.asm --random 1000 --via ir,ptx,maxwell", "on 1000 random scenes"},
                   {"texlate diff shader.asm --via ir --against golden.png",
                    "compare with a picture that is known to be right"}}};
}

}  // namespace texlate::cli
