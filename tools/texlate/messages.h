// Messages on standard error, for people or for programs.
#pragma once

#include <string>
#include <string_view>

#include "ir/base/diagnostics.h"
#include "texlate/texlate.hpp"

namespace texlate::cli {

/// Version of the JSON that the program writes (docs/commands.md). It increases when readers must change.
inline constexpr int kSchema = 1;

/// How messages are written; set once, before the first message.
struct MessageStyle {
  bool color = false;
  bool json = false;  // one object per line
};
/// `when` is auto, always or never. auto means on terminals, unless NO_COLOR (https://no-color.org) is set or
/// TERM=dumb.
void choose_message_style(std::string_view when, std::string_view form);
const MessageStyle& message_style();

/// "texlate: error: ...", for errors on the command line.
void usage_error(const std::string& message);
/// "FILE: error: ...", for errors of a file as a whole.
void file_error(const std::string& file, const std::string& message);
std::string file_error_text(const std::string& file, const std::string& message);

/// A diagnostic as it is printed: with its source line and caret, or as one line of JSON.
std::string rendered(const Diagnostic& diagnostic, const std::string& file, std::string_view source);
std::string rendered(const api::Diagnostic& diagnostic, const std::string& file, std::string_view source);

/// Writes messages to standard error.
void write_messages(std::string_view text);

/// Text from a file for a terminal: blanks instead of control characters, except ends of lines.
std::string printable(std::string_view text);

/// Text as a JSON string, including quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace texlate::cli
