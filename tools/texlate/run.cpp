// texlate run: runs one shader by one route. Outputs a picture, JSON, or UAVs on standard output.

#include <fmt/format.h>

#include <bit>

#include "sim/scene/png_codec.h"
#include "tools/executor/comparison.h"
#include "tools/executor/picture.h"
#include "tools/executor/primitive_run.h"
#include "tools/executor/unguarded.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/outputs_json.h"
#include "tools/texlate/pipeline_run.h"
#include "tools/texlate/print_primitives.h"

namespace texlate::cli {

namespace {

constexpr size_t kShownWords = 64;

struct RunCommandArguments : RunArguments {
  std::string route = "ir";
  std::string output;
  bool unguarded = false;
  uint32_t scale = 1;
};
RunCommandArguments g_run;

void print_uavs(const Execution& execution, const executor::RouteResult& result) {
  for (const auto& range : execution.scene->uav_ranges()) {
    fmt::print("{}: {} words\n", range.name, range.count);
    const bool is_float = executor::type_of(range) == executor::WordType::float_;
    const size_t shown = std::min(range.count, kShownWords);
    for (size_t i = 0; i < shown; ++i) {
      const uint32_t word = result.uavs[range.first + i];
      if (i % 8 == 0) fmt::print("  {:5}:", i);
      if (is_float) {
        fmt::print(" {:>10.6g}", std::bit_cast<float>(word));
      } else {
        fmt::print(" {:08x}", word);
      }
      if (i % 8 == 7 || i + 1 == shown) fmt::print("\n");
    }
    if (shown < range.count) fmt::print("  ... {} more\n", range.count - shown);
  }
}

bool write_picture(const RunCommandArguments& arguments, Execution& execution,
                   const executor::RouteResult& result) {
  const bool pixel = execution.shader.contract.stage == ir::Stage::pixel;
  const std::optional<sim::Picture> picture =
      pixel ? executor::picture_of(execution.shader, *execution.scene, result)
            : executor::picture_of_uav(execution.shader, *execution.scene);
  if (!picture) {
    file_error(arguments.input,
               "a picture needs a pixel shader or a UAV that is a 2D view of floats; -o OUT.json works for "
               "every shader");
    return false;
  }
  const sim::Picture shown = executor::enlarged(*picture, arguments.scale);
  return write_file(arguments.output, sim::encode_png(shown));
}

bool write_outputs(const RunCommandArguments& arguments, Execution& execution,
                   const executor::RouteResult& result) {
  if (suffix_of(arguments.output) == ".png") return write_picture(arguments, execution, result);
  return write_file(arguments.output, outputs_json(execution, result));
}

bool execute_unguarded(const RunCommandArguments& arguments, Execution& execution,
                       executor::RouteResult& result) {
  if (execution.foreign) {
    execution.diagnostics.error({}, "--unguarded is for shaders; PTX is run unchanged");
    return false;
  }
  executor::RunLimits limits;
  limits.max_lane_instructions = arguments.budget;
  return executor::run_unguarded(execution.shader, *execution.scene, limits, result, execution.diagnostics);
}

std::vector<Option> run_options() {
  std::vector<Option> options = {
      {.names = "SHADER",
       .to = &g_run.input,
       .help = "Shader assembly, a DXBC container, or PTX of any origin; - for standard input",
       .value = "SHADER",
       .completion = Completion::file},
      pipeline_option(g_run.pipeline),
      {.names = "-o,--output",
       .to = &g_run.output,
       .help =
           "OUT.png (pixel shaders, or compute shaders with a typed 2D UAV) or OUT.json; without it UAVs, "
           "and what hull, domain and geometry shaders leave, are printed",
       .value = "FILE",
       .completion = Completion::file},
      {.names = "--scale",
       .to = &g_run.scale,
       .help = "Factor by which the picture is enlarged",
       .value = "N",
       .least = 1,
       .most = 64},
      {.names = "--via",
       .to = &g_run.route,
       .help = "How the shader is executed ('texlate help routes')",
       .value = "ROUTE",
       .choices = route_names},
      {.names = "--unguarded",
       .to = &g_run.unguarded,
       .help = "Run PTX without the guards of ld; what PTX leaves undefined is magenta (instead of --via)"},
  };
  for (Option& option : route_options(g_run)) options.push_back(std::move(option));
  return options;
}

/// Checks that the table of options cannot express.
bool is_consistent_run(const Given& given) {
  const std::string suffix = suffix_of(g_run.output);
  std::string wrong;
  if (!is_standard_output(g_run.output) && suffix != ".png" && suffix != ".json")
    wrong = fmt::format("'{}': the output must be a .png or a .json", g_run.output);
  if (given.has("--scale") && suffix != ".png") wrong = "--scale needs -o OUT.png";
  if (given.has("--unguarded") && given.has("--via")) wrong = "--unguarded cannot be combined with --via";
  if (given.has("--unguarded") && given.has("--derivatives"))
    wrong = "--derivatives can only be used with --via ir, not --unguarded";
  if (given.has("--pipeline") == !g_run.input.empty())
    wrong = wrong.empty() ? "either a SHADER or a --pipeline is needed" : wrong;
  for (const char* const option : {"--scene", "--unguarded", "--known", "--binary"}) {
    if (given.has("--pipeline") && given.has(option))
      wrong = fmt::format("{} cannot be combined with --pipeline", option);
  }
  if (given.has("--pipeline") && !g_run.output.empty() && suffix != ".png")
    wrong = fmt::format("'{}': a pipeline draws a .png", g_run.output);
  if (!wrong.empty()) usage_error(wrong);
  return wrong.empty() && are_distinct({g_run.input, g_run.scene, g_run.binary, g_run.known, g_run.pipeline},
                                       {{g_run.output, "--output"}});
}

int run_whole_draw() {
  const RunCommandArguments& arguments = g_run;
  PipelineExecution execution;
  std::vector<executor::PipelineResult> results;
  const bool prepared = prepare_pipeline(arguments, execution);
  if (prepared && !are_distinct(execution.files, {{arguments.output, "--output"}})) return kExitUsage;
  const bool good = prepared && execute_pipelines(arguments, execution, results);
  write_messages(messages_of(arguments, execution));
  if (!good) return kExitInput;
  const executor::PipelineResult& result = results[0];
  if (!result.trouble.empty()) {
    write_messages(
        rendered(Diagnostic{Severity::error, {}, std::pmr::string(result.trouble)}, arguments.pipeline, {}));
  }
  const int status = result.trouble.empty() ? kExitGood : kExitInput;
  if (!arguments.output.empty()) {
    const sim::Picture shown = executor::enlarged(result.picture, arguments.scale);
    return write_file(arguments.output, sim::encode_png(shown)) ? status : kExitInput;
  }
  fmt::print("{}\n", effort_of(execution, execution.routes[0], result));
  return status;
}

int run_run(const Given& given) {
  RunCommandArguments& arguments = g_run;
  if (!is_consistent_run(given)) return kExitUsage;
  arguments.via = {arguments.route};
  if (!arguments.pipeline.empty()) return run_whole_draw();
  arguments.via_is_default = !given.has("--via");
  Execution execution;
  executor::RouteResult result;
  bool good = prepare(arguments, execution);
  if (good && !are_distinct(execution.scene->files(), {{arguments.output, "--output"}})) return kExitUsage;
  good = good && (arguments.unguarded ? execute_unguarded(arguments, execution, result)
                                      : execute(arguments, execution.routes[0], execution, result));
  print_messages(arguments, execution);
  if (!good) return execution.lacks_gpu ? kExitUndecided : kExitInput;
  // Without guards, poison is what the user wants to see.
  const bool at_fault = !result.trouble.empty() && !arguments.unguarded;
  if (!result.trouble.empty()) {
    const Severity severity = at_fault ? Severity::error : Severity::warning;
    write_messages(rendered(Diagnostic{severity, {}, std::pmr::string(result.trouble)}, arguments.input, {}));
  }
  // What a run that did not come to its end has written is not the shader's result. After other faults, the
  // rest of the result is worth a look.
  if (result.failed || result.cut_off) return kExitInput;
  const int status = at_fault ? kExitInput : kExitGood;
  if (!arguments.output.empty()) return write_outputs(arguments, execution, result) ? status : kExitInput;
  print_uavs(execution, result);
  const ir::Stage stage = execution.shader.contract.stage;
  if (executor::reads_primitives(stage)) {
    print_primitives(execution, result);
  } else if (stage != ir::Stage::compute) {
    const auto written = std::count(result.written.begin(), result.written.end(), 1u);
    fmt::print("{} of {} elements written (save them with -o {}OUT.json)\n", written,
               execution.scene->element_count(), stage == ir::Stage::pixel ? "OUT.png or " : "");
  }
  fmt::print("{}\n", effort_of(execution, result));
  return status;
}

}  // namespace

Command run_command() {
  return {
      .name = "run",
      .summary = "Run a shader on a scene, with or without a GPU",
      .description =
          "Runs shaders of all stages. Faults "
          "that a route "
          "detects (poison, a trap, a deadlock "
          "between lanes) are printed; the elements affected are magenta in the picture.\n\nPTX is run "
          "unchanged on the PTX machine. docs/ptx.md, \"Other people's PTX\", says what is bound to its "
          ".texref, .samplerref, .surfref and parameters.",
      .options = run_options,
      .run = run_run,
      .statuses = {{kExitGood, "the shader ran"},
                   {kExitInput,
                    "the shader or the scene is wrong, a route cannot run it, the run did not come to its "
                    "end (a trap, a deadlock, --budget), a fault was reported (poison, other than with "
                    "--unguarded; the "
                    "output is written all the same), or a file could not be read or written"},
                   {kExitUsage, "the command line is wrong, or --via cuda found no GPU: nothing was run"}},
      .examples = {
          {"texlate run shader.asm -o picture.png", "what a pixel shader draws, on default textures"},
          {"texlate run shader.asm --scene scene.json --via ptx -o out.json",
           "the outputs of the PTX, as bits"},
          {"texlate run kernel.ptx --scene scene.json -o out.json", "a PTX kernel from another compiler"},
          {"texlate run shader.asm --binary shader.cubin -o out.json",
           "machine code that was made from the shader, and perhaps changed"}}};
}

}  // namespace texlate::cli
