// texlate trace: what one pixel, vertex or thread does, line by line.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "library/pipeline.h"
#include "tools/executor/trace.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/source_text.h"

namespace texlate::cli {

namespace {

struct Arguments : RunArguments {
  std::string pixel, vertex, thread;
  std::string guards = "ptx";
  uint32_t max_lines = 10000;
};
Arguments g_arguments;

std::vector<Option> trace_options() {
  std::vector<Option> options = {
      {.names = "SHADER",
       .to = &g_arguments.input,
       .help = "Shader assembly or a DXBC container; - for standard input",
       .value = "SHADER",
       .completion = Completion::file,
       .required = true},
      {.names = "--pixel",
       .to = &g_arguments.pixel,
       .help = "The pixel of a pixel shader; without it the one in the middle",
       .value = "X,Y"},
      {.names = "--vertex",
       .to = &g_arguments.vertex,
       .help = "The vertex of a vertex shader; without it the first",
       .value = "N"},
      {.names = "--thread",
       .to = &g_arguments.thread,
       .help =
           "The thread of a compute shader (SV_DispatchThreadID), up to three numbers; without it the first",
       .value = "X,Y,Z"},
      {.names = "--guards",
       .to = &g_arguments.guards,
       .help = "The target whose guards are followed, or none",
       .value = "TARGET",
       .choices = {"ptx", "maxwell", "none"}},
      {.names = "--max-lines",
       .to = &g_arguments.max_lines,
       .help = "How many executed lines are printed",
       .value = "N",
       .least = 1},
  };
  // --via is fixed: only the interpreter can be followed.
  for (Option& option : route_options(g_arguments)) {
    if (option.with.option == "--via" && option.names != "--derivatives") continue;
    option.with = {};
    options.push_back(std::move(option));
  }
  return options;
}

/// `least` to `count` numbers, separated by commas; missing ones are 0.
bool parse_numbers(std::string_view text, size_t least, size_t count, std::array<uint32_t, 3>& numbers) {
  numbers = {};
  for (size_t i = 0; i < count; ++i) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<size_t>(stop - text.data()));
    if (text.empty()) return i + 1 >= least;
    if (text[0] != ',') return false;
    text.remove_prefix(1);
  }
  return false;
}

struct Place {
  sim::TracedLane lane;
  std::string name;  // "pixel (3, 4) of 64 x 64"
};

/// Finds the lane that the options name. Returns false, with an error, if the scene has no such lane.
bool find_pixel(const sim::Scene& scene, Place& place, std::string& problem) {
  std::array<uint32_t, 3> at = {scene.width() / 2, scene.height() / 2, 0};
  if (!g_arguments.pixel.empty() && !parse_numbers(g_arguments.pixel, 2, 2, at)) {
    problem = fmt::format("--pixel: '{}' is not of the form X,Y", g_arguments.pixel);
    return false;
  }
  if (at[0] >= scene.width() || at[1] >= scene.height()) {
    problem = fmt::format("--pixel: ({}, {}) is outside the viewport of {} x {}", at[0], at[1], scene.width(),
                          scene.height());
    return false;
  }
  while (scene.pixel_of(place.lane.element) != std::array<uint32_t, 2>{at[0], at[1]}) ++place.lane.element;
  place.name = fmt::format("pixel ({}, {}) of {} x {}", at[0], at[1], scene.width(), scene.height());
  return true;
}

bool find_vertex(const sim::Scene& scene, Place& place, std::string& problem) {
  std::array<uint32_t, 3> at{};
  if (!g_arguments.vertex.empty() && !parse_numbers(g_arguments.vertex, 1, 1, at)) {
    problem = fmt::format("--vertex: '{}' is not a number", g_arguments.vertex);
    return false;
  }
  if (at[0] >= scene.element_count()) {
    problem = fmt::format("--vertex: the scene has {} vertices, so there is no vertex {}",
                          scene.element_count(), at[0]);
    return false;
  }
  place.lane.element = at[0];
  place.name = fmt::format("vertex {} of {}", at[0], scene.element_count());
  return true;
}

bool find_thread(const sim::Scene& scene, const ir::Module& module, Place& place, std::string& problem) {
  std::array<uint32_t, 3> at{};
  if (!g_arguments.thread.empty() && !parse_numbers(g_arguments.thread, 1, 3, at)) {
    problem = fmt::format("--thread: '{}' is not of the form X,Y,Z", g_arguments.thread);
    return false;
  }
  std::array<uint32_t, 3> within{};
  for (size_t axis = 0; axis < 3; ++axis) {
    const uint32_t size = std::max(1u, module.thread_group[axis]);
    place.lane.group[axis] = at[axis] / size;
    within[axis] = at[axis] % size;
    if (place.lane.group[axis] < scene.groups()[axis]) continue;
    problem = fmt::format("--thread: the scene has {} x {} x {} groups, so there is no thread ({}, {}, {})",
                          scene.groups()[0], scene.groups()[1], scene.groups()[2], at[0], at[1], at[2]);
    return false;
  }
  place.lane.element = (within[2] * module.thread_group[1] + within[1]) * module.thread_group[0] + within[0];
  place.name = fmt::format("thread ({}, {}, {}), number {} of group ({}, {}, {})", at[0], at[1], at[2],
                           place.lane.element, place.lane.group[0], place.lane.group[1], place.lane.group[2]);
  return true;
}

bool find_place(const Execution& execution, Place& place) {
  const ir::Module& module = execution.shader.contract;
  std::string problem;
  const std::pair<const std::string&, ir::Stage> kinds[] = {{g_arguments.pixel, ir::Stage::pixel},
                                                            {g_arguments.vertex, ir::Stage::vertex},
                                                            {g_arguments.thread, ir::Stage::compute}};
  for (const auto& [text, stage] : kinds) {
    if (!text.empty() && stage != module.stage)
      problem = "pixel shaders have --pixel, vertex shaders --vertex and compute shaders --thread";
  }
  const bool has_lanes =
      std::ranges::any_of(kinds, [&](const auto& kind) { return kind.second == module.stage; });
  if (!has_lanes) problem = "only pixel, vertex and compute shaders can be traced";
  bool found = problem.empty();
  if (found && module.stage == ir::Stage::pixel) {
    found = find_pixel(*execution.scene, place, problem);
  } else if (found && module.stage == ir::Stage::vertex) {
    found = find_vertex(*execution.scene, place, problem);
  } else if (found) {
    found = find_thread(*execution.scene, module, place, problem);
  }
  if (!found) usage_error(problem);
  return found;
}

/// "r1.xyz = 1, 2, 3", one line for each register.
std::string writes_text(const std::vector<executor::TracedWrite>& writes) {
  std::string out;
  for (size_t i = 0; i < writes.size();) {
    size_t end = i;
    std::string components, values;
    for (; end < writes.size() && writes[end].reg == writes[i].reg &&
           (end == i || writes[end].component > writes[end - 1].component);
         ++end) {
      components += "xyzw"[writes[end].component];
      values += (end == i ? "" : ", ") + executor::word_text(writes[end].bits, writes[end].type);
    }
    out += fmt::format("          {}.{} = {}\n", writes[i].reg, components, values);
    i = end;
  }
  return out;
}

void print_trace(const executor::Trace& trace, const sm4::Program& program, const SourceText& source) {
  for (const executor::TracedLine& line : trace.lines) {
    const sm4::Instruction& instruction = program.instructions[line.instruction];
    fmt::print("{:>7} {}{}\n", source.number(instruction), source(instruction),
               line.is_live ? "" : "   [discarded or a helper]");
    for (const std::string& access : line.accesses) fmt::print("          {}\n", access);
    for (const std::string& guard : line.guards) fmt::print("          {}: {}\n", g_arguments.guards, guard);
    fmt::print("{}", writes_text(line.writes));
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
  Arguments& arguments = g_arguments;
  arguments.via = {"ir"};
  if (arguments.guards != "none") arguments.via.push_back(arguments.guards);
  Execution execution;
  const bool prepared = prepare(arguments, execution);
  if (prepared && execution.foreign)
    execution.diagnostics.error({}, "this is PTX: only shaders can be traced");
  print_messages(arguments, execution);
  if (!prepared || execution.foreign) return kExitInput;
  Place place;
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
