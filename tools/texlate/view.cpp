// texlate view: shows a shader, its IR, its translations and its pictures on one page.

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "library/pipeline.h"
#include "tools/executor/trace.h"
#include "tools/page/document.h"
#include "tools/page/results.h"
#include "tools/page/traced.h"
#include "tools/page/translation.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/number_list.h"

namespace texlate::cli {

namespace {

using Json = nlohmann::json;

struct ViewArguments : RunArguments {
  std::string output, playground;
  std::vector<std::string> targets = {"ptx", "maxwell", "spirv-text"};
  std::vector<std::string> pixels;
  uint32_t sm = 0;
};
ViewArguments g_view;

/// Without --scene nobody waits for more than a few seconds for a picture.
constexpr uint64_t kDefaultSceneBudget = uint64_t{1} << 28;

bool read_source(page::TranslationOptions& options, page::Source& source) {
  const auto bytes = read_file(g_view.input);
  if (!bytes) return false;
  Diagnostics diagnostics;
  options.targets = g_view.targets;
  options.sm = g_view.sm;
  options.guards_by_driver = g_view.robustness == "driver";
  options.lenient = g_view.lenient;
  const bool good = read_classes(g_view, options.classes, diagnostics) &&
                    page::read_source(*bytes, options, source, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list())
    write_messages(rendered(diagnostic, g_view.input, source.text));
  return good;
}

/// The traces of --pixel. Returns the exit status.
int add_traces(const page::Source& source, Execution& execution, Json& data) {
  for (const std::string& text : g_view.pixels) {
    std::array<uint32_t, 3> at{};
    executor::NamedLane lane;
    std::string problem = fmt::format("'{}' is not of the form X,Y", text);
    if (!parse_numbers(text, 2, 2, at) ||
        !executor::find_lane(*execution.scene, execution.shader.contract, at, lane, problem)) {
      usage_error("--pixel: " + problem);
      return kExitUsage;
    }
    executor::TraceOptions options;
    options.lane = lane.lane;
    options.max_lane_instructions = g_view.budget;
    if (!execution.shader.legal.code.empty()) options.guarded = &execution.shader.legal;
    executor::Trace trace;
    if (!executor::trace(source.program, execution.shader, *execution.scene, options, trace,
                         execution.diagnostics))
      return kExitInput;
    Json one = page::trace_json(trace, source.program, lane.name);
    one["at"] = {at[0], at[1]};
    data["traces"].push_back(std::move(one));
  }
  return kExitGood;
}

/// What the routes draw. Without --scene, a shader that cannot run so has a page all the same. Returns the
/// exit status.
int add_run(const page::Source& source, Json& data) {
  RunArguments arguments = g_view;
  const bool is_asked = !arguments.scene.empty();
  if (!is_asked) arguments.budget = std::min(arguments.budget, kDefaultSceneBudget);
  Execution execution;
  RouteRuns runs;
  const auto fail = [&] {
    if (is_asked) print_messages(arguments, execution);
    data["run"] = {{"diagnostics", page::diagnostics_json(execution.diagnostics)}};
    return is_asked ? kExitInput : kExitGood;
  };
  if (!prepare(arguments, execution)) return fail();
  if (!are_distinct(execution.scene->files(), {{g_view.output, "--output"}})) return kExitUsage;
  if (!execute_all(arguments, execution, runs)) return fail();
  data["run"] =
      page::results_json(execution.shader, *execution.scene, execution.routes, runs.results, runs.pictures);
  if (execution.foreign) return kExitGood;
  return add_traces(source, execution, data);
}

std::vector<Option> view_options() {
  std::vector<Option> options = {
      {.names = "SHADER",
       .to = &g_view.input,
       .help = "Shader assembly, a DXBC container, or IR text",
       .value = "SHADER",
       .completion = Completion::file,
       .required = true},
      {.names = "-o,--output",
       .to = &g_view.output,
       .help = "The page to write; standard output without it",
       .value = "PAGE.html",
       .completion = Completion::file},
      {.names = "--to",
       .to = &g_view.targets,
       .help = "The targets to show; the first is open, the others are a click away",
       .value = "TARGETS",
       .choices = {"ptx", "maxwell", "spirv-text"},
       .comma_list = true},
      {.names = "--sm",
       .to = &g_view.sm,
       .help = "The GPU's compute capability for PTX and Maxwell (75 for sm_75)",
       .value = "N",
       .least = 1,
       .with = {"--to", {"ptx", "maxwell"}}},
      {.names = "--via",
       .to = &g_view.via,
       .help = "The routes whose pictures are shown ('texlate help routes')",
       .value = "ROUTES",
       .choices = route_names,
       .comma_list = true},
      {.names = "--pixel",
       .to = &g_view.pixels,
       .help = "A pixel whose trace the page shows, line by line; may be repeated",
       .value = "X,Y"},
      {.names = "--playground",
       .to = &g_view.playground,
       .help =
           "The playground ('make playground') as the page: the shader can be edited, run and traced there",
       .value = "PLAYGROUND.html",
       .completion = Completion::file},
  };
  for (Option& option : route_options(g_view)) {
    if (option.long_name() == "--robustness") option.with = {};
    options.push_back(std::move(option));
  }
  return options;
}

bool is_among(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Reports options that have no effect together.
bool has_effects(const Given& given) {
  if (!given.has("--robustness") || is_among(g_view.via, "vulkan") || is_among(g_view.targets, "spirv-text"))
    return true;
  usage_error("--robustness needs --to spirv-text, or --via vulkan");
  return false;
}

/// The page, or nothing if the playground cannot be read.
std::optional<std::string> page_of(const std::string& title, const Json& data) {
  if (g_view.playground.empty()) return page::document(title, data);
  auto text = read_file(g_view.playground);
  if (text && !page::put_into_playground(*text, data)) {
    file_error(g_view.playground, "this is not the playground");
    return std::nullopt;
  }
  return text;
}

int run_view(const Given& given) {
  const std::string suffix = suffix_of(g_view.output);
  if (!suffix.empty() && suffix != ".html" && suffix != ".htm") {
    usage_error(fmt::format("'{}': the page must be a .html", g_view.output));
    return kExitUsage;
  }
  if (!has_effects(given)) return kExitUsage;
  if (!are_distinct({g_view.input, g_view.scene, g_view.binary, g_view.playground},
                    {{g_view.output, "--output"}}))
    return kExitUsage;
  page::TranslationOptions options;
  page::Source source;
  if (!read_source(options, source)) return kExitInput;
  const std::string title = std::filesystem::path(g_view.input).filename().string();
  Json data = {{"title", title},
               {"targets", options.targets},
               {"via", g_view.via},
               {"translation", page::translation_json(source, options)},
               {"trace_command", fmt::format("texlate trace {}{}", g_view.input,
                                             g_view.scene.empty() ? "" : " --scene " + g_view.scene)},
               {"traces", Json::array()}};
  std::string why;
  if (!g_view.scene.empty()) data["scene"] = read_file(g_view.scene, why).value_or("{}");
  const int shown = source.is_ir ? kExitGood : add_run(source, data);
  if (shown != kExitGood) return shown;
  const auto page = page_of(title, data);
  return page && write_file(g_view.output, *page) ? kExitGood : kExitInput;
}

}  // namespace

Command view_command() {
  g_view.via = {"ir", "ptx", "maxwell"};
  return {
      .name = "view",
      .summary = "Show a shader, its IR and its translations on one HTML page",
      .description =
          "Shows assembly, IR before and after legalization, and each target side by side. Lines that come "
          "from the same line of the shader are highlighted together. Guards are marked, with the reason for "
          "each and the document that does not promise what Direct3D defines. The page also shows what each "
          "route draws. It needs no other file and no network. It is the page of the playground; with "
          "--playground it has the playground's machines, too.",
      .options = view_options,
      .run = run_view,
      .statuses = {{kExitGood, "the page was written"},
                   {kExitInput, "the shader or the scene is wrong, or a file could not be read or written"},
                   {kExitUsage, "the command line is wrong"}},
      .examples = {{"texlate view shader.asm -o shader.html",
                    "a page for a browser; shader.html#L14 opens at line 14"},
                   {"texlate view shader.asm --scene scene.json --to spirv-text,ptx -o shader.html",
                    "on this scene, SPIR-V first"}}};
}

}  // namespace texlate::cli
