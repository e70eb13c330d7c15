// The texlate command line. Translation goes through the public interface; run and diff know the simulators.

#include <CLI/CLI.hpp>
#include <cstdio>

#include "tools/texlate/commands.h"
#include "tools/texlate/run.h"

int main(int argc, char** argv) {
  CLI::App app{
      "texlate translates Direct3D shader programs (shader models 4.0 to 5.1) to PTX and other targets,\n"
      "so that the result means exactly what Direct3D says.\n\n"
      "  texlate translate shader.asm --to ptx -o shader.ptx    one shader\n"
      "  texlate translate *.asm --out-dir out -j 2             many\n"
      "  texlate translate shader.asm --to ptx --explain        and what had to be done about each texture "
      "access"};
  app.set_version_flag("--version", std::string("texlate ") + texlate_version());
  app.require_subcommand(1);
  texlate::cli::TranslateArguments translate;
  texlate::cli::add_translate(app, translate);
  texlate::cli::AssembleArguments assemble;
  texlate::cli::add_assemble(app, assemble);
  texlate::cli::AssembleArguments disassemble;
  texlate::cli::add_disassemble(app, disassemble);
  texlate::cli::InspectArguments info;
  texlate::cli::add_info(app, info);
  texlate::cli::InspectArguments check;
  texlate::cli::add_check(app, check);
  texlate::cli::RunArguments run;
  const CLI::App* run_command = texlate::cli::add_run(app, run);
  const CLI::App* diff_command = texlate::cli::add_diff(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version end well; everything else is wrong usage.
    return app.exit(error) == 0 ? 0 : texlate::cli::kExitUsage;
  }
  if (app.got_subcommand("assemble")) return texlate::cli::run_assemble(assemble);
  if (app.got_subcommand("disassemble")) return texlate::cli::run_disassemble(disassemble);
  if (app.got_subcommand("info")) return texlate::cli::run_info(info);
  if (app.got_subcommand("check")) return texlate::cli::run_check(check);
  if (run_command->parsed()) return texlate::cli::run_run(run);
  if (diff_command->parsed()) return texlate::cli::run_diff(run);
  return texlate::cli::run_translate(translate);
}
