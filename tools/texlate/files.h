// What the subcommands share: files, diagnostics on the terminal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "texlate/texlate.hpp"

namespace CLI {
class App;
}

namespace texlate::cli {

/// "texlate: error: ..." on stderr.
void usage_error(const std::string& message);

/// The whole file, `-` for standard input; nothing when it cannot be read.
std::optional<std::string> read_file(const std::string& path);

/// To the file, or to standard output where `path` is empty or `-`. False when it cannot be written.
bool write_file(const std::string& path, std::string_view data);

/// The option --strict, which every subcommand that reads containers has.
void add_strict(CLI::App& command, bool& strict);

/// Reads assembly or a container. `strict`: a wrong digest is an error, not a warning.
api::Program read_shader(std::string_view source, bool strict);

/// A diagnostic with its source line and caret.
std::string rendered(const api::Diagnostic& diagnostic, const std::string& file, std::string_view source);

}  // namespace texlate::cli
