// From argv to a command, and from the command's result to an exit status.

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"
#include "tools/texlate/help.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/response_file.h"
#include "tools/texlate/suggestion.h"

namespace texlate::cli {

namespace {

int refuse_command(std::string_view name) {
  std::vector<std::string> names;
  for (const Command& one : commands()) names.emplace_back(one.name);
  const bool is_option = name.starts_with("-");
  usage_error(
      is_option
          ? fmt::format(
                "a command must come before options such as {}: texlate translate ... (see texlate --help)",
                name)
          : fmt::format("there is no command '{}'{} (see texlate --help)", name, suggestion(name, names)));
  return kExitUsage;
}

int run_one(const Command& command, int argc, char** argv) {
  const std::vector<Option> options = all_options(command);
  Given given;
  switch (parse(command, options, argc, argv, given)) {
    case Parsed::good: return command.run(given);
    case Parsed::help: fmt::print("{}", command_help(command)); return kExitGood;
    case Parsed::wrong: break;
  }
  if (!message_style().json)
    std::fprintf(stderr, "see 'texlate %s --help'\n", std::string(command.name).c_str());
  return kExitUsage;
}

int dispatch(int argc, char** argv) {
  if (argc < 2) {
    std::fputs(overview().c_str(), stderr);
    return kExitUsage;
  }
  const std::string_view first = argv[1];
  if (first == "--version") {
    fmt::print("texlate {}\n", texlate_version());
    return kExitGood;
  }
  if (first == "--help" || first == "-h") {
    fmt::print("{}", overview());
    return kExitGood;
  }
  const Command* const command = find_command(first);
  return command != nullptr ? run_one(*command, argc - 1, argv + 1) : refuse_command(first);
}

}  // namespace

std::span<const Command> commands() {
  static const Command kCommands[] = {translate_command(), assemble_command(), disassemble_command(),
                                      info_command(),      check_command(),    run_command(),
                                      diff_command(),      trace_command(),    test_command(),
                                      view_command(),      help_command(),     completions_command()};
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const Command& one : commands()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

int run_command_line(int argc, char** argv) {
  choose_message_style("auto", "text");
  int status = kExitGood;
  std::string why;
  bool written = true;
  try {
    std::vector<std::string> arguments;
    std::vector<char*> pointers;
    status = kExitUsage;
    if (expand_response_files(argc, argv, arguments)) {
      for (std::string& argument : arguments) pointers.push_back(argument.data());
      pointers.push_back(nullptr);
      status = dispatch(static_cast<int>(arguments.size()), pointers.data());
    }
  } catch (const std::system_error& failure) {  // from {fmt}, if standard output does not accept data
    why = std::strerror(failure.code().value());
    written = false;
  } catch (const std::bad_alloc&) {
    usage_error("out of memory");
    status = kExitInput;
  }
  if (finish_standard_output(why) && written) return status;
  file_error("standard output", "cannot be written: " + why);
  return status == kExitGood ? kExitInput : status;
}

}  // namespace texlate::cli
