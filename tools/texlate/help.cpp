// texlate help, and the text of --help.

#include "tools/texlate/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/executor/shader.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/step_options.h"
#include "tools/texlate/suggestion.h"
#include "tools/texlate/targets.h"

namespace texlate::cli {

namespace {

constexpr size_t kWidth = 100, kColumn = 30;

/// `text` in lines of `kWidth`, all except the first indented.
std::string wrapped(std::string_view text, size_t indent) {
  std::string out;
  size_t column = indent;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (column != indent && column + end + 1 > kWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column != indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find("\n\n"), text.size());
    out += wrapped(text.substr(0, end), 0) + "\n\n";
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

std::string targets_text() {
  std::string out =
      "The values of --to. Without --to the suffix of the output file decides; without an output file it is "
      "ptx.\n\n";
  for (const texlate_target_info& target : all_targets()) {
    out += help_entry(target.name, fmt::format("{} ({})", target.title, target.suffix));
  }
  return out + "\n'texlate translate --help' lists the options of each target; others are refused.\n";
}

std::string_view meaning_of(executor::Route route) {
  switch (route) {
    case executor::Route::ir:
      return "the interpreter of the texture IR: the reference, with Direct3D's texture unit";
    case executor::Route::ptx:
      return "the PTX machine runs what 'translate --to ptx' writes; what PTX leaves undefined is poison";
    case executor::Route::vulkan: return "a Vulkan driver runs what 'translate --to spirv' writes";
    case executor::Route::sass:
      return "the Maxwell machine runs what NVIDIA's ptxas makes of the PTX ('make judges' fetches ptxas)";
    case executor::Route::maxwell:
      return "the Maxwell machine runs the cubin that 'translate --to cubin' writes";
    case executor::Route::dksh:
      return "the Maxwell machine runs what 'translate --to dksh' writes, as graphics hardware does";
    case executor::Route::cuda: return "a GPU runs what 'translate --to ptx' writes, through the CUDA driver";
  }
  return {};
}

std::string routes_text() {
  std::string out =
      "How 'run', 'diff', 'test' and 'view' execute a shader (--via). All but vulkan and cuda run on the "
      "CPU:\n\n";
  for (const executor::Route route : executor::kRoutes)
    out += help_entry(std::string(executor::route_name(route)), meaning_of(route));
  return out;
}

std::string messages_text() {
  return paragraphs(
             "Messages go to standard error, one for each error, with the source line and a caret under the "
             "part in question. They are colored on a terminal; --color=always and --color=never override "
             "this, and NO_COLOR in the environment turns colors off.") +
         paragraphs("With --diagnostics=json each message is one JSON object on a separate line:") +
         "  {\"schema\": 1, \"file\": \"a.asm\", \"line\": 4, \"column\": 1, \"length\": 4, \"severity\": "
         "\"error\",\n"
         "   \"message\": \"unknown instruction 'frob'\"}\n\n" +
         paragraphs(
             "severity is error, warning or note. Messages about text have line, column (both from 1) and "
             "length; messages about binary input have offset (in bytes); messages about a whole file have "
             "neither. All JSON that texlate writes has 'schema', a number that grows when readers have to "
             "change.") +
         "Exit status:\n\n" + help_entry("0", "success; diff: all routes agree") +
         help_entry("1",
                    "the input is wrong or not supported, or a file could not be read or written; diff: "
                    "routes differ") +
         help_entry("2", "the command line is wrong; diff: no verdict");
}

std::string files_text() {
  return paragraphs(
             "- stands for standard input where a file is read, and for standard output where one is "
             "written. "
             "Binary output is not written to a terminal.") +
         paragraphs(
             "@FILE anywhere on the command line stands for the words in FILE, for lists that are longer "
             "than "
             "a command line may be. Blanks and line breaks separate words; words in \"double\" or 'single' "
             "quotes may contain them. In double quotes \\\" and \\\\ are a quote and a backslash; elsewhere "
             "a "
             "backslash is itself, as in paths of Windows. A line that begins with # is a comment. A file "
             "whose name begins with @ is ./@NAME, and no word after -- is replaced.") +
         "  texlate translate @inputs.txt --to spirv --out-dir out -j 8\n";
}

constexpr Topic kTopics[] = {
    {"targets", "what a shader can be translated to", targets_text},
    {"routes", "how a shader can be executed", routes_text},
    {"cases", "how test cases are written", cases_text},
    {"messages", "errors, colors, JSON, exit statuses", messages_text},
    {"files", "standard input, arguments from files (@FILE)", files_text},
};

std::string g_topic, g_form = "text";

std::vector<Option> help_options() {
  return {{.names = "TOPIC",
           .to = &g_topic,
           .help = "A command, or one of targets, routes, cases, messages, files",
           .value = "TOPIC"},
          {.names = "--format",
           .to = &g_form,
           .help = "text, a manual page (roff), all commands in Markdown, or the names of all commands",
           .value = "FORM",
           .choices = {"text", "man", "markdown", "names"},
           .standard = "text"}};
}

int run_help(const Given&) {
  if (g_form == "markdown") return write_file("-", command_reference()) ? kExitGood : kExitInput;
  if (g_form == "names") {
    std::string names;
    for (const Command& one : commands()) names += std::string(one.name) + "\n";
    return write_file("-", names) ? kExitGood : kExitInput;
  }
  const Command* const command = find_command(g_topic);
  if (g_form == "man" && (command != nullptr || g_topic.empty()))
    return write_file("-", manual_page(command)) ? kExitGood : kExitInput;
  if (g_topic.empty()) return write_file("-", overview()) ? kExitGood : kExitInput;
  if (command != nullptr) return write_file("-", command_help(*command)) ? kExitGood : kExitInput;
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) {
    if (topic.name == g_topic) return write_file("-", topic.text()) ? kExitGood : kExitInput;
    names.emplace_back(topic.name);
  }
  for (const Command& one : commands()) names.emplace_back(one.name);
  usage_error(fmt::format("there is no help about '{}'{}", g_topic, suggestion(g_topic, names)));
  return kExitUsage;
}

}  // namespace

std::string help_entry(const std::string& left, std::string_view text) {
  std::string out = "  " + left;
  out += out.size() + 2 > kColumn ? "\n" + std::string(kColumn, ' ') : std::string(kColumn - out.size(), ' ');
  return out + wrapped(text, kColumn) + "\n";
}

std::span<const Topic> topics() {
  return kTopics;
}

std::string spelled(const Option& option) {
  std::string out(option.names);
  if (option.is_argument()) return option.is_list() ? out + "..." : out;
  if (const size_t comma = out.find(','); comma != std::string::npos) out.insert(comma + 1, " ");
  if (!option.implied.empty()) return fmt::format("{}[={}]", out, option.value);
  return option.is_flag() ? out : fmt::format("{} {}", out, option.value);
}

std::string usage_line(const Command& command, const std::vector<Option>& options) {
  std::string out = fmt::format("texlate {} [OPTION]...", command.name);
  for (const Option& option : options) {
    if (option.is_argument())
      out += option.required ? " " + spelled(option) : fmt::format(" [{}]", spelled(option));
  }
  return out;
}

namespace {

/// " (with --to ptx)", or " (not with --to asm, dxbc)" if that is shorter.
std::string condition_text(const Option& option, const std::vector<Option>& options) {
  const Condition& with = option.with;
  if (with.option.empty()) return {};
  const auto other = std::find_if(options.begin(), options.end(),
                                  [&](const Option& one) { return one.long_name() == with.option; });
  const std::vector<std::string> values = with.values.list();
  std::vector<std::string> without;
  if (other != options.end()) {
    for (const std::string& choice : other->choices.list()) {
      if (std::find(values.begin(), values.end(), choice) == values.end()) without.push_back(choice);
    }
  }
  // A list may contain other names as well.
  const bool complement = other != options.end() && !other->is_list() && without.size() < values.size();
  return complement ? fmt::format(" (not with {} {})", with.option, fmt::join(without, ", "))
                    : fmt::format(" (with {} {})", with.option, fmt::join(values, ", "));
}

}  // namespace

std::string explained(const Option& option, const std::vector<Option>& options) {
  std::string out(option.help);
  std::string choices;
  for (const std::string& choice : option.choices.list()) choices += (choices.empty() ? "" : ", ") + choice;
  if (!choices.empty()) out += fmt::format(" [{}]", choices);
  const std::string standard = option.standard ? *option.standard : value_text(option);
  if (!standard.empty() && !option.is_argument()) out += fmt::format(" (default: {})", standard);
  return out + condition_text(option, options);
}

std::vector<std::string_view> headings(const std::vector<Option>& options) {
  std::vector<std::string_view> list{""};
  for (const Option& option : options) {
    if (std::find(list.begin(), list.end(), option.topic) == list.end()) list.push_back(option.topic);
  }
  return list;
}

std::string overview() {
  std::string out =
      "texlate translates Direct3D shaders (models 4.0 to 5.1, as fxc prints them or as DXBC containers) to "
      "PTX,\nMaxwell machine code and SPIR-V. The result means exactly what Direct3D says.\n\nUsage: texlate "
      "COMMAND [OPTION]... FILE...\n\nCommands:\n";
  for (const Command& one : commands()) out += help_entry(std::string(one.name), one.summary);
  out += "\nMore: 'texlate help COMMAND', and 'texlate help TOPIC' for\n";
  for (const Topic& topic : kTopics) out += help_entry(std::string(topic.name), topic.summary);
  out +=
      "\nFirst steps:\n  texlate translate shader.asm -o shader.ptx            translate one shader\n  "
      "texlate translate *.asm --to spirv --out-dir out -j2  translate many\n  texlate translate shader.asm "
      "--explain -o shader.ptx  also say which guards were needed, and why\n  texlate run shader.asm -o "
      "picture.png                 see what it draws, without a GPU\n";
  return out;
}

std::string command_help(const Command& command) {
  const std::vector<Option> options = documented_options(command);
  std::string out = fmt::format("{}\n\nUsage: {}\n\n", command.summary, usage_line(command, options));
  out += paragraphs(command.description);
  for (const std::string_view heading : headings(options)) {
    std::string part;
    for (const Option& option : options) {
      if (option.topic == heading)
        part += help_entry(option.names.starts_with("--") ? "    " + spelled(option) : spelled(option),
                           explained(option, options));
    }
    if (!part.empty()) out += fmt::format("{}:\n{}\n", heading.empty() ? "Options" : heading, part);
  }
  out += "Exit status:\n";
  for (const ExitStatus& status : command.statuses)
    out += help_entry(std::to_string(status.status), status.meaning);
  if (!command.examples.empty()) out += "\nExamples:\n";
  for (const Example& example : command.examples)
    out += fmt::format("  {}\n      {}\n", example.command, example.purpose);
  return out;
}

Command help_command() {
  return {.name = "help",
          .summary = "Help about a command or a topic",
          .description = "",
          .options = help_options,
          .run = run_help,
          .statuses = {{kExitGood, "success"}, {kExitUsage, "there is no help about this"}},
          .examples = {{"texlate help translate", "the options of translate"},
                       {"texlate help targets", "what --to takes"}}};
}

}  // namespace texlate::cli
