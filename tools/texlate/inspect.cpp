// texlate info, texlate check

#include <CLI/CLI.hpp>
#include <cstdio>

#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"

namespace texlate::cli {

namespace {

void print(const std::vector<api::Diagnostic>& diagnostics, const std::string& file,
           std::string_view source) {
  for (const api::Diagnostic& diagnostic : diagnostics)
    std::fputs(rendered(diagnostic, file, source).c_str(), stderr);
}

/// Reads each input and hands the program to `inspect`, which returns an exit status; the worst one is
/// returned.
template <typename Inspect>
int for_each(const InspectArguments& arguments, Inspect inspect) {
  int worst = kExitGood;
  for (const std::string& input : arguments.inputs) {
    const auto source = read_file(input);
    if (!source) {
      std::fprintf(stderr, "%s: error: cannot be read\n", input.c_str());
      worst = kExitInput;
      continue;
    }
    const api::Program program = read_shader(*source, arguments.strict);
    print(program.diagnostics(), input, *source);
    const int status = program.ok() ? inspect(program, input, *source) : kExitInput;
    worst = std::max(worst, status);
  }
  return worst;
}

void add_common(CLI::App& command, InspectArguments& arguments) {
  command.add_option("inputs", arguments.inputs, "Shader assembly or DXBC containers; - for standard input")
      ->required();
  add_strict(command, arguments.strict);
}

}  // namespace

void add_info(CLI::App& command, InspectArguments& arguments) {
  add_common(command, arguments);
  command.add_flag("--json", arguments.json, "As one JSON object an input");
}

void add_check(CLI::App& command, InspectArguments& arguments) {
  add_common(command, arguments);
}

int run_info(const InspectArguments& arguments) {
  return for_each(arguments, [&](const api::Program& program, const std::string&, std::string_view) {
    const api::Output output = program.summary(arguments.json);
    write_file("-", output.data());
    return output.ok() ? kExitGood : kExitInput;
  });
}

int run_check(const InspectArguments& arguments) {
  return for_each(arguments,
                  [](const api::Program& program, const std::string& input, std::string_view source) {
                    const api::Output output = program.check();
                    print(output.diagnostics(), input, source);
                    return output.ok() ? kExitGood : kExitInput;
                  });
}

}  // namespace texlate::cli
