// Help, manual pages, completions and the command reference, all made from the tables of options.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/texlate/options.h"

namespace texlate::cli {

/// The text that `texlate --help` prints.
std::string overview();
/// The text that `texlate COMMAND --help` prints.
std::string command_help(const Command& command);

/// Topics that concern several commands: "targets", "routes", "messages".
struct Topic {
  std::string_view name;
  std::string_view summary;
  std::string (*text)();
};
std::span<const Topic> topics();

/// "-o, --output FILE"
std::string spelled(const Option& option);
/// "texlate translate [OPTION]... SHADER..."
std::string usage_line(const Command& command, const std::vector<Option>& options);
/// Help, choices and default of an option of this table in one paragraph.
std::string explained(const Option& option, const std::vector<Option>& options);
/// Headings in the order of the options; the first is for options without a heading.
std::vector<std::string_view> headings(const std::vector<Option>& options);

/// An entry of a list: its name, and the text in a second column.
std::string help_entry(const std::string& left, std::string_view text);

/// texlate.1 if `command` is null, otherwise texlate-COMMAND.1.
std::string manual_page(const Command* command);
/// docs/commands.md.
std::string command_reference();
/// A script for bash, zsh or fish.
std::string completion_script(std::string_view shell);

}  // namespace texlate::cli
