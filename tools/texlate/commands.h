// The commands of texlate, in the order of the help.
#pragma once

#include <span>

#include "tools/texlate/options.h"

namespace texlate::cli {

// Exit statuses.
inline constexpr int kExitGood = 0;
inline constexpr int kExitInput = 1;  // the input is wrong or unsupported, or the output could not be written
inline constexpr int kExitUsage = 2;
inline constexpr int kExitUndecided = 2;  // diff: a route did not finish, or nothing was compared

Command translate_command();
Command assemble_command();
Command disassemble_command();
Command info_command();
Command check_command();
Command run_command();
Command diff_command();
Command trace_command();
Command test_command();
Command view_command();
Command help_command();
Command completions_command();

std::span<const Command> commands();
/// Null if there is no command of this name.
const Command* find_command(std::string_view name);

/// Runs `argv` as main() does. Returns the exit status.
int run_command_line(int argc, char** argv);

}  // namespace texlate::cli
