// texlate view: shows a shader, its IR and its translations on one page.

#include "tools/texlate/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "backend/launch/launch.h"
#include "backend/spirv/target.h"
#include "ir/spelling.h"
#include "ir/text_printer.h"
#include "library/foreign_input.h"
#include "library/pipeline.h"
#include "sim/scene/png_codec.h"
#include "tools/executor/comparison.h"
#include "tools/executor/picture.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

struct Arguments : RunArguments {
  std::string output;
  std::vector<std::string> targets = {"ptx", "maxwell", "spirv-text"};
  uint32_t sm = 0;
};
Arguments g_arguments;

/// The input: a program, or IR text.
struct Source {
  std::pmr::monotonic_buffer_resource arena;
  std::string text;  // assembly or IR, also for a container
  sm4::Program program{&arena};
  ir::Module contract{&arena};
  std::vector<lower::ClassInstance> classes;
  bool is_ir = false;
};

uint32_t number_after(std::string_view line, std::string_view word) {
  const size_t at = line.rfind(word);
  uint32_t number = 0;
  if (at != std::string_view::npos) {
    const std::string_view digits = line.substr(at + word.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
  }
  return number;
}

template <typename Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The source itself: each line is linked to itself, including comments and declarations.
ViewPane source_pane(const Source& source) {
  ViewPane pane{"source", source.is_ir ? "IR text" : "Assembly", {}, true, {}};
  uint32_t number = 0;
  for_each_line(source.text, [&](std::string_view line) {
    pane.lines.push_back({std::string(line), ++number});
  });
  return pane;
}

/// IR as printed: a comment marks where the source line changes.
ViewPane ir_pane(const ir::Module& module, std::string id, std::string title, bool shown) {
  ViewPane pane{std::move(id), std::move(title), {}, shown, {}};
  std::pmr::string text;
  ir::print(module, text);
  uint32_t line_now = 0;
  bool in_code = false;
  for_each_line(text, [&](std::string_view line) {
    if (line.starts_with("code {")) in_code = true;
    if (const uint32_t number = number_after(line, "; line "); number != 0) line_now = number;
    if (line.ends_with("; no line")) line_now = 0;
    // The comment is no longer needed: the number is now in the link.
    const size_t comment = line.rfind("  ; line ");
    std::string_view shown_text = line.substr(0, comment);
    while (shown_text.ends_with(' ')) shown_text.remove_suffix(1);
    const bool is_code = in_code && line.starts_with("  ");
    pane.lines.push_back({std::string(shown_text), is_code ? line_now : 0});
  });
  return pane;
}

/// SPIR-V's OpLine gives the source lines and is not shown.
void add_spirv_lines(std::string_view text, ViewPane& pane) {
  uint32_t line_now = 0;
  for_each_line(text, [&](std::string_view line) {
    const size_t at = line.find("OpLine ");
    if (at == std::string_view::npos) {
      if (line.find("OpFunctionEnd") != std::string_view::npos ||
          line.find("OpNoLine") != std::string_view::npos)
        line_now = 0;
      pane.lines.push_back({std::string(line), line_now});
      return;
    }
    // OpLine %file line column
    const size_t file = line.find(' ', at + 7);
    if (file != std::string_view::npos) line_now = number_after(line.substr(file), " ");
    const std::string_view rest = file != std::string_view::npos ? line.substr(file + 1) : std::string_view();
    std::from_chars(rest.data(), rest.data() + rest.size(), line_now);
  });
}

void add_lines(std::string_view text, std::span<const launch::LineMark> marks, ViewPane& pane) {
  uint32_t number = 0;
  for_each_line(text, [&](std::string_view line) {
    pane.lines.push_back({std::string(line), launch::location_of_line(marks, ++number).line});
  });
}

std::string first_message(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity != Severity::error) continue;
    const uint32_t line = diagnostic.location.line;
    return (line != 0 ? fmt::format("line {}: ", line) : std::string()) + std::string(diagnostic.message);
  }
  return "not translated";
}

void keep_gaps(const library::ClosedGaps& closed, std::string_view target, View& view) {
  for (const ir::ClosedGap& gap : closed) {
    const ir::GapText& text = ir::text_of(gap.gap);
    view.gaps.push_back({gap.location.line, std::string(target), std::string(ir::info(gap.op).text),
                         std::string(text.lack), std::string(gap.source), std::string(text.done)});
  }
}

/// The IR after legalisation for a target, and the target's output.
void add_target(const Source& source, const std::string& name, bool shown, View& view) {
  const backend::Target& target = *library::find_target(name);
  library::TranslateOptions options;
  options.classes = source.classes;
  spirv::TargetOptions spirv;
  spirv.emit.robustness =
      g_arguments.robustness == "shader" ? spirv::Robustness::shader : spirv::Robustness::driver;
  spirv.emit.debug = true;
  const bool is_spirv = name == "spirv-text";
  if (is_spirv) options.backend.own = &spirv;
  if ((target.takes & backend::kTakesSm) != 0) options.backend.sm = g_arguments.sm;
  std::pmr::monotonic_buffer_resource arena;
  ir::Module module(&arena);
  Diagnostics diagnostics;
  library::Explanation explanation(&arena);
  bool good;
  if (source.is_ir) {
    module = source.contract;
    good = library::legalise(module, target, options.backend, diagnostics, &explanation.gaps());
  } else {
    good = library::prepare(source.program, &target, options, module, diagnostics, &explanation.gaps());
  }
  const std::string title = is_spirv            ? "SPIR-V"
                            : name == "ptx"     ? "PTX"
                            : name == "maxwell" ? "Maxwell"
                                                : name;
  ViewPane pane{name, title, {}, shown, {}};
  library::Emitted emitted(&arena);
  if (good) view.panes.push_back(ir_pane(module, name + "-ir", "IR for " + title, shown));
  if (good && library::emit(module, target, options.backend, emitted, diagnostics)) {
    explanation.write_out();
    keep_gaps(explanation.gaps(), title, view);
    if (is_spirv) {
      add_spirv_lines(emitted.data, pane);
    } else {
      add_lines(emitted.data, launch::launch_of(emitted.host).lines, pane);
    }
  } else {
    pane.failure = first_message(diagnostics);
  }
  view.panes.push_back(std::move(pane));
}

/// Returns false if messages were printed.
bool read_source(const std::string& path, Source& source) {
  const auto bytes = read_file(path);
  if (!bytes) return false;
  Diagnostics diagnostics;
  dxbc::Container container(&source.arena);
  source.is_ir = library::is_ir_text(*bytes);
  source.text = *bytes;
  source.program.lenient = g_arguments.lenient;
  bool good;
  if (source.is_ir) {
    good = library::read_module(*bytes, source.contract, diagnostics);
  } else {
    good = library::read_program(*bytes, dxbc::DigestCheck::warn, source.program, container, diagnostics);
    if (good && !container.chunks.empty()) {
      // The line numbers are those of the listing.
      library::Translation listing(&source.arena);
      library::TranslateOptions options;
      options.to = "asm";
      good = library::translate(source.program, &container, options, listing, diagnostics);
      source.text = listing.data;
      source.program = sm4::Program(&source.arena);
      source.program.lenient = g_arguments.lenient;
      dxbc::Container none(&source.arena);
      good = good &&
             library::read_program(source.text, dxbc::DigestCheck::warn, source.program, none, diagnostics);
    }
    good = good && read_classes(g_arguments, source.classes, diagnostics);
    library::TranslateOptions options;
    options.classes = source.classes;
    good = good && library::prepare(source.program, nullptr, options, source.contract, diagnostics);
  }
  for (const Diagnostic& diagnostic : diagnostics.list())
    write_messages(rendered(diagnostic, path, source.text));
  return good;
}

/// Returns the exit status.
int add_pictures(View& view) {
  Execution execution;
  if (!prepare(g_arguments, execution)) {
    print_messages(g_arguments, execution);
    return kExitInput;
  }
  if (!are_distinct(execution.scene->files(), {{g_arguments.output, "--output"}})) return kExitUsage;
  const auto name = [&](size_t i) { return std::string(executor::route_name(execution.routes[i])); };
  RouteRuns runs;
  if (!execute_all(g_arguments, execution, runs)) {
    print_messages(g_arguments, execution);
    return kExitInput;
  }
  const std::vector<executor::RouteResult>& results = runs.results;
  const std::vector<sim::Picture>& pictures = runs.pictures;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].trouble.empty()) view.verdicts.push_back(name(i) + ": " + results[i].trouble);
    if (pictures[i].width != 0) view.pictures.push_back({name(i), sim::encode_png(pictures[i])});
  }
  for (size_t i = 1; i < results.size(); ++i) {
    const auto comparison =
        executor::compare_outputs(execution.shader, *execution.scene, results[0], results[i],
                                  executor::default_tolerance(execution.routes[0], execution.routes[i]));
    view.verdicts.push_back(fmt::format("{} and {}: {} of {} differ", name(0), name(i), comparison.different,
                                        comparison.elements));
    if (comparison.different == 0 || pictures[0].width == 0) continue;
    constexpr uint32_t kGain = 16;
    view.pictures.push_back({fmt::format("{} - {}, x{}", name(0), name(i), kGain),
                             sim::encode_png(executor::difference_of(pictures[0], pictures[i], kGain))});
  }
  return kExitGood;
}

std::vector<Option> view_options() {
  std::vector<Option> options = {
      {.names = "SHADER",
       .to = &g_arguments.input,
       .help = "Shader assembly, a DXBC container, or IR text",
       .value = "SHADER",
       .completion = Completion::file,
       .required = true},
      {.names = "-o,--output",
       .to = &g_arguments.output,
       .help = "The page to write; standard output without it",
       .value = "PAGE.html",
       .completion = Completion::file},
      {.names = "--to",
       .to = &g_arguments.targets,
       .help = "The targets to show; the first is open, the others are a click away",
       .value = "TARGETS",
       .choices = {"ptx", "maxwell", "spirv-text"},
       .comma_list = true},
      {.names = "--sm",
       .to = &g_arguments.sm,
       .help = "The GPU's architecture for PTX and Maxwell",
       .value = "N",
       .least = 1,
       .with = {"--to", {"ptx", "maxwell"}}},
      {.names = "--via",
       .to = &g_arguments.via,
       .help = "With --scene: the routes whose pictures are shown ('texlate help routes')",
       .value = "ROUTES",
       .choices = route_names(),
       .comma_list = true},
  };
  for (Option& option : route_options(g_arguments)) {
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
  std::string wrong;
  const bool runs = given.has("--scene");
  for (const char* const option : {"--via", "--device", "--schedules", "--derivatives", "--budget"}) {
    if (given.has(option) && !runs) wrong = fmt::format("{} needs --scene", option);
  }
  const bool runs_spirv = runs && is_among(g_arguments.via, "vulkan");
  if (given.has("--robustness") && !runs_spirv && !is_among(g_arguments.targets, "spirv-text"))
    wrong = "--robustness needs --to spirv-text, or --scene and --via vulkan";
  if (!wrong.empty()) usage_error(wrong);
  return wrong.empty();
}

int run_view(const Given& given) {
  const std::string suffix = suffix_of(g_arguments.output);
  if (!suffix.empty() && suffix != ".html" && suffix != ".htm") {
    usage_error(fmt::format("'{}': the page must be a .html", g_arguments.output));
    return kExitUsage;
  }
  if (!has_effects(given)) return kExitUsage;
  if (!are_distinct({g_arguments.input, g_arguments.scene, g_arguments.binary},
                    {{g_arguments.output, "--output"}}))
    return kExitUsage;
  Source source;
  if (!read_source(g_arguments.input, source)) return kExitInput;
  View view;
  view.title = std::filesystem::path(g_arguments.input).filename().string();
  view.summary = fmt::format("{} shader, model {}.{}, {} operations of the IR",
                             ir::spelling(source.contract.stage), source.contract.shader_model / 10,
                             source.contract.shader_model % 10, source.contract.code.size());
  view.panes.push_back(source_pane(source));
  if (!source.is_ir) view.panes.push_back(ir_pane(source.contract, "ir", "IR", true));
  for (const std::string& name : g_arguments.targets)
    add_target(source, name, name == g_arguments.targets[0], view);
  std::stable_sort(view.gaps.begin(), view.gaps.end(),
                   [](const ViewGap& a, const ViewGap& b) { return a.source < b.source; });
  const int shown = g_arguments.scene.empty() ? kExitGood : add_pictures(view);
  if (shown != kExitGood) return shown;
  return write_file(g_arguments.output, view_page(view)) ? kExitGood : kExitInput;
}

}  // namespace

Command view_command() {
  g_arguments.via = {"ir", "ptx", "maxwell"};
  return {
      .name = "view",
      .summary = "Show a shader, its IR and its translations on one HTML page",
      .description =
          "Shows assembly, IR before and after legalisation, and each target side by side. Lines that come "
          "from the same line of the shader are highlighted together. Guards are marked, with the reason for "
          "each and the document that does not promise what Direct3D defines. With a scene the page also "
          "shows what each route draws. The page needs no other file and no network.",
      .options = view_options,
      .run = run_view,
      .statuses = {{kExitGood, "the page was written"},
                   {kExitInput, "the shader or the scene is wrong, or a file could not be read or written"},
                   {kExitUsage, "the command line is wrong"}},
      .examples = {{"texlate view shader.asm -o shader.html",
                    "a page for a browser; shader.html#L14 opens at line 14"},
                   {"texlate view shader.asm --scene scene.json --to spirv-text,ptx -o shader.html",
                    "with pictures, SPIR-V first"}}};
}

}  // namespace texlate::cli
