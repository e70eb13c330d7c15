// The texlate command line. Translation goes through the public interface; run and diff know the simulators.

#include <CLI/CLI.hpp>

#include "tools/texlate/commands.h"
#include "tools/texlate/run.h"

namespace texlate::cli {

namespace {

/// The arguments of one subcommand, which fills them in and reads them.
template <typename Arguments, void (*kAdd)(CLI::App&, Arguments&), int (*kRun)(const Arguments&)>
struct Bound {
  static inline Arguments arguments;
  static void add_options(CLI::App& command) { kAdd(command, arguments); }
  static int run() { return kRun(arguments); }
};

struct Command {
  const char* name;
  const char* description;
  void (*add_options)(CLI::App& command);
  int (*run)();
};

template <typename Arguments, void (*kAdd)(CLI::App&, Arguments&), int (*kRun)(const Arguments&)>
constexpr Command command(const char* name, const char* description) {
  using Its = Bound<Arguments, kAdd, kRun>;
  return {name, description, Its::add_options, Its::run};
}

constexpr Command kCommands[] = {
    command<TranslateArguments, add_translate, run_translate>("translate",
                                                              "Translate shaders to another form"),
    command<AssembleArguments, add_assemble, run_assemble>(
        "assemble", "Shader assembly to a DXBC container, or Maxwell assembly to machine code"),
    command<AssembleArguments, add_disassemble, run_disassemble>(
        "disassemble",
        "A DXBC container to shader assembly; a cubin, machine code or hexadecimal words to Maxwell "
        "assembly"),
    command<InspectArguments, add_info, run_info>(
        "info", "Tell what a shader is: stage, model, bindings, signatures, counts"),
    command<InspectArguments, add_check, run_check>(
        "check", "Check shaders: declarations, registers, operands, control flow, resources"),
    command<RunArguments, add_run, run_run>("run", "Run a shader on a scene, without a GPU"),
    command<RunArguments, add_diff, run_diff>("diff", "Run a shader by all routes and compare"),
};

const Command* find_command(std::string_view name) {
  for (const Command& one : kCommands) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

/// Options cost time to declare: those of the subcommand that is asked for will do. Help about all of them
/// tells names and descriptions alone.
int run(int argc, char** argv) {
  const Command* const chosen = argc > 1 ? find_command(argv[1]) : nullptr;
  CLI::App app{
      "texlate translates Direct3D shader programs (shader models 4.0 to 5.1) to PTX and other targets,\n"
      "so that the result means exactly what Direct3D says.\n\n"
      "  texlate translate shader.asm --to ptx -o shader.ptx    one shader\n"
      "  texlate translate *.asm --out-dir out -j 2             many\n"
      "  texlate translate shader.asm --to ptx --explain        and what had to be done about each texture "
      "access"};
  app.set_version_flag("--version", std::string("texlate ") + texlate_version());
  app.require_subcommand(1);
  if (chosen != nullptr) {
    chosen->add_options(*app.add_subcommand(chosen->name, chosen->description));
  } else {
    for (const Command& one : kCommands) app.add_subcommand(one.name, one.description);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version end well; everything else is wrong usage.
    return app.exit(error) == 0 ? kExitGood : kExitUsage;
  }
  // A subcommand is the first argument: options of texlate itself end the run.
  return chosen != nullptr ? chosen->run() : kExitUsage;
}

}  // namespace

}  // namespace texlate::cli

int main(int argc, char** argv) {
  return texlate::cli::run(argc, argv);
}
