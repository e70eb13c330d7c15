// Runs one pass on the text form.
#pragma once

#include <string>
#include <string_view>

namespace texlate::maxwell::machine::test {

struct RunOptions {
  unsigned registers = 255;    // spill: at most so many values; allocate_registers: the limit
  unsigned register_goal = 8;  // schedule
  bool dual_issue = false;     // assign_control
};

/// The text after pass `name` (pass_log.h). Before and after it the function is verified. What is wrong, if
/// anything, is returned in place of the text.
std::string run_pass(std::string_view name, std::string_view text, const RunOptions& options = {});

/// The text without the indentation that all of its lines have, and without an empty first line.
std::string unindented(std::string_view text);

}  // namespace texlate::maxwell::machine::test
