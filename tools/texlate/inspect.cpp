// texlate info, texlate check

#include <fmt/format.h>

#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

struct InspectArguments {
  std::vector<std::string> inputs;
  bool json = false;     // info
  bool strict = false;   // a wrong digest is an error
  bool lenient = false;  // check
};
InspectArguments g_inspect;

void print(const std::vector<api::Diagnostic>& diagnostics, const std::string& file,
           std::string_view source) {
  for (const api::Diagnostic& diagnostic : diagnostics) write_messages(rendered(diagnostic, file, source));
}

/// Reads each input and passes the program to `inspect`, which returns an exit status. Returns the worst
/// one.
template <typename Inspect>
int for_each_input(Inspect inspect) {
  int worst = kExitGood;
  for (const std::string& input : g_inspect.inputs) {
    const auto source = read_file(input);
    int status = kExitInput;
    if (source) {
      const api::Program program = read_shader(*source, g_inspect.strict, g_inspect.lenient);
      print(program.diagnostics(), input, *source);
      if (program.ok()) status = inspect(program, input, *source);
    }
    worst = std::max(worst, status);
  }
  return worst;
}

std::vector<Option> options(bool info) {
  std::vector<Option> list = {{.names = "SHADER",
                               .to = &g_inspect.inputs,
                               .help = "Shader assembly or DXBC containers; - for standard input",
                               .value = "SHADER",
                               .completion = Completion::file,
                               .required = true}};
  if (info)
    list.push_back(
        {.names = "--json",
         .to = &g_inspect.json,
         .help = "Print a JSON object, or an array of them for several inputs (docs/frontend.md)"});
  list.push_back(strict_option(g_inspect.strict));
  if (!info) list.push_back(lenient_option(g_inspect.lenient));
  return list;
}

/// The library's JSON object, with the file's name and the version added at the beginning.
std::string described(std::string_view json, const std::string& file) {
  const size_t open = json.find('{');
  while (json.ends_with('\n')) json.remove_suffix(1);
  if (open == std::string_view::npos) return {};
  return fmt::format("{{\n  \"schema\": {},\n  \"file\": {},{}", kSchema, json_string(file),
                     json.substr(open + 1));
}

int run_info(const Given&) {
  std::string list;
  const bool many = g_inspect.inputs.size() > 1;
  const int status =
      for_each_input([&](const api::Program& program, const std::string& input, std::string_view) {
        const api::Output output = program.summary(g_inspect.json);
        if (!output.ok()) {
          print(output.diagnostics(), input, {});
          return kExitInput;
        }
        if (g_inspect.json) {
          list += (list.empty() ? "" : ",\n") + described(output.data(), input);
        } else {
          if (many) list += fmt::format("{}{}:\n", list.empty() ? "" : "\n", input);
          list += output.data();
        }
        return kExitGood;
      });
  if (g_inspect.json) list = many ? "[\n" + list + "\n]\n" : list.empty() ? list : list + "\n";
  return write_file("-", list) ? status : kExitInput;
}

int run_check(const Given&) {
  return for_each_input([](const api::Program& program, const std::string& input, std::string_view source) {
    const api::Output output = program.check();
    print(output.diagnostics(), input, source);
    return output.ok() ? kExitGood : kExitInput;
  });
}

const std::vector<ExitStatus> kInspectStatuses = {{kExitGood, "all inputs are good"},
                                                  {kExitInput, "an input is wrong, or could not be read"},
                                                  {kExitUsage, "the command line is wrong"}};

}  // namespace

Command info_command() {
  return {
      .name = "info",
      .summary = "Describe a shader: stage, model, bindings, signatures, counts",
      .description =
          "For a container, also lists its chunks and feature flags, and says whether its digest is right.",
      .options = [] { return options(true); },
      .run = run_info,
      .statuses = kInspectStatuses,
      .examples = {{"texlate info shader.dxbc", "for people"},
                   {"texlate info --json *.dxbc", "for programs: one array"}}};
}

Command check_command() {
  return {.name = "check",
          .summary = "Check shaders: declarations, registers, operands, control flow, resources",
          .description =
              "Prints nothing if the shader is valid. 'translate' runs the same checks before it translates.",
          .options = [] { return options(false); },
          .run = run_check,
          .statuses = kInspectStatuses,
          .examples = {{"texlate check *.asm", "every error, with its line"}}};
}

}  // namespace texlate::cli
