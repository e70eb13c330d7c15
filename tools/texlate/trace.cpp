// texlate trace: what one pixel, vertex or thread does, line by line.

#include <fmt/format.h>

#include <algorithm>

#include "library/pipeline.h"
#include "tools/executor/trace.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/number_list.h"
#include "tools/texlate/source_text.h"

namespace texlate::cli {

namespace {

struct TraceArguments : RunArguments {
  std::string pixel, vertex, thread;
  std::string guards = "ptx";
  uint32_t max_lines = 10000;
};
TraceArguments g_trace;

std::vector<Option> trace_options() {
  std::vector<Option> options = {
      {.names = "SHADER",
       .to = &g_trace.input,
       .help = "Shader assembly or a DXBC container; - for standard input",
       .value = "SHADER",
       .completion = Completion::file,
       .required = true},
      {.names = "--pixel",
       .to = &g_trace.pixel,
       .help = "The pixel of a pixel shader; without it the one in the middle",
       .value = "X,Y"},
      {.names = "--vertex",
       .to = &g_trace.vertex,
       .help = "The vertex of a vertex shader; without it the first",
       .value = "N"},
      {.names = "--thread",
       .to = &g_trace.thread,
       .help =
           "The thread of a compute shader (SV_DispatchThreadID), up to three numbers; without it the first",
       .value = "X,Y,Z"},
      {.names = "--guards",
       .to = &g_trace.guards,
       .help = "The target whose guards are followed, or none",
       .value = "TARGET",
       .choices = {"ptx", "maxwell", "none"}},
      {.names = "--max-lines",
       .to = &g_trace.max_lines,
       .help = "How many executed lines are printed",
       .value = "N",
       .least = 1},
  };
  // --via is fixed: only the interpreter can be followed.
  for (Option& option : route_options(g_trace)) {
    if (option.names == "--binary") continue;  // nor can a binary
    if (option.with.option == "--via" && option.names != "--derivatives") continue;
    option.with = {};
    options.push_back(std::move(option));
  }
  return options;
}

/// Finds the lane that the options name. Returns false, with an error, if the scene has no such lane.
bool find_place(const Execution& execution, executor::NamedLane& place) {
  struct Kind {
    const char* option;
    const char* form;
    const std::string& text;
    ir::Stage stage;
    size_t least, most;  // numbers
  };
  const Kind kinds[] = {{"--pixel", "of the form X,Y", g_trace.pixel, ir::Stage::pixel, 2, 2},
                        {"--vertex", "a number", g_trace.vertex, ir::Stage::vertex, 1, 1},
                        {"--thread", "of the form X,Y,Z", g_trace.thread, ir::Stage::compute, 1, 3}};
  const ir::Module& module = execution.shader.contract;
  const sim::Scene& scene = *execution.scene;
  std::array<uint32_t, 3> at{};
  if (module.stage == ir::Stage::pixel) at = {scene.width() / 2, scene.height() / 2, 0};
  std::string problem, option;
  for (const Kind& kind : kinds) {
    if (kind.stage == module.stage) option = kind.option;
    if (kind.text.empty()) continue;
    if (kind.stage != module.stage) {
      problem = "pixel shaders have --pixel, vertex shaders --vertex and compute shaders --thread";
    } else if (!parse_numbers(kind.text, kind.least, kind.most, at)) {
      problem = fmt::format("{}: '{}' is not {}", kind.option, kind.text, kind.form);
    }
  }
  if (problem.empty() && executor::find_lane(scene, module, at, place, problem)) return true;
  const bool is_ours = option.empty() || problem.starts_with("--") || problem.starts_with("pixel shaders");
  usage_error(is_ours ? problem : option + ": " + problem);
  return false;
}

void print_trace(const executor::Trace& trace, const sm4::Program& program, const SourceText& source) {
  for (const executor::TracedLine& line : trace.lines) {
    const sm4::Instruction& instruction = program.instructions[line.instruction];
    fmt::print("{:>7} {}{}\n", source.number(instruction), source(instruction),
               line.is_live ? "" : "   [discarded or a helper]");
    for (const std::string& access : line.accesses) fmt::print("          {}\n", access);
    for (const std::string& guard : line.guards) fmt::print("          {}: {}\n", g_trace.guards, guard);
    for (const executor::RegisterWrite& write : executor::register_writes(line.writes))
      fmt::print("          {} = {}\n", write.reg, write.values);
  }
  if (trace.left_out != 0) fmt::print("... {} more lines (--max-lines)\n", trace.left_out);
}

void print_special(std::string_view what, const std::optional<executor::SpecialValue>& found,
                   const executor::Trace& trace, const sm4::Program& program, const SourceText& source) {
  if (!found) return;
  const sm4::Instruction& instruction = program.instructions[trace.lines[found->line].instruction];
  fmt::print("first {}: {}.{} at {}: {}\n", what, found->write.reg, "xyzw"[found->write.component],
             source.number(instruction), source(instruction));
}

int run_trace(const Given&) {
  TraceArguments& arguments = g_trace;
  arguments.via = {"ir"};
  if (arguments.guards != "none") arguments.via.push_back(arguments.guards);
  Execution execution;
  const bool prepared = prepare(arguments, execution);
  if (prepared && execution.foreign)
    execution.diagnostics.error({}, "this is PTX: only shaders can be traced");
  print_messages(arguments, execution);
  if (!prepared || execution.foreign) return kExitInput;
  executor::NamedLane place;
  if (!find_place(execution, place)) return kExitUsage;
  sm4::Program program;
  dxbc::Container container;
  Diagnostics diagnostics, ignored;  // prepare() has printed what there is to say
  program.lenient = arguments.lenient;
  executor::TraceOptions options;
  options.lane = place.lane;
  options.max_lines = arguments.max_lines;
  options.max_lane_instructions = arguments.budget;
  if (arguments.derivatives == "shared") options.derivatives = sim::QuadDerivatives::shared;
  if (arguments.guards == "ptx") options.guarded = &execution.shader.legal;
  if (arguments.guards == "maxwell") options.guarded = &execution.shader.legal_maxwell;
  executor::Trace trace;
  const bool good =
      library::read_program(execution.source, dxbc::DigestCheck::ignore, program, container, ignored) &&
      executor::trace(program, execution.shader, *execution.scene, options, trace, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list())
    write_messages(rendered(diagnostic, arguments.input, execution.source));
  if (!good) return kExitInput;
  const SourceText source(program, execution.source);
  fmt::print("{}: {}\n", arguments.input, place.name);
  print_trace(trace, program, source);
  print_special("NaN", trace.nan, trace, program, source);
  print_special("INF", trace.infinity, trace, program, source);
  if (!trace.is_live) fmt::print("the pixel is discarded\n");
  if (trace.cut_off) {
    usage_error("the run was cut off by --budget");
    return kExitInput;
  }
  return kExitGood;
}

}  // namespace

Command trace_command() {
  return {.name = "trace",
          .summary = "Follow one pixel, vertex or thread of a run, line by line",
          .description =
              "Runs the shader on its scene with the interpreter and prints each line that the pixel "
              "executed: the "
              "texels it read and where they are, the guards of a translation that took effect, and the "
              "values it "
              "wrote. Then comes the first line that wrote a NaN or an INF. Registers have no types: a word "
              "that an "
              "untyped instruction (mov, movc, ld) wrote is shown as the number that it probably is.",
          .options = trace_options,
          .run = run_trace,
          .statuses = {{kExitGood, "the shader ran"},
                       {kExitInput, "the shader or the scene is wrong, or the run was cut off by --budget"},
                       {kExitUsage,
                        "the command line is wrong, or the scene has no such pixel, vertex or thread"}},
          .examples = {{"texlate trace shader.asm --scene scene.json --pixel 12,30", "what this pixel does"},
                       {"texlate trace compute.asm --thread 9,1 --guards maxwell",
                        "a thread of a compute shader, with the guards of Maxwell code"}}};
}

}  // namespace texlate::cli
