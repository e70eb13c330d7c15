// What a person, or a program, reads on standard error.
#pragma once

#include <string>
#include <string_view>

#include "ir/base/diagnostics.h"
#include "texlate/texlate.hpp"

namespace texlate::cli {

/// Of the JSON that the program writes (docs/commands.md): counts up when a reader must change.
inline constexpr int kSchema = 1;

/// How the run writes its messages; set once, before anything is said.
struct MessageStyle {
  bool colour = false;
  bool json = false;  // one object a line
};
/// `when`: auto, always or never; auto is for terminals, and NO_COLOR (https://no-color.org) and TERM=dumb
/// are obeyed.
void choose_message_style(std::string_view when, std::string_view form);
const MessageStyle& message_style();

/// "texlate: error: ...", about the command line itself.
void usage_error(const std::string& message);
/// "FILE: error: ...", about a file as a whole.
void file_error(const std::string& file, const std::string& message);
std::string file_error_text(const std::string& file, const std::string& message);

/// A diagnostic as printed: with its source line and caret, or as one line of JSON.
std::string rendered(const Diagnostic& diagnostic, const std::string& file, std::string_view source);
std::string rendered(const api::Diagnostic& diagnostic, const std::string& file, std::string_view source);

/// Text as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace texlate::cli
