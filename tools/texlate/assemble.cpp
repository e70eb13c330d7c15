// texlate assemble, texlate disassemble

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"

namespace texlate::cli {

namespace {

/// Prints diagnostics, writes the output; returns the exit status.
int finish(const api::Output& output, const AssembleArguments& arguments, std::string_view source) {
  for (const api::Diagnostic& diagnostic : output.diagnostics()) {
    std::fputs(rendered(diagnostic, arguments.input, source).c_str(), stderr);
  }
  if (!output.ok()) return kExitInput;
  if (write_file(arguments.output, output.data())) return kExitGood;
  std::fprintf(stderr, "%s: error: cannot be written\n", arguments.output.c_str());
  return kExitInput;
}

int run_maxwell(const AssembleArguments& arguments, std::string_view source, bool assemble) {
  texlate_maxwell_options options = TEXLATE_MAXWELL_OPTIONS_INIT;
  options.words = arguments.words ? 1 : 0;
  options.unconstrained = arguments.unconstrained ? 1 : 0;
  texlate_output* output = nullptr;
  const texlate_status status =
      assemble ? texlate_maxwell_assemble(source.data(), source.size(), &options, &output)
               : texlate_maxwell_disassemble(source.data(), source.size(), &options, &output);
  return finish(api::Output(output, status), arguments, assemble ? source : std::string_view{});
}

int run_d3d(const AssembleArguments& arguments, std::string_view source, const char* target) {
  const api::Program program = read_shader(source, arguments.strict);
  for (const api::Diagnostic& diagnostic : program.diagnostics()) {
    std::fputs(rendered(diagnostic, arguments.input, source).c_str(), stderr);
  }
  if (!program.ok()) return kExitInput;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target;
  options.exact_literals = arguments.exact_literals ? 1 : 0;
  return finish(program.translate(options), arguments, source);
}

int run(const AssembleArguments& arguments, bool assemble) {
  const auto source = read_file(arguments.input);
  if (!source) {
    std::fprintf(stderr, "%s: error: cannot be read\n", arguments.input.c_str());
    return kExitInput;
  }
  if (arguments.isa == "maxwell") return run_maxwell(arguments, *source, assemble);
  return run_d3d(arguments, *source, assemble ? "dxbc" : "asm");
}

void add_common(CLI::App* command, AssembleArguments& arguments) {
  command->add_option("input", arguments.input, "Input file; - for standard input")->required();
  command->add_option("-o,--output", arguments.output, "Output file; standard output without it");
  command->add_option("--isa", arguments.isa, "d3d (shader models 4.0 to 5.1) or maxwell (sm_50 to sm_53)")
      ->check(CLI::IsMember({"d3d", "maxwell"}))
      ->capture_default_str();
  add_strict(*command, arguments.strict);
}

}  // namespace

void add_assemble(CLI::App& app, AssembleArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "assemble", "Shader assembly to a DXBC container, or Maxwell assembly to machine code");
  add_common(command, arguments);
  command->add_flag("--unconstrained", arguments.unconstrained,
                    "Maxwell: also take what encodes but the machine does not allow (vector alignment ...)");
}

void add_disassemble(CLI::App& app, AssembleArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "disassemble",
      "A DXBC container to shader assembly; a cubin, machine code or hexadecimal words to Maxwell assembly");
  add_common(command, arguments);
  command->add_flag("--words", arguments.words, "Maxwell: show the raw word of each instruction");
  command->add_flag("--exact-literals", arguments.exact_literals,
                    "Direct3D: print literals so that no bit is lost");
}

int run_assemble(const AssembleArguments& arguments) {
  return run(arguments, true);
}
int run_disassemble(const AssembleArguments& arguments) {
  return run(arguments, false);
}

}  // namespace texlate::cli
