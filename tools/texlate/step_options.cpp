#include "tools/texlate/step_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/texlate/help.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/suggestion.h"

namespace texlate::cli {

namespace {

struct Kind {
  StepKind kind;
  std::string_view name;
  std::string_view meaning;
};
constexpr Kind kKinds[] = {
    {StepKind::translate, "translate", "the translation matches the patterns, or equals a file"},
    {StepKind::golden, "golden",
     "the translations equal NAME.ir, NAME.ptx, NAME.sass and NAME.spvasm, where NAME.asm is the shader, and "
     "the\nexplanation of their guards equals NAME.explain.txt"},
    {StepKind::error, "error", "the shader is refused, and the messages match the patterns"},
    {StepKind::run, "run", "routes agree with each other, and with a picture or with outputs in a file"},
};

/// Options of the command that a step cannot have, because it names neither inputs nor outputs.
bool is_about_files(const Option& option) {
  constexpr std::string_view kNames[] = {"SHADER",    "--output",  "--out-dir", "--jobs",
                                         "--explain", "--reflect", "--depfile", "--emit-header"};
  return std::find(std::begin(kNames), std::end(kNames), option.long_name()) != std::end(kNames);
}

std::vector<Option> translation_options(StepArguments& arguments, bool error) {
  std::vector<Option> options = {{.names = "--check",
                                  .to = &arguments.prefix,
                                  .help = "The word in front of the patterns (default: CHECK)",
                                  .value = "PREFIX"}};
  if (!error) {
    options.push_back({.names = "--expect",
                       .to = &arguments.expected,
                       .help = "A file that the translation must equal",
                       .value = "FILE"});
    options.push_back({.names = "--expect-reflection",
                       .to = &arguments.expected_reflection,
                       .help = "A file that the reflection must equal",
                       .value = "FILE"});
    options.push_back({.names = "--explain",
                       .to = &arguments.explained,
                       .help = "Search for the patterns in the explanation"});
  }
  for (Option& option : translate_options(arguments.translation)) {
    if (is_about_files(option)) continue;
    if (option.names == "--to") option.help = "The target ('texlate help targets')";  // there is no output
    options.push_back(std::move(option));
  }
  return options;
}

/// Those that mean the same for every target.
std::vector<Option> golden_options(StepArguments& arguments) {
  std::vector<Option> options = {{.names = "--to",
                                  .to = &arguments.targets,
                                  .help = "Targets",
                                  .value = "TARGETS",
                                  .choices = {"ir", "ptx", "maxwell", "spirv-text"},
                                  .comma_list = true},
                                 {.names = "--folder",
                                  .to = &arguments.golden_folder,
                                  .help = "The folder of the files, if it is not the shader's",
                                  .value = "FOLDER"}};
  for (Option& option : translate_options(arguments.translation)) {
    const bool is_of_one =
        option.names == "--to" || option.names == "--print-after" || !option.with.option.empty();
    if (!is_of_one && !is_about_files(option)) options.push_back(std::move(option));
  }
  return options;
}

std::vector<Option> run_step_options(StepArguments& arguments) {
  std::vector<Option> options = {
      {.names = "--via",
       .to = &arguments.run.via,
       .help = "Routes",
       .value = "ROUTES",
       .choices = route_names,
       .comma_list = true},
      {.names = "--pipeline",
       .to = &arguments.run.pipeline,
       .help = "A whole draw (JSON, docs/scene.md), of which the shader is a part",
       .value = "FILE"},
      {.names = "--picture",
       .to = &arguments.picture,
       .help = "A PNG that each route must draw; it may be enlarged by a whole number",
       .value = "FILE"},
      {.names = "--steps",
       .to = &arguments.steps,
       .help = "How far a color may be from the picture, in steps of 1/255",
       .value = "N",
       .most = 255},
      {.names = "--buffers",
       .to = &arguments.buffers,
       .help = "A file with outputs and UAVs, as 'texlate run -o OUT.json' writes them",
       .value = "FILE"},
      {.names = "--tolerance",
       .to = &arguments.ulp,
       .help = "Floats that differ by at most this many ULP count as equal",
       .value = "ULP"},
      {.names = "--absolute",
       .to = &arguments.absolute,
       .help = "Floats that differ by at most this much count as equal",
       .value = "D"},
      {.names = "--max-pixels",
       .to = &arguments.max_pixels,
       .help = "How many pixels, vertices or words may differ",
       .value = "N"},
  };
  for (Option& option : route_options(arguments.run)) {
    if (option.long_name() != "--device") options.push_back(std::move(option));
  }
  return options;
}

std::vector<std::string> split_words(const std::string& words) {
  std::vector<std::string> list;
  for (size_t begin = 0; (begin = words.find_first_not_of(" \t\r", begin)) != std::string::npos;) {
    const size_t end = std::min(words.find_first_of(" \t\r", begin), words.size());
    list.push_back(words.substr(begin, end - begin));
    begin = end;
  }
  return list;
}

}  // namespace

std::vector<Option> step_options(StepKind kind, StepArguments& arguments) {
  switch (kind) {
    case StepKind::run: return run_step_options(arguments);
    case StepKind::golden: return golden_options(arguments);
    case StepKind::translate:
    case StepKind::error: break;
  }
  return translation_options(arguments, kind == StepKind::error);
}

bool parse_step(const std::string& words, StepArguments& arguments, std::string& problem) {
  std::vector<std::string> list = split_words(words);
  std::vector<std::string> names;
  const Kind* kind = nullptr;
  for (const Kind& one : kKinds) {
    names.emplace_back(one.name);
    if (!list.empty() && one.name == list[0]) kind = &one;
  }
  if (kind == nullptr) {
    problem = list.empty()
                  ? "a test must be translate, golden, error or run"
                  : fmt::format("there is no test '{}'; a test must be translate, golden, error or run{}",
                                list[0], suggestion(list[0], names));
    return false;
  }
  arguments.kind = kind->kind;
  arguments.run.via = {"ir", "ptx"};
  arguments.targets = {"ir", "ptx", "maxwell", "spirv-text"};
  std::vector<char*> argv;
  argv.reserve(list.size());
  for (std::string& word : list) argv.push_back(word.data());
  Given given;
  if (!parse_words(kind->name, step_options(kind->kind, arguments), static_cast<int>(argv.size()),
                   argv.data(), given, problem))
    return false;
  if (given.has("--tolerance") || given.has("--absolute"))
    arguments.tolerance = executor::Tolerance{arguments.ulp, arguments.absolute};
  return true;
}

std::string cases_text() {
  std::string out =
      "A case is written in the comments of a shader (.asm with //, .ir with ;), or in NAME.test.json next "
      "to it:\n\n  // TEST: translate --to ptx --sm 80\n  // CHECK-LABEL: .visible .entry main\n  // CHECK: "
      "ld.param.u64 [[TEXTURE:%td[0-9]+]]\n  // CHECK-NEXT: setp.ne.u64 {{.*}}, [[TEXTURE]], 0\n  // "
      "CHECK-NOT: bar.sync\n  // TEST: run --scene scene.json --via ir,ptx,maxwell --picture golden.png\n\n  "
      "{\"schema\": 1, \"shader\": \"a.dxbc\", \"tests\": [\"translate --to ptx\"], \"checks\": [\"CHECK: "
      ".entry main\"]}\n\nPatterns are those of LLVM's FileCheck: text with {{regular expressions}}, "
      "[[NAME:regular expression]] and [[NAME]].\n-NEXT must match on the next line, -SAME on the same line, "
      "-NOT nowhere in between, -DAG in any order; -LABEL is\nmatched before all others. All patterns belong "
      "to every translate step of the case, not to the one "
      "above them:\nsteps with other texts take another word (--check). File names are relative to the file "
      "that contains the case. Routes\nwhose driver or tool is not installed are skipped, and so are those "
      "whose device lacks a feature of the shader,\nand what needs SPIRV-Tools in a build without them.\n";
  for (const Kind& kind : kKinds) {
    StepArguments arguments;
    out += fmt::format("\n{}: {}\n", kind.name, kind.meaning);
    const std::vector<Option> options = step_options(kind.kind, arguments);
    for (const Option& option : options) {
      const bool is_shown = kind.kind == StepKind::run || kind.kind == StepKind::golden;
      if (!is_shown && option.with.option == "--to") continue;
      out += help_entry("    " + spelled(option), explained(option, options));
    }
    if (kind.kind == StepKind::translate || kind.kind == StepKind::error)
      out += "      and the options of 'texlate translate' that affect the translation\n";
  }
  return out;
}

}  // namespace texlate::cli
